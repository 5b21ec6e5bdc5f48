use crate::support::{Home, answered, new_turn, said};
use namma_core::ports::SessionStore;

/// Two kilobytes of talk whose words differ from message to message.
fn talk(seed: u32) -> String {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut text = String::new();
    while text.len() < 1000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let word = format!("{:05}", (state >> 16) % 20_000);
        text.extend(word.bytes().map(|digit| char::from(b'a' + digit - b'0')));
        text.push_str(" the of ");
    }
    text
}

/// 2,000 here; the bench does 20,000.
#[tokio::test]
async fn the_file_stays_below_three_times_what_was_said() {
    let home = Home::new();
    let store = home.store().await;
    let mut payload = 0;
    for number in 0..2_000 {
        let turn = new_turn(&format!("ses_{}", number / 50), &format!("turn_{number}"), &talk(number));
        let answer = talk(number + 1_000_000);
        payload += turn.user_text.len() + answer.len();
        store.begin_turn(&turn).await.unwrap();
        store.append(&turn.turn_id, &[said(&answer)], &[]).await.unwrap();
        store.finish_turn(&turn.turn_id, &answered(&answer), &[], turn.started_at).await.unwrap();
    }
    let open = store.statistics().await.unwrap();
    assert!(open.journal_bytes <= 17 << 20, "the journal grew to {} bytes", open.journal_bytes);
    store.close().await;
    let bytes = std::fs::metadata(home.path()).unwrap().len() as usize;
    assert!(bytes < 3 * payload, "{bytes} bytes for {payload}");
}

#[tokio::test]
async fn maintenance_gives_space_back() {
    let home = Home::new();
    let store = home.store().await;
    for number in 0..300 {
        let turn = new_turn("ses_1", &format!("turn_{number}"), &talk(number).repeat(4));
        store.begin_turn(&turn).await.unwrap();
        store.finish_turn(&turn.turn_id, &answered(""), &[], turn.started_at).await.unwrap();
    }
    store.maintain().await.unwrap();
    let before = store.statistics().await.unwrap().file_bytes;
    store.session_delete(&"ses_1".into()).await.unwrap();
    home.clock.advance(namma_store::KEEP_DELETED_MS + 1);
    store.maintain().await.unwrap();
    let after = store.statistics().await.unwrap().file_bytes;
    assert!(after < before / 2, "{before} bytes became {after}");
}
