//! Names that are surely those of applications. Which of them are on this computer, the tool knows.

/// The name of an application that these words surely mean.
pub(super) fn named(words: &str) -> Option<&'static str> {
    let in_words = APPS.iter().find(|(_, known)| known.contains(&words)).map(|(name, _)| *name);
    in_words.or_else(|| APP_NAMES.iter().find(|name| **name == words).copied())
}

/// Applications that many computers have: the name that the menu has, and what people call them.
const APPS: &[(&str, &[&str])] = &[
    ("firefox", &["firefox", "mozilla firefox", "फ़ायरफ़ॉक्स", "फायरफॉक्स", "ಫೈರ್ಫಾಕ್ಸ್"]),
    ("chrome", &["chrome", "क्रोम", "ಕ್ರೋಮ್"]),
    ("google chrome", &["google chrome", "गूगल क्रोम"]),
    ("web browser", &["browser", "web browser", "ब्राउज़र", "ब्राउजर", "ಬ್ರೌಸರ್"]),
    ("calculator", &["calculator", "कैलकुलेटर", "कैलक्युलेटर", "ಕ್ಯಾಲ್ಕುಲೇಟರ್"]),
    ("calendar", &["calendar", "कैलेंडर", "ಕ್ಯಾಲೆಂಡರ್"]),
    ("camera", &["camera", "कैमरा", "ಕ್ಯಾಮೆರಾ"]),
    ("terminal", &["terminal", "टर्मिनल", "ಟರ್ಮಿನಲ್"]),
    ("settings", &["settings", "system settings", "सेटिंग्स", "ಸೆಟ್ಟಿಂಗ್ಸ್"]),
    ("text editor", &["text editor", "टेक्स्ट एडिटर"]),
    ("file manager", &["file manager", "फ़ाइल मैनेजर", "फाइल मैनेजर"]),
    ("system monitor", &["system monitor", "task manager"]),
    ("music player", &["music player"]),
    ("video player", &["video player"]),
    ("mail", &["mail", "mail program"]),
    ("visual studio code", &["visual studio code", "vs code", "vscode"]),
];

/// Names of applications, the same in every language. Not those that are everyday words: after
/// "open the app" or in quotes any name is one.
const APP_NAMES: &[&str] = &[
    "abiword",
    "alacritty",
    "android studio",
    "audacity",
    "bitwarden",
    "blender",
    "calibre",
    "chromium",
    "clementine",
    "darktable",
    "dbeaver",
    "digikam",
    "discord",
    "eclipse",
    "emacs",
    "epiphany",
    "evince",
    "filezilla",
    "gedit",
    "geany",
    "ghostwriter",
    "gimp",
    "gnome terminal",
    "gnucash",
    "gparted",
    "handbrake",
    "inkscape",
    "intellij idea",
    "kate",
    "kdenlive",
    "keepassxc",
    "kodi",
    "konqueror",
    "konsole",
    "krita",
    "kwrite",
    "libreoffice",
    "libreoffice calc",
    "libreoffice draw",
    "libreoffice impress",
    "libreoffice writer",
    "microsoft edge",
    "microsoft teams",
    "mousepad",
    "mpv",
    "musescore",
    "nautilus",
    "obs studio",
    "obsidian",
    "okular",
    "onlyoffice",
    "openshot",
    "postman",
    "pycharm",
    "qbittorrent",
    "rhythmbox",
    "scribus",
    "shotcut",
    "shotwell",
    "skype",
    "slack",
    "spotify",
    "sublime text",
    "synaptic",
    "telegram",
    "thunar",
    "thunderbird",
    "tor browser",
    "totem",
    "virtualbox",
    "vivaldi",
    "vlc",
    "vscodium",
    "whatsapp",
    "wireshark",
    "xterm",
    "zotero",
];

#[cfg(test)]
mod tests {
    use super::super::tokens::fold;
    use super::*;

    #[test]
    fn the_names_are_in_the_form_in_which_words_are_compared() {
        for name in APPS.iter().flat_map(|(_, words)| *words).chain(APP_NAMES) {
            assert_eq!(fold(name), *name);
            assert!(named(name).is_some());
        }
        assert_eq!((named("ಫೈರ್ಫಾಕ್ಸ್"), named("door")), (Some("firefox"), None));
    }
}
