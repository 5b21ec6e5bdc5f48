use crate::tool::{Effects, ToolFailure};

/// Facts about this computer, of declared kinds.
pub struct System<'a> {
    effects: &'a Effects,
}

impl<'a> System<'a> {
    pub(crate) fn new(effects: &'a Effects) -> Self {
        Self { effects }
    }

    /// Reads facts of a declared kind on a thread that may wait for the disk.
    ///
    /// # Errors
    /// When the kind was not declared.
    pub async fn read<R: Send + 'static>(
        &self,
        what: &str,
        read: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, ToolFailure> {
        if !self.effects.allow_system(what) {
            return Err(ToolFailure::undeclared(format_args!("read {what}")));
        }
        let read = tokio::task::spawn_blocking(read).await;
        read.map_err(|panic| ToolFailure::failed(format!("BUG: reading {what} ended badly: {panic}")))
    }
}
