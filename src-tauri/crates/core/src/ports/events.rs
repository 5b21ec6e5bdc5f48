use namma_protocol::TurnEvent;

/// Where a turn tells what happens. Whoever listens is not the core's business.
///
/// `emit` returns at once: a slow listener must be handled by the adapter, never by the turn.
pub trait TurnEvents: Send + Sync + 'static {
    fn emit(&self, event: TurnEvent);
}
