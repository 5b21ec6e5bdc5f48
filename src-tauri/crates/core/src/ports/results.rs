use crate::BoxFuture;
use crate::ports::StoreError;
use crate::trust::TaintSet;
use namma_protocol::{SessionId, ToolCallId};

/// A result of an earlier call, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeResult {
    pub content: String,
    /// Where the content came from.
    pub taint: TaintSet,
}

/// Where results of tools are kept that were too long for the model.
pub trait Results: Send + Sync + 'static {
    /// The result of a call of this session; `None` when there is no such call, or it gave nothing.
    fn whole<'a>(
        &'a self,
        session: &'a SessionId,
        call: &'a ToolCallId,
    ) -> BoxFuture<'a, Result<Option<WholeResult>, StoreError>>;
}
