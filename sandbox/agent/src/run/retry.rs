//! What the loop does when a model call fails, by kind of failure.

use protocol::model::{ModelFailure, ModelFailureKind};

/// Calls of the model in one round, the first included.
const TRIES: u32 = 3;

/// The pause before the second call; each further one is twice as long.
const BASE_MS: u64 = 1_000;
const CAP_MS: u64 = 30_000;

/// A provider that asks for a longer pause gets no answer from us: a person decides.
const PATIENCE_MS: u64 = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryDecision {
    /// The same call again, after a pause between the two.
    Wait {
        least_ms: u64,
        most_ms: u64,
    },
    /// The same call again with less in it.
    Shorten,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Retry,
    Shorten,
    End,
}

fn rule(kind: ModelFailureKind) -> Rule {
    match kind {
        ModelFailureKind::RateLimited
        | ModelFailureKind::Overloaded
        | ModelFailureKind::Unreachable
        | ModelFailureKind::Timeout
        | ModelFailureKind::Cut
        | ModelFailureKind::Malformed
        | ModelFailureKind::Server => Rule::Retry,
        ModelFailureKind::ContextTooLong => Rule::Shorten,
        ModelFailureKind::NotConfigured
        | ModelFailureKind::OverBudget
        | ModelFailureKind::BadKey
        | ModelFailureKind::UnknownModel
        | ModelFailureKind::Refused
        | ModelFailureKind::BadRequest
        | ModelFailureKind::NotThisKind
        | ModelFailureKind::Aborted => Rule::End,
    }
}

/// What to do after `failure`. `former` are the failures of this round before it. A reply of which
/// somebody may have seen a word is never made again.
pub(super) fn decide(failure: &ModelFailure, former: &[&ModelFailure], was_seen: bool) -> RetryDecision {
    let before = u32::try_from(former.len()).unwrap_or(u32::MAX);
    let was_shortened = former.iter().any(|failure| rule(failure.kind) == Rule::Shorten);
    if was_seen {
        return RetryDecision::End;
    }
    match rule(failure.kind) {
        Rule::End => RetryDecision::End,
        Rule::Shorten if was_shortened => RetryDecision::End,
        Rule::Shorten => RetryDecision::Shorten,
        Rule::Retry if before.saturating_add(1) >= TRIES => RetryDecision::End,
        Rule::Retry => match failure.retry_after_ms {
            Some(asked) if asked > PATIENCE_MS => RetryDecision::End,
            Some(asked) => RetryDecision::Wait { least_ms: asked, most_ms: asked + BASE_MS },
            None => {
                let most_ms = BASE_MS.saturating_mul(1 << before.min(16)).min(CAP_MS);
                RetryDecision::Wait { least_ms: most_ms / 2, most_ms }
            }
        },
    }
}

/// Whether the loop ends a run whose call failed like this before a word was seen. `former` are the
/// failures of this round before it, in any order.
pub fn gives_up(failure: &ModelFailure, former: &[&ModelFailure]) -> bool {
    decide(failure, former, false) == RetryDecision::End
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(kind: ModelFailureKind, retry_after_ms: Option<u64>) -> ModelFailure {
        ModelFailure { kind, message: String::new(), retry_after_ms }
    }

    #[test]
    fn every_kind_has_its_step() {
        let again = |least_ms, most_ms| RetryDecision::Wait { least_ms, most_ms };
        let retry = [again(500, 1000), again(1000, 2000), RetryDecision::End];
        let end = [RetryDecision::End; 3];
        for (kind, expected) in [
            (ModelFailureKind::NotConfigured, end),
            (ModelFailureKind::OverBudget, end),
            (ModelFailureKind::BadKey, end),
            (ModelFailureKind::UnknownModel, end),
            (ModelFailureKind::RateLimited, retry),
            (ModelFailureKind::Overloaded, retry),
            (
                ModelFailureKind::ContextTooLong,
                [RetryDecision::Shorten, RetryDecision::End, RetryDecision::End],
            ),
            (ModelFailureKind::Refused, end),
            (ModelFailureKind::BadRequest, end),
            (ModelFailureKind::Unreachable, retry),
            (ModelFailureKind::Timeout, retry),
            (ModelFailureKind::NotThisKind, end),
            (ModelFailureKind::Cut, retry),
            (ModelFailureKind::Malformed, retry),
            (ModelFailureKind::Server, retry),
            (ModelFailureKind::Aborted, end),
        ] {
            let failure = failure(kind, None);
            for (before, expected) in expected.into_iter().enumerate() {
                let former = vec![&failure; before];
                assert_eq!(decide(&failure, &former, false), expected, "{kind:?} after {before}");
                assert_eq!(decide(&failure, &former, true), RetryDecision::End, "{kind:?} was seen");
            }
        }
    }

    #[test]
    fn what_the_provider_asks_for_is_kept() {
        for (asked, expected) in [
            (0, RetryDecision::Wait { least_ms: 0, most_ms: 1000 }),
            (7000, RetryDecision::Wait { least_ms: 7000, most_ms: 8000 }),
            (60_001, RetryDecision::End),
        ] {
            let failure = failure(ModelFailureKind::RateLimited, Some(asked));
            assert_eq!(decide(&failure, &[], false), expected, "{asked}");
        }
    }
}
