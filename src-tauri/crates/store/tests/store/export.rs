use crate::support::{Home, START, answered, attachment, called, new_turn, said, succeeded};
use namma_core::ports::{SessionStore, StoreError};
use namma_protocol::SessionId;

#[tokio::test]
async fn a_session_is_exported_as_json_and_markdown() {
    let home = Home::new();
    let store = home.store().await;
    let mut turn = new_turn("ses_1", "turn_1", "Which files?");
    turn.attachments = vec![attachment("a.txt")];
    store.begin_turn(&turn).await.unwrap();
    let entries = [called("I look.", &["call_1"]), succeeded("call_1"), said("Two files.")];
    store.append(&turn.turn_id, &entries, &[]).await.unwrap();
    store.finish_turn(&turn.turn_id, &answered("Two files."), &[], START).await.unwrap();

    let exported = store.export_session(&SessionId::from("ses_1")).await.unwrap();
    let json = serde_json::to_value(&exported).unwrap();
    assert_eq!(json["format"], 1);
    assert_eq!(json["session"]["title"], "Which files?");
    assert_eq!(json["turns"][0]["userText"], "Which files?");
    assert_eq!(json["turns"][0]["attachments"][0]["name"], "a.txt");
    assert_eq!(json["turns"][0]["outcome"]["type"], "answered");
    assert_eq!(json["turns"][0]["entries"][0]["calls"][0]["call"]["name"], "list_dir");
    assert_eq!(json["turns"][0]["entries"][1]["outcome"]["content"], "a.txt\nb.txt");
    let page = "# Which files?\n\n## You\n\nWhich files?\n\n*Attached: a.txt (2 kB)*\n\n## Asha\n\nI look.\n- Looked into tmp\n  - 2 entries\n\n\
        ## Asha\n\nTwo files.\n";
    assert_eq!(exported.to_markdown("Asha"), page);
}

#[tokio::test]
async fn a_session_that_is_not_there_is_not_exported() {
    let home = Home::new();
    let refused = home.store().await.export_session(&SessionId::from("ses_1")).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotFound { .. }), "{refused}");
}
