//! What may be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use namma_protocol::{Mode, ThinkLevel};
use std::path::PathBuf;

/// Namma Agent on the command line: ask, look up, check.
#[derive(Debug, Parser)]
#[command(name = "namma", version, about = "Namma Agent on the command line: ask, look up, check.")]
#[command(propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Standard output holds the answer and nothing else. Exit codes: 0 answered, 1 failed, 2 usage, \
3 stopped at a limit, 130 cancelled.

NAMMA_HOME moves all data and configuration into one folder; NAMMA_CONFIG names another base \
configuration file; NAMMA_LOG=debug tells more on standard error; NO_COLOR switches colours off.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask one question and print the answer
    Ask(Ask),
    /// Talk, line by line
    Chat(Chat),
    /// List, show, search, export and delete chats
    Sessions {
        #[command(subcommand)]
        command: Sessions,
    },
    /// List, search and forget what the assistant was told to remember
    Memory {
        #[command(subcommand)]
        command: Memory,
    },
    /// List the tools, or run one through the gate
    Tools {
        #[command(subcommand)]
        command: Tools,
    },
    /// List, install and remove models on this computer
    Model {
        #[command(subcommand)]
        command: Model,
    },
    /// Set up, test, order and remove the places where models answer
    Connection {
        #[command(subcommand)]
        command: Connection,
    },
    /// Show what tools did and were refused, and check that the record is whole
    Audit(Audit),
    /// Show how many tokens were used and what they cost, by day and model
    Usage(Usage),
    /// Show, change and check the settings
    Config {
        #[command(subcommand)]
        command: Config,
    },
    /// Look at everything the assistant depends on, with a fix for what is wrong
    Doctor(Doctor),
    /// Measure this program against its budgets
    Bench(Bench),
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    #[command(flatten)]
    pub(crate) turn: TurnOptions,
    /// Attach a file: an image for the model to look at, or a text; may be given again
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    /// Print every event as a line of JSON; the last one is turnFinished
    #[arg(long)]
    pub(crate) json: bool,
    /// The question; `-` at its end, or nothing at all, stands for what is piped in
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Chat {
    #[command(flatten)]
    pub(crate) turn: TurnOptions,
}

/// How a turn is to be made.
#[derive(Clone, Debug, Args)]
pub(crate) struct TurnOptions {
    /// Go on with this chat
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// With tools, or talk only
    #[arg(long)]
    pub(crate) mode: Option<ModeArgument>,
    /// Another model: of the first connection, the name of a connection, or CONNECTION/MODEL
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// How long the model thinks first: off, low, medium or high
    #[arg(long, value_name = "LEVEL", value_parser = think_level)]
    pub(crate) think: Option<ThinkLevel>,
    /// Go on although the day's or the month's limit on spending is reached
    #[arg(long)]
    pub(crate) over_limit: bool,
    /// Who approves what tools want to do: nobody, you, or everything is allowed that no rule denies
    #[arg(long, value_name = "WHEN")]
    pub(crate) approve: Option<Approve>,
}

fn think_level(word: &str) -> Result<ThinkLevel, String> {
    ThinkLevel::of(word).ok_or_else(|| "it is off, low, medium or high".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArgument {
    Agent,
    Chat,
}

impl From<ModeArgument> for Mode {
    fn from(mode: ModeArgument) -> Self {
        match mode {
            ModeArgument::Agent => Self::Agent,
            ModeArgument::Chat => Self::Chat,
        }
    }
}

/// Who answers when a tool has to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Approve {
    /// Every question is declined
    Never,
    /// You are asked (the default on a terminal)
    Ask,
    /// Every question is allowed, and told on standard error
    Always,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Sessions {
    /// All chats, the one used last first
    List(AsJson),
    /// One chat, as it was
    Show {
        id: String,
        /// Only the latest turns
        #[arg(long, value_name = "TURNS", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=500))]
        limit: u32,
        #[command(flatten)]
        output: AsJson,
    },
    /// Find messages
    Search {
        query: String,
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        #[command(flatten)]
        output: AsJson,
    },
    /// One chat as Markdown, or whole as JSON
    Export {
        id: String,
        #[command(flatten)]
        output: AsJson,
    },
    /// Delete a chat
    Delete {
        id: String,
        #[command(flatten)]
        output: AsJson,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Memory {
    /// What is remembered, the newest first
    List {
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        #[command(flatten)]
        output: AsJson,
    },
    /// What is remembered about something
    Search {
        text: String,
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        #[command(flatten)]
        output: AsJson,
    },
    /// Forget facts for good, in the chats that kept or told them as well
    Forget {
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        #[command(flatten)]
        output: AsJson,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AsJson {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// All tools, with what they do
    List(AsJson),
    /// Run one tool, through the gate like every call of the model
    Call {
        name: String,
        /// Its arguments as a JSON object; `-` reads standard input
        #[arg(value_name = "JSON", default_value = "{}")]
        input: String,
        #[arg(long, value_name = "WHEN")]
        approve: Option<Approve>,
        #[command(flatten)]
        output: AsJson,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// The models that are here, those that can be installed, and what runs them
    List(AsJson),
    /// Bring a model here: by its name in the list, by that of Ollama or LM Studio, or a GGUF file
    Install(InstallModel),
    /// Remove a model: a downloaded file is deleted, one that you brought stays
    Remove {
        name: String,
        /// Who keeps it, when the name is not enough
        #[arg(long = "with", value_name = "PROGRAM")]
        keeper: Option<Keeper>,
        #[command(flatten)]
        output: AsJson,
    },
}

#[derive(Debug, Args)]
pub(crate) struct InstallModel {
    /// A name, or the path of a GGUF file, which stays where it is
    #[arg(value_name = "NAME|FILE")]
    pub(crate) model: String,
    /// What runs it; otherwise Ollama or LM Studio when they run here, or a llama-server of our own
    #[arg(long = "with", value_name = "PROGRAM")]
    pub(crate) keeper: Option<Keeper>,
    /// Answer with it from now on; without any model that happens anyway
    #[arg(long = "use")]
    pub(crate) use_it: bool,
    /// What to call a file
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// A Jinja file that writes its conversations instead of its own template
    #[arg(long, value_name = "FILE")]
    pub(crate) chat_template: Option<String>,
    #[command(flatten)]
    pub(crate) output: AsJson,
}

/// What runs a model on this computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keeper {
    LlamaServer,
    Ollama,
    LmStudio,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Connection {
    /// All connections, in the order in which they are asked
    List(AsJson),
    /// Set up a connection, or change one; it is tried first, and kept when it answers
    Set(SetConnection),
    /// Ask a connection for one word, and say what exactly is the matter
    Test {
        name: String,
        #[command(flatten)]
        output: AsJson,
    },
    /// The models that a connection offers
    Models {
        name: String,
        #[command(flatten)]
        output: AsJson,
    },
    /// The order in which they are asked; those that are not named keep theirs, behind
    Order {
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Take a connection out, and its key out of the vault
    Remove { name: String },
}

#[derive(Debug, Args)]
pub(crate) struct SetConnection {
    /// A new name, or that of a connection
    pub(crate) name: String,
    /// Where the server is: http://127.0.0.1:11434/v1
    #[arg(long)]
    pub(crate) url: String,
    /// The model; without it the one it has, or the first one offered at a new address
    #[arg(long, default_value = "")]
    pub(crate) model: String,
    /// How it is spoken to: a word of `provider.type`
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,
    /// Read the key from standard input, and keep it in the vault
    #[arg(long)]
    pub(crate) key: bool,
    /// The environment variable, or the name in `.env`, that holds the key
    #[arg(long, value_name = "VARIABLE", conflicts_with = "key")]
    pub(crate) key_env: Option<String>,
    /// Keep the key of that variable in the vault
    #[arg(long, requires = "key_env")]
    pub(crate) keep_key: bool,
    /// It takes over when those before it do not answer
    #[arg(long)]
    pub(crate) fallback: bool,
    /// It takes over no more
    #[arg(long, conflicts_with = "fallback")]
    pub(crate) no_fallback: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// The newest entries, at most this many
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: u32,
    #[command(flatten)]
    pub(crate) output: AsJson,
}

#[derive(Debug, Args)]
pub(crate) struct Usage {
    /// The last days, today included; a day is one of UTC
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) days: u32,
    /// By chat, the most expensive first; chats that were deleted are left out
    #[arg(long)]
    pub(crate) chats: bool,
    #[command(flatten)]
    pub(crate) output: AsJson,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Where the settings and the data are
    Path(AsJson),
    /// The value of a setting, of a section, or all of them
    Get {
        #[arg(default_value = "")]
        key: String,
        #[command(flatten)]
        output: AsJson,
    },
    /// Change a setting; without a value it goes back to its default
    Set {
        key: String,
        #[arg(allow_hyphen_values = true)]
        value: Option<String>,
    },
    /// Everything that is wrong with the settings
    Check(AsJson),
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) output: AsJson,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) output: AsJson,
    /// Only one kind of figures
    #[arg(long, value_name = "KIND", value_parser = ["start", "turns", "memory", "write", "search"])]
    pub(crate) only: Option<String>,
    /// The part of a measurement that runs in a process of its own
    #[arg(long, hide = true, value_name = "HOME")]
    pub(crate) resident: Option<PathBuf>,
}
