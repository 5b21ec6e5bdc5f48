//! Words that carry no meaning in a question, by language. They are dropped from questions only,
//! and only while something else is left.

use std::collections::HashSet;

const ENGLISH: &str = "a about all am an and any are as at be been being but by can could did do does doing dont \
    for from had has have he her here hers him his how i if im in into is it its ive just like many me mine much my of \
    on or our ours please say said she should show so some something tell that the their them then there these they \
    this those to told too up us was we were what when where which while who whom whose why will with would you your \
    yours find search talk talked talking mention mentioned ask asked know remember";

const GERMAN: &str = "aber als am an auch auf aus bei bin bis bist da dann das dass dein deine dem den der des dich die \
    dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es euch für gab gibt habe haben hat \
    hatte hatten hier ich ihm ihn ihr ihre im in ist ja kann kannst kein keine können mein meine meinem meinen meiner \
    mich mir mit nach nicht noch nur oder ob sein seine sich sie sind so über um und uns unser unter vom von vor war \
    waren was wann warum weil welche welcher welches wenn wer werden wie wieder wir wird wo wurde zu zum zur gesagt";

const FRENCH: &str = "a ai ait as au aux avait avec avez avons c ce ces cet cette comme comment d dans de des du elle en \
    est et étais était eu fait il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne nos notre nous on \
    où ou par pas pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont suis sur t \
    ta te tes toi ton tu un une vos votre vous y été être dit ai";

const SPANISH: &str = "a al algo como cómo con cual cuál cuando cuándo de del desde dije donde dónde el él ella ellos \
    en entre era eran es esa ese eso esta está estaba este esto fue ha hay he la las le les lo los me mi mis muy más \
    no nos o para pero por porque porqué que qué quien quién se ser si sí sin sobre son su sus también te tiene tu tus \
    un una uno unos y ya yo";

const PORTUGUESE: &str = "a ao aos as com como da das de dela dele do dos e é ela ele eles em entre era essa esse esta \
    está este eu foi há isso isto já lhe mais mas me meu minha meus minhas muito na nas nem no nos nós não o os ou \
    para pela pelo por porque qual quando que quê quem se sem ser seu seus sobre sua são também te tem tu um uma você \
    disse onde";

const HINDI: &str = "और एक यह ये वह वे है हैं था थी थे हो का की के को में से पर ने तक भी ही तो या लिए मैं मैंने मेरा मेरी मेरे \
    मुझे मुझको हम हमारा हमारी हमारे तुम आप आपने आपका आपकी तुमने उसका उसकी उस इस क्या कब कहाँ कहां कैसे क्यों कौन कौनसा \
    कितना कितने किस बारे कहा बताया बताओ था कर करना किया जो अगर नहीं अपना अपनी अपने";

const KANNADA: &str = "ನಾನು ನನ್ನ ನನಗೆ ನೀನು ನಿನ್ನ ನೀವು ನಿಮ್ಮ ನಾವು ನಮ್ಮ ಅವನು ಅವಳು ಅವರು ಅದು ಇದು ಆ ಈ ಒಂದು ಮತ್ತು ಅಥವಾ ಆದರೆ \
    ಏನು ಯಾವ ಯಾವುದು ಯಾರು ಎಲ್ಲಿ ಹೇಗೆ ಯಾಕೆ ಏಕೆ ಯಾವಾಗ ಎಷ್ಟು ಇದೆ ಇವೆ ಇತ್ತು ಆಗಿದೆ ಅಂತ ಎಂದು ಬಗ್ಗೆ ಹೇಳಿದೆ ಹೇಳಿದ್ದೆ ಹೇಳಿದ್ದು \
    ಹೇಳಿ ಕೂಡ ಮೇಲೆ ಅಲ್ಲಿ ಇಲ್ಲಿ ಇಲ್ಲ ಅಲ್ಲ ಗೆ ಅನ್ನು";

const TAMIL: &str = "நான் என் எனது எனக்கு நீ உன் நீங்கள் உங்கள் நாம் நாங்கள் எங்கள் அவன் அவள் அவர் அவர்கள் அது இது அந்த \
    இந்த ஒரு மற்றும் அல்லது ஆனால் என்ன எது யார் எங்கே எப்படி ஏன் எப்போது எத்தனை எவ்வளவு உள்ளது இருக்கிறது இருந்தது பற்றி \
    என்று சொன்னேன் சொன்னீர்கள் சொல் கூட மேல் இல்லை";

const TELUGU: &str = "నేను నా నాకు నీవు నువ్వు నీ మీరు మీ మనం మన మేము మా అతను ఆమె వారు అది ఇది ఆ ఈ ఒక మరియు లేదా కానీ ఏమి \
    ఏమిటి ఏ ఎవరు ఎక్కడ ఎలా ఎందుకు ఎప్పుడు ఎన్ని ఎంత ఉంది ఉన్నాయి గురించి అని చెప్పాను చెప్పారు కూడా మీద లేదు";

/// Languages that share the Latin letters: guessed by how many of their words the question has.
const LATIN: &[&str] = &[ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE];

/// Languages with letters of their own: no guess needed.
const OWN_LETTERS: &[&str] = &[HINDI, KANNADA, TAMIL, TELUGU];

/// The meaningless ones among the words of a question.
pub(super) fn meaningless<'a>(words: &[&'a str]) -> HashSet<&'a str> {
    let hits = |list: &str| -> Vec<&'a str> {
        let list: HashSet<&str> = list.split_whitespace().collect();
        words.iter().copied().filter(|word| list.contains(word)).collect()
    };
    let mut found: HashSet<&str> = OWN_LETTERS.iter().flat_map(|list| hits(list)).collect();
    // English first: it wins a draw. One hit is enough for it and for no other language, since
    // "war", "die" or "sin" mean something in English.
    let mut best = Vec::new();
    for (place, list) in LATIN.iter().enumerate() {
        let hits = hits(list);
        if hits.len() > best.len() && (place == 0 || hits.len() >= 2) {
            best = hits;
        }
    }
    found.extend(best);
    found
}
