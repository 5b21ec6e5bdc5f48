//! Images as text, the way the vendors take them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use namma_core::ports::Image;

pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

pub(crate) fn data_url(image: &Image) -> String {
    format!("data:{};base64,{}", image.media_type, base64(&image.bytes))
}
