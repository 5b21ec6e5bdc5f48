//! What only a desktop has: a display, a tray, keys that work everywhere.

use super::bus;
use namma_config::Environment;
use namma_protocol::{Check, CheckState};

/// The name that whoever draws the tray owns.
const TRAY: &str = "org.kde.StatusNotifierWatcher";

pub(crate) fn checks(environment: &Environment) -> Vec<Check> {
    let session = Session::of(environment);
    vec![session.display(), session.tray(bus::has_owner(environment, TRAY)), session.hotkey()]
}

/// What kind of session this is, as the environment tells it.
struct Session {
    x11: Option<String>,
    wayland: Option<String>,
}

impl Session {
    fn of(environment: &Environment) -> Self {
        Self { x11: environment.get("DISPLAY"), wayland: environment.get("WAYLAND_DISPLAY") }
    }

    fn display(&self) -> Check {
        match (&self.wayland, &self.x11) {
            (Some(name), _) => check("display", CheckState::Ok, format!("Wayland, {name}"), None),
            (None, Some(name)) => check("display", CheckState::Ok, format!("X11, {name}"), None),
            (None, None) => check(
                "display",
                CheckState::Unknown,
                "no display here: this is not a desktop session".into(),
                Some("The window needs one; the command line does not."),
            ),
        }
    }

    fn tray(&self, watcher: Result<bool, String>) -> Check {
        match watcher {
            Ok(true) => check("tray", CheckState::Ok, "the desktop shows tray icons".into(), None),
            Ok(false) if self.has_display() => check(
                "tray",
                CheckState::Degraded,
                "nothing here shows tray icons".into(),
                Some("On GNOME install the extension AppIndicator; without a tray, closing the window quits."),
            ),
            Ok(false) => check("tray", CheckState::Unknown, "no desktop that could have a tray".into(), None),
            Err(why) => check("tray", CheckState::Unknown, why, None),
        }
    }

    fn hotkey(&self) -> Check {
        match (&self.wayland, &self.x11) {
            (None, Some(_)) => check("hotkey", CheckState::Ok, "keys can be registered everywhere (X11)".into(), None),
            (Some(_), _) => check(
                "hotkey",
                CheckState::Degraded,
                "Wayland does not let programs take keys by themselves".into(),
                Some("Set a shortcut in the settings of your desktop that starts `namma-desktop`."),
            ),
            (None, None) => check("hotkey", CheckState::Unknown, "no display, so no keys".into(), None),
        }
    }

    fn has_display(&self) -> bool {
        self.x11.is_some() || self.wayland.is_some()
    }
}

fn check(name: &str, state: CheckState, detail: String, fix: Option<&str>) -> Check {
    Check { name: name.into(), state, detail, fix: fix.map(Into::into) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(variables: &[(&str, &str)]) -> Vec<CheckState> {
        let session = Session::of(&Environment::given(variables.iter().copied()));
        [session.display(), session.tray(Ok(false)), session.hotkey()].map(|check| check.state).into()
    }

    #[test]
    fn a_session_is_told_by_its_environment() {
        use CheckState::{Degraded, Ok, Unknown};
        assert_eq!(states(&[]), [Unknown, Unknown, Unknown]);
        assert_eq!(states(&[("DISPLAY", ":1")]), [Ok, Degraded, Ok]);
        assert_eq!(states(&[("DISPLAY", ":1"), ("WAYLAND_DISPLAY", "wayland-0")]), [Ok, Degraded, Degraded]);
    }
}
