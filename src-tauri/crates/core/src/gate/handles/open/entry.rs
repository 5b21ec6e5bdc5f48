//! Desktop entries: what an application is called, and the command that starts it. Only the keys
//! that are needed, as the Desktop Entry Specification 1.5 has them.

/// What an entry says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its name as it is shown; not in the language of the person.
    pub(super) name: String,
    /// Its name in every language.
    pub(super) names: Vec<String>,
    /// What kind of application it is: "Web Browser".
    pub(super) kinds: Vec<String>,
    pub(super) command: Vec<String>,
    /// A program that must exist.
    pub(super) needs: Option<String>,
    pub(super) in_terminal: bool,
    /// Not in the menu: it belongs to another one, or was removed.
    pub(super) is_hidden: bool,
}

impl Entry {
    /// Reads an entry; `None` when it is none of an application, or its command is broken.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut entry = Self::default();
        let (mut is_application, mut exec) = (false, String::new());
        let lines = text.lines().map(str::trim).skip_while(|line| *line != "[Desktop Entry]").skip(1);
        for line in lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#')) {
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim(), unescaped(value.trim()));
            match key.split('[').next().unwrap_or(key) {
                "Type" => is_application = value == "Application",
                "Name" => {
                    if key == "Name" {
                        entry.name = shown(&value);
                    }
                    entry.names.push(value);
                }
                "GenericName" => entry.kinds.push(value),
                "Exec" => exec = value,
                "TryExec" => entry.needs = Some(value),
                "Terminal" => entry.in_terminal = value == "true",
                "NoDisplay" | "Hidden" => entry.is_hidden |= value == "true",
                _ => {}
            }
        }
        entry.command = command(&exec, &entry.name)?;
        (is_application && !entry.name.is_empty()).then_some(entry)
    }
}

/// A name on one line, and not endless.
fn shown(name: &str) -> String {
    const MOST: usize = 80;
    name.chars().filter(|c| !crate::tool::place::is_invisible(*c)).take(MOST).collect::<String>().trim().to_owned()
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => text.push(c),
            (_, true) => match chars.next() {
                Some('s') => text.push(' '),
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some('\\') | None => text.push('\\'),
                // For the command, which has marks of its own.
                Some(other) => text.extend(['\\', other]),
            },
        }
    }
    text
}

/// The words of a command line, without the places for files: nothing is given to it. No shell
/// ever sees them. `None` when a quote is not closed or a place is not known.
fn command(exec: &str, name: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut chars = exec.chars().peekable();
    while let Some(first) = chars.peek() {
        if first.is_whitespace() {
            chars.next();
            continue;
        }
        let (mut word, mut is_quoted, mut only_places) = (String::new(), false, true);
        while let Some(c) = chars.next_if(|c| is_quoted || !c.is_whitespace()) {
            match c {
                '"' => is_quoted = !is_quoted,
                '\\' if is_quoted => word.push(chars.next()?),
                '%' if !is_quoted => match chars.next()? {
                    '%' => word.push('%'),
                    'c' => word.push_str(name),
                    'f' | 'F' | 'u' | 'U' | 'i' | 'k' | 'd' | 'D' | 'n' | 'N' | 'v' | 'm' => continue,
                    _ => return None,
                },
                c => word.push(c),
            }
            only_places = false;
        }
        if is_quoted {
            return None;
        }
        if !only_places {
            words.push(word);
        }
    }
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_to_the_end_of_its_group() {
        let text = "# made by hand\n[Desktop Entry]\nType=Application\nName=Fire Fox\nName[hi]=फ़ायरफ़ॉक्स\n\
                    GenericName=Web Browser\nExec=firefox %u\nTryExec=firefox\n\n[Desktop Action new]\nName=New\nExec=bad\n";
        let expected = Entry {
            name: "Fire Fox".into(),
            names: vec!["Fire Fox".into(), "फ़ायरफ़ॉक्स".into()],
            kinds: vec!["Web Browser".into()],
            command: vec!["firefox".into()],
            needs: Some("firefox".into()),
            ..Entry::default()
        };
        assert_eq!(Entry::read(text), Some(expected));
        assert_eq!(Entry::read(&text.replace("Application", "Link")), None);
        assert_eq!(Entry::read("Type=Application\nName=x\nExec=x"), None, "without its group");
        assert!(Entry::read(&format!("{text}\nNoDisplay=true")).is_some_and(|entry| !entry.is_hidden), "another group");
    }

    #[test]
    fn a_command_is_split_as_the_specification_says_and_never_by_a_shell() {
        let words = |exec: &str| command(exec, "A b").map(|words| words.join("|"));
        for (exec, expected) in [
            ("firefox %u", "firefox"),
            ("env A=b  firefox --new-window %U", "env|A=b|firefox|--new-window"),
            (
                r#""/opt/My App/run" --title %c "a \"b\" \$c" 100%% --open=%f"#,
                "/opt/My App/run|--title|A b|a \"b\" $c|100%|--open=",
            ),
            (r#"sh -c "rm x; y && $(z)""#, "sh|-c|rm x; y && $(z)"),
            (r#"x """#, "x|"),
        ] {
            assert_eq!(words(exec).as_deref(), Some(expected), "{exec}");
        }
        for broken in ["", "%u", "x \"y", "x %z", "x %"] {
            assert_eq!(words(broken), None, "{broken}");
        }
    }
}
