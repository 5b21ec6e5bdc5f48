//! From bytes to text: which encoding, or what else it is.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// What bytes turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    Text {
        text: String,
        encoding: &'static str,
    },
    /// Not text: a kind in words, with its article.
    Binary {
        kind: &'static str,
    },
}

/// How much of a file is looked at to find out what it is.
const PROBE_BYTES: usize = 64 << 10;

/// Decodes text; `partial` bytes may end in the middle of a character.
pub(crate) fn decode(bytes: &[u8], partial: bool) -> Decoded {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return Decoded::Text { text: text.into_owned(), encoding: encoding.name() };
    }
    let probe = &bytes[..bytes.len().min(PROBE_BYTES)];
    if probe.contains(&0) {
        return Decoded::Binary { kind: kind(bytes) };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => return text_or_noise(text.to_owned(), UTF_8.name(), bytes),
        Err(error) if partial && error.error_len().is_none() => {
            let text = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
            return text_or_noise(text, UTF_8.name(), bytes);
        }
        Err(_) => {}
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(probe, true);
    let encoding = detector.guess(None, Utf8Detection::Allow);
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    text_or_noise(text.into_owned(), encoding.name(), bytes)
}

/// A text has few control characters.
fn text_or_noise(text: String, encoding: &'static str, bytes: &[u8]) -> Decoded {
    let odd = |c: &char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}' | '\u{8}');
    let sample = text.chars().take(PROBE_BYTES);
    let (count, controls) = sample.fold((0, 0), |(all, odds), c| (all + 1, odds + usize::from(odd(&c))));
    if controls * 20 > count { Decoded::Binary { kind: kind(bytes) } } else { Decoded::Text { text, encoding } }
}

/// What a file is, by its first bytes.
fn kind(bytes: &[u8]) -> &'static str {
    const KINDS: [(&[u8], &str); 16] = [
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"RIFF", "a sound, video or WebP file"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or an Office document"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"BZh", "a bzip2 archive"),
        (b"\xfd7zXZ", "an xz archive"),
        (b"7z\xbc\xaf", "a 7-Zip archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive"),
        (b"\x7fELF", "a program"),
        (b"SQLite format 3", "an SQLite database"),
        (b"ID3", "an MP3 sound"),
        (b"OggS", "an Ogg sound"),
        (b"\xd0\xcf\x11\xe0", "an old Office document"),
    ];
    KINDS.iter().find(|(start, _)| bytes.starts_with(start)).map_or("binary, not text", |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (String, &'static str) {
        match decode(bytes, false) {
            Decoded::Text { text, encoding } => (text, encoding),
            Decoded::Binary { kind } => panic!("{kind}"),
        }
    }

    #[test]
    fn encodings_are_found() {
        assert_eq!(text("ನಮ್ಮ".as_bytes()), ("ನಮ್ಮ".into(), "UTF-8"));
        assert_eq!(text(b"\xef\xbb\xbfmark"), ("mark".into(), "UTF-8"));
        assert_eq!(text(b"\xff\xfeh\0i\0"), ("hi".into(), "UTF-16LE"));
        let latin = b"Les \xe9l\xe8ves fran\xe7ais \xe9taient tr\xe8s fatigu\xe9s apr\xe8s la f\xeate.";
        assert_eq!(text(latin), ("Les élèves français étaient très fatigués après la fête.".into(), "windows-1252"));
    }

    #[test]
    fn what_is_not_text_is_named() {
        assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0", false), Decoded::Binary { kind: "a PNG picture" });
        assert_eq!(decode(b"a\0b", false), Decoded::Binary { kind: "binary, not text" });
        let noise: Vec<u8> = (0..500u16).map(|n| (n % 31 + 1) as u8).collect();
        assert_eq!(decode(&noise, false), Decoded::Binary { kind: "binary, not text" });
    }

    #[test]
    fn a_part_may_end_in_the_middle_of_a_character() {
        let bytes = "ಕಖ".as_bytes();
        let part = decode(&bytes[..bytes.len() - 1], true);
        assert_eq!(part, Decoded::Text { text: "ಕ".into(), encoding: "UTF-8" });
    }

    #[test]
    fn nothing_is_text() {
        assert_eq!(text(b""), (String::new(), "UTF-8"));
    }
}
