use crate::home::Home;
use namma_config::{Environment, KeyProblem, MemoryVault, Secret, SecretStore, VaultError, resolve_key};
use namma_protocol::{ApiError, ErrorCode};

const BOTH: &str = "provider: { api_key_ref: openai, api_key_env: OPENAI_API_KEY }";

async fn resolve(overlay: &str, vault: &MemoryVault, variables: &[(&str, &str)]) -> Result<Option<String>, KeyProblem> {
    let provider = Home::with_overlay(overlay).load().unwrap().provider;
    let environment = Environment::given(variables.iter().copied());
    let (entry, variable) = (provider.api_key_ref.as_deref(), provider.api_key_env.as_deref());
    resolve_key(entry, variable, vault, &environment).await.map(|key| key.map(|key| key.expose().to_owned()))
}

fn gone() -> VaultError {
    VaultError::Unavailable { cause: "no bus".into() }
}

#[tokio::test]
async fn the_vault_comes_first_then_the_environment() {
    let vault = MemoryVault::new();
    let variables = [("OPENAI_API_KEY", " from-environment\n")];
    assert_eq!(resolve(BOTH, &vault, &variables).await, Ok(Some("from-environment".into())));
    vault.set("openai", Secret::new("from-vault")).await.unwrap();
    assert_eq!(resolve(BOTH, &vault, &variables).await, Ok(Some("from-vault".into())));
}

#[tokio::test]
async fn a_provider_that_names_no_key_has_none_and_touches_no_vault() {
    assert_eq!(resolve("", &MemoryVault::failing(gone()), &[("OPENAI_API_KEY", "x")]).await, Ok(None));
}

#[tokio::test]
async fn without_a_vault_the_environment_does() {
    let vault = MemoryVault::failing(gone());
    assert_eq!(resolve(BOTH, &vault, &[("OPENAI_API_KEY", "k")]).await, Ok(Some("k".into())));
    let problem = resolve(BOTH, &vault, &[]).await.unwrap_err();
    assert_eq!(problem, KeyProblem::Vault { source: gone() });
    let error = ApiError::from(problem);
    assert_eq!(error.code, ErrorCode::VaultUnavailable);
    let hint = error.hint.unwrap();
    assert!(hint.contains("gnome-keyring") && hint.contains("provider.api_key_env"), "{hint}");
}

#[tokio::test]
async fn a_named_key_that_is_nowhere_is_told() {
    let vault = MemoryVault::new();
    assert_eq!(resolve(BOTH, &vault, &[]).await, Err(KeyProblem::NotInVault { entry: "openai".into() }));
    let only_variable = "provider: { api_key_env: MY_KEY }";
    let missing = resolve(only_variable, &vault, &[]).await.unwrap_err();
    assert_eq!(missing, KeyProblem::NotInEnvironment { variable: "MY_KEY".into() });
    assert_eq!(ApiError::from(missing).code, ErrorCode::KeyMissing);
    let broken = resolve(only_variable, &vault, &[("MY_KEY", "a b\nc")]).await.unwrap_err();
    assert_eq!(broken, KeyProblem::NotAKey { variable: "MY_KEY".into() });
}

#[test]
fn a_secret_does_not_show_itself() {
    let secret = Secret::new("sk-very-secret");
    assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "*** *** Some(***)");
    assert_eq!(secret.expose(), "sk-very-secret");
}

#[test]
fn a_pasted_key_is_trimmed_and_what_cannot_be_one_is_refused() {
    assert_eq!(Secret::from_pasted("  sk-abc\r\n").unwrap().expose(), "sk-abc");
    for text in ["", "  \n", "two words", "line\nbreak", "ಕನ್ನಡ", "tab\there"] {
        assert!(Secret::from_pasted(text).is_none(), "{text:?}");
    }
}
