//! What is delivered to a schedule, on its way to the agent.

use super::{all, begin, once, only};
use crate::runs::trace::until;
use crate::world::{Endpoint, World, each_store};
use hub::{Delivered, DeliveryHeaders, Hub};
use protocol::log::{EntryBody, Sender};
use protocol::schedule::{FiringCause, FiringState, ScheduleDraft, TimingKind};
use protocol::{FailureKind, ScheduleId};

async fn deliver(hub: &Hub, id: &ScheduleId, secret: &str, name: &str, body: &str) -> hub::Result<Delivered> {
    let headers = DeliveryHeaders::read(|header| match header {
        "x-webhook-secret" => Some(secret.to_owned()),
        "webhook-id" => Some(name.to_owned()),
        _ => None,
    });
    hub.webhooks().deliver(id, &headers, body.as_bytes()).await
}

fn orders() -> ScheduleDraft {
    ScheduleDraft {
        name: "Orders".to_owned(),
        message: "An order came.".to_owned(),
        kind: TimingKind::Webhook,
        ..ScheduleDraft::default()
    }
}

#[tokio::test]
async fn what_comes_after_the_clock_was_set_back_is_taken_once_too() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, _tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &orders()).await.unwrap();
        let secret = scoped.schedules().new_webhook_secret(&id).await.unwrap();

        let ahead = world.clock.now() + 3_600_000;
        let before: Vec<String> =
            (0..1000).map(|number| format!("('{id}', 'before-{number}', {})", ahead + number)).collect();
        let rows = before.join(", ");
        world
            .execute(&format!("INSERT INTO webhook_deliveries (schedule_id, delivery, at) VALUES {rows}"))
            .await;
        for expected in [Delivered::Taken, Delivered::Repeated] {
            assert_eq!(deliver(&world.hub, &id, &secret, "a", "x").await.unwrap(), expected);
        }
    })
    .await;
}

#[tokio::test]
async fn deliveries_wait_for_the_agent_in_turn_and_each_is_told_once_before_its_schedule_speaks() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: hang", None, None).await.unwrap();
        until(&mut tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
        let id = scoped.schedules().create(&agent.id, &orders()).await.unwrap();
        let early = deliver(&world.hub, &id, "", "a", "x").await.unwrap_err().into_failure();
        assert_eq!(early.kind, FailureKind::NotFound, "it has no secret yet");
        let secret = scoped.schedules().new_webhook_secret(&id).await.unwrap();
        for (name, expected) in [("a", Delivered::Taken), ("b", Delivered::Taken), ("a", Delivered::Repeated)]
        {
            assert_eq!(deliver(&world.hub, &id, &secret, name, name).await.unwrap(), expected);
        }
        let refused = deliver(&world.hub, &id, "whsec_none", "c", "c").await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Unauthenticated);

        let hub = world.reopened().await;
        hub.for_viewer(&viewer).runs().stop(&agent.id).await.unwrap();
        once(async || {
            let history = hub.for_viewer(&viewer).schedules().history(&id).await.unwrap();
            history.len() == 2 && history.iter().all(|firing| firing.state == FiringState::Done)
        })
        .await;
        let history = hub.for_viewer(&viewer).schedules().history(&id).await.unwrap();
        assert!(history.iter().all(|firing| firing.cause == FiringCause::Webhook));
        assert_eq!(only(&hub, &viewer, &agent.id).await.next_at, None);
        let entries = all(&hub, &viewer, &agent.id).await;
        let said: Vec<_> = entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Message {
                    from: Sender::Trigger { .. } | Sender::Schedule { .. }, text, ..
                } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, ["a", "An order came.", "b", "An order came."]);
        let asked = endpoint.requests().await;
        let read = asked.last().unwrap()["body"]["messages"].to_string();
        assert!(read.contains("<words-of-strangers>\\nb\\n</words-of-strangers>"), "{read}");
    })
    .await;
}
