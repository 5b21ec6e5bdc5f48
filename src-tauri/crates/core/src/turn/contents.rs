//! What the person attached, as the model gets it: images as images, texts as quoted data, and
//! everything else by its name.

use crate::attached::{self, MAX_TOTAL_BYTES};
use crate::ports::{Entry, Image, StoreError, StoredTurn};
use crate::trust::Taint;
use crate::turn::engine::Run;
use crate::turn::history::mark;
use namma_protocol::{Attachment, FileId, TurnId};
use std::collections::HashMap;
use std::sync::Arc;

/// Of a text that is attached, the model gets so much.
const MAX_TEXT_BYTES: usize = 200_000;

/// The contents of attached files that were loaded; of the others the model gets the names.
#[derive(Default)]
pub(crate) struct Contents {
    by_id: HashMap<FileId, Content>,
    bytes: usize,
}

enum Content {
    Image(Arc<[u8]>),
    Text { text: String, is_cut: bool },
}

impl Contents {
    /// Whether the model can do something with it, there is room for it, and it is not here yet.
    fn wants(&self, attachment: &Attachment) -> bool {
        is_readable(attachment)
            && self.bytes + kept_bytes(attachment) <= MAX_TOTAL_BYTES
            && !self.by_id.contains_key(&attachment.file_id)
    }

    fn add(&mut self, attachment: &Attachment, bytes: Vec<u8>, readable: impl FnOnce(&str) -> String) {
        self.bytes += kept_bytes(attachment);
        let content = if attached::is_image(&attachment.media_type) {
            Content::Image(bytes.into())
        } else {
            let text = String::from_utf8_lossy(&bytes);
            let head = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
            Content::Text { text: readable(head), is_cut: head.len() < text.len() }
        };
        self.by_id.insert(attachment.file_id.clone(), content);
    }

    /// Puts what is attached after the text of its message.
    pub(super) fn put(&self, turn: &TurnId, attachments: &[Attachment], text: &mut String, images: &mut Vec<Image>) {
        for attachment in attachments {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            let caption = attached::caption(attachment);
            match self.by_id.get(&attachment.file_id) {
                Some(Content::Image(bytes)) => {
                    text.push_str(&format!("[attached image: {caption}]"));
                    images.push(Image { media_type: attachment.media_type.clone(), bytes: bytes.clone() });
                }
                Some(Content::Text { text: content, is_cut }) => {
                    text.push_str(&quoted(turn, attachment, content, *is_cut));
                }
                None if is_readable(attachment) => {
                    text.push_str(&format!("[attached: {caption}. Its content is left out here.]"));
                }
                None => text.push_str(&format!("[attached: {caption}. A file of this kind cannot be read yet.]")),
            }
        }
    }
}

/// How much of it goes to the model.
fn kept_bytes(attachment: &Attachment) -> usize {
    let all = attachment.size_bytes as usize;
    if attached::is_image(&attachment.media_type) { all } else { all.min(MAX_TEXT_BYTES) }
}

fn is_readable(attachment: &Attachment) -> bool {
    attached::is_image(&attachment.media_type) || attachment.media_type.starts_with("text/")
}

/// A text as data: its mark is made of the turn's random id, so that whoever wrote the text cannot
/// know it.
fn quoted(turn: &TurnId, attachment: &Attachment, content: &str, is_cut: bool) -> String {
    let mark = mark(&format!("{turn} {}", attachment.file_id.as_str()));
    let content = content.replace(&mark, "");
    let rest = if is_cut {
        let size = attached::size(attachment.size_bytes as usize);
        format!("\n[… only the first {} of {size} are here …]", attached::size(MAX_TEXT_BYTES))
    } else {
        String::new()
    };
    format!("<data {mark} from=\"the file {}\">\n{content}{rest}\n</data {mark}>", attachment.name)
}

impl Run {
    /// Loads what is attached to this turn and to those before it, the newest first.
    pub(super) async fn load_past(&mut self) -> Result<(), StoreError> {
        let mut all = self.input.turn.attachments.clone();
        for stored in self.past.iter().rev() {
            all.extend(attachments_of(stored).cloned());
        }
        self.load(&all).await
    }

    /// Loads what is attached to a message. From then on the turn has read something from outside.
    pub(super) async fn load(&mut self, attachments: &[Attachment]) -> Result<(), StoreError> {
        if !attachments.is_empty() {
            self.scope.add_taint(Taint::Document.into());
        }
        for attachment in attachments.iter() {
            if !self.contents.wants(attachment) {
                continue;
            }
            if let Some(bytes) = self.engine.sessions.attached_bytes(&attachment.file_id).await? {
                self.contents.add(attachment, bytes, |text| self.engine.gate.readable(text));
            }
        }
        Ok(())
    }
}

fn attachments_of(stored: &StoredTurn) -> impl Iterator<Item = &Attachment> {
    let added = stored.entries.iter().filter_map(|entry| match entry {
        Entry::User { attachments, .. } => Some(attachments),
        Entry::Assistant { .. } | Entry::Result { .. } | Entry::ContinuedWith { .. } => None,
    });
    added.flatten().chain(&stored.turn.attachments)
}
