use super::*;

fn failed(kind: ModelFailureKind) -> ModelFailure {
    failure(kind, String::new(), None)
}

#[tokio::test]
async fn calls_beyond_the_limit_wait_and_beyond_the_queue_are_told() {
    let lane = Arc::new(Lane::default());
    let mut out = Vec::new();
    for _ in 0..AGENTS_AT_ONCE {
        out.push(lane.enter(Traffic::Agents).await.expect("a turn"));
    }
    let waiting: Vec<_> = (0..WAITING)
        .map(|_| {
            let lane = Arc::clone(&lane);
            tokio::spawn(async move { lane.enter(Traffic::Agents).await.map(drop) })
        })
        .collect();
    while lane.agents.queue.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(lane.enter(Traffic::Agents).await.expect_err("full").kind, ModelFailureKind::RateLimited);
    lane.enter(Traffic::Programs).await.expect("programs have places of their own");
    drop(out);
    for one in waiting {
        one.await.expect("no panic").expect("a turn in the end");
    }
}

#[tokio::test]
async fn a_provider_that_fails_again_and_again_is_left_alone() {
    let lane = Arc::new(Lane::default());
    for _ in 0..5 {
        let mut ticket = lane.enter(Traffic::Agents).await.expect("a turn");
        ticket.report(Some(&failed(ModelFailureKind::Unreachable)));
    }
    let refused = lane.enter(Traffic::Agents).await.expect_err("left alone");
    assert!(refused.retry_after_ms.is_some_and(|after| after > 0), "{refused:?}");
}

#[tokio::test]
async fn a_wrong_key_does_not_close_the_way_for_others() {
    let lane = Arc::new(Lane::default());
    for _ in 0..20 {
        let mut ticket = lane.enter(Traffic::Agents).await.expect("a turn");
        ticket.report(Some(&failed(ModelFailureKind::BadKey)));
    }
}

#[test]
fn a_lane_that_is_calm_is_forgotten_and_one_that_is_not_is_kept() {
    let lanes = Lanes::default();
    let (calm, hurt) = (ProviderId::from("calm"), ProviderId::from("hurt"));
    drop(lanes.to(&calm));
    lanes.to(&hurt).pace().note(Instant::now(), Verdict::Unwell, 0);
    drop(lanes.to(&ProviderId::from("new")));
    let kept = lock(&lanes.0);
    assert!(!kept.contains_key(&calm) && kept.contains_key(&hurt));
}
