//! Words of all languages that mean the same thing wherever they stand. All in folded form, see
//! [`super::tokens::fold`]; to add a language, add its words.

/// Words that look like a name and are none: they point at something, or mean too much.
pub(super) const NO_NAMES: &[&str] = &[
    "a",
    "above",
    "again",
    "all",
    "also",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "as",
    "at",
    "back",
    "be",
    "below",
    "both",
    "but",
    "by",
    "called",
    "capitals",
    "danger",
    "do",
    "don't",
    "down",
    "each",
    "earth",
    "english",
    "every",
    "everything",
    "existence",
    "file",
    "files",
    "first",
    "folder",
    "folders",
    "for",
    "from",
    "general",
    "he",
    "her",
    "here",
    "him",
    "hindi",
    "history",
    "if",
    "in",
    "india",
    "inside",
    "instead",
    "is",
    "it",
    "kannada",
    "later",
    "life",
    "love",
    "lowercase",
    "me",
    "memory",
    "my",
    "named",
    "nearby",
    "no",
    "not",
    "nothing",
    "now",
    "of",
    "off",
    "on",
    "one",
    "ones",
    "or",
    "order",
    "other",
    "others",
    "please",
    "quickly",
    "she",
    "so",
    "some",
    "something",
    "somewhere",
    "stuff",
    "thanks",
    "that",
    "the",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "time",
    "to",
    "today",
    "tomorrow",
    "too",
    "total",
    "up",
    "uppercase",
    "us",
    "use",
    "was",
    "we",
    "when",
    "with",
    "world",
    "yes",
    "yesterday",
    "you",
    "इसे",
    "उसे",
    "कुछ",
    "न",
    "नहीं",
    "मत",
    "यह",
    "वह",
    "सब",
    "सबको",
    "ಅದು",
    "ಇದು",
    "ಎಲ್ಲ",
    "ಎಲ್ಲಾ",
    "ಬೇಡ",
];

/// Words that say where or how to look. Among the words to look for, they are a request half understood.
pub(super) const SEARCHING: &[&str] = &[
    "all",
    "and",
    "but",
    "called",
    "contain",
    "containing",
    "contains",
    "except",
    "file",
    "files",
    "folder",
    "in",
    "inside",
    "mention",
    "named",
    "not",
    "or",
    "out",
    "text",
    "that",
    "which",
    "whose",
    "with",
    "without",
    "word",
    "फ़ाइल",
    "फ़ाइलें",
    "में",
    "ಫೈಲ್",
    "ಫೈಲ್ಗಳು",
];

/// Ends of file names that people call by name: "all pdf files".
pub(super) const KINDS: &[&str] = &[
    "7z", "avi", "bmp", "c", "cpp", "css", "csv", "doc", "docx", "epub", "flac", "gif", "gz", "heic", "html", "ini",
    "java", "jpeg", "jpg", "js", "json", "log", "m4a", "md", "mkv", "mov", "mp3", "mp4", "odp", "ods", "odt", "ogg",
    "pdf", "php", "png", "ppt", "pptx", "py", "rb", "rs", "rtf", "sh", "sql", "svg", "tar", "toml", "ts", "tsx", "txt",
    "wav", "webm", "webp", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];

pub(super) const CURRENCIES: &[&str] = &[
    "aud",
    "bitcoin",
    "cad",
    "chf",
    "cny",
    "dollar",
    "dollars",
    "eur",
    "euro",
    "euros",
    "gbp",
    "inr",
    "jpy",
    "pounds",
    "rs",
    "rupaye",
    "rupee",
    "rupees",
    "usd",
    "yen",
    "yuan",
    "डॉलर",
    "यूरो",
    "रुपए",
    "रुपये",
    "ಡಾಲರ್",
    "ಯೂರೋ",
    "ರೂಪಾಯಿ",
];

const FOLDERS: &[(&str, &[&str])] = &[
    (
        "~/Downloads",
        &["downloads", "download", "डाउनलोड", "डाउनलोड्स", "ಡೌನ್ಲೋಡ್", "ಡೌನ್ಲೋಡ್ಸ್", "ಡೌನ್ಲೋಡ್ನಲ್ಲಿ", "ಡೌನ್ಲೋಡ್ಸ್ನಲ್ಲಿ", "ಡೌನ್ಲೋಡ್ಗೆ", "ಡೌನ್ಲೋಡ್ಸ್ಗೆ"],
    ),
    (
        "~/Documents",
        &["documents", "दस्तावेज़", "दस्तावेज", "डॉक्यूमेंट्स", "ಡಾಕ್ಯುಮೆಂಟ್ಸ್", "ಡಾಕ್ಯುಮೆಂಟ್ಸ್ನಲ್ಲಿ", "ಡಾಕ್ಯುಮೆಂಟ್ಸ್ಗೆ", "ದಾಖಲೆಗಳಲ್ಲಿ", "ದಾಖಲೆಗಳಿಗೆ"],
    ),
    ("~/Desktop", &["desktop", "डेस्कटॉप", "ಡೆಸ್ಕ್ಟಾಪ್", "ಡೆಸ್ಕ್ಟಾಪ್ನಲ್ಲಿ", "ಡೆಸ್ಕ್ಟಾಪ್ಗೆ"]),
    ("~/Pictures", &["pictures", "चित्र", "तस्वीरें", "तस्वीरों", "ಚಿತ್ರಗಳಲ್ಲಿ", "ಚಿತ್ರಗಳಿಗೆ"]),
    ("~/Music", &["music", "संगीत", "ಸಂಗೀತದಲ್ಲಿ", "ಸಂಗೀತಕ್ಕೆ"]),
    ("~/Videos", &["videos", "वीडियो", "ವೀಡಿಯೊಗಳಲ್ಲಿ"]),
    ("~", &["home", "होम", "ಹೋಮ್"]),
];

const NUMBERS: &[(u32, &[&str])] = &[
    (1, &["one", "a", "an", "एक", "ek", "ಒಂದು"]),
    (2, &["two", "दो", "do", "ಎರಡು"]),
    (3, &["three", "तीन", "teen", "ಮೂರು"]),
    (4, &["four", "चार", "chaar", "ನಾಲ್ಕು"]),
    (5, &["five", "पाँच", "पांच", "paanch", "ಐದು"]),
    (6, &["six", "छह", "ಆರು"]),
    (7, &["seven", "सात", "saat", "ಏಳು"]),
    (8, &["eight", "आठ", "aath", "ಎಂಟು"]),
    (9, &["nine", "नौ", "ಒಂಬತ್ತು"]),
    (10, &["ten", "दस", "das", "ಹತ್ತು"]),
    (12, &["twelve", "बारह", "ಹನ್ನೆರಡು"]),
    (15, &["fifteen", "पंद्रह", "ಹದಿನೈದು"]),
    (20, &["twenty", "बीस", "ಇಪ್ಪತ್ತು"]),
];

const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "जनवरी", "ಜನವರಿ"],
    &["february", "feb", "फ़रवरी", "फरवरी", "ಫೆಬ್ರವರಿ"],
    &["march", "mar", "मार्च", "ಮಾರ್ಚ್"],
    &["april", "apr", "अप्रैल", "ಏಪ್ರಿಲ್"],
    &["may", "मई", "ಮೇ"],
    &["june", "jun", "जून", "ಜೂನ್"],
    &["july", "jul", "जुलाई", "ಜುಲೈ"],
    &["august", "aug", "अगस्त", "ಆಗಸ್ಟ್"],
    &["september", "sep", "sept", "सितंबर", "सितम्बर", "ಸೆಪ್ಟೆಂಬರ್"],
    &["october", "oct", "अक्टूबर", "अक्तूबर", "ಅಕ್ಟೋಬರ್"],
    &["november", "nov", "नवंबर", "नवम्बर", "ನವೆಂಬರ್"],
    &["december", "dec", "दिसंबर", "दिसम्बर", "ಡಿಸೆಂಬರ್"],
];

/// From Monday.
const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "सोमवार", "somvaar", "ಸೋಮವಾರ"],
    &["tuesday", "मंगलवार", "mangalvaar", "ಮಂಗಳವಾರ"],
    &["wednesday", "बुधवार", "budhvaar", "ಬುಧವಾರ"],
    &["thursday", "गुरुवार", "guruvaar", "ಗುರುವಾರ"],
    &["friday", "शुक्रवार", "shukravaar", "ಶುಕ್ರವಾರ"],
    &["saturday", "शनिवार", "shanivaar", "ಶನಿವಾರ"],
    &["sunday", "रविवार", "ravivaar", "ಭಾನುವಾರ"],
];

/// A small number in figures or words.
pub(super) fn number(word: &str) -> Option<u32> {
    if !word.is_empty() && word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok();
    }
    NUMBERS.iter().find(|(_, words)| words.contains(&word)).map(|(number, _)| *number)
}

/// A folder that each home has.
pub(super) fn folder(word: &str) -> Option<&'static str> {
    FOLDERS.iter().find(|(_, words)| words.contains(&word)).map(|(path, _)| *path)
}

/// From 1.
/// What cannot begin a fact: it points back, asks, or tells to do something.
pub(super) const NO_FACTS: &[&str] = &[
    "about",
    "all",
    "and",
    "any",
    "anything",
    "but",
    "each",
    "every",
    "everything",
    "her",
    "him",
    "how",
    "if",
    "it",
    "me",
    "nothing",
    "not",
    "day",
    "moment",
    "night",
    "one",
    "or",
    "something",
    "time",
    "that",
    "them",
    "these",
    "this",
    "those",
    "to",
    "us",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "who",
    "why",
    "you",
    "your",
    "यह",
    "ये",
    "वह",
    "वे",
    "इसे",
    "उसे",
    "सब",
    "सबकुछ",
    "कुछ",
    "yeh",
    "ye",
    "woh",
    "isko",
    "usko",
    "sab",
    "kuch",
    "ಇದು",
    "ಇದನ್ನು",
    "ಅದು",
    "ಅದನ್ನು",
    "ಎಲ್ಲಾ",
    "ಎಲ್ಲ",
    "ಎಲ್ಲವನ್ನೂ",
    "ಏನನ್ನೂ",
];

/// Words that make a statement of what stands around them.
pub(super) const STATES: &[&str] = &[
    "=", "always", "am", "are", "can", "can't", "cannot", "do", "does", "doesn't", "don't", "drink", "drinks", "eat",
    "eats", "had", "has", "hate", "hates", "have", "is", "isn't", "like", "likes", "live", "lives", "love", "loves",
    "need", "needs", "never", "prefer", "prefers", "speak", "speaks", "want", "wants", "was", "were", "will", "work",
    "works",
];

/// Whoever asks.
pub(super) const THE_PERSON: &[&str] = &["me", "myself", "मेरे", "mere", "मुझे", "ನನ್ನ", "ನನಗೆ"];

pub(super) fn month(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|words| words.contains(&word))?;
    i8::try_from(at + 1).ok()
}

/// From 1, which is Monday.
pub(super) fn weekday(word: &str) -> Option<i8> {
    let at = WEEKDAYS.iter().position(|words| words.contains(&word))?;
    i8::try_from(at + 1).ok()
}

/// A vowel sign or another mark that Indian scripts write with a letter.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{c80}'..='\u{c83}' | '\u{cbc}'..='\u{cd6}' | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::super::tokens::fold;
    use super::*;

    #[test]
    fn the_words_are_in_the_form_in_which_words_are_compared() {
        let groups = FOLDERS.iter().map(|(_, words)| *words).chain(NUMBERS.iter().map(|(_, words)| *words));
        let groups = groups
            .chain(MONTHS)
            .chain(WEEKDAYS)
            .chain([NO_NAMES, SEARCHING, KINDS, CURRENCIES, NO_FACTS, STATES, THE_PERSON]);
        for word in groups.flatten() {
            assert_eq!(fold(word), *word);
        }
    }
}
