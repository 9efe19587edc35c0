//! Servers that are programs of the machine: who may have which, what they are given, and what they cannot get at.

use super::asked_back::{brought, call, entered, reply};
use super::{called, read};
use crate::approvals::{add_rule, until_asked};
use crate::runs::trace::until_finished;
use crate::runs::{agent, open};
use crate::world::{Endpoint, Site, World, each_store, on_sqlite, on_sqlite_with_a_web};
use hub::{Error, OwnMcpServers, Scoped, Setup, TerminalUse, Viewer};
use protocol::AgentId;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{ApprovalReason, Decision};
use protocol::view::{McpLogKind, McpServerView, McpToolState, McpVariable};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::time::Duration;

const KEY: &str = "garden-key-canary-1";

/// The command line of a server of ours.
fn garden() -> String {
    format!("/usr/bin/python3 -c '{}'", include_str!("programs.py"))
}

async fn allow(world: &World, admin: &Viewer, line: &str, hosts: &str) {
    let admin = world.hub.as_admin(admin).unwrap();
    admin.mcp_programs().allow("garden", line, hosts, "GARDEN_KEY").await.unwrap();
}

fn key(value: &str) -> [McpVariable; 1] {
    [McpVariable { name: "GARDEN_KEY".to_owned(), value: value.to_owned() }]
}

/// A server that is the program, for an agent that may call all of its tools.
async fn given(
    world: &World,
    endpoint: &Endpoint,
    viewer: &Viewer,
    given: &[McpVariable],
) -> (AgentId, McpServerView) {
    let agent = agent(world, viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
    let scoped = world.hub.for_viewer(viewer);
    let server = scoped.mcp_servers().add_program("garden", "garden", given).await.unwrap();
    assert_eq!(server.failure, None);
    scoped.mcp_servers().choose(&agent, from_ref(&server.id)).await.unwrap();
    add_rule(&world.hub, viewer, "allow", "mcp_garden_*", "stdio:garden").await;
    (agent, server)
}

async fn garden_says(scoped: &Scoped<'_>, agent: &AgentId, tool: &str, input: Value) -> String {
    called(scoped, agent, &format!("mcp_garden_{tool}"), input).await.unwrap()
}

async fn garden_fails(scoped: &Scoped<'_>, agent: &AgentId, tool: &str) -> String {
    called(scoped, agent, &format!("mcp_garden_{tool}"), json!({})).await.unwrap_err()
}

async fn why(servers: &OwnMcpServers<'_>, server: &McpServerView) -> String {
    let looked = servers.look(&server.id).await.unwrap();
    assert!(!looked.ok, "{looked:?}");
    looked.message
}

#[tokio::test]
async fn a_program_that_an_administrator_allows_is_a_server_like_any_other() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        let scoped = world.hub.for_viewer(&ada);
        let servers = scoped.mcp_servers();
        assert!(matches!(servers.add_program("garden", "garden", &[]).await, Err(Error::NotFound(_))));
        allow(&world, &admin, &garden(), "").await;
        let known = servers.programs().await.unwrap();
        assert_eq!((known.programs.len(), known.not_here), (1, None));
        assert_eq!(known.programs[0].words[..2], ["/usr/bin/python3", "-c"]);
        let other = McpVariable { name: "LD_PRELOAD".to_owned(), value: "/tmp/a.so".to_owned() };
        assert!(matches!(servers.add_program("garden", "garden", &[other]).await, Err(Error::Invalid(_))));

        let agent = agent(&world, &ada, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let server = servers.add_program("garden", "garden", &key(KEY)).await.unwrap();
        assert_eq!(
            (&*server.url, &*server.headers, server.failure.as_deref(), server.tools_on),
            ("stdio:garden", &["GARDEN_KEY".to_owned()][..], None, 11)
        );
        assert!(read(&servers, &server.id).await.iter().all(|(.., state)| *state == McpToolState::On));
        assert!(servers.set_headers(&server.id, "token", "").await.is_err());
        servers.choose(&agent, from_ref(&server.id)).await.unwrap();
        let mut tab = open(&world, &ada, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        super::say(&scoped, &agent, "mcp_garden_water").await;
        let asked = until_asked(&mut tab).await;
        assert_eq!((asked.why, asked.about.as_deref()), (ApprovalReason::Risk, Some("stdio:garden")));
        crate::approvals::answer(&world.hub, &ada, &asked, Decision::Once).await.unwrap();
        until_finished(&mut tab).await;
        // A rule that names no server lets nothing private out that strangers could have asked for.
        add_rule(&world.hub, &ada, "allow", "mcp_garden_water", "").await;
        super::say(&scoped, &agent, "mcp_garden_water").await;
        let asked = until_asked(&mut tab).await;
        assert_eq!(asked.why, ApprovalReason::WayOut);
        crate::approvals::answer(&world.hub, &ada, &asked, Decision::Deny).await.unwrap();
        until_finished(&mut tab).await;
        add_rule(&world.hub, &ada, "allow", "mcp_garden_*", "stdio:garden").await;
        let told = garden_says(&scoped, &agent, "water", json!({})).await;
        assert_eq!(told, "{\"text\":\"Watered 2 times.\"}", "it is the same process");
        let told = garden_says(&scoped, &agent, "key", json!({})).await;
        assert!(told.contains("The key is [key], the others are ['GARDEN_KEY', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0', 'HOME', "), "{told}");
        assert!(!told.contains("http_proxy") && !told.contains("CARGO"), "{told}");

        // After a while in which nobody needs it, it ends. The next call has another one.
        world.clock.advance(Duration::from_secs(4 * 60));
        let told = garden_says(&scoped, &agent, "water", json!({})).await;
        assert!(told.contains("Watered 3 times."), "{told}");
        world.clock.advance(Duration::from_secs(6 * 60));
        let told = garden_says(&scoped, &agent, "water", json!({})).await;
        assert!(told.contains("Watered 1 times."), "{told}");
        // So does one to which something else is given.
        let set = servers.set_values(&server.id, &key("garden-key-canary-2")).await.unwrap();
        assert_eq!((set.failure, set.tools_on), (None, 11));
        let told = garden_says(&scoped, &agent, "water", json!({})).await;
        assert!(told.contains("Watered 1 times."), "{told}");
        let shown = serde_json::to_string(&servers.read(&server.id).await.unwrap()).unwrap();
        assert!(!shown.contains("canary"), "{shown}");
        servers.remove(&server.id).await.unwrap();
        let store = world.store().await;
        let secrets = sqlx::query("SELECT 1 FROM secrets WHERE purpose LIKE 'mcp%'");
        assert!(secrets.fetch_all(store.read()).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn two_people_with_the_same_program_have_nothing_in_common_of_it() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let admin = world.admin("admin").await;
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        allow(&world, &admin, &garden(), "").await;
        let (hers, mine) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let (bot, server) = given(&world, &endpoint, &ada, &key(KEY)).await;
        let (other, _) = given(&world, &endpoint, &eve, &[]).await;
        for expected in ["Watered 1 times.", "Watered 2 times."] {
            assert!(garden_says(&hers, &bot, "water", json!({})).await.contains(expected));
        }
        assert!(garden_says(&mine, &other, "water", json!({})).await.contains("Watered 1 times."));
        assert!(garden_says(&mine, &other, "key", json!({})).await.contains("The key is None"));
        assert!(garden_fails(&mine, &other, "die").await.contains("exit code 3"));
        assert!(garden_says(&hers, &bot, "water", json!({})).await.contains("Watered 3 times."));
        assert!(matches!(mine.mcp_servers().set_values(&server.id, &[]).await, Err(Error::NotFound(_))));
        assert!(world.hub.as_admin(&eve).is_none());
        // One that is lent runs for each by itself, with what the lender filled in and nobody else sees.
        let lender = world.hub.for_viewer(&admin);
        let lent = lender.mcp_servers().add_program("lent", "garden", &key("lent-key-canary")).await.unwrap();
        lender.mcp_servers().share(&lent.id, true, &[]).await.unwrap();
        let taken = hers.mcp_servers().take(&lent.id).await.unwrap();
        assert_eq!((taken.failure.as_deref(), taken.tools_on), (None, 11));
        let shown = serde_json::to_string(&hers.mcp_servers().read(&taken.id).await.unwrap()).unwrap();
        assert!(!shown.contains("canary") && !shown.contains("GARDEN_KEY"), "{shown}");
        assert!(hers.mcp_servers().set_values(&taken.id, &key("mine")).await.is_err());
        hers.mcp_servers().choose(&bot, from_ref(&taken.id)).await.unwrap();
        add_rule(&world.hub, &ada, "allow", "mcp_lent_*", "stdio:garden").await;
        let told = called(&hers, &bot, "mcp_lent_key", json!({})).await.unwrap();
        assert!(told.contains("The key is [key]"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn what_a_program_asks_within_a_call_is_a_question_to_its_person() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        allow(&world, &admin, &garden(), "").await;
        let (agent, _) = given(&world, &endpoint, &ada, &[]).await;
        let scoped = world.hub.for_viewer(&ada);
        let mut tab = open(&world, &ada, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        call(&scoped, &agent, "mcp_garden_ask", json!({})).await;
        let asked = until_asked(&mut tab).await;
        assert_eq!((asked.why, asked.about.as_deref()), (ApprovalReason::Question, Some("stdio:garden")));
        reply(&world.hub, &ada, &asked, entered(&[("bed", "north")])).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("north") && told.contains("accept"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn a_program_is_spoken_to_in_the_version_that_it_speaks() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&world, &ada, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        add_rule(&world.hub, &ada, "allow", "mcp_garden_*", "stdio:garden").await;
        for (kind, heard, unheard) in [
            ("modern", "server/discover subscriptions/listen tools/list", "initialize"),
            ("older", "server/discover initialize notifications/initialized tools/list", "none"),
            ("still", "server/discover initialize notifications/initialized tools/list", "none"),
            ("ends", "initialize notifications/initialized tools/list", "server/discover"),
        ] {
            allow(&world, &admin, &format!("{} {kind}", garden()), "").await;
            let server = scoped.mcp_servers().add_program("garden", "garden", &[]).await.unwrap();
            assert_eq!((server.failure, server.tools_on), (None, 11), "{kind}");
            scoped.mcp_servers().choose(&agent, from_ref(&server.id)).await.unwrap();
            let told = garden_says(&scoped, &agent, "heard", json!({})).await;
            assert!(told.contains(heard) && !told.contains(unheard), "{kind}: {told}");
            if kind == "modern" {
                let mut tab = open(&world, &ada, "laptop");
                tab.follow(&agent, 0).await.unwrap();
                call(&scoped, &agent, "mcp_garden_ask", json!({})).await;
                let asked = until_asked(&mut tab).await;
                reply(&world.hub, &ada, &asked, entered(&[("bed", "north")])).await.unwrap();
                let told = brought(&until_finished(&mut tab).await);
                assert!(told.contains("north") && told.contains("remembered"), "{told}");
                // It says by itself that its list is another one, and is looked at before the next call.
                garden_says(&scoped, &agent, "water", json!({})).await;
                let told = garden_says(&scoped, &agent, "heard", json!({})).await;
                assert_eq!(told.matches("tools/list").count(), 2, "{told}");
            }
            scoped.mcp_servers().remove(&server.id).await.unwrap();
            world.hub.as_admin(&admin).unwrap().mcp_programs().forbid("garden").await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_program_that_dies_floods_or_says_nothing_is_told_in_words_and_the_next_call_has_another() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        allow(&world, &admin, &garden(), "").await;
        let (agent, server) = given(&world, &endpoint, &ada, &key(KEY)).await;
        let scoped = world.hub.for_viewer(&ada);
        garden_says(&scoped, &agent, "water", json!({})).await;
        let told = garden_fails(&scoped, &agent, "die").await;
        let expected =
            "Its program ended with exit code 3 before it had answered. It said: I fall. My key was [key].";
        assert!(told.contains(expected), "{told}");
        let said = scoped.mcp_servers().read(&server.id).await.unwrap().log.remove(0);
        assert_eq!((said.kind, &*said.words), (McpLogKind::Output, "I fall. My key was [key]."));
        assert!(garden_says(&scoped, &agent, "water", json!({})).await.contains("Watered 1 times."));
        // Again, and soon after it was started: it is left alone for a while.
        world.clock.stand_still();
        garden_fails(&scoped, &agent, "die").await;
        let told = garden_fails(&scoped, &agent, "water").await;
        assert!(told.contains("ended again soon after it was started"), "{told}");
        world.clock.advance(Duration::from_secs(3));
        assert!(garden_says(&scoped, &agent, "water", json!({})).await.contains("Watered 1 times."));
        for how in ["flood", "line"] {
            world.clock.advance(Duration::from_secs(2 * 60));
            let told = garden_fails(&scoped, &agent, how).await;
            assert!(told.contains("It sent more than 4 MB and was given up."), "{how}: {told}");
            let told = garden_says(&scoped, &agent, "water", json!({})).await;
            assert!(told.contains("Watered 1 times."), "{how}: {told}");
        }
        // One that is given up is told so, and hears the next call.
        let mut tab = open(&world, &ada, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        call(&scoped, &agent, "mcp_garden_mute", json!({})).await;
        until_asked(&mut tab).await;
        scoped.runs().stop(&agent).await.unwrap();
        until_finished(&mut tab).await;
        while !garden_says(&scoped, &agent, "heard", json!({})).await.contains("notifications/cancelled") {
            world.clock.advance(Duration::from_secs(1));
        }
        assert!(garden_says(&scoped, &agent, "water", json!({})).await.contains("Watered 2 times."));
        assert!(scoped.mcp_servers().look(&server.id).await.unwrap().ok);
    })
    .await;
}

#[tokio::test]
async fn a_program_sees_no_file_of_the_hub_s_and_reaches_the_hosts_that_its_administrator_names() {
    let endpoint = Endpoint::start();
    on_sqlite_with_a_web(async |world: World| {
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        let (listed, other) = (Site::start(), Site::start());
        listed.put("/moss", "text/plain", b"It is damp.");
        other.put("/moss", "text/plain", b"It is secret.");
        let place = |site: &Site| site.url("").trim_start_matches("http://").trim_end_matches('/').to_owned();
        allow(&world, &admin, &garden(), &place(&listed)).await;
        let (agent, server) = given(&world, &endpoint, &ada, &[]).await;
        let scoped = world.hub.for_viewer(&ada);
        let paths = [
            world.folder.path().to_owned(),
            PathBuf::from("/root"),
            PathBuf::from("/home"),
            PathBuf::from("/etc/shadow"),
            PathBuf::from("/agent"),
            PathBuf::from("/uploads"),
            PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            PathBuf::from("/usr/bin"),
        ];
        let told = garden_says(&scoped, &agent, "files", json!({ "paths": paths })).await;
        assert!(told.contains("opened: ['/usr/bin']; here: []"), "{told}");
        let told = garden_says(&scoped, &agent, "fetch", json!({ "url": listed.url("/moss") })).await;
        assert!(told.contains("It is damp."), "{told}");
        let told = garden_says(&scoped, &agent, "fetch", json!({ "url": other.url("/moss") })).await;
        assert!(told.contains("not reached") && !told.contains("secret"), "{told}");
        for site in [&listed, &other] {
            let told = garden_says(&scoped, &agent, "connect", json!({ "place": place(site) })).await;
            assert!(told.contains("not reached"), "past the proxy: {told}");
        }

        // What an administrator allows is allowed as it is: another line is another program.
        let programs = world.hub.as_admin(&admin).unwrap().mcp_programs();
        programs.forbid("garden").await.unwrap();
        let told = garden_fails(&scoped, &agent, "water").await;
        assert!(told.contains("No administrator of this hub allows the program garden any more."), "{told}");
        allow(&world, &admin, &garden(), "").await;
        let told = garden_says(&scoped, &agent, "fetch", json!({ "url": listed.url("/moss") })).await;
        assert!(told.contains("not reached"), "{told}");
        let servers = scoped.mcp_servers();
        servers.set_values(&server.id, &key(KEY)).await.unwrap();
        assert!(garden_says(&scoped, &agent, "key", json!({})).await.contains("The key is [key]"));
        programs.forbid("garden").await.unwrap();
        allow(&world, &admin, &garden(), &place(&other)).await;
        let told = why(&servers, &server).await;
        assert!(told.contains("or the program is another one since then"), "{told}");
        servers.set_values(&server.id, &key(KEY)).await.unwrap();
        assert!(servers.look(&server.id).await.unwrap().ok);
    })
    .await;
}

#[tokio::test]
async fn a_program_that_cannot_be_run_as_it_has_to_be_is_not_run() {
    on_sqlite(async |world: World| {
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        allow(&world, &admin, "/usr/bin/no-such-program 'a b'", "").await;
        let programs = world.hub.as_admin(&admin).unwrap().mcp_programs();
        for (name, line, hosts, variables) in [
            ("Garden", "a", "", ""),
            ("garden", "a", "", ""),
            ("other", "", "", ""),
            ("other", "a 'b", "", ""),
            ("other", "KEY=1 a", "", ""),
            ("other", "a", "http://moss.example/", ""),
            ("other", "a", "", "LD_PRELOAD"),
            ("other", "a", "", "PATH"),
        ] {
            let refused = programs.allow(name, line, hosts, variables).await;
            assert!(refused.is_err(), "{name} {line} {hosts} {variables}");
        }
        let scoped = world.hub.for_viewer(&ada);
        let server = scoped.mcp_servers().add_program("garden", "garden", &[]).await.unwrap();
        let failure = server.failure.clone().unwrap();
        assert!(
            failure.starts_with("Its program ended with exit code 1 ") && failure.contains("no-such-program"),
            "{failure}"
        );
        let world = world.with(|setup| Setup { terminal: TerminalUse::Nobody, ..setup }).await;
        let scoped = world.hub.for_viewer(&ada);
        let not_here = scoped.mcp_servers().programs().await.unwrap().not_here.unwrap();
        assert!(not_here.contains("VIVARIUM_TERMINAL"), "{not_here}");
        let told = why(&scoped.mcp_servers(), &server).await;
        assert!(told.contains("Its program is not run: whoever runs this hub has switched"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn the_example_server_of_the_protocol_s_authors_is_used_as_a_program() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../end2end/node_modules");
        let modules = modules.canonicalize().expect("`.ci/tools.sh test` installs the servers");
        let script = modules.join("@modelcontextprotocol/server-everything/dist/index.js");
        let world = world.with(|setup| Setup { programs: Some(modules), ..setup }).await;
        let (admin, ada) = (world.admin("admin").await, world.person("ada").await);
        allow(&world, &admin, &format!("node {} stdio", script.display()), "").await;
        let (agent, server) = given(&world, &endpoint, &ada, &[]).await;
        let scoped = world.hub.for_viewer(&ada);
        assert!(server.tools_on > 8, "{server:?}");
        assert!(!scoped.mcp_servers().read(&server.id).await.unwrap().prompts.is_empty());
        assert!(
            garden_says(&scoped, &agent, "echo", json!({ "message": "Moss" })).await.contains("Echo: Moss")
        );
        let resource = json!({ "uri": "demo://resource/dynamic/text/1" });
        let told = garden_says(&scoped, &agent, "resources_read", resource).await;
        assert!(told.contains("Resource 1"), "{told}");
        let mut tab = open(&world, &ada, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        call(&scoped, &agent, "mcp_garden_trigger-elicitation-request", json!({})).await;
        let asked = until_asked(&mut tab).await;
        reply(&world.hub, &ada, &asked, entered(&[("name", "Ada")])).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("Ada"), "{told}");
    })
    .await;
}
