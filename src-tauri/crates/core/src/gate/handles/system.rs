use crate::tool::{Effects, ToolFailure};

/// Facts about this computer, of declared kinds.
pub struct System<'a> {
    effects: &'a Effects,
}

impl<'a> System<'a> {
    pub(crate) fn new(effects: &'a Effects) -> Self {
        Self { effects }
    }

    /// Proves that facts of this kind were declared; the tool then reads them itself.
    ///
    /// # Errors
    /// When the kind was not declared.
    pub fn reading(&self, what: &str) -> Result<(), ToolFailure> {
        if self.effects.allow_system(what) { Ok(()) } else { Err(ToolFailure::undeclared(format_args!("read {what}"))) }
    }
}
