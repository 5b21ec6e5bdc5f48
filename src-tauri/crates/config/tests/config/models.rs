use crate::home::Home;
use namma_config::{ConfigError, Models, ModelsHandle};

#[test]
fn on_this_computer_only_the_persons_own_prices_count() {
    let home = Home::new();
    let own = "models: [{ name: mine, price: { input: 1, output: 2 } }, { name: gpt-4o, context: 5 }]";
    std::fs::write(home.path("models.yaml"), own).unwrap();
    let models = Models::load(&home.paths()).unwrap();
    let price = |name: &str, local: bool| models.find(name, local).and_then(|info| info.price);
    assert!(price("gpt-5", false).is_some() && price("gpt-5", true).is_none());
    assert!(price("mine", true).is_some(), "a gateway on this computer may cost something");
    let window = models.find("gpt-4o", false).and_then(|info| info.context_tokens);
    assert_eq!(window, Some(5), "the own entry stands first");
}

#[test]
fn a_changed_table_counts_at_once_and_a_broken_one_not_at_all() {
    let home = Home::new();
    let (handle, error) = ModelsHandle::open(home.paths());
    assert!(error.is_none());
    let window = || handle.get().find("mine", false).and_then(|info| info.context_tokens);
    assert_eq!(window(), None);
    std::fs::write(home.path("models.yaml"), "models: [{ name: mine, context: 5 }]").unwrap();
    assert_eq!(window(), Some(5));
    std::fs::write(home.path("models.yaml"), "models: [{ name: mine, context: many }]").unwrap();
    assert_eq!(window(), Some(5), "the last good one");
    std::fs::remove_file(home.path("models.yaml")).unwrap();
    assert_eq!(window(), None);
}

#[test]
fn a_table_that_is_wrong_is_told_with_its_place() {
    let table = [
        ("models:\n  - { name: m, contxt: 5 }\n", "contxt"),
        ("models:\n  - { name: \" \" }\n", "names no model"),
        ("models:\n  - { name: m, price: { input: -1, output: 1 } }\n", "is not a price"),
        ("models: 5\n", "models"),
        ("modles:\n", "modles"),
        ("modles: [{ name: m }]\n", "modles"),
        ("- name: m\n", "invalid type"),
    ];
    for (text, word) in table {
        let home = Home::new();
        std::fs::write(home.path("models.yaml"), text).unwrap();
        let Err(ConfigError::Invalid { problems }) = Models::load(&home.paths()) else { panic!("{text}") };
        let told = problems[0].to_string();
        assert!(told.contains("models.yaml") && told.contains(word), "{told}");
    }
    let home = Home::new();
    std::fs::write(home.path("models.yaml"), "# nothing yet\n").unwrap();
    assert!(Models::load(&home.paths()).is_ok(), "an empty table is one");
}
