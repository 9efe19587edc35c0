//! Telling people who look elsewhere: what is told, what is held back, and for how long it is kept.

mod mail;
mod messages;
mod sent;

use crate::approvals::{add_rule, answer, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{PATIENCE, ada};
use crate::world::{Endpoint, World, each_store};
use hub::{Scoped, Tab};
use protocol::AgentId;
use protocol::approval::Decision;
use protocol::view::{NotificationKind, NotificationSettings, NotificationView, QuietHours};
use std::time::Duration;

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;
const SET: &str =
    r#"turns: [[{"tool":"state","input":{"action":"set","key":"a","value":1}}],[{"text":"Done."}]]"#;

async fn list(scoped: &Scoped<'_>) -> Vec<NotificationView> {
    scoped.notifications().list(None).await.unwrap().list
}

async fn kinds(scoped: &Scoped<'_>) -> Vec<NotificationKind> {
    list(scoped).await.into_iter().map(|told| told.kind).collect()
}

async fn say(scoped: &Scoped<'_>, agent: &AgentId, text: &str) {
    scoped.runs().ask(agent, text, None, PATIENCE).await.unwrap();
}

/// A tab that shows the page of the agent to a person.
async fn look(world: &World, scoped: &Scoped<'_>, agent: &AgentId, viewer: &hub::Viewer) -> Tab {
    let tab = open(world, viewer, "laptop");
    tab.set_able(Vec::new(), true);
    tab.set_active(Some(agent.clone())).await.unwrap();
    assert_eq!(scoped.notifications().unread().await.unwrap(), 0, "what is looked at is read");
    tab
}

#[tokio::test]
async fn what_happens_while_nobody_looks_is_told_and_what_is_seen_is_not() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let scoped = world.hub.for_viewer(&viewer);
        say(&scoped, &agent.id, "Hello").await;
        let told = list(&scoped).await;
        assert_eq!((told.len(), told[0].kind), (1, NotificationKind::Finished));
        assert_eq!(told[0].title, format!("{} is done", agent.name));
        assert!(
            told[0].body.contains("Hello") && told[0].link.starts_with(&format!("/agents/{}/", agent.id))
        );
        assert_eq!(scoped.notifications().unread().await.unwrap(), 1);
        let others = world.hub.for_viewer(&eve);
        assert!(list(&others).await.is_empty());
        assert!(others.notifications().mark_read(&told[0].id).await.is_err());

        let tab = look(&world, &scoped, &agent.id, &viewer).await;
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(list(&scoped).await.len(), 1, "they look");
        tab.set_able(Vec::new(), false);
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(list(&scoped).await.len(), 2, "the tab is behind another one");
        tab.set_able(Vec::new(), true);
        tab.set_active(None).await.unwrap();
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(list(&scoped).await.len(), 3, "they look at something else");
        drop(tab);
        scoped.notifications().mark_all_read().await.unwrap();
        assert_eq!(scoped.notifications().unread().await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_its_person_is_told_until_it_is_settled() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, SET, None, None).await.unwrap();
        let asked = until_asked(&mut tab).await;
        assert_eq!(kinds(&scoped).await, [NotificationKind::Approval]);
        assert_eq!(scoped.notifications().unread().await.unwrap(), 1);
        answer(&world.hub, &viewer, &asked, Decision::Once).await.unwrap();
        until_finished(&mut tab).await;
        let told = list(&scoped).await;
        assert_eq!(
            told.iter().map(|told| (told.kind, told.read)).collect::<Vec<_>>(),
            [(NotificationKind::Finished, false), (NotificationKind::Approval, true)]
        );
    })
    .await;
}

#[tokio::test]
async fn what_a_person_does_not_want_to_hear_is_not_told_and_what_comes_in_quiet_hours_says_so() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let own = scoped.notifications();
        let set = async |kinds: &[NotificationKind], quiet: Option<(&str, &str)>| {
            let quiet = quiet.map(|(from, until)| QuietHours {
                from: from.to_owned(),
                until: until.to_owned(),
                zone: "Asia/Tokyo".to_owned(),
                but_waiting: true,
            });
            own.set(NotificationSettings { kinds: kinds.to_vec(), quiet }).await
        };
        set(&[NotificationKind::Failed], None).await.unwrap();
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await.is_empty());
        set(&NotificationKind::ALL, None).await.unwrap();
        own.mute(&agent.id, true).await.unwrap();
        assert_eq!(own.muted().await.unwrap(), std::slice::from_ref(&agent.id));
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await.is_empty());
        own.mute(&agent.id, false).await.unwrap();

        for (from, until) in [("22:00", "22:00"), ("25:00", "07:00"), ("22:00", "")] {
            assert!(set(&NotificationKind::ALL, Some((from, until))).await.is_err(), "{from} {until}");
        }
        set(&NotificationKind::ALL, Some(("22:00", "07:00"))).await.unwrap();
        // In Tokyo it is nine hours later, all the year.
        let at_hour = |hour: i64| {
            let now = world.clock.now();
            world.clock.set((hour - 9) * HOUR_MS - now.rem_euclid(DAY_MS));
        };
        at_hour(23);
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await[0].quiet);
        at_hour(12);
        say(&scoped, &agent.id, "Hello").await;
        assert!(!list(&scoped).await[0].quiet);
        at_hour(2);
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, SET, None, None).await.unwrap();
        until_asked(&mut tab).await;
        let told = list(&scoped).await;
        assert_eq!((told[0].kind, told[0].quiet), (NotificationKind::Approval, false));
    })
    .await;
}

#[tokio::test]
async fn no_more_than_five_hundred_are_kept_and_none_for_longer_than_ninety_days() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        say(&scoped, &agent.id, "Hello").await;
        let copies = "INSERT INTO notifications (id, user_id, agent_id, kind, title, body, at, quiet)
             SELECT '0' || n.num, t.user_id, t.agent_id, t.kind, t.title, t.body, t.at, 0
             FROM notifications t, (WITH RECURSIVE n (num) AS
                 (SELECT 1000 UNION ALL SELECT num + 1 FROM n WHERE num < 1599) SELECT num FROM n) n";
        world.execute(copies).await;
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(scoped.notifications().unread().await.unwrap(), 500);
        let page = scoped.notifications().list(None).await.unwrap();
        assert!(page.more && page.list.len() == 50);
        let next = scoped.notifications().list(Some(&page.list[49].id)).await.unwrap();
        assert!(next.list[0].id < page.list[49].id);
        world.clock.advance(Duration::from_secs(91 * 24 * 60 * 60));
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(scoped.notifications().unread().await.unwrap(), 1);
    })
    .await;
}
