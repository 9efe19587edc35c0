//! The declared limits of the context: when something is done about its size, and when a person is
//! told.

use protocol::run::RunSpec;
use protocol::view::ContextRoom;

/// Percent of what a request may hold from which each tier is at work.
const DIGEST: u64 = 82;
const SUMMARY: u64 = 92;
const CUT: u64 = 97;

/// Percent from which a person is told.
const WARN: u64 = 60;
const DANGER: u64 = 85;

/// Taken for a model of which nothing is known.
pub const UNKNOWN_CONTEXT: u32 = 32_768;

/// How long a conversation rests before it begins with an empty context, where its agent wants that
/// and says no other time.
pub const INACTIVITY_MS: u64 = 20 * 60 * 1000;

/// How full the context is, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    Free,
    /// Old results are told as digests.
    Digest,
    /// A model summarises what is old.
    Summary,
    /// What is old becomes one line per turn, at once.
    Cut,
}

impl Tier {
    pub(super) fn of(percent: u64) -> Self {
        match percent {
            CUT.. => Self::Cut,
            SUMMARY.. => Self::Summary,
            DIGEST.. => Self::Digest,
            0..DIGEST => Self::Free,
        }
    }

    pub(super) fn further(self) -> Self {
        match self {
            Self::Free => Self::Digest,
            Self::Digest => Self::Summary,
            Self::Summary | Self::Cut => Self::Cut,
        }
    }
}

/// Tokens that a request may have: the context less what the reply may need, at most a quarter.
pub fn request_tokens(spec: &RunSpec) -> u64 {
    let context = if spec.context_tokens == 0 { UNKNOWN_CONTEXT } else { spec.context_tokens };
    u64::from(context - spec.max_output_tokens.min(context / 4))
}

/// The same with the limits of the meter beside a conversation.
pub fn room(spec: &RunSpec) -> ContextRoom {
    ContextRoom { tokens: request_tokens(spec), warn: WARN, danger: DANGER }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_change_where_they_are_declared_to() {
        for (percent, tier) in [
            (0, Tier::Free),
            (81, Tier::Free),
            (82, Tier::Digest),
            (91, Tier::Digest),
            (92, Tier::Summary),
            (97, Tier::Cut),
            (1000, Tier::Cut),
        ] {
            assert_eq!(Tier::of(percent), tier, "{percent} %");
        }
    }
}
