#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::*;
use futures_util::FutureExt;

fn failed(kind: ModelFailureKind) -> ModelFailure {
    failure(kind, String::new(), None)
}

/// A turn that is there at once.
fn turn(lane: &Arc<Lane>, person: &UserId, traffic: Traffic) -> Option<Ticket> {
    lane.enter(person, traffic).now_or_never().map(|turn| turn.expect("a turn"))
}

#[tokio::test]
async fn calls_beyond_the_limit_wait_and_beyond_the_queue_are_told() {
    let (lane, ada) = (Arc::new(Lane::default()), UserId::from("ada"));
    let out: Vec<_> = std::iter::from_fn(|| turn(&lane, &ada, Traffic::Agents)).collect();
    assert_eq!(out.len(), AGENTS_AT_ONCE / 2);
    let waiting: Vec<_> = (0..WAITING)
        .map(|_| {
            let (lane, ada) = (Arc::clone(&lane), ada.clone());
            tokio::spawn(async move { lane.enter(&ada, Traffic::Agents).await.map(drop) })
        })
        .collect();
    while lane.agents.waiting(&ada) < WAITING {
        tokio::task::yield_now().await;
    }
    let full = lane.enter(&ada, Traffic::Agents).await.expect_err("full");
    assert_eq!(full.kind, ModelFailureKind::RateLimited);
    lane.enter(&ada, Traffic::Programs).await.expect("programs have places of their own");
    drop(out);
    for one in waiting {
        one.await.expect("no panic").expect("a turn in the end");
    }
}

#[tokio::test]
async fn calls_of_one_person_that_hang_hold_up_nobody_else() {
    let lane = Arc::new(Lane::default());
    let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
    for traffic in [Traffic::Agents, Traffic::Programs] {
        let hanging: Vec<_> = std::iter::from_fn(|| turn(&lane, &eve, traffic)).collect();
        let hers: Vec<_> = std::iter::from_fn(|| turn(&lane, &ada, traffic)).collect();
        assert!(hers.len() >= hanging.len() / 2 && hers.len() >= 8, "{} {}", hanging.len(), hers.len());
    }
}

#[tokio::test]
async fn what_a_provider_says_to_the_calls_of_one_person_holds_up_that_one() {
    let (ada, eve) = (UserId::from("ada"), UserId::from("eve"));
    for kind in [ModelFailureKind::Timeout, ModelFailureKind::RateLimited] {
        let lane = Arc::new(Lane::default());
        let mut out: Vec<_> = (0..5).filter_map(|_| turn(&lane, &eve, Traffic::Agents)).collect();
        for ticket in &mut out {
            ticket.report(Some(&ModelFailure { retry_after_ms: Some(3_600_000), ..failed(kind) }));
        }
        drop(out);
        lane.enter(&eve, Traffic::Agents).await.expect_err("held up");
        assert!(turn(&lane, &ada, Traffic::Agents).is_some(), "{kind:?}");
    }
}

#[tokio::test]
async fn a_provider_that_fails_again_and_again_is_left_alone() {
    let (lane, ada) = (Arc::new(Lane::default()), UserId::from("ada"));
    for _ in 0..5 {
        let mut ticket = lane.enter(&ada, Traffic::Agents).await.expect("a turn");
        ticket.report(Some(&failed(ModelFailureKind::Unreachable)));
    }
    let refused = lane.enter(&ada, Traffic::Agents).await.expect_err("left alone");
    assert!(refused.retry_after_ms.is_some_and(|after| after > 0), "{refused:?}");
}

#[tokio::test]
async fn a_provider_that_asked_to_wait_is_not_said_to_have_failed() {
    let (lane, ada) = (Arc::new(Lane::default()), UserId::from("ada"));
    let two_minutes = Some(Duration::from_secs(120));
    let asked = failure(ModelFailureKind::RateLimited, String::new(), two_minutes);
    lane.enter(&ada, Traffic::Agents).await.expect("a turn").report(Some(&asked));
    let refused = lane.enter(&ada, Traffic::Agents).await.expect_err("left alone");
    assert_eq!(refused.kind, ModelFailureKind::RateLimited);
    assert!(
        refused.message.starts_with("The provider asked to wait. It takes calls again in 1"),
        "{refused:?}"
    );
    assert!(refused.retry_after_ms.is_some_and(|after| after > 100_000), "{refused:?}");
}

#[tokio::test]
async fn a_wrong_key_does_not_close_the_way_for_others() {
    let (lane, ada) = (Arc::new(Lane::default()), UserId::from("ada"));
    for _ in 0..20 {
        let mut ticket = lane.enter(&ada, Traffic::Agents).await.expect("a turn");
        ticket.report(Some(&failed(ModelFailureKind::BadKey)));
    }
}

#[test]
fn a_lane_that_is_calm_is_forgotten_and_one_that_is_not_is_kept() {
    let lanes = Lanes::default();
    let (calm, hurt) = (ProviderId::from("calm"), ProviderId::from("hurt"));
    drop(lanes.to(&calm));
    lanes.to(&hurt).pace_of(&UserId::from("ada"), |pace, now| pace.note(now, ProviderOutcome::Unwell, 0));
    drop(lanes.to(&ProviderId::from("new")));
    let kept = lock(&lanes.0);
    assert!(!kept.contains_key(&calm) && kept.contains_key(&hurt));
}
