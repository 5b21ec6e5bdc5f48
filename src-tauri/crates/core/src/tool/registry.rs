use crate::tool::{ErasedTool, Tool, ToolSpec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tools of this program. It lists and looks up; it cannot run anything.
#[derive(Clone, Default)]
pub struct ToolRegistry {
    tools: BTreeMap<&'static str, Listed>,
}

#[derive(Clone)]
struct Listed {
    tool: Arc<dyn ErasedTool>,
    /// Made once: a schema is asked for with every request.
    spec: Arc<ToolSpec>,
}

/// A tool as a list shows it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSummary {
    pub name: String,
    pub toolset: String,
    pub description: String,
    pub parameters: serde_json::Value,
}

impl ToolRegistry {
    /// Adds a tool.
    ///
    /// # Panics
    /// When the name is taken or is not `[a-z0-9_]{1,64}`: an error in the catalogue.
    #[must_use]
    pub fn with<T: Tool>(mut self, tool: T) -> Self {
        let well_formed = !T::NAME.is_empty()
            && T::NAME.len() <= 64
            && T::NAME.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        assert!(well_formed, "BUG: `{}` is not a name for a tool", T::NAME);
        let spec = Arc::new(ErasedTool::spec(&tool));
        let before = self.tools.insert(T::NAME, Listed { tool: Arc::new(tool), spec });
        assert!(before.is_none(), "BUG: two tools are called `{}`", T::NAME);
        self
    }

    /// What the model is told, in a stable order.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.values().map(|listed| listed.spec.as_ref().clone()).collect()
    }

    /// What a list shows.
    pub fn summaries(&self) -> Vec<ToolSummary> {
        self.tools
            .values()
            .map(|listed| ToolSummary {
                name: listed.spec.name.clone(),
                toolset: listed.tool.toolset().into(),
                description: listed.spec.description.clone(),
                parameters: listed.spec.parameters.clone(),
            })
            .collect()
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.tools.keys().copied()
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<dyn ErasedTool>> {
        self.tools.get(name).map(|listed| Arc::clone(&listed.tool))
    }
}
