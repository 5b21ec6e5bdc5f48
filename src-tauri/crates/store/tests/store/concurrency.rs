use crate::support::{Home, new_turn, said, talk, turn_ids};
use namma_core::ports::SessionStore;
use namma_protocol::SessionId;
use std::sync::Arc;

/// Two programs (two stores have nothing in common but the file), each with a writer and four
/// readers, and a backup in the middle.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_writers_and_a_backup_never_find_it_locked() {
    const TURNS: usize = 60;
    let home = Home::new();
    let stores = [home.store().await, home.store().await];
    let mut tasks = Vec::new();
    for (program, store) in stores.iter().enumerate() {
        let writer = store.clone();
        tasks.push(tokio::spawn(async move {
            for number in 0..TURNS {
                let turn = new_turn(&format!("ses_{program}"), &format!("turn_{program}_{number}"), "some question");
                writer.begin_turn(&turn).await.unwrap();
                writer.save_partial(&turn.turn_id, "some").await.unwrap();
                writer.append(&turn.turn_id, &[said("some answer")], &[]).await.unwrap();
                let end = crate::support::answered("some answer");
                writer.finish_turn(&turn.turn_id, &end, &[], turn.started_at).await.unwrap();
            }
        }));
        for _ in 0..4 {
            let reader = store.clone();
            tasks.push(tokio::spawn(async move {
                for _ in 0..TURNS {
                    reader.sessions_list().await.unwrap();
                    reader.search("some answer", 5).await.unwrap();
                    reader.turns(&SessionId::from("ses_0"), None, 5).await.unwrap();
                }
            }));
        }
    }
    let copier = stores[0].clone();
    let copies = home.folder.path().to_owned();
    tasks.push(tokio::spawn(async move {
        for number in 0..5 {
            copier.backup(&copies.join(format!("copy-{number}.db"))).await.unwrap();
        }
    }));
    for task in tasks {
        task.await.unwrap();
    }
    for program in 0..2 {
        assert_eq!(turn_ids(&stores[0], &format!("ses_{program}")).await.len(), TURNS);
    }
    assert_eq!(stores[1].verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_backup_opens_as_a_database() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "hello", "a").await;
    let elsewhere = Home::new();
    std::fs::create_dir_all(elsewhere.path().parent().unwrap()).unwrap();
    store.backup(&elsewhere.path()).await.unwrap();
    let copy = elsewhere.store().await;
    assert_eq!(turn_ids(&copy, "ses_1").await, vec!["turn_1"]);
    assert_eq!(copy.search("hello", 5).await.unwrap().len(), 1);
    store.backup(&elsewhere.path()).await.expect_err("an existing file is not overwritten");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_turns_begun_at_once_in_a_chat_runs() {
    let home = Home::new();
    let stores = [home.store().await, home.store().await];
    let mut begins = Vec::new();
    for number in 0..10 {
        let store = stores[number % 2].clone();
        begins.push(tokio::spawn(async move {
            store.begin_turn(&new_turn("ses_1", &format!("turn_{number}"), "me")).await.is_ok()
        }));
    }
    let mut begun = 0;
    for begin in begins {
        begun += u32::from(begin.await.unwrap());
    }
    assert_eq!(begun, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_write_leaves_the_store_usable() {
    let home = Home::new();
    let store = Arc::new(home.store().await);
    for number in 0..30 {
        let turn = new_turn(&format!("ses_{number}"), &format!("turn_{number}"), "cut");
        let writer = Arc::clone(&store);
        let begin = tokio::spawn(async move { writer.begin_turn(&turn).await });
        tokio::task::yield_now().await;
        begin.abort();
    }
    talk(&store, "ses_last", "turn_last", "hello", "a").await;
    assert_eq!(turn_ids(&store, "ses_last").await, vec!["turn_last"]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}
