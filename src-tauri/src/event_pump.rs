//! Carries events to the page: in order, whole, and at most one message per frame.
//!
//! A channel to the page has no back-pressure. Events therefore wait in the core's bounded queue
//! while a frame passes; whoever is too far behind gets [`AppEvent::Lagged`] and asks again. Deltas
//! keep their envelopes, so that the numbers of a session have no gaps.

use namma_app::Subscription;
use namma_protocol::AppEvent;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tokio::time::MissedTickBehavior;

/// At most one message in this time: a frame at 60 Hz.
const FRAME: Duration = Duration::from_millis(16);
/// The most events of one message.
const MOST: usize = 1024;

/// Hands a batch to the page; false when nobody is there any more.
type Send = Arc<dyn Fn(Vec<AppEvent>) -> bool + std::marker::Send + Sync>;

/// The way to the page that is open now: a reload opens a new one.
#[derive(Default)]
pub(crate) struct EventPump(Mutex<Option<Open>>);

struct Open {
    task: JoinHandle<()>,
    send: Send,
}

impl EventPump {
    pub(crate) fn start(
        &self,
        subscription: Subscription,
        send: impl Fn(Vec<AppEvent>) -> bool + std::marker::Send + Sync + 'static,
    ) {
        let send: Send = Arc::new(send);
        let task = tauri::async_runtime::spawn(pump(subscription, Arc::clone(&send)));
        if let Some(before) = self.lock().replace(Open { task, send }) {
            before.task.abort();
        }
    }

    /// Tells the page something of the shell's own; false when no page listens.
    pub(crate) fn tell(&self, event: AppEvent) -> bool {
        let send = self.lock().as_ref().map(|open| Arc::clone(&open.send));
        send.is_some_and(|send| send(vec![event]))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where events come from.
trait Source {
    async fn next(&mut self) -> Option<AppEvent>;
    fn try_next(&mut self) -> Option<AppEvent>;
}

impl Source for Subscription {
    async fn next(&mut self) -> Option<AppEvent> {
        Subscription::next(self).await
    }

    fn try_next(&mut self) -> Option<AppEvent> {
        Subscription::try_next(self)
    }
}

async fn pump(mut source: impl Source, send: Send) {
    let mut frames = tokio::time::interval(FRAME);
    frames.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while let Some(first) = source.next().await {
        // Over at once when the last message is a frame old: a first word never waits.
        frames.tick().await;
        let mut batch = vec![first];
        while batch.len() < MOST
            && let Some(event) = source.try_next()
        {
            batch.push(event);
        }
        if !send(batch) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use namma_protocol::Tag;
    use std::collections::VecDeque;

    struct Script(VecDeque<AppEvent>);

    impl Source for Script {
        async fn next(&mut self) -> Option<AppEvent> {
            self.0.pop_front()
        }

        fn try_next(&mut self) -> Option<AppEvent> {
            self.0.pop_front()
        }
    }

    fn event(number: usize) -> AppEvent {
        AppEvent::DataChanged { tags: vec![Tag::Sessions; number] }
    }

    #[tokio::test(start_paused = true)]
    async fn events_arrive_whole_and_in_order_with_a_frame_between_messages() {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let send: Send = {
            let messages = Arc::clone(&messages);
            Arc::new(move |batch| {
                messages.lock().unwrap().push((tokio::time::Instant::now(), batch));
                true
            })
        };
        let began = tokio::time::Instant::now();
        pump(Script((0..MOST * 2 + 1).map(event).collect()), send).await;
        let messages = messages.lock().unwrap();
        let times: Vec<u128> = messages.iter().map(|(at, _)| at.duration_since(began).as_millis()).collect();
        assert_eq!(times, [0, 16, 32]);
        let all: Vec<AppEvent> = messages.iter().flat_map(|(_, batch)| batch.clone()).collect();
        assert_eq!(all, (0..MOST * 2 + 1).map(event).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn the_pump_ends_when_the_page_is_gone() {
        let endless = Script((0..10 * MOST).map(|_| event(1)).collect());
        pump(endless, Arc::new(|_| false)).await;
    }
}
