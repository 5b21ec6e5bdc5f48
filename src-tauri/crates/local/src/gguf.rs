//! The head of a GGUF file: what kind of model it is, and whether the file is whole.
//!
//! Only the head is read, with limits on everything that a file may claim. Nothing is trusted: a
//! file that says strange things is refused with the reason.

use crate::error::LocalError;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

const MAGIC: &[u8; 4] = b"GGUF";
const MAX_PAIRS: u64 = 100_000;
const MAX_TENSORS: u64 = 1_000_000;
const MAX_TEXT_BYTES: u64 = 16 << 20;
const MAX_ITEMS: u64 = 16 << 20;
/// Arrays of arrays exist on paper only.
const MAX_DEPTH: u32 = 4;

/// What the head of a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GgufFacts {
    pub(crate) architecture: String,
    /// The model's own name.
    pub(crate) name: Option<String>,
    /// The longest conversation it was trained for.
    pub(crate) context_tokens: Option<u32>,
    pub(crate) has_chat_template: bool,
    pub(crate) bytes: u64,
}

impl GgufFacts {
    /// Reads the head of a file. Blocks for some milliseconds.
    ///
    /// # Errors
    /// When there is no such file, or it is no whole GGUF file of a language model.
    pub(crate) fn read(path: &Path) -> Result<Self, LocalError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(LocalError::NoFile { path: path.to_owned() });
            }
            Err(error) => return Err(LocalError::disk("read", path, &error)),
        };
        let facts = file.metadata().map_err(|error| LocalError::disk("read", path, &error))?;
        let refused = |why: String| LocalError::NotAModel { path: path.to_owned(), why };
        if !facts.is_file() {
            return Err(refused("it is not a file".into()));
        }
        let mut head = Head { input: BufReader::with_capacity(1 << 16, file), at: 0 };
        head.facts(facts.len()).map_err(|fault| match fault {
            Fault::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => refused("the file is cut off".into()),
            Fault::Io(error) => LocalError::disk("read", path, &error),
            Fault::Strange(why) => refused(why),
        })
    }
}

enum Fault {
    Io(io::Error),
    Strange(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn strange<T>(why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Strange(why.into()))
}

/// A value of the head; what nobody asks for is read over.
enum Value {
    Text(String),
    Number(u64),
    Other,
}

struct Head<R> {
    input: R,
    at: u64,
}

impl<R: Read + Seek> Head<R> {
    fn facts(&mut self, bytes: u64) -> Result<GgufFacts, Fault> {
        let mut magic = [0; 4];
        self.exact(&mut magic)?;
        if &magic != MAGIC {
            return strange("it does not begin like a GGUF file");
        }
        let version = self.number(4)?;
        if !(2..=3).contains(&version) {
            return strange(format!("its version of GGUF is {version}"));
        }
        let (tensors, pairs) = (self.number(8)?, self.number(8)?);
        if pairs > MAX_PAIRS || tensors > MAX_TENSORS {
            return strange("its head is too long");
        }
        let mut facts = GgufFacts { bytes, ..GgufFacts::default() };
        let mut alignment = 32;
        let mut lengths = Vec::new();
        for _ in 0..pairs {
            let key = self.text(1 << 16)?;
            let kind = self.number(4)?;
            match (key.as_str(), self.value(kind, 0)?) {
                ("general.architecture", Value::Text(text)) => facts.architecture = text,
                ("general.name", Value::Text(text)) => facts.name = Some(text),
                ("general.alignment", Value::Number(number)) if number > 0 => alignment = number,
                ("tokenizer.chat_template", Value::Text(text)) => facts.has_chat_template = !text.trim().is_empty(),
                (key, Value::Number(number)) if key.ends_with(".context_length") => {
                    lengths.push((key.to_owned(), number));
                }
                _ => {}
            }
        }
        if facts.architecture.is_empty() || facts.architecture == "clip" {
            return strange("it holds no language model");
        }
        let wanted = format!("{}.context_length", facts.architecture);
        let length = lengths.iter().find(|(key, _)| *key == wanted).map(|(_, length)| *length);
        facts.context_tokens = length.and_then(|length| u32::try_from(length).ok());
        let last = self.last_tensor(tensors)?;
        let data = self.at.next_multiple_of(alignment);
        if tensors == 0 || data.saturating_add(last) >= bytes {
            return strange("the file is cut off");
        }
        Ok(facts)
    }

    /// Where the last tensor begins in the data.
    fn last_tensor(&mut self, tensors: u64) -> Result<u64, Fault> {
        let mut last = 0;
        for _ in 0..tensors {
            self.text(1 << 16)?;
            let dimensions = self.number(4)?;
            if dimensions > 8 {
                return strange("a tensor has too many dimensions");
            }
            self.skip(dimensions * 8 + 4)?;
            last = last.max(self.number(8)?);
        }
        Ok(last)
    }

    fn value(&mut self, kind: u64, depth: u32) -> Result<Value, Fault> {
        Ok(match kind {
            // Numbers without a sign, of 1, 2, 4 and 8 bytes.
            0 => Value::Number(self.number(1)?),
            2 => Value::Number(self.number(2)?),
            4 | 5 => Value::Number(self.number(4)?),
            10 | 11 => Value::Number(self.number(8)?),
            8 => Value::Text(self.text(MAX_TEXT_BYTES)?),
            9 => self.array(depth)?,
            other => {
                self.skip(width(other)?)?;
                Value::Other
            }
        })
    }

    fn array(&mut self, depth: u32) -> Result<Value, Fault> {
        let (kind, count) = (self.number(4)?, self.number(8)?);
        if count > MAX_ITEMS || depth == MAX_DEPTH {
            return strange("a list in its head is too long");
        }
        match kind {
            8 | 9 => {
                for _ in 0..count {
                    if kind == 8 {
                        let length = self.number(8)?;
                        self.skip(length)?;
                    } else {
                        self.array(depth + 1)?;
                    }
                }
            }
            kind => self.skip(count * width(kind)?)?,
        }
        Ok(Value::Other)
    }

    fn text(&mut self, most: u64) -> Result<String, Fault> {
        let length = self.number(8)?;
        if length > most {
            return strange("a text in its head is too long");
        }
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(length).read_to_end(&mut bytes)?;
        if read as u64 != length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        self.at += length;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A little-endian number of that many bytes, at most 8.
    fn number(&mut self, width: usize) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.exact(&mut bytes[..width])?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn exact(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        self.input.read_exact(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn skip(&mut self, count: u64) -> Result<(), Fault> {
        if count > MAX_TEXT_BYTES * 16 {
            return strange("a value in its head is too long");
        }
        // Beyond the end of the file the next read fails.
        if count < 1 << 12 {
            io::copy(&mut self.input.by_ref().take(count), &mut io::sink())?;
        } else {
            self.input.seek(SeekFrom::Current(i64::try_from(count).unwrap_or(i64::MAX)))?;
        }
        self.at += count;
        Ok(())
    }
}

fn width(kind: u64) -> Result<u64, Fault> {
    match kind {
        0 | 1 | 7 => Ok(1),
        2 | 3 => Ok(2),
        4..=6 => Ok(4),
        10..=12 => Ok(8),
        other => strange(format!("a value in its head is of kind {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::tests::support::{gguf, with};
    use std::io::Cursor;

    pub(crate) mod support {
        /// A small file in the form of GGUF.
        pub(crate) fn gguf(pairs: &[Vec<u8>], data: usize) -> Vec<u8> {
            let mut file = b"GGUF".to_vec();
            file.extend(3u32.to_le_bytes());
            file.extend(1u64.to_le_bytes());
            file.extend((pairs.len() as u64).to_le_bytes());
            file.extend(pairs.concat());
            file.extend(text("weights"));
            file.extend(1u32.to_le_bytes());
            file.extend(
                [4u64.to_le_bytes().to_vec(), 0u32.to_le_bytes().to_vec(), 0u64.to_le_bytes().to_vec()].concat(),
            );
            file.resize(file.len().next_multiple_of(32) + data, 0);
            file
        }

        pub(crate) fn text(text: &str) -> Vec<u8> {
            [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
        }

        pub(crate) fn with(key: &str, kind: u32, value: &[u8]) -> Vec<u8> {
            [&text(key)[..], &kind.to_le_bytes(), value].concat()
        }
    }

    fn read(file: &[u8]) -> Result<GgufFacts, String> {
        let mut head = Head { input: Cursor::new(file), at: 0 };
        head.facts(file.len() as u64).map_err(|fault| match fault {
            Fault::Io(error) => error.kind().to_string(),
            Fault::Strange(why) => why,
        })
    }

    fn pairs() -> Vec<Vec<u8>> {
        vec![
            with("general.architecture", 8, &support::text("qwen2")),
            with("clip.context_length", 4, &7u32.to_le_bytes()),
            with(
                "tokenizer.ggml.tokens",
                9,
                &[&8u32.to_le_bytes()[..], &2u64.to_le_bytes(), &support::text("a"), &support::text("bc")].concat(),
            ),
            with("tokenizer.ggml.scores", 9, &[&6u32.to_le_bytes()[..], &2u64.to_le_bytes(), &[0; 8]].concat()),
            with("qwen2.context_length", 4, &32_768u32.to_le_bytes()),
            with("tokenizer.chat_template", 8, &support::text("{{ messages }}")),
        ]
    }

    #[test]
    fn the_head_tells_what_the_model_is() {
        let file = gguf(&pairs(), 16);
        let facts = GgufFacts {
            architecture: "qwen2".into(),
            name: None,
            context_tokens: Some(32_768),
            has_chat_template: true,
            bytes: file.len() as u64,
        };
        assert_eq!(read(&file), Ok(facts));
    }

    #[test]
    fn wherever_a_file_is_cut_it_is_refused() {
        let file = gguf(&pairs(), 1);
        assert!(read(&file).is_ok());
        for length in 0..file.len() {
            assert!(read(&file[..length]).is_err(), "cut at {length} of {}", file.len());
        }
    }

    #[test]
    fn a_head_that_claims_too_much_is_refused_without_reading_it() {
        let huge = u64::MAX.to_le_bytes();
        for pair in [
            with("a", 8, &huge),
            with("a", 9, &[&8u32.to_le_bytes()[..], &huge].concat()),
            with("a", 9, &[&4u32.to_le_bytes()[..], &huge].concat()),
            with("a", 99, &[]),
        ] {
            assert!(read(&gguf(&[pair], 1)).is_err());
        }
        assert_eq!(read(b"PK\x03\x04 and more"), Err("it does not begin like a GGUF file".into()));
        assert_eq!(read(&gguf(&[], 1)), Err("it holds no language model".into()));
    }
}
