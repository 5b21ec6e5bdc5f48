//! Where keys and passwords lie: what no call may name, what commands cannot see, and what a search
//! of a folder leaves out.

use std::path::{Path, PathBuf};

/// Below the home folder: keys, passwords, browsers.
pub(super) const SECRET_PLACES: [&str; 27] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".password-store",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".config/gcloud",
    ".config/gh",
    ".config/op",
    ".config/rclone",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".mozilla",
    ".thunderbird",
    ".bash_history",
];

/// Outside of any home folder.
pub(super) const PASSWORD_FILES: [&str; 5] =
    ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd"];

/// The private places of one person.
#[derive(Clone, Debug)]
pub(super) struct Secrets {
    pub(super) home: PathBuf,
    /// Our own data.
    pub(super) hidden: Vec<PathBuf>,
}

impl Secrets {
    pub(super) fn hold(&self, path: &Path) -> bool {
        let in_home = path.strip_prefix(&self.home);
        self.hidden.iter().any(|hidden| path.starts_with(hidden))
            || in_home.is_ok_and(|inside| SECRET_PLACES.iter().any(|place| inside.starts_with(place)))
            || is_secret_name(path)
    }
}

/// A file that holds keys or passwords wherever it lies.
pub(super) fn is_secret_name(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let starts = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
    name == ".env"
        || (name.starts_with(".env.") && name != ".env.example")
        || name == ".netrc"
        || name == ".pgpass"
        || name.ends_with(".kdbx")
        || (starts.iter().any(|start| name.starts_with(start)) && !name.ends_with(".pub"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_places_are_known_and_others_are_not() {
        let secrets = Secrets { home: "/home/a".into(), hidden: vec!["/data/own".into()] };
        for path in [
            "/home/a/.ssh",
            "/home/a/.ssh/config",
            "/data/own/x",
            "/srv/.env",
            "/srv/.env.local",
            "/x/id_rsa",
            "/x/A.KDBX",
        ] {
            assert!(secrets.hold(Path::new(path)), "{path}");
        }
        for path in
            ["/home/a/.sshd", "/home/b/.ssh", "/data/owner", "/srv/.env.example", "/x/id_rsa.pub", "/home/a/notes"]
        {
            assert!(!secrets.hold(Path::new(path)), "{path}");
        }
    }
}
