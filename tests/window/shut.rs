//! The window is shut: nothing leads out of its page, and the page may call only what it needs.

use crate::support::{Home, Talk, Window};
use namma_testkit::sse_server::{Reply, text};

/// Calls a command from the page; `ran`, or why not.
fn invoke(window: &Window, command: &str, arguments: &str) -> String {
    let script = format!(
        "const done = arguments[arguments.length - 1];
         window.__TAURI_INTERNALS__.invoke('{command}', {arguments}).then(() => done('ran'), (e) => done(e.message ?? String(e)));"
    );
    window.script_later(&script).as_str().unwrap_or_default().to_owned()
}

#[test]
fn commands_that_are_not_granted_do_not_run() {
    let home = Home::new("not-granted");
    let window = home.open();
    window.wait_for("button", "");
    for (command, arguments) in [
        ("plugin:event|listen", "{ event: 'x', target: { kind: 'Any' }, handler: 1 }"),
        ("plugin:window|close", "{ label: 'main' }"),
        ("plugin:webview|create_webview_window", "{ options: { label: 'evil', url: 'https://evil.example' } }"),
        ("plugin:opener|open_path", "{ path: '/etc/passwd' }"),
        ("plugin:opener|open_url", "{ url: 'https://evil.example' }"),
        ("plugin:autostart|enable", "{}"),
        ("plugin:global-shortcut|register", "{ shortcuts: ['Ctrl+K'], handler: 1 }"),
        ("plugin:notification|notify", "{ options: { title: 'x' } }"),
        ("plugin:app|version", "{}"),
        ("plugin:path|resolve_directory", "{ directory: 1 }"),
    ] {
        let answer = invoke(&window, command, arguments);
        assert!(answer.contains("not allowed"), "{command}: {answer}");
    }
    assert_eq!(invoke(&window, "settings_get", "{}"), "ran");
    assert!(window.script("return typeof window.__TAURI__") == "undefined");
}

#[test]
fn links_of_other_kinds_are_refused() {
    let home = Home::new("links");
    let window = home.open();
    window.wait_for("button", "");
    for url in ["file:///etc/passwd", "javascript:alert(1)", "tauri://localhost/", "/etc/passwd"] {
        let answer = invoke(&window, "link_open", &format!("{{ url: '{url}' }}"));
        assert_eq!(answer, "this kind of link is not opened", "{url}");
    }
}

#[test]
fn the_page_stays_and_runs_nothing_foreign() {
    let home = Home::new("stays");
    let evil = "<script>window.evil = 1</script><img src=x onerror='window.evil = 2'>\n\n\
        [a link](javascript:window.evil=3) ![picture](http://127.0.0.1:9/p.png?secret)\n\nThe end.";
    let server = home.run(Talk::of([Reply::step([text(evil)])]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Say something evil");
    window.wait_for_text("The end.");
    let violations = "
        const done = arguments[arguments.length - 1];
        const seen = [];
        document.addEventListener('securitypolicyviolation', (e) => seen.push(e.effectiveDirective));
        const script = document.createElement('script');
        script.textContent = 'window.evil = 4';
        document.body.append(script);
        const image = new Image();
        image.src = 'http://127.0.0.1:9/leak.png';
        fetch('http://127.0.0.1:9/leak').catch(() => {});
        try { window.evaled = (0, eval)('5') } catch {}
        window.open('https://evil.example/');
        setTimeout(() => done([...new Set(seen)].sort().join(' ')), 500);";
    let seen = window.script_later(violations);
    let seen = seen.as_str().unwrap_or_default();
    for directive in ["connect-src", "img-src", "script-src"] {
        assert!(seen.contains(directive), "{directive} is not among the refusals: {seen}");
    }
    assert!(window.script("return window.evil ?? null").is_null());
    assert!(window.script("return window.evaled ?? null").is_null(), "eval is refused");
    assert_eq!(window.script("return document.querySelectorAll('[role=log] img[src^=http]').length"), 0);
    window.script("setTimeout(() => { location.href = 'https://evil.example/' }, 0)");
    std::thread::sleep(std::time::Duration::from_millis(800));
    let place = window.script("return location.href");
    assert!(place.as_str().is_some_and(|place| place.starts_with("tauri://localhost")), "{place}");
    window.wait_for_text("The end.");
}
