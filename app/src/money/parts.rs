//! What a part of the cost is called, and how a picture tells it from the others.

use crate::prelude::{key, say, t};
use protocol::view::{CallKind, PartOfUsage, UsageBy};

/// What things are called in the usage of somebody.
#[derive(Clone, Copy)]
pub struct Names {
    pub whose: &'static str,
    /// Agents, or people.
    pub what: &'static str,
    /// Above the table of these.
    pub by: &'static str,
    /// One of these in the middle of a sentence.
    pub within: &'static str,
    /// What one of those without a name is called.
    pub nameless: &'static str,
    /// What a provider without a name is called.
    pub other_provider: &'static str,
}

pub const OWN: Names = Names {
    whose: key!("Your agents"),
    what: key!("Agent"),
    by: key!("By agent"),
    within: key!("agent"),
    nameless: key!("A deleted agent"),
    other_provider: key!("Not noted, or deleted"),
};

pub const EVERYBODY: Names = Names {
    whose: key!("Everybody"),
    what: key!("Person"),
    by: key!("By person"),
    within: key!("person"),
    nameless: key!("Nobody"),
    other_provider: key!("People's own"),
};

impl Names {
    /// In the language of the reader.
    pub fn told(self) -> Self {
        Self {
            whose: t(self.whose),
            what: t(self.what),
            by: t(self.by),
            within: t(self.within),
            nameless: t(self.nameless),
            other_provider: t(self.other_provider),
        }
    }

    pub fn of(self, part: &PartOfUsage, by: UsageBy) -> String {
        match part {
            PartOfUsage::Named { name } if name.is_empty() => match by {
                UsageBy::Agent => self.nameless.to_owned(),
                UsageBy::Model => t("No model").to_owned(),
                UsageBy::Provider => self.other_provider.to_owned(),
                UsageBy::Kind => String::new(),
            },
            PartOfUsage::Named { name } => name.clone(),
            PartOfUsage::Programs => t("Programs").to_owned(),
            PartOfUsage::Kind { kind } => kind_words(*kind).to_owned(),
            PartOfUsage::Others { count } => say!("{count} others"),
        }
    }
}

/// By which the style draws it: a pattern, so that nobody has to tell colours apart.
pub fn mark(part: &PartOfUsage, place: usize) -> String {
    match part {
        PartOfUsage::Named { .. } | PartOfUsage::Programs | PartOfUsage::Kind { .. } => {
            (place + 1).to_string()
        }
        PartOfUsage::Others { .. } => "others".to_owned(),
    }
}

pub fn kind_words(kind: CallKind) -> &'static str {
    t(match kind {
        CallKind::Reply => "Replies",
        CallKind::Unfinished => "Replies that failed or were stopped",
        CallKind::Summary => "Summaries of long conversations",
        CallKind::Plan => "Plans",
        CallKind::Title => "Names of conversations",
        CallKind::Memories => "What to remember",
        CallKind::Search => "Searches of the web by providers",
        CallKind::Speech => "Dictation and reading aloud",
        CallKind::Meaning => "Finding memories by their meaning",
        CallKind::Proposal => "Proposals of agents",
        CallKind::Program => "Calls of other programs",
    })
}

/// In the middle of a sentence.
pub fn by_words(by: UsageBy, names: Names) -> &'static str {
    match by {
        UsageBy::Agent => names.within,
        UsageBy::Model => t("model"),
        UsageBy::Provider => t("provider"),
        UsageBy::Kind => t("purpose"),
    }
}
