use crate::{apps, chats, files, memory, results, shell, system, web};
use namma_core::ToolRegistry;

/// Every built-in tool, by toolset.
pub fn built_in() -> ToolRegistry {
    let toolsets = [
        apps::tools,
        chats::tools,
        files::tools,
        memory::tools,
        results::tools,
        shell::tools,
        system::tools,
        web::tools,
    ];
    toolsets.into_iter().fold(ToolRegistry::default(), |registry, tools| tools(registry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use namma_core::tool::ToolSpec;

    #[test]
    fn every_schema_is_closed_and_every_field_is_explained() {
        for spec in built_in().specs() {
            let schema = &spec.parameters;
            assert_eq!(schema["additionalProperties"], false, "{}", spec.name);
            for (name, field) in schema["properties"].as_object().unwrap() {
                assert!(field["description"].is_string(), "{}.{name} has no words for the model", spec.name);
            }
        }
    }

    #[test]
    fn what_every_request_carries_stays_small() {
        let size = |spec: &ToolSpec| spec.name.len() + spec.description.len() + spec.parameters.to_string().len();
        let all: usize = built_in().specs().iter().map(size).sum();
        assert!(all < 9_000, "{all} bytes of tool descriptions in every request");
    }
}
