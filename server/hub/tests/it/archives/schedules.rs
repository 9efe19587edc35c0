//! Schedules go with their agent into an archive and into a copy, and rest where they come out.

use super::{draft, notes};
use crate::world::{World, each_store};
use hub::{AuditQuery, Scoped};
use protocol::Caps;
use protocol::archive::ArchivedSchedule;
use protocol::log::EntryBody;
use protocol::schedule::{Missed, ScheduleDraft, ScheduleEvent, ScheduleView, TimingKind};
use protocol::view::AuditAction;
use protocol::{AgentId, Micros};
use serde_json::json;

#[tokio::test]
async fn schedules_come_out_of_an_archive_and_into_a_copy_as_they_were_and_rest() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let original = scoped.agents().create(draft("A")).await.unwrap();
        let rounds = scoped.schedules().create(&original.id, &hourly("Rounds", "60")).await.unwrap();
        let caps = Caps { per_run: Some(Micros(7)), ever: Some(Micros(9)), ..Caps::default() };
        scoped.schedules().limit(&rounds, &caps).await.unwrap();
        let tea = ScheduleDraft {
            kind: TimingKind::Days,
            time: "16:00".to_owned(),
            zone: "Europe/Berlin".to_owned(),
            missed: Missed::Skip,
            ..hourly("Tea", "")
        };
        scoped.schedules().create(&original.id, &tea).await.unwrap();
        let expected = archived(&scoped, &original.id).await;
        assert_eq!(expected[0].caps, caps);

        let exported = scoped.archives().export(&original.id).await.unwrap();
        let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
        let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
        assert_eq!(review.schedules, expected, "every word is seen before anything is made");
        let said = "Its schedules are switched off. They begin when you resume them.".to_owned();
        assert!(review.notices.contains(&said), "{:?}", review.notices);
        let made = scoped.archives().create(&uploaded.archive, draft("B")).await.unwrap();
        assert!(notes(&scoped, &made.id).await.contains(&said));
        let copy = scoped.copies().make(&original.id).await.unwrap();
        for agent in [&made.id, &copy.id] {
            assert_eq!(archived(&scoped, agent).await, expected);
            let schedules = scoped.schedules().of_agent(agent).await.unwrap();
            assert!(schedules.iter().all(|schedule| schedule.paused && schedule.next_at.is_none()));
            assert_eq!(brought(&scoped, agent).await, ["Rounds", "Tea"]);
            assert_eq!(scoped.agents().message_count(agent).await.unwrap(), 0);
        }
        assert_eq!(scoped.schedules().list().await.unwrap().len(), 6);
        assert!(world.hub.for_viewer(&eve).schedules().list().await.unwrap().is_empty());
        assert!(!scoped.schedules().of_agent(&original.id).await.unwrap()[0].paused);
        let resumed = scoped.schedules().of_agent(&copy.id).await.unwrap().remove(0).id;
        scoped.schedules().resume(&resumed).await.unwrap();
        assert!(scoped.schedules().of_agent(&copy.id).await.unwrap()[0].next_at.is_some());
        let lines = scoped.audit().read(&AuditQuery::default()).await.unwrap().lines;
        let noted = |action: AuditAction| lines.iter().filter(|line| line.action == action).count();
        assert_eq!((noted(AuditAction::ScheduleMade), noted(AuditAction::LimitSet)), (6, 3));
    })
    .await;
}

#[tokio::test]
async fn a_schedule_whose_time_has_passed_travels_and_cannot_be_resumed_as_it_is() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let original = scoped.agents().create(draft("A")).await.unwrap();
        let once =
            ScheduleDraft { kind: TimingKind::Once, at: "2099-01-01T08:00".to_owned(), ..hourly("Once", "") };
        scoped.schedules().create(&original.id, &once).await.unwrap();
        world.clock.advance(std::time::Duration::from_secs(100 * 366 * 24 * 60 * 60));
        let copy = scoped.copies().make(&original.id).await.unwrap();
        let id = scoped.schedules().of_agent(&copy.id).await.unwrap().remove(0).id;
        let refused = scoped.schedules().resume(&id).await.unwrap_err();
        assert!(refused.to_string().contains("Give it another one"), "{refused}");
    })
    .await;
}

/// A `schedules.json` with so many of them.
pub fn file(count: usize, message: &str, zone: &str) -> String {
    let timing = json!({ "type": "days", "days": "all", "time": "08:00", "zone": zone });
    let one = json!({ "name": "Rounds", "message": message, "timing": timing, "by": "person" });
    json!(vec![one; count]).to_string()
}

fn hourly(name: &str, minutes: &str) -> ScheduleDraft {
    ScheduleDraft {
        name: name.to_owned(),
        message: format!("Do this:\n{name}"),
        kind: TimingKind::Every,
        minutes: minutes.to_owned(),
        ..ScheduleDraft::default()
    }
}

/// The schedules of an agent, by name, as an archive has them.
async fn archived(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<ArchivedSchedule> {
    let mut schedules = scoped.schedules().of_agent(agent).await.unwrap();
    schedules.sort_by(|a, b| a.name.cmp(&b.name));
    let archived = schedules.into_iter().map(|schedule| {
        let ScheduleView { name, message, timing, missed, rules, by, budget, .. } = schedule;
        ArchivedSchedule { name, message, timing, missed, rules, by, caps: budget.caps }
    });
    archived.collect()
}

async fn brought(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    let entries = scoped.conversations().entries(agent, 0).await.unwrap();
    let brought = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Schedule { name, news: ScheduleEvent::Brought, .. } => Some(name),
        _ => None,
    });
    brought.collect()
}
