//! Large files: from any byte, across servers, with what a hub of models says of them.

use namma_providers::{DownloadError, FileDownload};
use namma_testkit::sse_server::{Reply, SseServer};

const SUM: &str = "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e";

async fn body_of(address: &str, from: u64) -> Result<(u64, Option<u64>, Option<String>, String), DownloadError> {
    let mut file = FileDownload::default().open(address, from).await?;
    let mut body = Vec::new();
    while let Some(piece) = file.piece().await? {
        body.extend_from_slice(&piece);
    }
    Ok((file.from, file.total, file.sha256, String::from_utf8_lossy(&body).into_owned()))
}

/// A store of files as most are: it knows ranges.
async fn store(content: &'static str) -> SseServer {
    SseServer::serves(move |request| {
        let total = content.len();
        let from = request
            .header("range")
            .and_then(|range| range.trim_start_matches("bytes=").trim_end_matches('-').parse().ok());
        match from {
            None => Reply::body(200, "application/octet-stream", content),
            Some(from) if from < total => {
                let range = format!("bytes {from}-{}/{total}", total - 1);
                Reply::body(206, "application/octet-stream", &content[from..]).header("content-range", &range)
            }
            Some(_) => Reply::body(416, "text/plain", "").header("content-range", &format!("bytes */{total}")),
        }
    })
    .await
}

#[tokio::test]
async fn a_file_comes_from_any_byte_on() {
    let store = store("0123456789").await;
    let address = format!("http://{}/model.gguf", store.address());
    let none = None::<String>;
    assert_eq!(body_of(&address, 0).await, Ok((0, Some(10), none.clone(), "0123456789".into())));
    assert_eq!(body_of(&address, 7).await, Ok((7, Some(10), none.clone(), "789".into())));
    assert_eq!(body_of(&address, 10).await, Ok((10, Some(10), none, String::new())), "nothing is left");
}

#[tokio::test]
async fn a_server_that_knows_no_ranges_begins_at_the_beginning() {
    let server = SseServer::serves(|_| Reply::body(200, "application/octet-stream", "0123456789")).await;
    let address = format!("http://{}/model.gguf", server.address());
    assert_eq!(body_of(&address, 7).await.map(|file| (file.0, file.3)), Ok((0, "0123456789".into())));
}

#[tokio::test]
async fn a_hub_lists_the_checksum_and_leads_on() {
    let store = store("0123456789").await;
    let target = format!("http://{}/blob", store.address());
    let hub = SseServer::serves(move |_| {
        Reply::body(302, "text/plain", "")
            .header("location", &target)
            .header("x-linked-etag", &format!("\"{SUM}\""))
            .header("x-linked-size", "10")
    })
    .await;
    let address = format!("http://{}/resolve/main/model.gguf", hub.address());
    assert_eq!(body_of(&address, 4).await, Ok((4, Some(10), Some(SUM.into()), "456789".into())));
    assert_eq!(hub.requests()[0].header("accept-encoding"), None, "the length counts");
}

#[tokio::test]
async fn what_is_no_checksum_is_not_taken_for_one() {
    let server =
        SseServer::serves(|_| Reply::body(200, "text/plain", "x").header("x-linked-etag", "\"d41d8cd9\"")).await;
    let file = body_of(&format!("http://{}/a", server.address()), 0).await;
    assert_eq!(file.map(|file| file.2), Ok(None));
}

#[tokio::test]
async fn a_way_that_is_not_safe_or_has_no_end_is_not_gone() {
    let unsafe_target =
        SseServer::serves(|_| Reply::body(302, "text/plain", "").header("location", "http://example.org/a")).await;
    let address = format!("http://{}/a", unsafe_target.address());
    assert_eq!(body_of(&address, 0).await, Err(DownloadError::BadAddress { address: "http://example.org/a".into() }));
    let circle = SseServer::serves(|_| Reply::body(302, "text/plain", "").header("location", "/again")).await;
    assert_eq!(body_of(&format!("http://{}/a", circle.address()), 0).await, Err(DownloadError::TooManyHops));
}

#[tokio::test]
async fn a_refusal_and_a_lost_connection_are_told_apart() {
    let refusing = SseServer::serves(|_| Reply::body(403, "text/plain", "no")).await;
    let refused = body_of(&format!("http://{}/a", refusing.address()), 0).await;
    assert_eq!(refused, Err(DownloadError::Refused { host: "127.0.0.1".into(), status: 403 }));
    for status in [408, 429, 500, 503] {
        let busy = SseServer::serves(move |_| Reply::body(status, "text/plain", "later")).await;
        let told = body_of(&format!("http://{}/a", busy.address()), 0).await;
        assert_eq!(told, Err(DownloadError::Busy { host: "127.0.0.1".into(), status }));
    }
    let cutting = SseServer::serves(|_| Reply::events("01234").then_close()).await;
    assert!(matches!(body_of(&format!("http://{}/a", cutting.address()), 0).await, Err(DownloadError::Lost { .. })));
    let nobody = body_of("http://127.0.0.1:9/a", 0).await;
    assert!(matches!(nobody, Err(DownloadError::Lost { .. })), "{nobody:?}");
}
