//! Feeds that make a schedule due, from a real server to the agent.

use super::{all, begin, once, only};
use crate::world::{Endpoint, FeedServer, World, each_store_with_a_web};
use hub::{Hub, Viewer};
use protocol::log::{EntryBody, Sender};
use protocol::schedule::{
    FiringCause, FiringState, LookState, Overlap, ScheduleDraft, ScheduleEvent, ScheduleView, Timing,
    TimingKind,
};
use protocol::view::{AgentView, Network};
use protocol::{AgentId, FailureKind};
use std::time::Duration;

const LOOK: Duration = Duration::from_secs(5 * 60);
/// Longer than any pause after failures.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn news(url: &str) -> ScheduleDraft {
    ScheduleDraft {
        name: "News".to_owned(),
        message: "Something new came.".to_owned(),
        kind: TimingKind::Feed,
        feed_url: url.to_owned(),
        feed_minutes: "5".to_owned(),
        ..ScheduleDraft::default()
    }
}

/// An agent that may reach these servers.
async fn reader(world: &World, viewer: &Viewer, endpoint: &Endpoint, servers: &[&FeedServer]) -> AgentView {
    let (agent, _tab) = begin(world, viewer, endpoint).await;
    let network = Network::AllowList { hosts: servers.iter().map(|server| server.host()).collect() };
    world.hub.for_viewer(viewer).networks().set(&agent.id, network).await.unwrap()
}

/// What feeds said to the agent, the oldest first.
async fn told_to(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> Vec<String> {
    let told = all(hub, viewer, agent).await.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Trigger { .. }, text, .. } => Some(text),
        _ => None,
    });
    told.collect()
}

async fn feed_of(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> LookState {
    only(hub, viewer, agent).await.feed.unwrap()
}

/// Waits until what came before is answered: time that passes would end what is under way.
async fn rests(hub: &Hub, viewer: &Viewer, agent: &AgentId) {
    let is_done = |schedule: ScheduleView| schedule.last.is_none_or(|last| last.state == FiringState::Done);
    once(async || is_done(only(hub, viewer, agent).await)).await;
}

/// Waits for the next look that finds nothing in its way.
async fn looked(world: &World, hub: &Hub, viewer: &Viewer, agent: &AgentId) {
    rests(hub, viewer, agent).await;
    let before = feed_of(hub, viewer, agent).await.checked_at;
    world.clock.advance(LOOK);
    once(async || feed_of(hub, viewer, agent).await.checked_at > before).await;
}

/// Waits for the next look that something is in the way of.
async fn failed(world: &World, hub: &Hub, viewer: &Viewer, agent: &AgentId, why: &str) {
    rests(hub, viewer, agent).await;
    let before = failures(world).await;
    world.clock.advance(DAY);
    once(async || failures(world).await > before).await;
    let problem = feed_of(hub, viewer, agent).await.problem;
    assert!(
        problem.as_ref().is_some_and(|problem| problem.contains(why)),
        "{problem:?} says nothing of {why}"
    );
}

async fn failures(world: &World) -> i64 {
    let store = world.store().await;
    let (count,): (i64,) =
        sqlx::query_as("SELECT failures FROM feeds").fetch_one(store.read()).await.unwrap();
    store.close().await;
    count
}

#[tokio::test]
async fn what_is_new_in_a_feed_is_told_once_as_words_of_strangers_and_what_was_there_is_not_new() {
    each_store_with_a_web(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), FeedServer::start());
        let viewer = world.person("ada").await;
        let agent = reader(&world, &viewer, &endpoint, &[&server]).await;
        let scoped = world.hub.for_viewer(&viewer);
        server.put(&["one"]);
        let id = scoped.schedules().create(&agent.id, &news(&server.url())).await.unwrap();
        let made = only(&world.hub, &viewer, &agent.id).await;
        assert_eq!(made.timing, Timing::Feed { url: server.url(), minutes: 5 });
        assert_eq!(made.rules.overlap, Overlap::Each, "what came has something to say");
        looked(&world, &world.hub, &viewer, &agent.id).await;
        assert_eq!(server.statuses(), [200, 304]);

        server.put(&["three", "two", "one"]);
        looked(&world, &world.hub, &viewer, &agent.id).await;
        once(async || told_to(&world.hub, &viewer, &agent.id).await.len() == 1).await;
        let told = told_to(&world.hub, &viewer, &agent.id).await.remove(0);
        assert_eq!(
            told,
            "Feed: Moss news\nNew entries: 2\n\n\
             Title: On three\nLink: https://example.org/three\nDate: 2026-11-26T10:00:00+00:00\nAll about three.\n\n\
             Title: On two\nLink: https://example.org/two\nDate: 2026-11-26T10:00:00+00:00\nAll about two."
        );
        once(async || endpoint.requests().await.len() == 1).await;
        let read = endpoint.requests().await[0]["body"]["messages"].to_string();
        let (fenced, said) = read.split_once("\\n</words-of-strangers>").unwrap();
        assert!(fenced.contains("<words-of-strangers>\\nFeed: Moss news"), "{read}");
        assert!(said.contains("Something new came."), "{read}");

        // What goes and comes back is not new, and neither is what was there before a pause.
        server.put(&["two"]);
        looked(&world, &world.hub, &viewer, &agent.id).await;
        server.put(&["one", "two", "three"]);
        looked(&world, &world.hub, &viewer, &agent.id).await;
        scoped.schedules().pause(&id).await.unwrap();
        server.put(&["four"]);
        scoped.schedules().resume(&id).await.unwrap();
        once(async || feed_of(&world.hub, &viewer, &agent.id).await.checked_at.is_some()).await;
        server.put(&["five", "four"]);
        looked(&world, &world.hub, &viewer, &agent.id).await;
        once(async || told_to(&world.hub, &viewer, &agent.id).await.len() == 2).await;
        let told = told_to(&world.hub, &viewer, &agent.id).await;
        assert!(told[1].contains("New entries: 1\n\nTitle: On five\n"), "{told:?}");
        let history = scoped.schedules().history(&id).await.unwrap();
        assert!(history.iter().all(|firing| firing.cause == FiringCause::Feed) && history.len() == 2);
    })
    .await;
}

#[tokio::test]
async fn of_two_hubs_that_look_at_a_feed_one_tells_what_is_new() {
    each_store_with_a_web(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), FeedServer::start());
        let viewer = world.person("ada").await;
        let agent = reader(&world, &viewer, &endpoint, &[&server]).await;
        let scoped = world.hub.for_viewer(&viewer);
        server.put(&["0"]);
        let id = scoped.schedules().create(&agent.id, &news(&server.url())).await.unwrap();
        let other = world.reopened().await;
        let mut expected = 0;
        for number in 1..6 {
            server.put(&[&number.to_string()]);
            looked(&world, &other, &viewer, &agent.id).await;
            expected += 1;
            once(async || told_to(&other, &viewer, &agent.id).await.len() == expected).await;
        }
        looked(&world, &other, &viewer, &agent.id).await;
        assert_eq!(scoped.schedules().history(&id).await.unwrap().len(), expected);
        let told = told_to(&other, &viewer, &agent.id).await;
        for (at, told) in told.iter().enumerate() {
            assert!(told.contains(&format!("Title: On {}\n", at + 1)), "{told}");
        }
        other.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_feed_that_cannot_be_had_is_refused_when_it_is_named_in_clear_words() {
    each_store_with_a_web(async |world: World| {
        let (endpoint, server, house) = (Endpoint::start(), FeedServer::start(), FeedServer::start());
        let viewer = world.person("ada").await;
        let agent = reader(&world, &viewer, &endpoint, &[&server]).await;
        let scoped = world.hub.for_viewer(&viewer);
        let refused = async |draft: ScheduleDraft, why: &str| {
            let refused = scoped.schedules().create(&agent.id, &draft).await.unwrap_err().into_failure();
            assert_eq!(refused.kind, FailureKind::Invalid, "{refused:?}");
            assert!(refused.message.contains(why), "{refused:?} says nothing of {why}");
        };
        house.put(&["secret"]);
        refused(news(&house.url()), "may not reach").await;
        server.lead_to(&house.url());
        refused(news(&server.url()), "may not reach").await;
        server.lead_to("http://169.254.169.254/latest/meta-data");
        refused(news(&server.url()), "may not reach").await;
        assert_eq!(house.statuses(), [0; 0], "nobody asked there");
        server.lead_to(&server.url());
        refused(news(&server.url()), "again and again").await;
        server.fail(404);
        refused(news(&server.url()), "nothing at this address").await;
        server.put_body("<html><body>Closed today.</body></html>");
        refused(news(&server.url()), "is no feed").await;
        server.be_endless();
        refused(news(&server.url()), "larger than 2 MB").await;
        refused(news("ftp://example.org/feed.xml"), "has to start with http").await;
        refused(news(""), "Enter the address").await;
        let often = ScheduleDraft { feed_minutes: "4".to_owned(), ..news(&server.url()) };
        refused(often, "from 5 to 1440").await;
        assert!(scoped.schedules().of_agent(&agent.id).await.unwrap().is_empty());

        let eve = world.person("eve").await;
        let hidden = world.hub.for_viewer(&eve).schedules().create(&agent.id, &news(&server.url())).await;
        assert_eq!(hidden.unwrap_err().into_failure().kind, FailureKind::NotFound);
    })
    .await;
}

#[tokio::test]
async fn what_is_in_the_way_of_a_feed_is_said_and_what_only_a_person_can_mend_switches_it_off() {
    each_store_with_a_web(async |world: World| {
        let (endpoint, server, house) = (Endpoint::start(), FeedServer::start(), FeedServer::start());
        let viewer = world.person("ada").await;
        let agent = reader(&world, &viewer, &endpoint, &[&server]).await;
        let scoped = world.hub.for_viewer(&viewer);
        server.put(&["one"]);
        let draft = ScheduleDraft { breaker: "3".to_owned(), ..news(&server.url()) };
        let id = scoped.schedules().create(&agent.id, &draft).await.unwrap();
        // A server that is away for long comes back.
        server.fail(503);
        for _ in 0..4 {
            failed(&world, &world.hub, &viewer, &agent.id, "status 503").await;
        }
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.broken, None);
        server.put(&["two", "one"]);
        world.clock.advance(DAY);
        once(async || told_to(&world.hub, &viewer, &agent.id).await.len() == 1).await;
        assert_eq!(feed_of(&world.hub, &viewer, &agent.id).await.problem, None);

        house.put(&["secret"]);
        server.lead_to(&house.url());
        failed(&world, &world.hub, &viewer, &agent.id, "may not reach").await;
        server.be_endless();
        failed(&world, &world.hub, &viewer, &agent.id, "larger than 2 MB").await;
        server.put_body("<rss");
        failed(&world, &world.hub, &viewer, &agent.id, "is no feed").await;
        once(async || only(&world.hub, &viewer, &agent.id).await.broken.is_some()).await;
        assert_eq!(house.statuses(), [0; 0], "nobody asked there");
        let broken = |body: &EntryBody| {
            matches!(body, EntryBody::Schedule { news: ScheduleEvent::Broken { times: 3, why }, .. } if why.contains("no feed"))
        };
        let entries = all(&world.hub, &viewer, &agent.id).await;
        assert_eq!(entries.iter().filter(|entry| broken(&entry.body)).count(), 1);

        // What came meanwhile is told once it is switched on again.
        server.put(&["three", "two", "one"]);
        scoped.schedules().resume(&id).await.unwrap();
        once(async || told_to(&world.hub, &viewer, &agent.id).await.len() == 2).await;
        let told = told_to(&world.hub, &viewer, &agent.id).await;
        assert!(told[1].contains("New entries: 1\n\nTitle: On three\n"), "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn a_feed_goes_along_to_a_copy_of_its_agent_and_what_is_there_by_then_is_not_new() {
    each_store_with_a_web(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), FeedServer::start());
        let viewer = world.person("ada").await;
        let agent = reader(&world, &viewer, &endpoint, &[&server]).await;
        let scoped = world.hub.for_viewer(&viewer);
        server.put(&["one"]);
        scoped.schedules().create(&agent.id, &news(&server.url())).await.unwrap();
        let copy = scoped.copies().make(&agent.id).await.unwrap();
        let brought = only(&world.hub, &viewer, &copy.id).await;
        assert_eq!((brought.paused, brought.feed), (true, None));
        server.put(&["two", "one"]);
        scoped.schedules().resume(&brought.id).await.unwrap();
        once(async || feed_of(&world.hub, &viewer, &copy.id).await.checked_at.is_some()).await;
        server.put(&["three", "two", "one"]);
        looked(&world, &world.hub, &viewer, &copy.id).await;
        once(async || told_to(&world.hub, &viewer, &copy.id).await.len() == 1).await;
        let told = told_to(&world.hub, &viewer, &copy.id).await;
        assert!(told[0].contains("New entries: 1\n\nTitle: On three\n"), "{told:?}");
    })
    .await;
}
