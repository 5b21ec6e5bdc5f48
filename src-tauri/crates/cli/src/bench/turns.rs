//! What a turn costs beyond the model.

use super::core::{Core, message, open, since, turn};
use super::model::Seen;
use super::{Figure, percentile};
use anyhow::Context;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use namma_app::App;
use namma_protocol::{ApiError, AppEvent, SessionId, TurnEvent, TurnOutcome};
use std::collections::HashMap;
use std::time::{Duration, Instant};

const TURNS: usize = 200;
const WARM_UP: usize = 20;
const SESSIONS: usize = 16;
const TURNS_EACH: usize = 25;
const STOPS: usize = 20;

pub(crate) async fn figures() -> anyhow::Result<Vec<Figure>> {
    let core = Core::start().await?;
    let mut figures = alone(&core.app).await?;
    figures.push(tool_round(&core).await?);
    figures.push(side_by_side(&core.app).await?);
    figures.push(stop(&core).await?);
    core.app.close().await;
    figures.push(without_a_model().await?);
    Ok(figures)
}

/// The answer to what no pattern fits: all of them are tried.
async fn without_a_model() -> anyhow::Result<Figure> {
    let home = tempfile::tempdir()?;
    let app = open(home.path(), "").await?;
    let mut end = Vec::new();
    for _ in 0..TURNS {
        end.push(turn(&app, message(None, "none")).await?.end);
    }
    app.close().await;
    Ok(Figure::at_most("turn_without_a_model_p50", percentile(&mut end, 0.5), "ms", 10.0))
}

async fn alone(app: &App) -> anyhow::Result<Vec<Figure>> {
    let (mut first, mut end) = (Vec::new(), Vec::new());
    for number in 0..WARM_UP + TURNS {
        let took = turn(app, message(None, "text-20")).await?;
        if number >= WARM_UP {
            first.push(took.first_token);
            end.push(took.end);
        }
    }
    Ok(vec![
        Figure::at_most("turn_first_token_p50", percentile(&mut first, 0.5), "ms", 5.0),
        Figure::at_most("turn_of_20_tokens_p50", percentile(&mut end, 0.5), "ms", 8.0),
    ])
}

/// The price of one more call and its result: eight rounds against one.
async fn tool_round(core: &Core) -> anyhow::Result<Figure> {
    for number in 0..8 {
        std::fs::write(core.home.path().join("work").join(format!("{number}.txt")), "one\ntwo\n")?;
    }
    let mut extra = Vec::new();
    for _ in 0..40 {
        let one = turn(&core.app, message(None, "rounds-1")).await?.end;
        let eight = turn(&core.app, message(None, "rounds-8")).await?.end;
        extra.push((eight - one) / 7.0);
    }
    Ok(Figure::at_most("turn_each_tool_round_p50", percentile(&mut extra, 0.5), "ms", 5.0))
}

async fn side_by_side(app: &App) -> anyhow::Result<Figure> {
    let mut rates = Vec::new();
    for _ in 0..3 {
        let began = Instant::now();
        run_side_by_side(app).await?;
        rates.push((SESSIONS * TURNS_EACH) as f64 / began.elapsed().as_secs_f64());
    }
    Ok(Figure::at_least("turns_per_second_16_sessions", percentile(&mut rates, 0.5), "turns/s", 300.0))
}

/// One listener for all sessions, as one window has.
async fn run_side_by_side(app: &App) -> anyhow::Result<()> {
    let mut events = app.subscribe();
    let mut left: HashMap<SessionId, usize> = (0..SESSIONS).map(|_| (SessionId::fresh(), TURNS_EACH)).collect();
    let mut sending: FuturesUnordered<_> = left.keys().map(|session| send(app, session.clone())).collect();
    while !left.is_empty() {
        tokio::select! {
            Some(sent) = sending.next() => sent?,
            event = events.next() => {
                let AppEvent::Turn { envelope } = event.context("the app ended")? else { continue };
                let TurnEvent::TurnFinished { outcome, .. } = envelope.event else { continue };
                anyhow::ensure!(matches!(outcome, TurnOutcome::Answered { .. }), "a turn was not answered: {outcome:?}");
                let session = envelope.session_id;
                let turns = left.get_mut(&session).context("a turn of another session")?;
                *turns -= 1;
                if *turns == 0 {
                    left.remove(&session);
                } else {
                    sending.push(send(app, session));
                }
            }
        }
    }
    Ok(())
}

async fn send(app: &App, session: SessionId) -> Result<(), ApiError> {
    // To stop a turn that has ended only waits until its books are closed: the next message is to
    // start a turn, not to wait for one.
    app.turn_cancel(&session).await?;
    app.turn_send(message(Some(session), "text-20")).await.map(drop)
}

/// From Stop until the model sees the connection closed; all of them, not half.
async fn stop(core: &Core) -> anyhow::Result<Figure> {
    let mut samples = Vec::new();
    for _ in 0..STOPS {
        while core.model.seen.try_recv().is_ok() {}
        let mut events = core.app.subscribe();
        let session = core.app.turn_send(message(None, "hang")).await?.session_id;
        loop {
            let event = events.next().await.context("the app ended")?;
            let AppEvent::Turn { envelope } = event else { continue };
            if envelope.session_id == session && matches!(envelope.event, TurnEvent::TextDelta { .. }) {
                break;
            }
        }
        let began = Instant::now();
        core.app.turn_cancel(&session).await?;
        let cancelled = since(began);
        let closed = loop {
            match core.model.seen.recv_timeout(Duration::from_secs(10)).context("the connection stayed open")? {
                Seen::HungUp(at) => break at.saturating_duration_since(began).as_secs_f64() * 1000.0,
                Seen::Request(_) => {}
            }
        };
        samples.push(closed.max(cancelled));
    }
    Ok(Figure::at_most("stop_to_closed_p95", percentile(&mut samples, 0.95), "ms", 100.0))
}
