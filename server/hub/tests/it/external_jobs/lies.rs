//! Services that flood, lie, lead elsewhere, refuse, and never come to an end.

use super::{AHEAD, add, github, in_time, newest, plain, start, starter, there, until_state};
use crate::world::{Endpoint, JobServer, Sink, World, each_store};
use protocol::view::ExternalJobState;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_log_without_end_is_read_and_kept_within_bounds() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, github(&server)).await;
        server.be(json!({ "huge": true })).await;
        start(&scoped, &ada, "ci", "build.yml").await;
        let id = there(&server).await;
        server.end(&id, json!({ "how": "failure" })).await;
        let job = until_state(&world, &world.hub, &viewer, ExternalJobState::Failed).await;
        let log = scoped.external_jobs().log(&job.id, 0).await.unwrap();
        let whole = log.left_out + 256 * 1024;
        assert!(log.left_out > 0 && whole < 6 * 1024 * 1024, "{}", log.left_out);
        let end = scoped.external_jobs().read(&job.id).await.unwrap().log.text;
        assert!(end.ends_with("More of this log is not read. It is on the page of the run.\n"));
    })
    .await;
}

#[tokio::test]
async fn a_log_is_fetched_where_it_was_said_to_be_or_in_public_and_from_nowhere_else_near_by() {
    each_store(async |world: World| {
        let (endpoint, server, house) = (Endpoint::start(), JobServer::start(), Sink::start("secret"));
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, github(&server)).await;
        start(&scoped, &ada, "ci", "build.yml").await;
        let id = there(&server).await;
        server.say(&id, "one\n").await;
        for inside in [house.url("/"), "http://169.254.169.254/latest".to_owned()] {
            server.be(json!({ "logTo": inside })).await;
            in_time(&world, async || newest(&scoped).await.why.contains("where it is not fetched from"))
                .await;
            server.be(json!({})).await;
            in_time(&world, async || newest(&scoped).await.why.is_empty()).await;
        }
        assert!(house.heard().is_empty());
        let job = newest(&scoped).await;
        in_time(&world, async || super::log_of(&scoped, &job.id).await.contains("one")).await;
    })
    .await;
}

#[tokio::test]
async fn a_service_that_lies_refuses_or_hangs_up_is_told_of_and_given_up_and_nothing_is_doubled() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (number, (mood, expected)) in [
            (json!({ "lie": "grown" }), "no state that there is"),
            (json!({ "status": 401 }), "wants to know who asks"),
            (
                json!({ "status": 302, "headers": { "location": "http://169.254.169.254/" } }),
                "leads elsewhere",
            ),
            (json!({ "status": 404 }), "has no such thing"),
        ]
        .into_iter()
        .enumerate()
        {
            let server = JobServer::start();
            let (viewer, ada) = starter(&world, &endpoint, &server, &format!("ada{number}")).await;
            let scoped = world.hub.for_viewer(&viewer);
            add(&scoped, plain(&server)).await;
            start(&scoped, &ada, "farm", "render").await;
            server.be(mood.clone()).await;
            let lost = until_state(&world, &world.hub, &viewer, ExternalJobState::Lost).await;
            assert!(lost.why.contains(expected), "{mood}: {}", lost.why);
        }

        let server = JobServer::start();
        let (viewer, ada) = starter(&world, &endpoint, &server, "bo").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, plain(&server)).await;
        server.be(json!({ "elsewhere": "http://127.0.0.1:9/jobs/1" })).await;
        let (is_error, told) = start(&scoped, &ada, "farm", "render").await;
        assert!(is_error && told.to_string().contains("is to be at another server"), "{told}");
        // It took it up, and its answer never came.
        server.be(json!({ "shut": true, "ahead": AHEAD })).await;
        let (is_error, told) = start(&scoped, &ada, "farm", "render").await;
        assert!(is_error && told.to_string().contains("Nobody knows whether it began"), "{told}");
        assert_eq!(newest(&scoped).await.state, ExternalJobState::Lost);
        assert_eq!(server.jobs().await.len(), 2);

        // What has an id of its own is found all the same.
        add(&scoped, github(&server)).await;
        let (is_error, _) = start(&scoped, &ada, "ci", "build.yml").await;
        assert!(is_error);
        let id = there(&server).await;
        server.end(&id, json!({ "how": "success" })).await;
        until_state(&world, &world.hub, &viewer, ExternalJobState::Succeeded).await;
        assert_eq!(server.jobs().await.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_service_that_wants_to_be_left_alone_is_and_one_that_never_ends_is_given_up_in_a_day() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, plain(&server)).await;
        start(&scoped, &ada, "farm", "render").await;
        server.be(json!({ "status": 429, "headers": { "retry-after": "3000" } })).await;
        in_time(&world, async || newest(&scoped).await.why.contains("left alone for 3000 seconds")).await;
        let (asked, _) = server.asked().await;
        world.clock.advance(Duration::from_secs(600));
        let (is_error, told) = start(&scoped, &ada, "farm", "render").await;
        assert!(is_error && told.to_string().contains("wants to be left alone"), "{told}");
        assert_eq!(server.asked().await.0, asked);
        server.be(json!({})).await;
        world.clock.advance(Duration::from_secs(3000));
        server.say(&there(&server).await, "frame 1\n").await;
        until_state(&world, &world.hub, &viewer, ExternalJobState::Running).await;

        world.clock.advance(Duration::from_secs(25 * 60 * 60));
        let lost = until_state(&world, &world.hub, &viewer, ExternalJobState::Lost).await;
        assert!(lost.why.contains("longer than a day"), "{}", lost.why);
    })
    .await;
}
