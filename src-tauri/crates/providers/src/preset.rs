use crate::endpoint::EndpointConfig;

/// A vendor that we can speak with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The vendor's name for people.
    pub label: &'static str,
    /// The environment variable that holds its key by custom.
    pub key_env: &'static str,
    pub base_url: &'static str,
    /// How its keys begin; empty when they have no mark of their own.
    pub key_prefix: &'static str,
}

const fn preset(
    label: &'static str,
    key_env: &'static str,
    base_url: &'static str,
    key_prefix: &'static str,
) -> Preset {
    Preset { label, key_env, base_url, key_prefix }
}

/// The vendors we know. The order is that of the suggestion when several keys are found.
pub const PRESETS: &[Preset] = &[
    preset("OpenAI", "OPENAI_API_KEY", "https://api.openai.com/v1", "sk-"),
    preset("Anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1", "sk-ant-"),
    preset("Google Gemini", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta", "AIza"),
    preset("OpenRouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", "sk-or-"),
    preset("Groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1", "gsk_"),
    preset("DeepSeek", "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1", ""),
    preset("Mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1", ""),
    preset("xAI", "XAI_API_KEY", "https://api.x.ai/v1", "xai-"),
    preset("Together", "TOGETHER_API_KEY", "https://api.together.xyz/v1", "tgp_v1_"),
    preset("Fireworks", "FIREWORKS_API_KEY", "https://api.fireworks.ai/inference/v1", "fw_"),
    preset("Cerebras", "CEREBRAS_API_KEY", "https://api.cerebras.ai/v1", "csk-"),
    preset("Perplexity", "PERPLEXITY_API_KEY", "https://api.perplexity.ai", "pplx-"),
    preset("NVIDIA", "NVIDIA_API_KEY", "https://integrate.api.nvidia.com/v1", "nvapi-"),
    preset("Hugging Face", "HF_TOKEN", "https://router.huggingface.co/v1", "hf_"),
    preset("OpenCode Zen", "OPENCODE_API_KEY", "https://opencode.ai/zen/v1", ""),
    preset("Moonshot", "MOONSHOT_API_KEY", "https://api.moonshot.ai/v1", ""),
];

/// Models of the big vendors, for when a server does not say what it offers.
const KNOWN_MODELS: &[(&str, &[&str])] = &[
    ("api.openai.com", &["gpt-5.1", "gpt-5-mini", "gpt-5-nano", "gpt-4.1"]),
    ("api.anthropic.com", &["claude-sonnet-4-5", "claude-opus-4-5", "claude-haiku-4-5"]),
    ("generativelanguage.googleapis.com", &["gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-flash-lite"]),
    ("api.deepseek.com", &["deepseek-chat", "deepseek-reasoner"]),
    ("api.mistral.ai", &["mistral-large-latest", "mistral-medium-latest", "mistral-small-latest"]),
];

/// The models known of the vendor at an address; none for others.
pub fn known_models(endpoint: &EndpointConfig) -> &'static [&'static str] {
    let host = endpoint.base_url.host_str().unwrap_or_default();
    KNOWN_MODELS.iter().find(|(of, _)| *of == host).map_or(&[], |(_, models)| models)
}

/// The vendor whose key that environment variable holds.
pub fn preset_for_env(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.key_env == name)
}

#[cfg(test)]
mod tests {
    use super::{PRESETS, preset_for_env};
    use crate::endpoint::parse_base_url;

    #[test]
    fn every_preset_is_a_clean_https_address_with_a_variable_of_its_own() {
        for preset in PRESETS {
            let url = parse_base_url(preset.base_url).map(String::from);
            assert!(url.is_ok_and(|url| url.starts_with("https://")), "{}", preset.label);
            assert_eq!(preset_for_env(preset.key_env), Some(preset));
        }
    }
}
