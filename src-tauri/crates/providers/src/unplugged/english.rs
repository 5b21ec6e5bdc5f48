//! What people say in English.

use super::grammar::Language;
use super::intent::{Lack, Rule, Sort, Talk, Topic};

pub(super) const LANGUAGE: Language = Language {
    fragments: &[
        ("before", "[hey|hi|hello|ok|okay] [namma] [please|kindly] [(can|could|would) you] [please|kindly]"),
        ("after", "[for me] [please|now|thanks|thank you]"),
        (
            "show",
            "(show [me]|list|display|give me|tell me|find [me]|get [me]|what are|which are|what is|what's|which is)",
        ),
        ("this", "(this|the current|the working)"),
        ("folder", "(folder|directory)"),
        ("here", "(here|in here|in <this> <folder>)"),
        (
            "in",
            "(<here>|(in|inside|from) [my|the] {folder} [<folder>]|in [my|the] <folder> {folder}|on [my|the] {place})",
        ),
        ("site", "(website|site|web site|web page|webpage|page|address|link|url)"),
        ("app", "(app|application|program)"),
        ("delete", "(delete|remove|trash|erase|throw away|get rid of)"),
        ("thing", "[[the|my] (file|folder|directory|document)|the]"),
        ("what", "(what is|what's|how much is|calculate|compute|work out|evaluate)"),
        ("computer", "[(on|in|of) (this|my|the) (computer|machine|laptop|disk|drive|system)]"),
    ],
    sorts: [
        (Sort::Largest, "(largest|biggest|heaviest)"),
        (Sort::Newest, "(newest|latest|most recent|most recently changed)"),
        (Sort::Oldest, "(oldest|least recent)"),
    ],
    several: &[
        "[<show>] [the|my] [{count}] <sort> [{count}] [{kind}] files [<in>]",
        "(which|what) files [<in>] are [the] <sort>",
    ],
    one: &["[<show>] [the|my] <sort> [{kind}] file [<in>]", "(which|what) file [<in>] is [the] <sort>"],
    delete: &["<delete> [the|my] [{count}] <sort> (file|files) [<in>]"],
    rules: RULES,
};

const RULES: &[(Rule, &[&str])] = &[
    (Rule::Talk(Talk::Hello), &["(hello|hi) [there|namma]|hey|good (morning|afternoon|evening)|greetings"]),
    (
        Rule::Talk(Talk::Help),
        &[
            "help [me]|commands",
            "what (can|could) you do|what do you do|what can i (ask|say) [you]|what are you able to do",
            "how (do|can) i use (you|this)|what do you understand",
        ],
    ),
    (
        Rule::Talk(Talk::Who),
        &[
            "(who|what) are you|what is your name|what's your name|which model (is this|are you)|are you (an ai|a robot|a model)",
        ],
    ),
    (Rule::Talk(Talk::Thanks), &["thanks|thank you|thanks a lot|thank you very much|many thanks"]),
    (
        Rule::Files(Sort::Largest),
        &[
            "(what is|what's) (taking|using|eating) [up] [all|most|so much] [of] [the|my] (space|disk space|room) [<in>]",
        ],
    ),
    (
        Rule::Files(Sort::Newest),
        &[
            "(which|what) files (were|have been|are) [last|recently] (changed|modified|edited) [last|recently] [<in>]",
            "[<show>] [the|my] (recent|recently (changed|modified|edited)) files [<in>]",
        ],
    ),
    (Rule::Hidden, &["[<show>] [the|all] hidden files [<in>]"]),
    (
        Rule::List,
        &[
            "[<show>|ls|dir] [all] [the|my] (files|contents|files and folders|folders and files|everything) [<in>|(of|in) [my|the] {place} [<folder>]|of <this> <folder>]",
            "(ls|dir) [{folder}]",
            "(list|show [me]|display) [my|the] [<folder>] {place} [<folder>]",
            "(list|show [me]|display) <this> <folder>",
            "(list|show [me]) [the|my] <folder> {folder}",
            "[show me|tell me|list] (what is|what's|what files are|which files are|what do i have|what) (here|in (here|<this> <folder>|[my|the] [<folder>] {place} [<folder>])|on [my|the] {place}) [is]",
        ],
    ),
    (
        Rule::FindKind,
        &[
            "(find|list|show [me]|search for|look for|where are) [all|every|any] [the|my] {kind} (files|file|documents) [<in>]",
        ],
    ),
    (
        Rule::FindNamed,
        &[
            "(find|locate|search for|look for) [all|any] [the|my|a] (file|files) [called|named|with the name|(whose|with) name contains] {name} [<in>]",
        ],
    ),
    (
        Rule::Find,
        &[
            "(find|locate|where is|where's|search for|look for|list|where did i put) [all|any] [the|my|a] [file|files] [called|named] {glob} [files] [<in>]",
        ],
    ),
    (
        Rule::FindText,
        &[
            "(find|search for|search|look for|grep [for]) [the] [text|word|words|phrase] {phrase} in [all] [the|my|these] files",
            "(find|search for|search|look for|grep [for]) [the] [text|word|words|phrase] {quote} [<in>]",
            "(which|what) files (contain|mention|include|have) [the] [text|word|words|phrase] {phrase} [<in>]",
            "(find|list|show [me]) [all] [the] files (containing|that contain|that mention|with the (text|word|phrase)) {phrase} [<in>]",
            "(find|search for|look for) the (text|word|words|phrase) {phrase} [<in>]",
            "search [the|my|all] files for {phrase}",
        ],
    ),
    (
        Rule::Summarise,
        &[
            "(summarise|summarize|sum up|tldr|tl;dr) <thing> {path}",
            "[give me|show me|make|write] [a|the] [short|brief] summary of <thing> {path}",
        ],
    ),
    (
        Rule::Read,
        &[
            "(read|show [me]|display|cat|view|open and read) [me] [the] [(content|contents|text) of] <thing> {path}",
            "(what is|what's) (in|inside) <thing> {path}",
            "what does <thing> {path} (say|contain)",
            "open <thing> {path} and read it [to me|aloud|out loud]",
        ],
    ),
    (
        Rule::Delete,
        &[
            "<delete> <thing> {path}",
            "<delete> [the|my] <folder> (called|named) {name}|<delete> the <folder> {name}",
            "(move|put|send|throw) <thing> {path} (to|in|into) the (trash|bin|recycle bin|wastebasket)",
            "throw {path} away",
        ],
    ),
    (
        Rule::Rename,
        &[
            "rename <thing> {path} (to|as) {name}",
            "rename [the|my] <folder> {name} (to|as) {name}",
            "change the name of <thing> {path} to {name}",
        ],
    ),
    (
        Rule::MoveInto,
        &[
            "(move|put) <thing> {path} (to|in|into) [my|the] {known} [<folder>]",
            "(move|put) <thing> {path} (to|in|into) [the|a] <folder> [called|named] {name}",
            "(move|put) <thing> {path} (to|in|into) the {name} <folder>",
            "(move|put) <thing> {path} (in|into) {place}",
        ],
    ),
    (Rule::Move, &["(move|rename) <thing> {path} to {path}", "mv {path} {path}"]),
    (
        Rule::MakeDir,
        &[
            "(make|create|add) [me] [a|the] [new] <folder> [called|named|with the name] {name} [here|in [my|the] {folder} [<folder>]]",
            "mkdir {name}|new folder {name}",
        ],
    ),
    (
        Rule::Computer(Topic::Disk),
        &[
            "[show [me]] [the|my] (disk space|disk usage|free space|free disk space|storage)",
            "how much [free] (disk space|space|storage|storage space|disk) (is|do i have|is there|have i got) [left|free|available|remaining] <computer>",
            "is (my|the) (disk|drive|hard disk) [nearly|almost] full|how full is (my|the) (disk|drive|hard disk)",
        ],
    ),
    (
        Rule::Computer(Topic::Battery),
        &[
            "[<show>] [the|my] battery [level|status|percentage|charge]",
            "how much (battery|charge|battery charge) (is|do i have|is there|have i got) [left|remaining]",
            "(how is|how full is) (my|the) battery|is (my|the) battery (full|charging|low)|am i (charging|plugged in)",
        ],
    ),
    (
        Rule::Computer(Topic::Memory),
        &[
            "how much [free] (memory|ram) (is|do i have|is there|does this computer have) [free|left|used|available|in use] <computer>",
            "[<show>] [the|my] (free memory|memory usage|ram|ram usage|free ram)",
        ],
    ),
    (
        Rule::Computer(Topic::Processor),
        &[
            "(what|which) (processor|cpu) (do i have|is this|is in this computer|does this computer have)",
            "[what is|what's] [my] (processor|cpu)",
        ],
    ),
    (
        Rule::Computer(Topic::Uptime),
        &["how long has (this|my|the) (computer|machine|laptop) been (on|running|up)", "uptime"],
    ),
    (
        Rule::Computer(Topic::Zone),
        &["(what|which) time zone (am i in|is this|is it|do i have)", "what is my time zone"],
    ),
    (
        Rule::Computer(Topic::All),
        &[
            "[<show>] [the|my] (system|computer) (info|information|details|status)",
            "(what|which) (computer|machine|system|operating system|os) (is this|do i have|am i using|does this computer have)",
            "tell me about (this|my) computer",
        ],
    ),
    (Rule::Time, &["what time is it|(what is|what's|tell me) the time|[the] [current] time|what time"]),
    (
        Rule::Today,
        &[
            "(what|which) (day|date) is it [today]|(what|which) (day|date) is today",
            "(what is|what's|tell me) (today's date|the date [today]|today|the day [today])|today's date|date|what day is today",
        ],
    ),
    (
        Rule::Until,
        &[
            "[how many] days [are] [left|there|there are|are there] (until|till|to|before) {day}",
            "how (long|many days) [is it|is there|do i have|have i got] [left] (until|till|to|before) {day}",
        ],
    ),
    (
        Rule::Since,
        &[
            "[how many] days [have passed|is it|has it been] since {day}",
            "how (long|many days) [is it|has it been|ago] (since|was) {day}",
        ],
    ),
    (Rule::Between, &["[how many] days [are|are there] (between {day} and {day}|from {day} (to|until) {day})"]),
    (
        Rule::WhichDay,
        &[
            "(what|which) (day|weekday|day of the week) (is|was|will be|is it on|was it on|will it be on|falls on) {day}",
            "(what|which) (day|weekday|day of the week) (does|will|did) {day} fall [on]",
            "(what is|what's|what was) the (date|day) [on] {day}|(what|which) date (is|was) {day}",
        ],
    ),
    (
        Rule::Ahead,
        &[
            "[(what|which) (date|day|time) (is|is it|will be|will it be)|(what is|what's) the date] (in {count} {period} [from (now|today)]|{count} {period} from (now|today))",
        ],
    ),
    (Rule::Ago, &["[(what|which) (date|day) (was|was it|is)|(what is|what's|what was) the date] {count} {period} ago"]),
    (Rule::After, &["[(what|which) (date|day) (is|will be)|(what is|what's) the date] {count} {period} after {day}"]),
    (Rule::Before, &["[(what|which) (date|day) (is|was)|(what is|what's) the date] {count} {period} before {day}"]),
    (Rule::Sum, &["[<what>] {sum} [=|equals]", "what does {sum} (make|equal)"]),
    (Rule::PercentOf, &["[<what>] [a|the] {percent} tip (on|for) {number}"]),
    (Rule::Off, &["[<what>] {percent} (off|discount on) {number}", "[take] {percent} off [of] {number}"]),
    (Rule::Plus, &["add {percent} to {number}"]),
    (
        Rule::Split,
        &[
            "(split|divide|share) {number} (by|between|among|into|across) {count} [people|persons|friends|ways|parts|of us]",
            "{number} (split|divided|shared) (by|between|among) {count} [people|persons|friends]|{number} split {count} ways",
        ],
    ),
    (Rule::WhatPercent, &["(what|which) (percent|percentage) of {number} is {number}"]),
    (
        Rule::Lacks(Lack::Rates),
        &[
            "[convert|<what>] {number} [{currency}] (in|to|into|as) {currency}",
            "how many {currency} (is|are|in|are in|make|for) {number} [{currency}]",
            "[what is|what's] [the] exchange rate [(of|for|from|between) {text}]",
        ],
    ),
    (Rule::Units, &["[convert|change|<what>] {quantity} (in|to|into|as) {unit}"]),
    (Rule::UnitsOf, &["how (many|much) {unit} (is|are|in|make|are in|are there in|does) {quantity} [have]"]),
    (Rule::Remember, &["remember that {fact}|remember {statement}|remember {quote}", "note [down] that {fact}"]),
    (
        Rule::Recall,
        &[
            "what do you (remember|know) [about {text}]|what can you remember [about {text}]",
            "what (did i tell|have i told) you [about {text}]",
            "(do you remember|recall) {text}",
            "(show [me]|list) (my|your) (memory|memories)|(show [me]|list) (what|everything) you (remember|know) [about {text}]",
        ],
    ),
    (Rule::Forget, &["forget [that] {fact}|forget {quote}"]),
    (
        Rule::Chats,
        &[
            "(search|look) [in|through] [my|our|the] [old|past|earlier] (chats|chat|chat history|conversations) [for|about] {text}",
            "(find|search for|search|look for) {text} in [my|our|the] [old|past|earlier] (chats|chat history|conversations)",
        ],
    ),
    (
        Rule::Open,
        &[
            "(open|show me) [up] [the] <site> {address}|open [up] {address}|(go to|visit|browse to) [[the] <site>] {address}",
            "open [up] <thing> {path}",
            "open [up] [my|the] [<folder>] {place} [<folder>]|open [up] (the|my) <folder> [called|named] {folder}",
            "(open|launch|start) [up] [the|my|a] {known-app} [<app>]",
            "(open|launch|start) [up] [the|my] (<app> [called|named] {name}|{name} <app>)",
            "(open|launch|start) [up] [the|my] (<app> [called|named] ({known-app}|{app-name})|{app-name} <app>)",
        ],
    ),
    (Rule::OpenHere, &["open [up] <this> <folder>"]),
];
