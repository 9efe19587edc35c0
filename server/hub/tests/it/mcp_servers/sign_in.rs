//! Signing in to servers by OAuth: at one that others wrote, and at some that lie.

mod again;

use super::called;
use crate::approvals::add_rule;
use crate::talk::ada;
use crate::world::{Endpoint, FakeAuth, RealMcp, Said, World, each_store};
use hub::{Error, HubAddress, OwnMcpServers, Returned};
use protocol::McpServerId;
use protocol::view::{AuditAction, McpConnection, McpServerReview, McpSignIn};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use url::Url;

const HERE: HubAddress<'_> =
    HubAddress { origin: "http://localhost:3000", front_door: "http://localhost:3000" };
const PUBLISHED: HubAddress<'_> =
    HubAddress { origin: "https://hub.example.org", front_door: "https://hub.example.org" };

#[tokio::test]
async fn a_person_signs_in_to_a_server_of_others_and_its_tools_are_called_until_they_sign_out() {
    let endpoint = Endpoint::start();
    let guarded = RealMcp::guarded(120);
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let server = servers.add("guarded", &guarded.url, "", "").await.unwrap();
        assert_eq!(server.connection, McpConnection::Wanted);
        assert!(server.failure.unwrap().starts_with("It wants to know who asks (status 401)."));

        let sign_in = servers.connect(&server.id, HERE, ("", "")).await.unwrap();
        assert_eq!((sign_in.place.as_str(), sign_in.scopes.as_slice()), (guarded.origin().as_str(), ["garden".to_owned()].as_slice()));
        assert_eq!(servers.read(&server.id).await.unwrap().sign_in.as_ref(), Some(&sign_in));
        let asked = query(&sign_in.address);
        assert_eq!((asked["code_challenge_method"].as_str(), asked["resource"].as_str()), ("S256", guarded.url.as_str()));
        let back = query(&location(&sign_in.address));
        assert_eq!(servers.signed_in(returned(&back)).await.unwrap(), server.id);
        let detail = servers.read(&server.id).await.unwrap();
        assert!(matches!(&detail.server.connection, McpConnection::Connected { place, .. } if *place == guarded.origin()));
        assert_eq!((detail.server.failure, detail.server.tools_on, detail.sign_in), (None, 1, None));
        let again = servers.signed_in(returned(&back)).await;
        assert!(matches!(again, Err(Error::Conflict(_))), "an answer is good once");

        servers.choose(&agent.id, std::slice::from_ref(&server.id)).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &guarded.host()).await;
        let sum = async || called(&scoped, &agent.id, "mcp_guarded_add", json!({ "a": 20, "b": 22 })).await;
        assert!(sum().await.unwrap().contains("42"));
        // The token is over, and a new one is asked for unseen.
        world.clock.advance(Duration::from_secs(119));
        assert!(sum().await.unwrap().contains("42"));

        let server = servers.disconnect(&server.id).await.unwrap();
        assert_eq!(server.connection, McpConnection::None);
        assert!(!servers.look(&server.id).await.unwrap().ok);
        let audit = scoped.audit().read(&hub::AuditQuery::default()).await.unwrap();
        for action in [AuditAction::McpConnected, AuditAction::McpDisconnected] {
            assert_eq!(audit.lines.iter().filter(|line| line.action == action).count(), 1, "{action:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_that_misleads_is_not_gone_to() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let fake = FakeAuth::start();
        let server =
            scoped.mcp_servers().add("fake", &format!("{}/mcp", fake.origin()), "", "").await.unwrap();
        let with = |field: &str, value: Value| {
            let mut metadata = fake.metadata();
            metadata[field] = value;
            Said::Json(metadata)
        };
        let resource = "/.well-known/oauth-protected-resource/mcp";
        let issuer = "/.well-known/oauth-authorization-server";
        let challenge = |at: &str| {
            Said::Status(
                "401 Unauthorized",
                format!("www-authenticate: Bearer resource_metadata=\"{at}\"\r\n"),
            )
        };
        let of = |it: &str, at: &str| Said::Json(json!({ "resource": it, "authorization_servers": [at] }));
        let own = format!("{}/mcp", fake.origin());
        for (path, said, expected) in [
            (
                resource,
                of("https://bank.example/mcp", &fake.origin()),
                "the server says that it is another one",
            ),
            (
                resource,
                of(&own, "https://169.254.169.254/"),
                "The hub may not connect to https://169.254.169.254",
            ),
            (resource, of(&own, "http://bank.example/"), "an address that is not encrypted"),
            (resource, of(&own, "file:///etc/passwd"), "it names what is no address"),
            (resource, Said::Endless, "sent more than 256 KB"),
            (
                issuer,
                with("issuer", json!("https://bank.example")),
                "the sign-in says that it is another one",
            ),
            (
                issuer,
                with("code_challenge_methods_supported", json!(["plain"])),
                "does not protect its codes",
            ),
            (issuer, with("token_endpoint", json!("http://bank.example/token")), "is not encrypted"),
            (
                issuer,
                with("authorization_endpoint", json!("javascript:alert(1)")),
                "it names what is no address",
            ),
            (issuer, Said::Endless, "sent more than 256 KB"),
            (
                issuer,
                Said::Status("302 Found", "location: http://169.254.169.254/\r\n".to_owned()),
                "did not answer as a sign-in does",
            ),
            (
                "/register",
                Said::Status("307 Temporary Redirect", "location: /token\r\n".to_owned()),
                "did not answer as a sign-in does",
            ),
            ("/mcp", challenge("http://127.0.0.1:1/x"), "the server has somebody else speak for it"),
            ("/mcp", challenge("http://169.254.169.254/"), "the server has somebody else speak for it"),
        ] {
            fake.say(path, said.clone());
            let refused =
                scoped.mcp_servers().connect(&server.id, HERE, ("", "")).await.unwrap_err().to_string();
            assert!(refused.contains(expected), "{path} {said:?}: {refused}");
            assert_eq!(scoped.mcp_servers().read(&server.id).await.unwrap().sign_in, None);
            fake.unsay(path);
        }
        assert!(fake.heard("/token").is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_answer_counts_when_it_is_whole_for_this_browser_and_from_whom_it_was_awaited() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let bob = world.person("bob").await;
        let fake = FakeAuth::start();
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let url = format!("{}/mcp", fake.origin());
        let id = servers.add("fake", &url, "", "").await.unwrap().id;
        let begin = async || state(&servers.connect(&id, HERE, ("", "")).await.unwrap());
        let failure = async || servers.read(&id).await.unwrap().server.sign_in_failure;
        let origin = fake.origin();
        for (code, error, iss, expected) in [
            (Some("c"), None, None, "The answer came from another place"),
            (Some("c"), None, Some("https://bank.example"), "The answer came from another place"),
            (None, Some("access_denied"), Some("https://bank.example"), "The answer came from another place"),
            (None, Some("access_denied"), Some(origin.as_str()), "The sign-in was refused (access_denied)."),
            (
                None,
                Some("Send <b>money"),
                Some(origin.as_str()),
                "The sign-in was refused (for a reason that it does not say).",
            ),
            (None, None, Some(origin.as_str()), "did not answer as a sign-in does"),
        ] {
            let state = begin().await;
            servers.signed_in(Returned { state: &state, code, error, iss }).await.unwrap();
            let told = failure().await.unwrap();
            assert!(told.contains(expected), "{code:?} {error:?} {iss:?}: {told}");
        }
        let known = begin().await;
        for (who, state) in [(&viewer, "made-up"), (&bob, known.as_str())] {
            let taken = world.hub.for_viewer(who).mcp_servers().signed_in(good(state, &origin)).await;
            assert!(matches!(taken, Err(Error::Conflict(_))), "{taken:?}");
        }
        let elsewhere = world
            .hub
            .accounts()
            .sign_in("ada", crate::world::PASSWORD, "phone")
            .await
            .unwrap()
            .done()
            .unwrap()
            .viewer;
        world.hub.for_viewer(&elsewhere).mcp_servers().signed_in(good(&known, &origin)).await.unwrap();
        assert!(failure().await.unwrap().starts_with("This sign-in is not under way any more."));
        let late = begin().await;
        world.clock.advance(Duration::from_secs(11 * 60));
        servers.signed_in(good(&late, &origin)).await.unwrap();
        assert!(failure().await.unwrap().starts_with("This sign-in is not under way any more."));
        assert!(fake.heard("/token").is_empty(), "none of these is worth a question");

        for (said, expected) in [
            (
                Said::Status("307 Temporary Redirect", "location: https://bank.example/\r\n".to_owned()),
                "did not answer as a sign-in does",
            ),
            (
                Said::Json(json!({ "access_token": "a\nb", "token_type": "bearer" })),
                "did not answer as a sign-in does",
            ),
            (Said::Endless, "sent more than 256 KB"),
        ] {
            fake.say("/token", said);
            let state = begin().await;
            servers.signed_in(good(&state, &origin)).await.unwrap();
            assert!(failure().await.unwrap().contains(expected), "{expected}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_issuer_may_be_named_with_a_slash_or_without_and_answers_as_it_spells_itself() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        for (number, (named, own)) in
            [(Some(""), "/"), (Some("/"), ""), (Some("/"), "/"), (None, "/"), (None, "")]
                .into_iter()
                .enumerate()
        {
            let fake = FakeAuth::start();
            let mut metadata = fake.metadata();
            let issuer = format!("{}{own}", fake.origin());
            metadata["issuer"] = json!(issuer);
            fake.say("/.well-known/oauth-authorization-server", Said::Json(metadata));
            let url = format!("{}/mcp", fake.origin());
            match named {
                Some(end) => {
                    let at = [format!("{}{end}", fake.origin())];
                    let resource = json!({ "resource": url, "authorization_servers": at });
                    fake.say("/.well-known/oauth-protected-resource/mcp", Said::Json(resource));
                }
                // One of spring 2025, that says nothing of itself.
                None => {
                    let nothing = Said::Status("404 Not Found", String::new());
                    fake.say("/.well-known/oauth-protected-resource/mcp", nothing);
                    fake.say("/mcp", Said::Status("401 Unauthorized", String::new()));
                }
            }
            let id = servers.add(&format!("s{number}"), &url, "", "").await.unwrap().id;
            let begin = async || state(&servers.connect(&id, HERE, ("", "")).await.unwrap());
            let other = if own.is_empty() { format!("{issuer}/") } else { fake.origin() };
            servers.signed_in(good(&begin().await, &other)).await.unwrap();
            let told = servers.read(&id).await.unwrap().server.sign_in_failure.unwrap();
            assert!(told.starts_with("The answer came from another place"), "{named:?} {own:?}: {told}");
            assert!(fake.heard("/token").is_empty());
            let waiting = begin().await;
            fake.unsay("/mcp");
            servers.signed_in(good(&waiting, &issuer)).await.unwrap();
            let server = servers.read(&id).await.unwrap().server;
            assert!(
                matches!(server.connection, McpConnection::Connected { .. }),
                "{named:?} {own:?}: {server:?}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_sign_in_gives_goes_where_it_is_for_and_nowhere_else() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let fake = FakeAuth::start();
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let id = servers.add("fake", &format!("{}/mcp", fake.origin()), "", "").await.unwrap().id;
        signed_in(&servers, &id, &fake).await;
        let detail = servers.read(&id).await.unwrap();
        let told = format!("{detail:?}");
        assert!(
            !told.contains("canary") && matches!(detail.server.connection, McpConnection::Connected { .. }),
            "{told}"
        );
        assert!(fake.heard("/register").is_empty(), "a hub with an address describes itself there");
        let exchanged = &fake.heard("/token")[0].1;
        for part in
            ["client_id=https%3A%2F%2Fhub.example.org%2Fmcp-client.json", "code_verifier=", "resource=http"]
        {
            assert!(exchanged.contains(part), "{part}: {exchanged}");
        }
        // The server knows nobody by the token: it is renewed once, and then the person is asked.
        fake.say("/mcp", Said::Status("401 Unauthorized", String::new()));
        let probe = servers.look(&id).await.unwrap();
        assert!(probe.message.contains("Your sign-in there is over."), "{}", probe.message);
        assert!(fake.heard("/token")[1].1.contains("refresh_token=refresh-canary-1"));
        assert!(matches!(servers.read(&id).await.unwrap().server.connection, McpConnection::Over { .. }));
        let waiting = scoped.reviews().list().await.unwrap().mcp_servers;
        let [over]: [McpServerReview; 1] = waiting.try_into().unwrap();
        assert_eq!((over.id, over.tools_changed, over.is_signed_out), (id.clone(), 0, true));
        let asked = fake.heard("/mcp").len();
        assert!(!servers.look(&id).await.unwrap().ok);
        assert_eq!(fake.heard("/mcp").len(), asked, "nobody is asked with a token that is over");

        fake.unsay("/mcp");
        signed_in(&servers, &id, &fake).await;
        world.clock.advance(Duration::from_secs(595));
        fake.say("/token", Said::Refusal("400 Bad Request", json!({ "error": "invalid_grant" })));
        assert!(servers.look(&id).await.unwrap().message.contains("Your sign-in there is over."));
        fake.unsay("/token");
        signed_in(&servers, &id, &fake).await;
        servers.remove(&id).await.unwrap();
        let taken_back: Vec<String> = fake.heard("/revoke").into_iter().map(|(_, body)| body).collect();
        assert!(
            taken_back[0].contains("token=refresh-canary-1")
                && taken_back[1].contains("token=token-canary-1"),
            "{taken_back:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_is_for_the_server_and_not_for_what_follows_the_question_mark() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        for (name, tells_of_itself) in [("today", true), ("before", false)] {
            let fake = FakeAuth::start();
            let url = format!("{}/mcp", fake.origin());
            if !tells_of_itself {
                let nothing = Said::Status("404 Not Found", String::new());
                fake.say("/.well-known/oauth-protected-resource/mcp", nothing);
                fake.say("/mcp", Said::Status("401 Unauthorized", String::new()));
            }
            let id = servers.add(name, &format!("{url}?project=north"), "", "").await.unwrap().id;
            let sign_in = servers.connect(&id, PUBLISHED, ("", "")).await.unwrap();
            assert_eq!(query(&sign_in.address)["resource"], url, "{name}");
            fake.unsay("/mcp");
            servers.signed_in(good(&state(&sign_in), &fake.origin())).await.unwrap();
            let asked = fake.heard("/mcp");
            assert!(
                asked.iter().all(|(head, _)| head.starts_with("POST /mcp?project=north ")),
                "{name}: {asked:?}"
            );
            assert!(
                asked.last().unwrap().0.to_ascii_lowercase().contains("bearer token-canary-1"),
                "{name}: {asked:?}"
            );
        }
    })
    .await;
}

async fn signed_in(servers: &OwnMcpServers<'_>, id: &McpServerId, fake: &FakeAuth) {
    let state = state(&servers.connect(id, PUBLISHED, ("", "")).await.unwrap());
    let origin = fake.origin();
    servers.signed_in(good(&state, &origin)).await.unwrap();
}

/// An answer with which nothing is wrong.
fn good<'a>(state: &'a str, iss: &'a str) -> Returned<'a> {
    Returned { state, code: Some("c"), error: None, iss: Some(iss) }
}

fn state(sign_in: &McpSignIn) -> String {
    query(&sign_in.address)["state"].clone()
}

fn query(address: &str) -> HashMap<String, String> {
    Url::parse(address).expect("an address").query_pairs().into_owned().collect()
}

fn returned(query: &HashMap<String, String>) -> Returned<'_> {
    let part = |name: &str| query.get(name).map(String::as_str);
    Returned {
        state: part("state").unwrap_or_default(),
        code: part("code"),
        error: part("error"),
        iss: part("iss"),
    }
}

/// Where a browser is sent from there.
fn location(address: &str) -> String {
    let url = Url::parse(address).expect("an address");
    let host = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let mut stream = TcpStream::connect(&host).expect("it listens");
    let path = &url[url::Position::BeforePath..];
    stream
        .write_all(format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let line = answer.lines().find(|line| line.to_ascii_lowercase().starts_with("location: "));
    line.unwrap_or_else(|| panic!("{answer}"))["location: ".len()..].to_owned()
}
