//! Numbers and names as people read them.

/// "1 line", "3 lines", "1,204 lines".
pub(crate) fn count(number: usize, one: &str) -> String {
    counted(number, one, &format!("{one}s"))
}

/// "1 entry", "3 entries".
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { many })
}

/// "1,204".
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "17 bytes", "4.2 KB", "1.3 GB".
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return if bytes == 1 { "1 byte".into() } else { format!("{bytes} bytes") };
    }
    // Rounded first, so that 999,999 is 1.0 MB and not 1000.0 KB.
    let mut tenths = (bytes + 50) / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths = (tenths + 500) / 1000;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

/// The last part of a path as it was given, for a title.
pub(crate) fn short_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next() {
        Some("" | "." | "..") | None => path,
        Some(name) => name,
    }
}

/// A long text for a title: its first line, cut.
pub(crate) fn excerpt(text: &str, max_chars: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    if line.chars().count() <= max_chars && line.len() == text.trim().len() {
        return line.to_owned();
    }
    let cut: String = line.chars().take(max_chars).collect();
    format!("{}…", cut.trim_end())
}

/// A name from outside on one line: line breaks and control characters become visible.
pub(crate) fn one_line(name: &str) -> String {
    name.chars().flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] }).collect()
}

/// Line breaks and tabs belong to scripts; other control characters, direction marks and hidden
/// characters make one command or address look like another.
pub(crate) fn is_deceptive(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes_read_well() {
        assert_eq!(count(1, "line"), "1 line");
        assert_eq!(count(1204, "line"), "1,204 lines");
        assert_eq!(counted(0, "entry", "entries"), "0 entries");
        assert_eq!(grouped(1_234_567), "1,234,567");
        let sizes =
            [(1, "1 byte"), (999, "999 bytes"), (4200, "4.2 KB"), (999_999, "1.0 MB"), (1_300_000_000, "1.3 GB")];
        for (bytes, text) in sizes {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn names_and_titles_stay_short_and_on_one_line() {
        assert_eq!(short_name("~/a/notes.txt"), "notes.txt");
        assert_eq!(short_name("Downloads/"), "Downloads");
        assert_eq!(short_name("."), ".");
        assert_eq!(excerpt("git status", 40), "git status");
        assert_eq!(excerpt("one\ntwo", 40), "one…");
        assert_eq!(excerpt("abcdef", 3), "abc…");
        assert_eq!(one_line("a\nb"), "a\\nb");
    }
}
