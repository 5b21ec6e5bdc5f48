use namma_protocol::{ApiError, ErrorCode};
use tauri::{AppHandle, Url};
use tauri_plugin_opener::OpenerExt;

/// Opens a link in the program that the system has for it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn link_open(handle: AppHandle, url: String) -> Result<(), ApiError> {
    let url = checked(&url)?;
    handle.opener().open_url(url.as_str(), None::<&str>).map_err(|error| {
        ApiError::new(ErrorCode::Internal, format!("could not open the link: {error}"))
            .hint("Copy the link and open it yourself.")
    })
}

/// Only what leads to a page or a letter: never a file, a script or another program.
fn checked(url: &str) -> Result<Url, ApiError> {
    let parsed = Url::parse(url).ok().filter(|url| match url.scheme() {
        "http" | "https" => url.has_host(),
        "mailto" => !url.path().is_empty(),
        _ => false,
    });
    parsed.ok_or_else(|| {
        ApiError::new(ErrorCode::InvalidInput, "this kind of link is not opened")
            .hint("Only web addresses and mail addresses are.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_and_letters_are_opened() {
        for url in ["https://example.org/a?b=c#d", "http://127.0.0.1:8080/", "mailto:someone@example.org"] {
            assert!(checked(url).is_ok(), "{url}");
        }
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "smb://host/share",
            "/etc/passwd",
            "-version",
            "mailto:",
            "tauri://localhost",
            "",
        ] {
            assert!(checked(url).is_err(), "{url}");
        }
    }
}
