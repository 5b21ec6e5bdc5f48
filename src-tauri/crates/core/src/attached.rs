//! Files that the person attaches: how much may go with a message, what a file is by its content,
//! and how it is named.
//!
//! A file is judged by its bytes and never by its name. To let the model read one more kind: its
//! mark in [`media_type`], and what becomes of it in `turn/contents.rs`.

use crate::tool::place::is_invisible;
use namma_protocol::Attachment;
use std::borrow::Cow;

/// The most files that go with one message.
pub const MAX_FILES: usize = 20;

/// The most that one file may have.
pub const MAX_FILE_BYTES: usize = 20_000_000;

/// The most that all files of one message may have, and all that go into one request: vendors take
/// no more than this.
pub const MAX_TOTAL_BYTES: usize = 24_000_000;

/// Characters of a name that are kept.
const NAME_CHARS: usize = 120;

/// What a file is by its content. `application/octet-stream` is what we cannot tell.
pub fn media_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [b'%', b'P', b'D', b'F', b'-', ..] => "application/pdf",
        [b'P', b'K', 3, 4, ..] => "application/zip",
        _ if is_text(bytes) => "text/plain",
        _ => "application/octet-stream",
    }
}

/// Whether [`media_type`] found an image that models can look at.
pub fn is_image(media_type: &str) -> bool {
    media_type.starts_with("image/")
}

fn is_text(bytes: &[u8]) -> bool {
    !bytes.is_empty() && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok()
}

/// The last part of a name, with nothing in it that is not seen or that would end a quotation.
pub fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible = last.chars().filter(|c| !is_invisible(*c) && !matches!(c, '"' | '<' | '>' | '[' | ']'));
    let kept: String = visible.take(NAME_CHARS).collect();
    match kept.trim() {
        "" => "file".to_owned(),
        kept => kept.to_owned(),
    }
}

/// A file in a line for people and for the model: "photo.png (2.1 MB)".
pub fn caption(attachment: &Attachment) -> String {
    format!("{} ({})", attachment.name, size(attachment.size_bytes as usize))
}

/// All files of a message in one line; `None` when there are none.
pub fn captions(attachments: &[Attachment]) -> Option<String> {
    let all: Vec<String> = attachments.iter().map(caption).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// What a message is about in a line: its text, or else what is attached to it.
pub fn question<'a>(text: &'a str, attachments: &[Attachment]) -> Cow<'a, str> {
    if text.trim().is_empty() {
        let names: Vec<&str> = attachments.iter().map(|attachment| attachment.name.as_str()).collect();
        return Cow::Owned(names.join(", "));
    }
    Cow::Borrowed(text)
}

/// "800 bytes", "12 kB", "2.1 MB".
pub fn size(bytes: usize) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{} kB", bytes / 1000),
        _ => {
            let tenths = bytes / 100_000;
            match tenths % 10 {
                0 => format!("{} MB", tenths / 10),
                rest => format!("{}.{rest} MB", tenths / 10),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use namma_protocol::FileId;

    #[test]
    fn a_file_is_what_its_bytes_say() {
        let table: [(&[u8], &str); 12] = [
            (b"\x89PNG\r\n\x1a\n....", "image/png"),
            (b"\xff\xd8\xff\xe0..", "image/jpeg"),
            (b"GIF89a..", "image/gif"),
            (b"RIFF....WEBPVP8 ", "image/webp"),
            (b"RIFF....WAVEfmt ", "text/plain"),
            (b"%PDF-1.7", "application/pdf"),
            (b"PK\x03\x04", "application/zip"),
            (b"plain words", "text/plain"),
            ("ನಮಸ್ಕಾರ".as_bytes(), "text/plain"),
            (b"\xff\xfea\0b\0", "application/octet-stream"),
            (b"with\0zero", "application/octet-stream"),
            (b"", "application/octet-stream"),
        ];
        for (bytes, wanted) in table {
            assert_eq!(media_type(bytes), wanted, "{bytes:?}");
        }
    }

    #[test]
    fn a_name_is_its_last_part_and_holds_nothing_unseen() {
        assert_eq!(clean_name("/a/b/notes.txt"), "notes.txt");
        assert_eq!(clean_name(r"C:\a\photo.png"), "photo.png");
        assert_eq!(clean_name("gnp\u{202e}exe.\n\"]>x"), "gnpexe.x");
        assert_eq!(clean_name(" \u{7}/"), "file");
        assert_eq!(clean_name(&"ಕ".repeat(500)).chars().count(), NAME_CHARS);
    }

    #[test]
    fn sizes_are_told_as_people_say_them() {
        let told = [0, 1, 999, 1000, 12_600, 999_999, 1_000_000, 2_190_000, 48_000_000].map(size);
        let right = ["0 bytes", "1 byte", "999 bytes", "1 kB", "12 kB", "999 kB", "1 MB", "2.1 MB", "48 MB"];
        assert_eq!(told, right);
    }

    #[test]
    fn a_message_without_words_is_about_what_is_attached() {
        let one = |name: &str| Attachment {
            file_id: FileId("f".into()),
            name: name.into(),
            media_type: "text/plain".into(),
            size_bytes: 2048,
        };
        let both = [one("a.txt"), one("b.txt")];
        assert_eq!(question("why?", &both), "why?");
        assert_eq!(question(" ", &both), "a.txt, b.txt");
        assert_eq!(captions(&both).as_deref(), Some("a.txt (2 kB), b.txt (2 kB)"));
        assert_eq!(captions(&[]), None);
    }
}
