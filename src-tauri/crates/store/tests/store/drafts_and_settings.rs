use crate::support::{Home, draft};
use namma_protocol::SessionId;
use serde_json::json;

#[tokio::test]
async fn drafts_are_kept_by_chat() {
    let home = Home::new();
    let store = home.store().await;
    let session = SessionId::from("ses_1");
    store.draft_save(None, &draft("new")).await.unwrap();
    store.draft_save(Some(&session), &draft("half a sent")).await.unwrap();
    store.draft_save(Some(&session), &draft("half a sentence")).await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.draft_get(None).await.unwrap(), draft("new"));
    assert_eq!(store.draft_get(Some(&session)).await.unwrap(), draft("half a sentence"));
    store.draft_save(Some(&session), &draft("")).await.unwrap();
    assert_eq!(store.draft_get(Some(&session)).await.unwrap(), draft(""));
}

#[tokio::test]
async fn settings_are_read_back() {
    let home = Home::new();
    let store = home.store().await;
    assert_eq!(store.setting_get("window").await.unwrap(), None);
    store.setting_set("window", &json!({"width": 800})).await.unwrap();
    store.setting_set("window", &json!({"width": 900, "max": false})).await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.setting_get("window").await.unwrap(), Some(json!({"width": 900, "max": false})));
}
