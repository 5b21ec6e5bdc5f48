use crate::discover::TestReport;
use namma_core::ports::ProviderError;
use namma_protocol::{ConnectionTest, TestVerdict};

/// What a test of a connection says, in one word and in words for people.
pub fn verdict(tested: &Result<TestReport, ProviderError>, label: &str) -> ConnectionTest {
    match tested {
        Ok(report) => {
            let first_token_ms = u32::try_from(report.first_event.as_millis()).ok();
            let model = &report.model;
            if report.has_tools {
                let message = format!("{label} answers with {model}");
                return ConnectionTest { verdict: TestVerdict::Works, message, hint: None, first_token_ms };
            }
            let message = format!("{label} answers with {model}, which cannot use tools");
            let hint = Some("Use it in chat mode, or pick another model.".to_owned());
            ConnectionTest { verdict: TestVerdict::NoTools, message, hint, first_token_ms }
        }
        Err(error) => {
            let said = error.to_api_error(label);
            let (verdict, own_words) = of_error(error);
            let (message, hint) = match own_words {
                Some((message, hint)) => (message, Some(hint.to_owned())),
                None => (said.message, said.hint),
            };
            ConnectionTest { verdict, message, hint, first_token_ms: None }
        }
    }
}

/// The words are ours where the error's own do not tell one cause from another.
fn of_error(error: &ProviderError) -> (TestVerdict, Option<(String, &'static str)>) {
    match error {
        ProviderError::Unreachable { address, cause } => of_cause(address, cause),
        ProviderError::Malformed { .. } => {
            let message = "something answers there, but it is no model server".to_owned();
            let hint = "Check the address: it goes up to the version, like http://127.0.0.1:11434/v1.";
            (TestVerdict::WrongHost, Some((message, hint)))
        }
        ProviderError::BadRequest { status: 0 | 300..400 | 404 | 405, .. } => (TestVerdict::WrongHost, None),
        ProviderError::KeyMissing { .. } | ProviderError::KeyRefused { .. } => (TestVerdict::WrongKey, None),
        ProviderError::NoCredit { .. } => (TestVerdict::NoCredit, None),
        ProviderError::ModelNotFound { .. } => (TestVerdict::NoSuchModel, None),
        ProviderError::ToolsUnsupported { .. } => (TestVerdict::NoTools, None),
        ProviderError::NotConfigured
        | ProviderError::RateLimited { .. }
        | ProviderError::ContextTooLong { .. }
        | ProviderError::BadRequest { .. }
        | ProviderError::ServerFailed { .. }
        | ProviderError::TimedOut { .. }
        | ProviderError::StreamCut { .. }
        | ProviderError::LocalServer { .. }
        | ProviderError::ContentFiltered { .. } => (TestVerdict::Other, None),
    }
}

fn of_cause(address: &str, cause: &str) -> (TestVerdict, Option<(String, &'static str)>) {
    let cause = cause.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| cause.contains(word));
    if has(&["temporary failure in name resolution", "network is unreachable", "network is down", "no route to host"]) {
        let message = format!("there is no network to reach {address}");
        return (TestVerdict::NoNetwork, Some((message, "Connect to the network, or use a model on this computer.")));
    }
    if has(&["name or service not known", "nodename nor servname", "no such host", "no address associated"]) {
        let message = format!("there is no host named {address}");
        return (TestVerdict::WrongHost, Some((message, "Check the address for typing mistakes.")));
    }
    if has(&["refused"]) {
        let message = format!("nothing listens at {address}");
        return (TestVerdict::WrongHost, Some((message, "Start the server, or correct the port.")));
    }
    if has(&["certificate", "tls", "invalid peer"]) {
        let message = format!("{address} cannot prove who it is ({cause})");
        return (TestVerdict::WrongHost, Some((message, "Check the address; a server of your own may need http://.")));
    }
    (TestVerdict::NoNetwork, None)
}

#[cfg(test)]
mod tests {
    use super::verdict;
    use crate::discover::TestReport;
    use namma_core::ports::ProviderError;
    use namma_protocol::TestVerdict;
    use std::time::Duration;

    fn of(error: ProviderError) -> (TestVerdict, String) {
        let test = verdict(&Err(error), "Mine");
        assert!(test.hint.is_some_and(|hint| hint.ends_with('.')), "each says what to do");
        (test.verdict, test.message)
    }

    fn unreachable(cause: &str) -> (TestVerdict, String) {
        of(ProviderError::Unreachable { address: "h:1".to_owned(), cause: cause.to_owned() })
    }

    #[test]
    fn each_cause_has_its_own_verdict() {
        let words = String::new;
        let refused = |status| ProviderError::BadRequest { status, message: words() };
        assert_eq!(unreachable("Connection refused (os error 111)").0, TestVerdict::WrongHost);
        assert_eq!(unreachable("failed to lookup address: Name or service not known").0, TestVerdict::WrongHost);
        assert_eq!(unreachable("failed to lookup: Temporary failure in name resolution").0, TestVerdict::NoNetwork);
        assert_eq!(unreachable("Network is unreachable (os error 101)").0, TestVerdict::NoNetwork);
        assert_eq!(unreachable("invalid peer certificate: UnknownIssuer").0, TestVerdict::WrongHost);
        assert_eq!(of(ProviderError::Malformed { what: words() }).0, TestVerdict::WrongHost);
        assert_eq!(of(refused(404)).0, TestVerdict::WrongHost);
        assert_eq!(of(refused(400)).0, TestVerdict::Other);
        assert_eq!(of(ProviderError::KeyRefused { status: 401, message: words() }).0, TestVerdict::WrongKey);
        assert_eq!(of(ProviderError::KeyMissing { label: words() }).0, TestVerdict::WrongKey);
        assert_eq!(of(ProviderError::NoCredit { message: words() }).0, TestVerdict::NoCredit);
        assert_eq!(of(ProviderError::ModelNotFound { model: words(), message: words() }).0, TestVerdict::NoSuchModel);
    }

    #[test]
    fn a_model_without_tools_works_and_says_so() {
        let report = TestReport { model: "m".to_owned(), first_event: Duration::from_millis(12), has_tools: false };
        let test = verdict(&Ok(report), "Mine");
        assert_eq!((test.verdict, test.first_token_ms), (TestVerdict::NoTools, Some(12)));
        assert_eq!(test.message, "Mine answers with m, which cannot use tools");
    }
}
