//! Each language asks as people ask: in whole questions, with its own endings and marks.

use crate::search::{found, told};
use crate::support::Home;

async fn check(messages: &[&str], asked: &[(&str, usize)]) {
    let home = Home::new();
    let store = told(&home, messages).await;
    for (question, answer) in asked {
        let first = found(&store, question).await.into_iter().next().unwrap_or_default();
        assert_eq!(first, messages[*answer], "asked: {question}");
    }
}

#[tokio::test]
async fn kannada_questions_find() {
    check(
        &["ನಮ್ಮ ಮನೆ ವೈಫೈ ಪಾಸ್‌ವರ್ಡ್ ಮಲ್ಲಿಗೆ", "ನಾಳೆ ದಂತವೈದ್ಯರ ಭೇಟಿ ಇದೆ", "ನನ್ನ ತಂಗಿ ಮೈಸೂರಿನಲ್ಲಿ ಇದ್ದಾಳೆ"],
        &[
            ("ವೈಫೈ ಪಾಸ್‌ವರ್ಡ್ ಏನು?", 0),
            ("ವೈಫೈ ಪಾಸ್ವರ್ಡ್ ಬಗ್ಗೆ ನಾನು ಏನು ಹೇಳಿದೆ?", 0),
            ("ದಂತವೈದ್ಯರ ಭೇಟಿ ಯಾವಾಗ?", 1),
            ("ಮೈಸೂರಿನಲ್ಲಿ ಯಾರು ಇದ್ದಾಳೆ?", 2),
        ],
    )
    .await;
}

#[tokio::test]
async fn hindi_questions_find() {
    check(
        &["घर का वाईफ़ाई पासवर्ड चमेली है", "दाँत के डॉक्टर से सोमवार को मिलना है", "बहन जयपुर में रहती है"],
        &[("वाईफ़ाई पासवर्ड क्या है?", 0), ("मैंने पासवर्ड के बारे में क्या कहा था?", 0), ("डॉक्टर से कब मिलना है?", 1)],
    )
    .await;
}

#[tokio::test]
async fn tamil_questions_find() {
    check(
        &["வீட்டு வைஃபை கடவுச்சொல் மல்லிகை", "பல் மருத்துவர் சந்திப்பு திங்கட்கிழமை", "என் தங்கை மதுரையில் இருக்கிறாள்"],
        &[("வைஃபை கடவுச்சொல் என்ன?", 0), ("மருத்துவர் சந்திப்பு எப்போது?", 1), ("மதுரையில் யார்?", 2)],
    )
    .await;
}

#[tokio::test]
async fn chinese_questions_find() {
    check(
        &["家里的无线网络密码是茉莉花十七号", "星期一下午去看牙医", "我妹妹住在上海，养了一只黑猫"],
        &[("无线网密码是什么？", 0), ("什么时候去看牙医？", 1), ("上海", 2), ("猫", 2), ("妹妹住哪里", 2)],
    )
    .await;
}

#[tokio::test]
async fn japanese_and_korean_questions_find() {
    check(
        &[
            "自宅のWi-Fiパスワードはジャスミン17です",
            "月曜日の午後に歯医者へ行く",
            "우리 집 와이파이 비밀번호는 재스민입니다",
            "ﾃﾞｰﾀﾍﾞｰｽの移行は金曜日",
        ],
        &[
            ("Wi-Fiのパスワードは何ですか？", 0),
            ("歯医者はいつですか", 1),
            ("와이파이 비밀번호가 뭐예요?", 2),
            ("データベース", 3),
        ],
    )
    .await;
}

#[tokio::test]
async fn thai_lao_khmer_and_burmese_questions_find() {
    check(
        &[
            "รหัสผ่านไวไฟที่บ้านคือดอกมะลิ",
            "นัดหมอฟันวันจันทร์ตอนบ่าย",
            "ລະຫັດຜ່ານຂອງເຮືອນແມ່ນດອກມະລິ",
            "លេខសម្ងាត់ផ្ទះគឺផ្កាម្លិះ",
            "အိမ်ရဲ့ စကားဝှက်က စံပယ်ပန်း",
            "ปู",
        ],
        &[("รหัสผ่านไวไฟคืออะไร", 0), ("นัดหมอฟันเมื่อไหร่", 1), ("ລະຫັດຜ່ານ", 2), ("លេខសម្ងាត់", 3), ("စကားဝှက်", 4), ("ปู", 5)],
    )
    .await;
}

#[tokio::test]
async fn european_questions_find() {
    check(
        &[
            "Das WLAN-Passwort im Büro lautet Gänseblümchen",
            "le mot de passe de l'école est marguerite",
            "la contraseña del garaje es margarita",
            "Пароль от сети — ромашка",
        ],
        &[
            ("Was habe ich über das Passwort im Büro gesagt?", 0),
            ("buro", 0),
            ("quel est le mot de passe de l’école ?", 1),
            ("¿cuál es la contraseña del garaje?", 2),
            ("какой пароль от сети?", 3),
        ],
    )
    .await;
}
