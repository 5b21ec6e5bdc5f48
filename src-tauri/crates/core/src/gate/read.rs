//! Stage 1, second half: a call as far as it could be understood.

use crate::gate::ToolGate;
use crate::gate::arguments;
use crate::gate::handles::{Chats, Facts};
use crate::gate::refusal::Refusal;
use crate::ports::{ModelCall, StoredCall};
use crate::tool::{ErasedTool, Place, Prepared, ToolSpec};
use namma_protocol::{Effect, StepTitle, ToolCall, ToolCallId, UnixMs};
use serde_json::Value;
use std::sync::Arc;

/// A call that was read and not yet judged. Only [`ToolGate::read`] makes one.
pub struct ReadCall {
    call: ModelCall,
    input: Result<Value, Refusal>,
    understood: Result<(Arc<dyn ErasedTool>, Prepared), Refusal>,
}

impl ToolGate {
    /// Reads a call: resolves the name, parses the arguments, and asks the tool what it would do.
    /// Nothing runs and nothing is decided; the caller stores [`ReadCall::stored`] before it calls
    /// [`ToolGate::run`].
    pub fn read(&self, call: ModelCall, place: &Place) -> ReadCall {
        let input = arguments::parse(&call.arguments).map_err(|message| {
            Refusal::failed(1, "args_invalid", message, Some("Send the whole call again with valid JSON.".into()))
        });
        let understood = self.find(&call.name).and_then(|tool| {
            let prepared = prepare(tool.as_ref(), input.clone()?, place)?;
            Ok((tool, prepared))
        });
        ReadCall { call, input, understood }
    }

    fn find(&self, name: &str) -> Result<Arc<dyn ErasedTool>, Refusal> {
        self.registry.get(name).ok_or_else(|| {
            let closest = self
                .registry
                .names()
                .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
            let hint = closest.map(|closest| format!("The closest is {closest}."));
            Refusal::failed(1, "unknown_tool", format!("there is no tool called \"{name}\""), hint)
        })
    }
}

impl ReadCall {
    pub fn id(&self) -> &ToolCallId {
        &self.call.id
    }

    pub fn name(&self) -> &str {
        &self.call.name
    }

    /// What is stored and shown of the call, before it is judged.
    pub fn stored(&self, started_at: UnixMs) -> StoredCall {
        let title = match &self.understood {
            Ok((_, prepared)) => prepared.title.clone(),
            Err(_) => {
                let name = on_one_line(&self.call.name);
                StepTitle { doing: format!("Trying {name}"), done: format!("Tried {name}") }
            }
        };
        let input = self.input.clone().unwrap_or(Value::Null);
        let broken_arguments = self.input.is_err().then(|| self.call.arguments.clone());
        let call = ToolCall { id: self.call.id.clone(), name: self.call.name.clone(), input };
        StoredCall { call, broken_arguments, title, started_at }
    }

    /// It would only look at things: several such calls may run side by side.
    pub(crate) fn only_reads(&self) -> bool {
        self.effects().iter().all(|effect| {
            matches!(effect, Effect::ReadFile { .. } | Effect::ReadSystem { .. })
                || matches!(effect, Effect::Network { method, .. } if method == "GET")
        })
    }

    /// It would create or change files.
    pub(crate) fn changes_files(&self) -> bool {
        self.effects().iter().any(|effect| matches!(effect, Effect::WriteFile { .. }))
    }

    /// It would look at files or run something, and so can check an earlier change.
    pub(crate) fn looks(&self) -> bool {
        self.effects().iter().any(|effect| matches!(effect, Effect::ReadFile { .. } | Effect::RunCommand { .. }))
    }

    /// Its arguments may say what the person has remembered.
    pub(crate) fn tells_facts(&self) -> bool {
        self.effects().iter().any(|effect| match effect {
            Effect::Remember { .. } => true,
            Effect::ReadSystem { what } => what == Facts::KIND || what == Chats::KIND,
            _ => false,
        })
    }

    fn effects(&self) -> &[Effect] {
        self.understood.as_ref().map_or(&[], |(_, prepared)| prepared.effects.as_slice())
    }

    /// The arguments as the tool understood them, or as they came.
    pub(crate) fn canonical(&self) -> String {
        match (&self.understood, &self.input) {
            (Ok((_, prepared)), _) => prepared.canonical.to_string(),
            (Err(_), Ok(input)) => input.to_string(),
            (Err(_), Err(_)) => self.call.arguments.clone(),
        }
    }

    pub(crate) fn understood(&self) -> Result<(&dyn ErasedTool, &Prepared), Refusal> {
        match &self.understood {
            Ok((tool, prepared)) => Ok((tool.as_ref(), prepared)),
            Err(refusal) => Err(refusal.clone()),
        }
    }

    /// The call prepared anew from the same arguments: paths may lead elsewhere by now.
    pub(crate) fn prepare(&self, tool: &dyn ErasedTool, place: &Place) -> Result<Prepared, Refusal> {
        prepare(tool, self.input.clone()?, place)
    }
}

/// A name that the model made up: a line of ours must not look like several.
fn on_one_line(name: &str) -> String {
    const MOST: usize = 80;
    name.chars().take(MOST).map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c }).collect()
}

fn prepare(tool: &dyn ErasedTool, input: Value, place: &Place) -> Result<Prepared, Refusal> {
    let keys: Option<Vec<String>> = input.as_object().map(|map| map.keys().cloned().collect());
    tool.prepare(input, place).map_err(|failure| {
        let hint = failure
            .hint
            .or_else(|| (failure.code == "args_invalid").then(|| expectation(&tool.spec(), keys.as_deref())));
        Refusal::failed(1, failure.code, failure.message, hint)
    })
}

/// What the tool takes, and what came instead. Keys that are right are not held against anybody: then
/// a value is wrong, which the message says.
fn expectation(spec: &ToolSpec, keys: Option<&[String]>) -> String {
    let expected = signature(spec);
    let Some(keys) = keys else { return format!("Expected {expected}.") };
    let known = spec.parameters.get("properties").and_then(Value::as_object);
    let required = spec.parameters.get("required").and_then(Value::as_array);
    let came = |name: &str| keys.iter().any(|key| key == name);
    let has_all = required.is_none_or(|names| names.iter().filter_map(Value::as_str).all(came));
    let fit = has_all && keys.iter().all(|key| known.is_some_and(|known| known.contains_key(key)));
    if fit {
        format!("Expected {expected}, each with a value that fits.")
    } else {
        format!("Expected {expected}; the keys that came are [{}].", keys.join(", "))
    }
}

/// `{path: string, max_bytes?: integer}`
fn signature(spec: &ToolSpec) -> String {
    let required: Vec<&str> = spec
        .parameters
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let fields: Vec<String> = spec
        .parameters
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| {
            properties
                .iter()
                .map(|(name, schema)| {
                    let mark = if required.contains(&name.as_str()) { "" } else { "?" };
                    let kind = match schema.get("type") {
                        Some(Value::String(kind)) => kind.as_str(),
                        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or("any"),
                        _ => "any",
                    };
                    format!("{name}{mark}: {kind}")
                })
                .collect()
        })
        .unwrap_or_default();
    format!("{{{}}}", fields.join(", "))
}
