#![allow(clippy::disallowed_methods, reason = "tests lay out the files they need")]

use super::*;
use namma_protocol::Effect;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

struct Dir {
    _temporary: tempfile::TempDir,
    root: PathBuf,
}

impl Dir {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        Self { _temporary: temporary, root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn with(self, name: &str, content: &str) -> Self {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.root).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().into()
}

fn sandbox() -> Sandbox {
    Sandbox::detect("/nonexistent")
}

fn reads(path: &Path) -> Effects {
    Effects::of([Effect::ReadFile { path: text(path) }])
}

fn writes(path: &Path) -> Effects {
    Effects::of([Effect::WriteFile { path: text(path) }])
}

fn moves(from: &Path, to: &Path) -> Effects {
    Effects::of([Effect::MoveFile { from: text(from), to: text(to) }])
}

fn message<T: std::fmt::Debug>(answer: Result<T, ToolFailure>) -> String {
    answer.unwrap_err().message().to_owned()
}

#[tokio::test]
async fn what_was_not_declared_is_refused() {
    let dir = Dir::new().with("declared/a", "a").with("other", "b");
    let effects = reads(&dir.path("declared"));
    let sandbox = sandbox();
    let files = Files::new(&effects, &sandbox);
    let other = dir.path("other");

    assert!(files.read(&dir.path("declared/a"), 10).await.is_ok(), "a declared folder covers what is below");
    let refused = [
        message(files.read(&other, 10).await),
        message(files.list(&dir.root).await),
        message(files.metadata(&other).await),
        message(files.write(&dir.path("declared/a"), b"x").await),
        message(files.create_dir(&dir.path("declared/b")).await),
        message(files.move_path(&dir.path("declared/a"), &other).await),
        message(files.trash(&dir.path("declared/a")).await),
        message(files.reading().work(TIME_LIMIT, move |reading| reading.open(&other).map(drop)).await),
    ];
    for message in refused {
        assert!(message.contains("had not declared"), "{message}");
    }
    assert_eq!(dir.text("declared/a"), "a");
}

#[tokio::test]
async fn the_beginning_of_a_file_is_read() {
    let dir = Dir::new().with("a", "0123456789");
    let effects = reads(&dir.root);
    let sandbox = sandbox();
    let files = Files::new(&effects, &sandbox);
    let part = files.read(&dir.path("a"), 4).await.unwrap();
    assert_eq!(part, FileBytes { bytes: b"0123".to_vec(), truncated: true, size_bytes: 10 });
    let whole = files.read(&dir.path("a"), 10).await.unwrap();
    assert_eq!(whole, FileBytes { bytes: b"0123456789".to_vec(), truncated: false, size_bytes: 10 });
}

#[tokio::test]
async fn a_folder_is_listed_with_kinds_and_without_following_links() {
    let dir = Dir::new().with("a", "12").with("folder/x", "");
    symlink("/etc", dir.path("link")).unwrap();
    let effects = reads(&dir.root);
    let mut entries = Files::new(&effects, &sandbox()).list(&dir.root).await.unwrap();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::File, EntryKind::Folder, EntryKind::Link]);
    assert_eq!(entries[0].size_bytes, 2);
    assert!(entries[0].modified.is_some());
}

#[tokio::test]
async fn a_link_that_appears_on_the_way_or_at_the_end_is_refused() {
    let dir = Dir::new().with("real/a", "secret");
    symlink("real", dir.path("way")).unwrap();
    symlink("real/a", dir.path("end")).unwrap();
    for path in [dir.path("way/a"), dir.path("end")] {
        let (to_read, to_write) = (reads(&path), writes(&path));
        assert!(message(Files::new(&to_read, &sandbox()).read(&path, 10).await).contains("link"));
        assert!(message(Files::new(&to_write, &sandbox()).write(&path, b"x").await).contains("link"));
    }
    assert_eq!(dir.text("real/a"), "secret");
    let way = reads(&dir.path("way"));
    assert!(Files::new(&way, &sandbox()).list(&dir.path("way")).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_is_swapped_in_all_the_time_never_leads_out() {
    let dir = Dir::new().with("work/a", "inside").with("secret/a", "outside");
    let (work, aside, secret) = (dir.path("work"), dir.path("aside"), dir.path("secret"));
    let path = dir.path("work/a");
    let stop = Arc::new(AtomicBool::new(false));
    let flipping = std::thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            let mut flips = 0;
            while !stop.load(Ordering::Relaxed) || flips < 2000 {
                std::fs::rename(&work, &aside).unwrap();
                symlink(&secret, &work).unwrap();
                std::fs::remove_file(&work).unwrap();
                std::fs::rename(&aside, &work).unwrap();
                flips += 1;
            }
            flips
        }
    });
    let (to_read, to_write) = (reads(&path), writes(&path));
    let mut read = 0;
    for round in 0..400 {
        if let Ok(file) = Files::new(&to_read, &sandbox()).read(&path, 100).await {
            assert_ne!(file.bytes, b"outside", "escaped while reading");
            read += 1;
        }
        // A write may be refused; it must not land behind the link.
        let _either = Files::new(&to_write, &sandbox()).write(&path, format!("inside {round}").as_bytes()).await;
    }
    stop.store(true, Ordering::Relaxed);
    let flips = flipping.join().unwrap();
    assert!(flips >= 2000, "the link was flipped {flips} times");
    assert!(read > 0, "some reads came through");
    assert_eq!(dir.text("secret/a"), "outside", "escaped while writing");
    assert_eq!(std::fs::read_dir(dir.path("secret")).unwrap().count(), 1, "no draft went astray");
}

#[tokio::test]
async fn devices_pipes_sockets_and_processes_are_refused_at_once() {
    let dir = Dir::new();
    let pipe = dir.path("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let socket = dir.path("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let environment = PathBuf::from(format!("/proc/{}/environ", std::process::id()));
    let cases = [
        (pipe.as_path(), "pipe"),
        (socket.as_path(), "socket"),
        (Path::new("/dev/zero"), "device"),
        (environment.as_path(), "running programs"),
        (dir.root.as_path(), "folder"),
    ];
    for (path, why) in cases {
        let effects = reads(path);
        let failure = message(Files::new(&effects, &sandbox()).read(path, 10).await);
        assert!(failure.contains(why), "{}: {failure}", path.display());
    }
    for path in [pipe, socket] {
        let effects = writes(&path);
        assert!(Files::new(&effects, &sandbox()).write(&path, b"x").await.is_err(), "{}", path.display());
    }
}

#[tokio::test]
async fn a_write_is_whole_and_keeps_the_mode() {
    let dir = Dir::new().with("script", "old");
    let path = dir.path("script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
    let before = std::fs::metadata(&path).unwrap();
    let effects = writes(&path);
    Files::new(&effects, &sandbox()).write(&path, b"new").await.unwrap();
    let after = std::fs::metadata(&path).unwrap();
    assert_eq!(dir.text("script"), "new");
    assert_eq!(after.mode(), before.mode());
    assert_ne!(after.ino(), before.ino(), "another file took the place: who reads now reads all old or all new");
    assert_eq!(dir.names(), ["script"], "no draft is left");
}

#[tokio::test]
async fn a_write_that_cannot_be_whole_changes_nothing() {
    let dir = Dir::new().with("folder/x", "x").with("a", "a");
    std::fs::hard_link(dir.path("a"), dir.path("b")).unwrap();
    for (name, why) in [("folder", "folder"), ("a", "2 names"), ("missing/x", "no such")] {
        let path = dir.path(name);
        let effects = writes(&path);
        let failure = message(Files::new(&effects, &sandbox()).write(&path, b"new").await);
        assert!(failure.contains(why), "{failure}");
    }
    assert_eq!(dir.names(), ["a", "b", "folder"]);
    assert_eq!(dir.text("b"), "a");
}

#[tokio::test]
async fn a_file_that_changed_in_the_meantime_is_left_alone() {
    let dir = Dir::new().with("a", "one");
    let path = dir.path("a");
    let effects = writes(&path);
    let sandbox = sandbox();
    let files = Files::new(&effects, &sandbox);
    let seen = files.reading().fingerprint(&path).await.unwrap();
    assert_eq!(seen, Fingerprint::of(b"one"));

    std::fs::write(&path, "two").unwrap();
    assert!(message(files.write_if_unchanged(&path, seen, b"three").await).contains("changed in the meantime"));
    assert!(message(files.write_if_unchanged(&path, Fingerprint::MISSING, b"three").await).contains("changed"));
    assert_eq!(dir.text("a"), "two");

    files.write_if_unchanged(&path, Fingerprint::of(b"two"), b"three").await.unwrap();
    assert_eq!(dir.text("a"), "three");
    std::fs::remove_file(&path).unwrap();
    assert!(files.write_if_unchanged(&path, Fingerprint::of(b"three"), b"x").await.is_err(), "it is gone");
    assert_eq!(files.reading().fingerprint(&path).await.unwrap(), Fingerprint::MISSING);
    files.write_if_unchanged(&path, Fingerprint::MISSING, b"four").await.unwrap();
    assert_eq!(dir.text("a"), "four");
    assert_eq!(dir.names(), ["a"], "no draft is left");
}

#[tokio::test]
async fn a_move_never_overwrites() {
    let dir = Dir::new().with("a", "a").with("b", "b").with("folder/x", "x");
    for (from, to) in [("a", "b"), ("a", "folder"), ("folder", "a"), ("folder", "folder/inside"), ("missing", "c")] {
        let (from, to) = (dir.path(from), dir.path(to));
        let effects = moves(&from, &to);
        assert!(
            Files::new(&effects, &sandbox()).move_path(&from, &to).await.is_err(),
            "{} to {}",
            from.display(),
            to.display()
        );
    }
    assert_eq!((dir.text("a"), dir.text("b"), dir.text("folder/x")), ("a".into(), "b".into(), "x".into()));

    let (from, to) = (dir.path("a"), dir.path("folder/a"));
    let effects = moves(&from, &to);
    Files::new(&effects, &sandbox()).move_path(&from, &to).await.unwrap();
    assert_eq!((dir.text("folder/a"), dir.names()), ("a".into(), vec!["b".into(), "folder".into()]));
}

#[tokio::test]
async fn moving_a_link_moves_the_link() {
    let dir = Dir::new().with("real", "r");
    symlink("real", dir.path("link")).unwrap();
    let (from, to) = (dir.path("link"), dir.path("renamed"));
    let effects = moves(&from, &to);
    Files::new(&effects, &sandbox()).move_path(&from, &to).await.unwrap();
    assert_eq!(std::fs::read_link(&to).unwrap(), Path::new("real"));
    assert_eq!(dir.text("real"), "r");
}

#[tokio::test]
async fn a_folder_is_made_once() {
    let dir = Dir::new();
    let path = dir.path("new");
    let effects = writes(&path);
    let sandbox = sandbox();
    let files = Files::new(&effects, &sandbox);
    files.create_dir(&path).await.unwrap();
    assert!(path.is_dir());
    assert!(message(files.create_dir(&path).await).contains("exists"));
}

#[tokio::test]
async fn work_that_is_out_of_time_may_return_what_it_has() {
    let dir = Dir::new();
    let effects = reads(&dir.root);
    let count = FilesToRead::new(&effects, &sandbox())
        .work(Duration::from_millis(20), |reading| {
            let mut count = 0;
            while !reading.is_over() {
                count += 1;
                std::thread::yield_now();
            }
            Ok(count)
        })
        .await
        .unwrap();
    assert!(count > 0);
}

#[tokio::test]
async fn keys_below_a_declared_folder_must_be_named_to_be_read() {
    let dir =
        Dir::new().with("home/.ssh/config", "secret").with("home/project/.env", "secret").with("home/own/db", "secret");
    let home = dir.path("home");
    let sandbox = Sandbox::detect("/nonexistent").at_home(&home).hiding([dir.path("home/own")]);
    let effects = reads(&home);
    let files = Files::new(&effects, &sandbox);
    for path in [".ssh/config", "project/.env", "own/db"] {
        assert!(message(files.read(&home.join(path), 10).await).contains("keys or passwords"), "{path}");
        let named = reads(&home.join(path));
        assert!(Files::new(&named, &sandbox).read(&home.join(path), 10).await.is_ok(), "{path}: the policy judges it");
    }
    assert!(files.list(&home.join(".ssh")).await.is_err());
    assert!(files.list(&home.join("project")).await.is_ok());
}
