//! One of each that may exist once, none of those that may not. Licences are kept by the step
//! `dependencies` of `cargo xtask test`.

use super::read;

/// The versions of a crate in the lock file.
fn versions(lock: &str, name: &str) -> Vec<String> {
    let head = format!("name = \"{name}\"");
    let mut lines = lock.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line == head
            && let Some(version) = lines.next().and_then(|line| line.strip_prefix("version = "))
        {
            found.push(version.trim_matches('"').to_owned());
        }
    }
    found
}

#[test]
fn there_is_one_tls_one_http_client_and_one_sqlite() {
    let lock = read("Cargo.lock");
    for name in ["rustls", "reqwest", "libsqlite3-sys"] {
        assert_eq!(versions(&lock, name).len(), 1, "{name}: {:?}", versions(&lock, name));
    }
    for name in ["openssl-sys", "native-tls", "aws-lc-sys", "aws-lc-rs"] {
        assert_eq!(versions(&lock, name), Vec::<String>::new(), "{name} must not be there");
    }
}
