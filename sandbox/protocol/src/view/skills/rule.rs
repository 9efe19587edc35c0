//! What is looked for in a skill before its person lets it in, in words for them.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillRule {
    TagCharacters,
    TurnedText,
    InvisibleCharacters,
    HtmlComment,
    HiddenStyle,
    DownloadToShell,
    PasteIntoTerminal,
    EncodedCommand,
    PasswordArchive,
    RemoteProgram,
    RemoteInstructions,
    AsksForSecrets,
    SendsOut,
    Overrides,
    ChangesMemory,
    RunsAtLoad,
    WantsMore,
    LongEncoded,
    SplitCommand,
    Lookalike,
    LookalikeHost,
    NameTaken,
    OddName,
    OddHead,
    UnknownTool,
    Script,
    NoText,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// Worth knowing.
    Note,
    /// Worth reading before it is accepted.
    Caution,
    /// Honest skills hardly ever have it.
    Danger,
}

impl SkillRule {
    pub const ALL: [Self; 27] = [
        Self::TagCharacters,
        Self::TurnedText,
        Self::InvisibleCharacters,
        Self::HtmlComment,
        Self::HiddenStyle,
        Self::DownloadToShell,
        Self::PasteIntoTerminal,
        Self::EncodedCommand,
        Self::PasswordArchive,
        Self::RemoteProgram,
        Self::RemoteInstructions,
        Self::AsksForSecrets,
        Self::SendsOut,
        Self::Overrides,
        Self::ChangesMemory,
        Self::RunsAtLoad,
        Self::WantsMore,
        Self::LongEncoded,
        Self::SplitCommand,
        Self::Lookalike,
        Self::LookalikeHost,
        Self::NameTaken,
        Self::OddName,
        Self::OddHead,
        Self::UnknownTool,
        Self::Script,
        Self::NoText,
    ];

    pub fn weight(self) -> Weight {
        match self {
            Self::TagCharacters
            | Self::TurnedText
            | Self::DownloadToShell
            | Self::EncodedCommand
            | Self::PasswordArchive
            | Self::Overrides
            | Self::SplitCommand
            | Self::Lookalike => Weight::Danger,
            Self::InvisibleCharacters
            | Self::HtmlComment
            | Self::HiddenStyle
            | Self::PasteIntoTerminal
            | Self::RemoteProgram
            | Self::RemoteInstructions
            | Self::AsksForSecrets
            | Self::SendsOut
            | Self::ChangesMemory
            | Self::RunsAtLoad
            | Self::WantsMore
            | Self::LongEncoded
            | Self::LookalikeHost
            | Self::NameTaken => Weight::Caution,
            Self::OddName | Self::OddHead | Self::UnknownTool | Self::Script | Self::NoText => Weight::Note,
        }
    }

    /// What it is, and what becomes of it here.
    pub fn words(self) -> &'static str {
        match self {
            Self::TagCharacters => {
                "Letters that nobody sees and that a model reads. They are spelled out here and never given to a model."
            }
            Self::TurnedText => {
                "Marks that turn the order of letters, so that a text is read otherwise than it looks. They are never given to a model."
            }
            Self::InvisibleCharacters => {
                "Characters without a shape within the text. They are never given to a model."
            }
            Self::HtmlComment => "A comment, which a page does not show and a model reads.",
            Self::HiddenStyle => "Text that is styled so that nobody sees it.",
            Self::DownloadToShell => {
                "A command that loads something from the web and runs it at once. No agent here has a way to run it; do not run it yourself."
            }
            Self::PasteIntoTerminal => {
                "Wants a command or a program run by hand, in a terminal or by an installer."
            }
            Self::EncodedCommand => "A command that is written so that one cannot read it.",
            Self::PasswordArchive => "An archive with a password: what is in it, no scanner sees.",
            Self::RemoteProgram => "A program or script that is loaded from elsewhere.",
            Self::RemoteInstructions => {
                "Instructions that are read from elsewhere, and can be others tomorrow. What is not in the skill is not pinned."
            }
            Self::AsksForSecrets => "Wants keys, passwords or files that hold some.",
            Self::SendsOut => "Wants something sent to a server.",
            Self::Overrides => {
                "Tells a model to pass over what it was told, or to keep something from its person."
            }
            Self::ChangesMemory => {
                "Wants the agent's instructions, memory or other skills changed. That takes a yes of yours each time."
            }
            Self::RunsAtLoad => "A command that some programs run when the skill is loaded. Here it is text.",
            Self::WantsMore => {
                "Declares hooks, servers, packages or more tools. A skill here gets none of them."
            }
            Self::LongEncoded => "A long run of letters and digits that one cannot read.",
            Self::SplitCommand => "A word of a command that is put together from pieces.",
            Self::Lookalike => "Letters of several scripts in one word, so that it looks like another one.",
            Self::LookalikeHost => "A host whose name looks like another one's, or a bare number.",
            Self::NameTaken => "A skill that comes with the hub has this name, so this one got another.",
            Self::OddName => "The name is not as the standard wants it, and was changed.",
            Self::OddHead => {
                "The head of SKILL.md is not as the standard wants it, and was read as far as it goes."
            }
            Self::UnknownTool => "Names a tool that there is not here.",
            Self::Script => {
                "A program. An agent that has read the skill can run it in its terminal, where each command is asked about like any other."
            }
            Self::NoText => "No text. No model reads it, but a command of an agent can.",
        }
    }
}
