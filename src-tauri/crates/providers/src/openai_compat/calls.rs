use namma_core::ports::{ModelCall, ProviderError};
use namma_protocol::ToolCallId;
use serde_json::Value;

/// More calls than this in one step is a fault of the server.
const MAX_CALLS: usize = 128;

/// More text than this in the arguments of one step is a fault of the server.
const MAX_ARGUMENT_BYTES: usize = 4 * 1024 * 1024;

/// Puts tool calls together from their fragments.
///
/// Vendors agree on little here: the index may start at 1, be the same for all calls or missing;
/// the id may be missing, repeated or new with each fragment; the name may come again; the
/// arguments may be null, an object, or whole in one piece.
#[derive(Debug, Default)]
pub(super) struct CallAssembler {
    calls: Vec<Fragments>,
    bytes: usize,
}

#[derive(Debug)]
struct Fragments {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl CallAssembler {
    /// Takes one entry of `delta.tool_calls`.
    pub(super) fn push(&mut self, delta: &Value) -> Result<(), ProviderError> {
        let index = delta["index"].as_u64();
        let id = delta["id"].as_str().unwrap_or_default();
        let name = delta["function"]["name"].as_str().unwrap_or_default();
        let arguments = match &delta["function"]["arguments"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.bytes += name.len() + arguments.len();
        if self.bytes > MAX_ARGUMENT_BYTES {
            return Err(ProviderError::Malformed { what: "tool arguments without end".to_owned() });
        }
        let position = self.find(index, id).filter(|at| {
            let call = &self.calls[*at];
            !call.is_other_call(id, name) || call.is_named_again(index, id, name, &arguments)
        });
        let Some(position) = position else {
            if self.calls.len() == MAX_CALLS {
                return Err(ProviderError::Malformed { what: format!("more than {MAX_CALLS} tool calls at once") });
            }
            let (id, name) = (id.to_owned(), name.to_owned());
            self.calls.push(Fragments { index, id, name, arguments });
            return Ok(());
        };
        let call = &mut self.calls[position];
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if call.name != name && call.arguments.is_empty() {
            call.name.push_str(name);
        }
        call.arguments.push_str(&arguments);
        Ok(())
    }

    /// The calls in the order they began, each with an id of ours.
    pub(super) fn finish(self) -> impl Iterator<Item = ModelCall> {
        let whole = |call: Fragments| ModelCall { id: ToolCallId::fresh(), name: call.name, arguments: call.arguments };
        self.calls.into_iter().map(whole)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// The newest call this fragment can belong to.
    fn find(&self, index: Option<u64>, id: &str) -> Option<usize> {
        let same = |call: &Fragments| index.is_none() || call.index == index;
        let by_id = self.calls.iter().rposition(|call| !id.is_empty() && call.id == id && same(call));
        by_id.or_else(|| self.calls.iter().rposition(same))
    }
}

impl Fragments {
    /// The fragment begins another call although it points here.
    fn is_other_call(&self, id: &str, name: &str) -> bool {
        if name.is_empty() {
            return false;
        }
        let other_id = !id.is_empty() && !self.id.is_empty() && self.id != id;
        let known_id = !id.is_empty() && self.id == id && self.name == name;
        other_id || (!known_id && self.is_whole())
    }

    /// Only the name comes once more, from a server that numbers its calls or gave this one an id.
    fn is_named_again(&self, index: Option<u64>, id: &str, name: &str, arguments: &str) -> bool {
        let is_told_apart = index.is_some() || !self.id.is_empty();
        is_told_apart && id.is_empty() && self.name == name && arguments.is_empty()
    }

    fn is_whole(&self) -> bool {
        !self.arguments.is_empty() && serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::CallAssembler;
    use serde_json::{Value, json};

    fn assemble(deltas: &[Value]) -> Vec<(String, String)> {
        let mut calls = CallAssembler::default();
        for delta in deltas {
            calls.push(delta).expect("a fragment");
        }
        calls.finish().map(|call| (call.name, call.arguments)).collect()
    }

    fn calls(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned())).collect()
    }

    #[test]
    fn null_arguments_are_no_fragment() {
        let deltas = [
            json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": null } }),
            json!({ "index": 0, "function": { "arguments": "{\"a\":" } }),
            json!({ "index": 0, "function": { "arguments": "1}" } }),
        ];
        assert_eq!(assemble(&deltas), calls(&[("f", "{\"a\":1}")]));
    }

    #[test]
    fn interleaved_fragments_find_their_calls() {
        let deltas = [
            json!({ "index": 1, "id": "a", "function": { "name": "f", "arguments": "" } }),
            json!({ "index": 2, "id": "b", "function": { "name": "g", "arguments": "" } }),
            json!({ "index": 1, "function": { "arguments": "{\"x\"" } }),
            json!({ "index": 2, "function": { "arguments": "{\"y\"" } }),
            json!({ "index": 1, "function": { "arguments": ":1}" } }),
            json!({ "index": 2, "function": { "arguments": ":2}" } }),
        ];
        assert_eq!(assemble(&deltas), calls(&[("f", "{\"x\":1}"), ("g", "{\"y\":2}")]));
    }

    #[test]
    fn one_index_for_all_is_told_apart_by_id_or_by_whole_arguments() {
        let by_id = [
            json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }),
            json!({ "index": 0, "id": "b", "function": { "name": "f", "arguments": "{}" } }),
        ];
        assert_eq!(assemble(&by_id), calls(&[("f", "{}"), ("f", "{}")]));
        let without_id = [
            json!({ "function": { "name": "f", "arguments": "{}" } }),
            json!({ "function": { "name": "f", "arguments": { "a": 1 } } }),
        ];
        assert_eq!(assemble(&without_id), calls(&[("f", "{}"), ("f", "{\"a\":1}")]));
    }

    #[test]
    fn a_repeated_id_under_another_index_is_another_call() {
        let deltas = [
            json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }),
            json!({ "index": 1, "id": "a", "function": { "name": "g", "arguments": "{}" } }),
        ];
        assert_eq!(assemble(&deltas), calls(&[("f", "{}"), ("g", "{}")]));
    }

    #[test]
    fn an_id_and_a_name_with_each_fragment_stay_one_call() {
        let deltas = [
            json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{" } }),
            json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "}" } }),
            json!({ "index": 0, "id": "c", "function": { "name": "", "arguments": "" } }),
        ];
        assert_eq!(assemble(&deltas), calls(&[("f", "{}")]));
    }

    #[test]
    fn a_name_that_comes_again_after_whole_arguments_is_no_other_call() {
        let numbered = [
            json!({ "index": 0, "function": { "name": "f", "arguments": "{}" } }),
            json!({ "index": 0, "function": { "name": "f", "arguments": "" } }),
        ];
        assert_eq!(assemble(&numbered), calls(&[("f", "{}")]));
        let with_id = [
            json!({ "id": "a", "function": { "name": "f", "arguments": "{}" } }),
            json!({ "function": { "name": "f", "arguments": "" } }),
        ];
        assert_eq!(assemble(&with_id), calls(&[("f", "{}")]));
    }

    #[test]
    fn fragments_in_turn_under_one_index_find_their_call_by_id() {
        let deltas = [
            json!({ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{\"a\"" } }),
            json!({ "index": 0, "id": "b", "function": { "name": "g", "arguments": "{\"b\"" } }),
            json!({ "index": 0, "id": "a", "function": { "arguments": ":1}" } }),
            json!({ "index": 0, "id": "b", "function": { "arguments": ":2}" } }),
        ];
        assert_eq!(assemble(&deltas), calls(&[("f", "{\"a\":1}"), ("g", "{\"b\":2}")]));
    }

    #[test]
    fn a_name_in_pieces_is_joined_and_strange_shapes_do_not_hurt() {
        let deltas = [
            json!({ "index": 4_000_000_000_u32, "function": { "name": "read_" } }),
            json!({ "index": 4_000_000_000_u32, "function": { "name": "file" } }),
            json!({ "index": 4_000_000_000_u32, "function": null }),
            json!({ "index": 4_000_000_000_u32, "function": { "arguments": "{\"names\": cronjob_manage}" } }),
        ];
        assert_eq!(assemble(&deltas), calls(&[("read_file", "{\"names\": cronjob_manage}")]));
    }

    #[test]
    fn arguments_and_calls_have_a_limit() {
        let mut assembler = CallAssembler::default();
        let piece = json!({ "index": 0, "function": { "name": "f", "arguments": "x".repeat(1 << 20) } });
        assert!((0..5).any(|_| assembler.push(&piece).is_err()));
        let mut assembler = CallAssembler::default();
        let mut push = |index: u32| assembler.push(&json!({ "index": index, "function": { "name": "f" } }));
        assert!((0..1000).any(|index| push(index).is_err()));
    }
}
