use serde::{Deserialize, Serialize};
use std::fmt;

/// US dollars in whole micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub i64);

/// Whose limit on spending it is, which says who changes it, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOf {
    Agent,
    /// A program with this token of the person's.
    Token,
    Schedule,
    /// A person's or an agent's, for a pipeline as a whole.
    Pipeline,
    /// The person's own, for all their agents.
    Person,
    /// An administrator's, for a person.
    Member,
    /// An administrator's, for what a person spends on a provider that is shared with them.
    Shared,
    /// An administrator's, for everybody.
    Server,
}

impl LimitOf {
    pub const ALL: [Self; 8] = [
        Self::Agent,
        Self::Token,
        Self::Schedule,
        Self::Pipeline,
        Self::Person,
        Self::Member,
        Self::Shared,
        Self::Server,
    ];

    pub fn is_of_administrators(self) -> bool {
        match self {
            Self::Agent | Self::Token | Self::Schedule | Self::Pipeline | Self::Person => false,
            Self::Member | Self::Shared | Self::Server => true,
        }
    }
}

impl Micros {
    /// An amount as people write it, in dollars. No float on the way.
    pub fn of_dollars(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('$');
        let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
        if whole.is_empty() || whole.len() > 9 || part.len() > 6 || !digits(whole) || !digits(part) {
            return None;
        }
        format!("{whole}{part:0<6}").parse().map(Self).ok()
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = self.0 / 1_000_000;
        let rest = (self.0 % 1_000_000).unsigned_abs();
        if rest.is_multiple_of(10_000) {
            write!(f, "${dollars}.{:02}", rest / 10_000)
        } else {
            write!(f, "${dollars}.{rest:06}")
        }
    }
}

/// What may be spent; absent: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_call: Option<Micros>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_run: Option<Micros>,
    /// From midnight UTC to midnight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<Micros>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month: Option<Micros>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ever: Option<Micros>,
}

/// What was spent today, this month, and in all, as far as prices are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpentSoFar {
    pub day: Micros,
    pub month: Micros,
    pub ever: Micros,
}

/// Limits, and how far they are used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub caps: Caps,
    pub spent: SpentSoFar,
}
