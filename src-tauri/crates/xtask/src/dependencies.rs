//! Keeps the rules of `.cargo/deny.toml` without cargo-deny: licences, banned and doubled crates.
//!
//! It reads the crates of this platform as `cargo tree` names them, and the three lists of the
//! rules file: `allow`, `exceptions` and `deny`. To allow a licence, edit that file only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, bail};

use crate::job::program;
use crate::places::Places;

pub(crate) fn check(places: &Places) -> Result<()> {
    let path = places.root.join(".cargo/deny.toml");
    let rules = fs::read_to_string(&path).with_context(|| format!("could not read `{}`", path.display()))?;
    let answer = program("cargo", places)
        .args(["tree", "--workspace", "--edges", "normal,build,dev", "--prefix", "none"])
        .args(["--format", "{p}|{l}"])
        .output()
        .context("could not start `cargo tree`")?;
    if !answer.status.success() {
        bail!("cargo tree failed: {}", String::from_utf8_lossy(&answer.stderr));
    }
    let complaints = judge(&Rules::read(&rules), &String::from_utf8_lossy(&answer.stdout))?;
    if !complaints.is_empty() {
        bail!("{}", complaints.join("\n"));
    }
    Ok(())
}

#[derive(Default)]
struct Rules {
    allowed: BTreeSet<String>,
    banned: BTreeSet<String>,
    /// May be there in one version only.
    single: BTreeSet<String>,
    /// Licences that single crates may have.
    exceptions: BTreeSet<(String, String)>,
}

impl Rules {
    fn read(text: &str) -> Self {
        let mut rules = Self::default();
        let mut list = "";
        for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
            for name in ["allow", "deny", "exceptions"] {
                if line == format!("{name} = [") {
                    list = name;
                }
            }
            let quoted: Vec<String> = line.split('"').skip(1).step_by(2).map(String::from).collect();
            match (list, quoted.as_slice()) {
                ("allow", [licence]) => {
                    rules.allowed.insert(licence.clone());
                }
                ("deny", [name, ..]) if line.contains("deny-multiple-versions = true") => {
                    rules.single.insert(name.clone());
                }
                ("deny", [name, ..]) => {
                    rules.banned.insert(name.clone());
                }
                ("exceptions", [name, licences @ ..]) => {
                    rules.exceptions.extend(licences.iter().map(|licence| (name.clone(), licence.clone())));
                }
                _ => {}
            }
            if line.ends_with(']') && !line.contains('{') {
                list = "";
            }
        }
        rules
    }

    /// `or` needs one allowed part, `and` needs all; parentheses bind.
    fn permit(&self, name: &str, licence: &str) -> bool {
        let words = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<&str> = words.split_whitespace().rev().collect();
        let verdict = self.either(name, &mut words);
        verdict && words.is_empty()
    }

    fn either(&self, name: &str, words: &mut Vec<&str>) -> bool {
        let mut verdict = self.both(name, words);
        while words.last() == Some(&"OR") {
            words.pop();
            verdict |= self.both(name, words);
        }
        verdict
    }

    fn both(&self, name: &str, words: &mut Vec<&str>) -> bool {
        let mut verdict = self.one(name, words);
        while words.last() == Some(&"AND") {
            words.pop();
            verdict &= self.one(name, words);
        }
        verdict
    }

    fn one(&self, name: &str, words: &mut Vec<&str>) -> bool {
        match words.pop() {
            Some("(") => {
                let verdict = self.either(name, words);
                verdict & (words.pop() == Some(")"))
            }
            Some(licence) => {
                let mut licence = licence.to_owned();
                if words.last() == Some(&"WITH") {
                    words.pop();
                    licence = format!("{licence} WITH {}", words.pop().unwrap_or_default());
                }
                self.allowed.contains(&licence) || self.exceptions.contains(&(name.to_owned(), licence))
            }
            None => false,
        }
    }
}

fn judge(rules: &Rules, tree: &str) -> Result<Vec<String>> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut complaints = BTreeSet::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (package, licence) = line.split_once('|').with_context(|| format!("could not read `{line}`"))?;
        let mut words = package.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else { bail!("could not read `{line}`") };
        let licence = licence.trim_end_matches(" (*)").trim();
        versions.entry(name).or_default().insert(version);
        if !rules.permit(name, licence) {
            complaints.insert(format!("{name} {version} has the licence `{licence}`, which is not allowed"));
        }
        if rules.banned.contains(name) {
            complaints.insert(format!("{name} {version} is banned"));
        }
    }
    for name in &rules.single {
        let found = versions.get(name.as_str()).map_or(0, BTreeSet::len);
        if found > 1 {
            complaints.insert(format!("{name} is there in {found} versions; one is allowed"));
        }
    }
    if versions.len() < 2 {
        bail!("cargo tree named no crates");
    }
    Ok(complaints.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
[licenses]
allow = [
    "MIT",
    "Apache-2.0", # both
    "Apache-2.0 WITH LLVM-exception",
    "Unicode-3.0",
]
exceptions = [
    { crate = "lonely", allow = ["Odd-1.0"] },
]
[bans]
deny = [
    { crate = "openssl-sys", reason = "one TLS" },
    { crate = "rustls", deny-multiple-versions = true, reason = "one TLS" },
]
"#;

    fn complaints(tree: &str) -> Vec<String> {
        judge(&Rules::read(RULES), &format!("namma-core v0.1.0 (/x)|MIT OR Apache-2.0\nserde v1.0.0|MIT (*)\n{tree}"))
            .unwrap()
    }

    #[test]
    fn licences_are_read_with_and_or_with_and_parentheses() {
        let allowed = "\
a v1.0.0|MIT/Apache-2.0
b v1.0.0|(MIT OR GPL-3.0) AND Unicode-3.0
c v1.0.0|Apache-2.0 WITH LLVM-exception OR GPL-3.0
";
        assert_eq!(complaints(allowed), Vec::<String>::new());
        assert_eq!(complaints("d v1.0.0|MIT AND GPL-3.0").len(), 1);
        assert_eq!(complaints("e v1.0.0|").len(), 1, "no licence is no permission");
    }

    #[test]
    fn an_exception_is_for_one_crate_only() {
        let rules = Rules::read(RULES);
        assert!(rules.permit("lonely", "Odd-1.0"));
        assert!(!rules.permit("other", "Odd-1.0"));
    }

    #[test]
    fn banned_and_doubled_crates_are_found() {
        let tree = "openssl-sys v0.9.0|MIT\nrustls v0.22.0|MIT\nrustls v0.23.0|MIT\nsyn v1.0.0|MIT\nsyn v2.0.0|MIT";
        assert_eq!(complaints(tree), ["openssl-sys v0.9.0 is banned", "rustls is there in 2 versions; one is allowed"]);
    }
}
