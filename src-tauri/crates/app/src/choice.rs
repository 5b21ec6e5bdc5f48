//! Which connection and which model a chat or a message is set to.
//!
//! A choice is kept with its connection, as `connection/model`, or `connection/` for the model of
//! the connection's own. So it can be told later that the connection is gone, and a model of that
//! name is not looked for somewhere else.

use crate::connections::Connection;
use namma_protocol::{ApiError, ErrorCode};

/// What somebody wrote, with its connection; `None` when nothing is chosen.
///
/// A model alone is one of the usual connection. Its own name may hold a `/`, too: what stands
/// before one is a connection only if there is one of that name.
pub(crate) fn with_connection(all: &[Connection], written: Option<&str>) -> Option<String> {
    let written = written.map(str::trim).filter(|written| !written.is_empty())?;
    let is_there = |name: &str| all.iter().any(|one| one.name == name);
    Some(match written.split_once('/') {
        Some((name, _)) if is_there(name) => written.to_owned(),
        None if is_there(written) => format!("{written}/"),
        _ => format!("{}/{written}", all[usual(all)].name),
    })
}

/// Which connection is meant, by its place, and which model there if not its own.
///
/// # Errors
/// When there is no such connection any more.
pub(crate) fn meant(all: &[Connection], kept: Option<&str>) -> Result<(usize, Option<String>), ApiError> {
    let Some(kept) = kept.map(str::trim).filter(|kept| !kept.is_empty()) else { return Ok((usual(all), None)) };
    let at = |name: &str| all.iter().position(|one| one.name == name);
    match kept.split_once('/') {
        Some((name, model)) => {
            let model = Some(model.trim()).filter(|model| !model.is_empty());
            at(name).map(|at| (at, model.map(str::to_owned))).ok_or_else(|| gone(name))
        }
        // Without its connection, as earlier versions kept it.
        None => Ok(at(kept).map_or_else(|| (usual(all), Some(kept.to_owned())), |at| (at, None))),
    }
}

/// The first connection that is set up.
pub(crate) fn usual(all: &[Connection]) -> usize {
    all.iter().position(Connection::is_set_up).unwrap_or(0)
}

fn gone(name: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidInput, format!("there is no connection `{name}` any more"))
        .hint("Choose another model for this chat, or set the connection up again.")
}

#[cfg(test)]
mod tests {
    use super::{meant, with_connection};
    use crate::connections::Connection;

    fn connections() -> Vec<Connection> {
        let connection =
            |name: &str| Connection { base_url: Some("http://127.0.0.1:1/v1".into()), ..Connection::named(name) };
        vec![connection("main"), connection("work")]
    }

    #[test]
    fn a_connection_a_model_or_both_can_be_written_and_are_kept_with_the_connection() {
        let table = [
            (None, None, (0, None)),
            (Some(" "), None, (0, None)),
            (Some("work"), Some("work/"), (1, None)),
            (Some("work/"), Some("work/"), (1, None)),
            (Some("work/gpt-5"), Some("work/gpt-5"), (1, Some("gpt-5"))),
            (Some("work/openai/gpt-5"), Some("work/openai/gpt-5"), (1, Some("openai/gpt-5"))),
            (Some("gpt-5"), Some("main/gpt-5"), (0, Some("gpt-5"))),
            (Some("openai/gpt-5"), Some("main/openai/gpt-5"), (0, Some("openai/gpt-5"))),
        ];
        for (written, kept, (at, model)) in table {
            let all = connections();
            let found = with_connection(&all, written);
            assert_eq!(found.as_deref(), kept, "{written:?}");
            assert_eq!(meant(&all, found.as_deref()), Ok((at, model.map(str::to_owned))), "{written:?}");
        }
    }

    #[test]
    fn a_choice_of_a_connection_that_is_gone_is_no_model_of_another() {
        let error = meant(&connections()[..1], Some("work/gpt-5")).unwrap_err();
        assert_eq!(error.message, "there is no connection `work` any more");
        assert!(meant(&connections()[..1], Some("work/")).is_err());
    }

    #[test]
    fn a_choice_of_an_earlier_version_means_what_it_did() {
        assert_eq!(meant(&connections(), Some("gpt-5")), Ok((0, Some("gpt-5".into()))));
        assert_eq!(meant(&connections(), Some("work")), Ok((1, None)));
    }

    #[test]
    fn without_an_address_the_next_one_that_has_one_is_usual() {
        let mut connections = connections();
        connections[0].base_url = None;
        assert_eq!(meant(&connections, None), Ok((1, None)));
        assert_eq!(with_connection(&connections, Some("gpt-5")).as_deref(), Some("work/gpt-5"));
        assert_eq!(meant(&[Connection::named("main")], None), Ok((0, None)));
    }
}
