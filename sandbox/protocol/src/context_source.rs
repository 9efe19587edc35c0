use serde::{Deserialize, Serialize};

/// Where a part of a person's context comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextSource {
    /// The local time and its zone.
    Time,
    /// What they use, and in which language.
    Device,
    Place,
    /// What is in their calendar today and tomorrow.
    Calendar,
    /// What they look at in the product.
    Activity,
    /// What they or their agents noted.
    Keys,
    /// What their other agents said lately.
    Agents,
}

impl ContextSource {
    /// Those that a person turns on for all agents.
    pub const OWN: [Self; 6] =
        [Self::Time, Self::Device, Self::Place, Self::Calendar, Self::Activity, Self::Keys];

    pub const ALL: [Self; 7] =
        [Self::Time, Self::Device, Self::Place, Self::Calendar, Self::Activity, Self::Keys, Self::Agents];

    /// As it stands over what is told of it.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Time => "local time",
            Self::Device => "device",
            Self::Place => "place",
            Self::Calendar => "calendar",
            Self::Activity => "activity",
            Self::Keys => "keys",
            Self::Agents => "said lately by your person's other agents",
        }
    }
}
