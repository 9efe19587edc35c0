//! Signing in once more: where a sign-in is over, and where it has to be for more.

use super::{HERE, PUBLISHED, called, good, query, signed_in, state};
use crate::approvals::add_rule;
use crate::talk::ada;
use crate::world::{Endpoint, FakeAuth, Said, World, each_store};
use protocol::view::McpConnection;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_sign_in_is_over_where_who_gives_tokens_says_so_and_goes_on_where_they_are_in_trouble() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let fake = FakeAuth::start();
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let id = servers.add("fake", &format!("{}/mcp", fake.origin()), "", "").await.unwrap().id;
        let refusal = |status, code: &str| Said::Refusal(status, json!({ "error": code }));
        let not_renewed = "Your sign-in there could not be renewed.";
        for (said, expected) in [
            (refusal("400 Bad Request", "invalid_grant"), "is over"),
            (refusal("403 Forbidden", "invalid_grant"), "is over"),
            (refusal("401 Unauthorized", "invalid_client"), "is over"),
            (refusal("400 Bad Request", "unauthorized_client"), "is over"),
            (
                refusal("400 Bad Request", "invalid_request"),
                "could not be renewed. The sign-in was refused (invalid_request).",
            ),
            (
                refusal("403 Forbidden", "access_denied"),
                "could not be renewed. The sign-in was refused (access_denied).",
            ),
            (refusal("429 Too Many Requests", "invalid_grant"), not_renewed),
            (refusal("503 Service Unavailable", "invalid_grant"), not_renewed),
            (Said::Status("400 Bad Request", String::new()), not_renewed),
        ] {
            signed_in(&servers, &id, &fake).await;
            world.clock.advance(Duration::from_secs(595));
            fake.say("/token", said.clone());
            let probe = servers.look(&id).await.unwrap();
            assert!(!probe.ok && probe.message.contains(expected), "{said:?}: {}", probe.message);
            let asked = fake.heard("/token").len();
            fake.unsay("/token");
            let again = servers.look(&id).await.unwrap();
            let is_over = expected == "is over";
            assert_eq!(
                (again.ok, fake.heard("/token").len()),
                (!is_over, asked + usize::from(!is_over)),
                "{said:?}: {again:?}"
            );
            let connection = servers.read(&id).await.unwrap().server.connection;
            assert_eq!(matches!(connection, McpConnection::Over { .. }), is_over, "{said:?}: {connection:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_task_whose_token_runs_out_is_asked_for_by_a_new_one_and_not_called_again() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeAuth::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let id = servers.add("fake", &format!("{}/mcp", fake.origin()), "", "").await.unwrap().id;
        signed_in(&servers, &id, &fake).await;
        servers.choose(&agent.id, std::slice::from_ref(&id)).await.unwrap();
        let host = fake.origin().replace("http://", "");
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &host).await;
        fake.forget_token_at("tasks/get");
        let tokens = fake.heard("/token").len();
        let brought = called(&scoped, &agent.id, "mcp_fake_water", json!({})).await.unwrap();
        assert!(brought.contains("Watered."), "{brought}");
        let heard = fake.heard("/mcp");
        let calls = heard.iter().filter(|(_, body)| body.contains("\"tools/call\"")).count();
        assert_eq!((calls, fake.heard("/token").len()), (1, tokens + 1));
    })
    .await;
}

#[tokio::test]
async fn who_signs_in_again_is_registered_anew_where_the_sign_in_before_is_over() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let fake = FakeAuth::start();
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let id = servers.add("fake", &format!("{}/mcp", fake.origin()), "", "").await.unwrap().id;
        let begun = async || {
            let sign_in = servers.connect(&id, HERE, ("", "")).await.unwrap();
            (query(&sign_in.address)["client_id"].clone(), state(&sign_in))
        };
        let origin = fake.origin();
        let ended = async || {
            let (_, state) = begun().await;
            servers.signed_in(good(&state, &origin)).await.unwrap();
            fake.say("/mcp", Said::Status("401 Unauthorized", String::new()));
            fake.say("/token", Said::Refusal("401 Unauthorized", json!({ "error": "invalid_client" })));
            assert!(!servers.look(&id).await.unwrap().ok);
            let connection = servers.read(&id).await.unwrap().server.connection;
            assert!(matches!(connection, McpConnection::Over { .. }), "{connection:?}");
            fake.unsay("/mcp");
            fake.unsay("/token");
        };
        ended().await;
        assert_eq!(fake.heard("/register").len(), 1);
        fake.say("/register", Said::Json(json!({ "client_id": "anew" })));
        assert_eq!(begun().await.0, "anew");
        ended().await;
        assert!(
            fake.heard("/token").last().unwrap().1.contains("client_id=anew"),
            "{:?}",
            fake.heard("/token")
        );

        // Where nobody is registered anew, the one before is all that there is.
        fake.say("/register", Said::Refusal("403 Forbidden", json!({ "error": "access_denied" })));
        assert_eq!(begun().await.0, "anew");
        let mut metadata = fake.metadata();
        metadata.as_object_mut().unwrap().remove("registration_endpoint");
        fake.say("/.well-known/oauth-authorization-server", Said::Json(metadata));
        assert_eq!(begun().await.0, "anew");
        fake.unsay("/.well-known/oauth-authorization-server");
        // Who is signed in is known there.
        let (_, state) = begun().await;
        servers.signed_in(good(&state, &origin)).await.unwrap();
        fake.say("/register", Said::Json(json!({ "client_id": "nobody" })));
        assert_eq!(begun().await.0, "anew");
    })
    .await;
}

#[tokio::test]
async fn a_server_that_wants_more_than_it_was_allowed_is_allowed_both() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let fake = FakeAuth::start();
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let id = servers.add("fake", &format!("{}/mcp", fake.origin()), "", "").await.unwrap().id;
        signed_in(&servers, &id, &fake).await;
        let wants = "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"water <b>\\\"\"\r\n";
        fake.say("/mcp", Said::Status("403 Forbidden", wants.to_owned()));
        let probe = servers.look(&id).await.unwrap();
        assert!(
            probe.message.contains("It has to be allowed more than you allowed it."),
            "{}",
            probe.message
        );
        assert_eq!(fake.heard("/token").len(), 1, "a new token of the same kind is as good");

        // It greets everybody, and says to nobody else what it wants.
        fake.say("/mcp", Said::Json(json!({})));
        let scopes = async || servers.connect(&id, PUBLISHED, ("", "")).await.unwrap().scopes;
        assert_eq!(scopes().await, ["garden", "offline_access", "water"]);
        fake.unsay("/mcp");
        signed_in(&servers, &id, &fake).await;
        assert!(servers.look(&id).await.unwrap().ok);
        servers.disconnect(&id).await.unwrap();
        assert_eq!(scopes().await, ["garden", "offline_access"], "who signed out begins anew");
    })
    .await;
}
