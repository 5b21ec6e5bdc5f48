//! Downloads that are cut, resumed, lied to and stopped.

use crate::support::{Computer, claims, entry, gguf, ignore, size, sum};
use namma_local::LocalError;
use namma_protocol::{CatalogueModel, InstallProgress};
use namma_testkit::sse_server::{RecordedRequest, Reply, SseServer};
use std::sync::atomic::{AtomicUsize, Ordering};

claims! {
    a_model_is_downloaded_checked_and_on_the_shelf,
    a_download_that_is_cut_goes_on_where_it_was,
    a_download_of_an_earlier_run_goes_on,
    a_server_without_ranges_begins_again,
    a_wrong_checksum_is_told_and_nothing_is_left,
    a_server_with_another_size_is_not_believed,
    a_server_that_sends_too_much_is_stopped,
    a_page_instead_of_a_model_is_not_shelved,
    the_checksum_of_the_server_counts_when_the_catalogue_has_none,
    without_any_checksum_a_part_is_not_built_upon,
    without_any_checksum_a_whole_part_is_not_taken_for_the_file,
    a_server_that_never_begins_at_the_beginning_is_given_up,
    a_server_that_always_cuts_is_given_up_when_nothing_may_be_built_upon,
    a_server_that_is_busy_is_asked_again,
    a_server_that_lists_another_checksum_is_told_before_the_download,
    a_full_disk_is_told_before_the_download,
    a_server_that_is_lost_for_good_is_told_and_the_part_stays,
    a_stopped_download_keeps_what_has_arrived,
    the_same_wish_twice_is_one_download,
    another_program_that_installs_it_is_told,
    what_is_here_already_is_not_downloaded_again,
}

/// How a server sends a file: the request, and what is asked for from that byte on.
type Send = fn(&[u8], usize) -> Reply;

fn from(request: &RecordedRequest) -> usize {
    let range = request.header("range").map(|range| range.trim_start_matches("bytes=").trim_end_matches('-'));
    range.and_then(|from| from.parse().ok()).unwrap_or(0)
}

/// A store that knows ranges.
fn well(content: &[u8], from: usize) -> Reply {
    if from == 0 {
        return Reply::body(200, "application/octet-stream", content.to_vec());
    }
    let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
    Reply::body(206, "application/octet-stream", content[from..].to_vec()).header("content-range", &range)
}

async fn store(content: &[u8], send: Send) -> (SseServer, CatalogueModel) {
    let theirs = content.to_vec();
    let server = SseServer::serves(move |request| send(&theirs, from(request))).await;
    let entry = entry(&format!("http://{}/small.gguf", server.address()), content);
    (server, entry)
}

async fn a_model_is_downloaded_checked_and_on_the_shelf() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) = store(&content, well).await;
    let mut heard = Vec::new();
    let model = computer.begin(&entry).finish(|progress| heard.push(progress)).await.unwrap();
    assert_eq!((model.name.as_str(), model.is_ours, model.context_tokens), ("small", true, Some(4096)));
    let shelved = computer.shelf.find("small").unwrap();
    assert_eq!(shelved.sha256, Some(sum(&content)));
    assert_eq!(std::fs::read(&shelved.path).unwrap(), content);
    assert_eq!(size(&computer.models_file("small.gguf.part")), None);
    let whole = content.len() as u64;
    // Only the newest step is heard, so a short download may be over before anybody listens.
    let is_known = |step: &InstallProgress| match step {
        InstallProgress::Downloading { done_bytes, total_bytes } => (*done_bytes, *total_bytes) == (whole, Some(whole)),
        other => *other == InstallProgress::Checking,
    };
    assert!(heard.iter().all(is_known), "{heard:?}");
}

async fn a_download_that_is_cut_goes_on_where_it_was() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    // Never more than 30,000 bytes at once.
    let (server, entry) = store(&content, |content, from| {
        let end = content.len().min(from + 30_000);
        let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
        let reply = Reply::body(206, "application/octet-stream", content[from..end].to_vec());
        reply.header("content-range", &range).until_close()
    })
    .await;
    let model = computer.begin(&entry).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
    let asked: Vec<usize> = server.requests().iter().map(from).collect();
    assert_eq!(asked, [0, 30_000, 60_000, 90_000]);
}

async fn a_download_of_an_earlier_run_goes_on() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (server, entry) = store(&content, well).await;
    std::fs::create_dir_all(computer.models_file("")).unwrap();
    std::fs::write(computer.models_file("small.gguf.part"), &content[..40_000]).unwrap();
    let model = computer.begin(&entry).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
    assert_eq!(server.requests().iter().map(from).collect::<Vec<_>>(), [40_000]);
}

async fn a_server_without_ranges_begins_again() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) = store(&content, |content, _| well(content, 0)).await;
    std::fs::create_dir_all(computer.models_file("")).unwrap();
    std::fs::write(computer.models_file("small.gguf.part"), vec![1; 40_000]).unwrap();
    let model = computer.begin(&entry).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
}

async fn assert_mismatch(computer: &Computer, entry: &CatalogueModel, why: &str) {
    let error = computer.begin(entry).finish(ignore).await.unwrap_err();
    assert_eq!(error, LocalError::Mismatch { name: "small".into(), why: why.into() });
    assert_eq!(computer.shelf.models(), Ok(Vec::new()));
    assert_eq!(size(&computer.models_file("small.gguf")), None);
}

async fn a_wrong_checksum_is_told_and_nothing_is_left() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) = store(&content, well).await;
    let entry = CatalogueModel { sha256: Some(sum(b"something else")), ..entry };
    assert_mismatch(&computer, &entry, "its checksum is another").await;
    assert_eq!(size(&computer.models_file("small.gguf.part")), None, "the next attempt does not build on it");
}

async fn a_server_with_another_size_is_not_believed() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) = store(&content[..50_000], well).await;
    let entry = CatalogueModel { bytes: content.len() as u64, ..entry };
    let why = format!("the server has 50000 bytes, and it should be {}", content.len());
    assert_mismatch(&computer, &entry, &why).await;
}

async fn a_server_that_sends_too_much_is_stopped() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) = store(&content, |content, _| {
        Reply::body(200, "application/octet-stream", content.to_vec()).then_repeat(vec![0; 4096], 100).until_close()
    })
    .await;
    assert_mismatch(&computer, &entry, "the server sends more than the file has").await;
}

async fn a_page_instead_of_a_model_is_not_shelved() {
    let (computer, page) = (Computer::hurried(), b"<html>log in first</html>".to_vec());
    let (_server, entry) = store(&page, well).await;
    let error = computer.begin(&entry).finish(ignore).await.unwrap_err();
    assert!(error.to_string().contains("does not begin like a GGUF file"), "{error}");
    assert_eq!(computer.shelf.models(), Ok(Vec::new()));
}

async fn the_checksum_of_the_server_counts_when_the_catalogue_has_none() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (store, entry) = store(&content, well).await;
    for (listed, is_right) in [(sum(&content), true), (sum(b"other"), false)] {
        let target = format!("http://{}/blob", store.address());
        let hub = SseServer::serves(move |_| {
            let moved = Reply::body(302, "text/plain", "").header("location", &target);
            moved.header("x-linked-etag", &format!("\"{listed}\""))
        })
        .await;
        let url = format!("http://{}/small.gguf", hub.address());
        let entry = CatalogueModel { sha256: None, url, name: format!("small-{is_right}"), ..entry.clone() };
        let done = computer.begin(&entry).finish(ignore).await;
        assert_eq!(done.is_ok(), is_right, "{done:?}");
    }
    assert_eq!(computer.shelf.find("small-true").unwrap().sha256, Some(sum(&content)));
}

async fn without_any_checksum_a_part_is_not_built_upon() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) = store(&content, well).await;
    std::fs::create_dir_all(computer.models_file("")).unwrap();
    std::fs::write(computer.models_file("small.gguf.part"), vec![1; 40_000]).unwrap();
    let model = computer.begin(&CatalogueModel { sha256: None, ..entry }).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
    assert_eq!(computer.shelf.find("small").unwrap().sha256, None, "nobody knows it");
}

async fn without_any_checksum_a_whole_part_is_not_taken_for_the_file() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (server, entry) = store(&content, well).await;
    std::fs::create_dir_all(computer.models_file("")).unwrap();
    let mut other = content.clone();
    *other.last_mut().unwrap() += 1;
    std::fs::write(computer.models_file("small.gguf.part"), other).unwrap();
    let model = computer.begin(&CatalogueModel { sha256: None, ..entry }).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
    assert_eq!(server.requests().iter().map(from).collect::<Vec<_>>(), [0]);
}

async fn a_server_that_never_begins_at_the_beginning_is_given_up() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (server, entry) = store(&content, |content, _| well(content, 5)).await;
    let error = computer.begin(&entry).finish(ignore).await.unwrap_err();
    assert!(error.to_string().ends_with("it began at byte 5"), "{error}");
    assert_eq!(server.request_count(), 6, "as often as a lost connection");
}

async fn a_server_that_always_cuts_is_given_up_when_nothing_may_be_built_upon() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (server, entry) = store(&content, |content, from| {
        let end = content.len().min(from + 30_000);
        let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
        let reply = Reply::body(206, "application/octet-stream", content[from..end].to_vec());
        reply.header("content-range", &range).until_close()
    })
    .await;
    let error = computer.begin(&CatalogueModel { sha256: None, ..entry }).finish(ignore).await.unwrap_err();
    assert!(matches!(error, LocalError::Download { .. }), "{error:?}");
    assert!(server.request_count() < 20, "{} requests", server.request_count());
}

async fn a_server_that_is_busy_is_asked_again() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let (_server, entry) = store(&content, |content, from| match ASKED.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::body(429, "text/plain", "later"),
        1 => Reply::body(503, "text/plain", "later"),
        _ => well(content, from),
    })
    .await;
    let model = computer.begin(&entry).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
    let (_server, entry) = store(&content, |_, _| Reply::body(503, "text/plain", "later")).await;
    let error = Computer::hurried().begin(&entry).finish(ignore).await.unwrap_err();
    assert!(error.hint().contains("goes on where it stopped"), "{}", error.hint());
}

async fn a_server_that_lists_another_checksum_is_told_before_the_download() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (_server, entry) =
        store(&content, |content, from| well(content, from).header("x-linked-etag", &format!("\"{}\"", sum(b"newer"))))
            .await;
    assert_mismatch(&computer, &entry, "the server lists another checksum than the catalogue").await;
}

async fn a_full_disk_is_told_before_the_download() {
    let computer = Computer::hurried();
    let (server, entry) = store(&gguf("qwen2"), well).await;
    let error = computer.begin(&CatalogueModel { bytes: 1 << 60, ..entry }).finish(ignore).await.unwrap_err();
    assert!(matches!(error, LocalError::NoSpace { needed_bytes, .. } if needed_bytes > 1 << 60), "{error:?}");
    assert_eq!(server.request_count(), 0);
}

async fn a_server_that_is_lost_for_good_is_told_and_the_part_stays() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let (server, entry) = store(&content, |content, from| {
        let has_come = ASKED.fetch_add(1, Ordering::SeqCst);
        let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
        let piece = if has_come == 0 { &content[..30_000] } else { &[] };
        let reply = Reply::body(206, "application/octet-stream", piece.to_vec());
        reply.header("content-range", &range).until_close()
    })
    .await;
    let error = computer.begin(&entry).finish(ignore).await.unwrap_err();
    assert!(matches!(error, LocalError::Download { .. }), "{error:?}");
    assert!(error.hint().contains("goes on where it stopped"));
    assert_eq!(size(&computer.models_file("small.gguf.part")), Some(30_000));
    assert_eq!(server.request_count(), 6, "the first, and then as often as is sensible");
}

async fn a_stopped_download_keeps_what_has_arrived() {
    let content = [gguf("qwen2"), vec![1; 3 << 20]].concat();
    let computer = Computer::hurried();
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let (server, entry) = store(&content, |content, from| {
        if ASKED.fetch_add(1, Ordering::SeqCst) > 0 {
            return well(content, from);
        }
        let range = format!("bytes 0-{}/{}", content.len() - 1, content.len());
        let half = content[..2 << 20].to_vec();
        Reply::body(206, "application/octet-stream", half).header("content-range", &range).until_close().then_hang()
    })
    .await;
    {
        let (arrived, heard) = tokio::sync::oneshot::channel();
        let mut arrived = Some(arrived);
        let install = computer.begin(&entry).finish(move |progress| {
            if matches!(progress, InstallProgress::Downloading { .. })
                && let Some(arrived) = arrived.take()
            {
                arrived.send(()).unwrap();
            }
        });
        tokio::select! {
            done = install => panic!("it ended: {done:?}"),
            _ = heard => {}
        }
    }
    server.until_hung_up(0).await;
    let kept = size(&computer.models_file("small.gguf.part")).unwrap();
    assert!(kept >= 1 << 20, "{kept} bytes are kept");
    let model = computer.begin(&entry).finish(ignore).await.unwrap();
    assert_eq!(std::fs::read(model.path.unwrap()).unwrap(), content);
    assert!(from(&server.requests()[1]) >= 1 << 20, "it went on there");
}

async fn the_same_wish_twice_is_one_download() {
    let (computer, content) = (Computer::hurried(), gguf("qwen2"));
    let (server, entry) = store(&content, well).await;
    let (one, two) = tokio::join!(computer.begin(&entry).finish(ignore), computer.begin(&entry).finish(ignore));
    assert_eq!(one, two);
    assert!(one.is_ok(), "{one:?}");
    assert_eq!(server.request_count(), 1);
}

async fn another_program_that_installs_it_is_told() {
    let computer = Computer::hurried();
    let (_server, entry) = store(&gguf("qwen2"), well).await;
    std::fs::create_dir_all(computer.models_file("")).unwrap();
    let held = std::fs::File::create(computer.models_file(".small.lock")).unwrap();
    held.lock().unwrap();
    let error = computer.begin(&entry).finish(ignore).await.unwrap_err();
    assert_eq!(error, LocalError::Busy { name: "small".into() });
}

async fn what_is_here_already_is_not_downloaded_again() {
    let computer = Computer::hurried();
    let content = gguf("qwen2");
    let (server, entry) =
        store(&content, |content, from| well(content, from).header("x-linked-etag", &format!("\"{}\"", sum(content))))
            .await;
    // One whose checksum the catalogue has, and one whose checksum only the server knows.
    for sha256 in [Some(sum(&content)), None] {
        let name = format!("small-{}", sha256.is_some());
        let entry = CatalogueModel { sha256, name, ..entry.clone() };
        let before = server.request_count();
        let first = computer.begin(&entry).finish(ignore).await;
        assert!(first.is_ok(), "{first:?}");
        assert_eq!(computer.begin(&entry).finish(ignore).await, first);
        assert_eq!(server.request_count(), before + 1);
    }
}
