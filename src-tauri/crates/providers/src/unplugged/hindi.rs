//! What people say in Hindi, in Devanagari and in Latin letters.

use super::grammar::Language;
use super::intent::{Lack, Rule, Sort, Talk, Topic};

pub(super) const LANGUAGE: Language = Language {
    fragments: &[
        ("before", "[नम्मा|namma] [कृपया|ज़रा|please|kripya|zara] [मुझे|mujhe]"),
        ("after", "[कृपया|please|plz]"),
        ("is", "(है|हैं|hai|hain)"),
        ("files", "(फ़ाइलें|फाइलें|फ़ाइल|फाइल|files|file) [को|ko]"),
        ("folder", "(फ़ोल्डर|फोल्डर|folder)"),
        (
            "in",
            "(यहाँ|यहां|yahan|यहाँ की|इस <folder> (में|की)|is <folder> (mein|me|ki)|[मेरे|mere] {place} [<folder>] (में|की|mein|me|ki))",
        ),
        (
            "show",
            "(दिखाओ|दिखाइए|दिखा दो|दिखाएँ|दिखाएं|बताओ|बताइए|dikhao|dikhaiye|dikha do|batao|bataiye|(कौन सी|कौनसी|kaun si|kaunsi) <is>)",
        ),
        ("find", "(ढूँढो|ढूंढो|ढूँढिए|ढूंढिए|खोजो|खोजिए|dhundo|dhoondo|khojo)"),
        (
            "delete",
            "(हटाओ|हटाइए|हटा (दो|दीजिए)|मिटाओ|मिटाइए|मिटा (दो|दीजिए)|डिलीट (करो|कीजिए|करें|कर दो)|delete (karo|kijiye|kar do)|hatao|hata do|mitao|mita do)",
        ),
        (
            "open",
            "(खोलो|खोलिए|खोलें|खोल (दो|दीजिए)|ओपन (करो|कीजिए|कर दो)|kholo|kholiye|khol (do|dijiye)|open (karo|kijiye|kar do))",
        ),
        ("app", "(ऐप|एप|app)"),
        ("which", "(कौन सी|कौनसी|कौन सा|कौनसा|क्या|kaun si|kaunsi|kaun sa|kaunsa|kya)"),
        ("howmuch", "(कितना|कितने|कितनी|kitna|kitne|kitni)"),
    ],
    sorts: [
        (Sort::Largest, "(सबसे (बड़ी|बड़े|भारी)|sabse (badi|bade))"),
        (Sort::Newest, "([सबसे] (नई|ताज़ा)|[sabse] (nayi|nai))"),
        (Sort::Oldest, "([सबसे] पुरानी|[sabse] purani)"),
    ],
    several: &["[<in>] [{count}] <sort> [{count}] <files> [<show>]", "[<in>] <sort> <files> <show>"],
    one: &[],
    delete: &["[<in>] <sort> <files> <delete>"],
    rules: RULES,
};

const RULES: &[(Rule, &[&str])] = &[
    (Rule::Talk(Talk::Hello), &["नमस्ते|नमस्कार|हैलो|हेलो|सुप्रभात|namaste|namaskar"]),
    (
        Rule::Talk(Talk::Help),
        &[
            "[तुम|आप] क्या [क्या] कर सकते (हो|हैं)|[tum|aap] kya [kya] kar sakte (ho|hain)",
            "मदद [करो|कीजिए|चाहिए]|madad [karo]",
        ],
    ),
    (Rule::Talk(Talk::Who), &["(तुम|आप) कौन (हो|हैं)|(tum|aap) kaun (ho|hain)|(तुम्हारा|आपका) नाम क्या है"]),
    (Rule::Talk(Talk::Thanks), &["धन्यवाद|शुक्रिया|dhanyavaad|dhanyavad|shukriya"]),
    (Rule::List, &["<in> (क्या [क्या]|kya [kya]) <is>", "[<in>] [सभी|सारी|sabhi|saari] <files> <show>"]),
    (Rule::FindKind, &["[<in>] [सभी|सारी|sabhi|saari] {kind} <files> (<find>|<show>)"]),
    (Rule::Find, &["{glob} (कहाँ|कहां|kahan) <is>", "[<in>] {glob} [<files>] [को|ko] <find>"]),
    (Rule::FindText, &["[<in>] {quote} <find>", "<files> (में|mein|me) {phrase} <find>"]),
    (
        Rule::Summarise,
        &[
            "{path} का (सारांश|सार) (दो|दीजिए|बताओ|बताइए|लिखो)|{path} ka (saransh|summary) (do|dijiye|batao)",
            "{path} को संक्षेप में बताओ",
        ],
    ),
    (
        Rule::Read,
        &[
            "[<files>] {path} [को|ko] (पढ़ो|पढ़िए|पढ़कर सुनाओ|दिखाओ|दिखाइए|padho|padhiye|dikhao|dikhaiye|खोलकर दिखाओ)",
            "{path} (में|mein|me) (क्या|kya) [लिखा|likha] <is>",
        ],
    ),
    (Rule::Delete, &["[<files>] {path} [<files>] [को|ko] <delete>"]),
    (
        Rule::Rename,
        &[
            "{path} का नाम (बदलकर|बदल कर) {name} (करो|कर दो|कीजिए|रखो|रख दो)",
            "{path} ka naam (badalkar|badal kar) {name} (karo|kar do|rakho|rakh do)",
        ],
    ),
    (
        Rule::MoveInto,
        &[
            "{path} [को] {known} [<folder>] में (ले जाओ|ले जाइए|भेजो|डालो|डाल दो|रखो|रख दो|मूव करो)",
            "{path} [को] {name} <folder> में (ले जाओ|ले जाइए|भेजो|डालो|डाल दो|रखो|रख दो|मूव करो)",
            "{path} [ko] {known} [<folder>] (mein|me) (le jao|bhejo|daalo|daal do|rakho|rakh do|move karo)",
        ],
    ),
    (
        Rule::MakeDir,
        &[
            "{name} (नाम का|नाम से) [एक] [नया] <folder> (बनाओ|बनाइए|बना दो)|<folder> {name} (बनाओ|बनाइए|बना दो)",
            "{name} (naam ka|naam se) [ek] [naya] <folder> (banao|bana do)",
        ],
    ),
    (
        Rule::Computer(Topic::Disk),
        &[
            "[(डिस्क|disk|कंप्यूटर) (में|पर|mein|me|par)] <howmuch> [खाली|khali] (जगह|स्पेस|jagah|space) [खाली|बची|बाकी|khali|bachi] <is>",
            "(डिस्क|disk) [में] (जगह|स्पेस|space|jagah) <howmuch> <is>",
        ],
    ),
    (
        Rule::Computer(Topic::Battery),
        &["(बैटरी|battery) <howmuch> [बची|बाकी|bachi] <is>", "<howmuch> (बैटरी|battery) [बची|बाकी|bachi] <is>"],
    ),
    (
        Rule::Computer(Topic::Memory),
        &[
            "<howmuch> (मेमोरी|रैम|memory|ram) [खाली|बची|khali] <is>",
            "(मेमोरी|रैम|memory|ram) <howmuch> [खाली|बची|khali] <is>",
        ],
    ),
    (
        Rule::Computer(Topic::All),
        &["(यह|ये|yeh|ye) (कौन सा|kaun sa) (कंप्यूटर|computer) <is>", "(कंप्यूटर|सिस्टम) की जानकारी [दो|बताओ|दिखाओ]"],
    ),
    (
        Rule::Time,
        &[
            "[अभी|abhi] <howmuch> (बजे|baje) <is>",
            "[अभी|abhi] (समय|टाइम|samay|time) (क्या|kya) [हुआ|हो रहा|hua|ho raha] <is>",
        ],
    ),
    (
        Rule::Today,
        &[
            "(आज|aaj) [की|ki] <which> (तारीख|तारीख़|tareekh|tarikh|date) <is>",
            "(आज|aaj) [की|ki] (तारीख|तारीख़|tareekh|tarikh|date) [क्या है|बताओ|kya hai|batao]",
            "(आज|aaj) <which> (दिन|वार|din) <is>",
        ],
    ),
    (
        Rule::Until,
        &[
            "{day} (तक|tak) [अभी|abhi] (कितने|kitne) (दिन|din) [बाकी|बचे|baki|bache] [<is>]",
            "{day} (में|को|mein|ko) (कितने|kitne) (दिन|din) (बाकी|बचे|baki|bache) [<is>]",
        ],
    ),
    (Rule::WhichDay, &["{day} (को|ko) <which> (दिन|वार|din) (है|होगा|था|पड़ेगा|hai|hoga|tha)"]),
    (
        Rule::Ahead,
        &[
            "[आज से|aaj se] {count} {period} (बाद|baad) [<which> (तारीख|तारीख़|दिन|tareekh|tarikh|date|din) (होगी|होगा|है|hogi|hoga|hai)]",
        ],
    ),
    (Rule::Ago, &["{count} {period} (पहले|pehle) <which> (तारीख|तारीख़|दिन|tareekh|tarikh|date|din) (थी|था|thi|tha)"]),
    (Rule::Sum, &["{sum} <howmuch> (है|होता है|हुआ|होगा|hai|hota hai|hua|hoga)"]),
    (Rule::OfPercent, &["{number} (का|ka) {percent} [<howmuch> (है|होता है|होगा|hai|hota hai|hoga)]"]),
    (Rule::Split, &["{number} को {count} [लोगों] में (बाँटो|बांटो)"]),
    (Rule::Lacks(Lack::Rates), &["{number} [{currency}] (में|mein|me) <howmuch> {currency} [<is>|होते हैं|hote hain]"]),
    (
        Rule::Units,
        &[
            "{quantity} (में|mein|me) <howmuch> {unit} [<is>|होते हैं|होता है|hote hain|hota hai]",
            "{quantity} को {unit} में (बदलो|बताओ|बदलिए)|{quantity} ko {unit} (mein|me) (badlo|batao)",
        ],
    ),
    (
        Rule::Open,
        &[
            "{address} [को|ko] <open>",
            "[<files>] {path} [<files>] [को|ko] <open>",
            "[मेरे|मेरा|mere|mera] {place} [<folder>] [को|ko] <open>",
            "{known-app} [<app>] [को|ko] <open>|{name} <app> [को|ko] <open>",
        ],
    ),
    (Rule::OpenHere, &["(इस|यह|is|yeh) <folder> [को|ko] <open>"]),
    (
        Rule::Remember,
        &["[यह|ये] याद (रखो|रखना|रखिए|रखिएगा) कि {fact}", "[yeh|ye] yaad (rakho|rakhna|rakhiye) ki {fact}"],
    ),
    (
        Rule::Recall,
        &[
            "{text} के बारे में [(तुम्हें|तुम्हे|तुमको|आपको|तुम|आप)] क्या [क्या] (पता|याद|मालूम|जानते|जानती) (है|हैं|हो)",
            "(तुम्हें|तुम्हे|तुमको|आपको|तुम|आप) {text} के बारे में क्या [क्या] (पता|याद|मालूम|जानते|जानती) (है|हैं|हो)",
            "(मेरे|mere) बारे में [(तुम्हें|तुम्हे|तुमको|आपको|तुम|आप)] क्या [क्या] (पता|याद|मालूम|जानते|जानती) (है|हैं|हो)",
            "{text} ke (baare|bare) (mein|me) [(tumhe|tumko|aapko|tum|aap)] kya [kya] (pata|yaad|malum|jaante) (hai|hain|ho)",
            "(मैंने|maine) {text} के बारे में क्या (बताया|कहा) [था]",
        ],
    ),
    (
        Rule::Forget,
        &["{fact} [यह] भूल (जाओ|जाइए)|भूल (जाओ|जाइए) कि {fact}", "{fact} bhool (jao|jaiye)|bhool (jao|jaiye) ki {fact}"],
    ),
];
