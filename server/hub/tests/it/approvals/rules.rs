//! What a rule or an answer is about, and for how much.

use super::way_out::{Scene, get, storage};
use super::{add_rule, turns};
use crate::world::{Sink, World, each_store_with_a_web};
use protocol::agent::ToolRisk;
use protocol::approval::{ApprovalReason, Decision, PolicyDraft};
use protocol::log::EntryBody;
use protocol::view::Network;
use serde_json::{Value, json};

fn post(url: String) -> Value {
    json!({ "tool": "fetch", "input": { "url": url, "method": "POST", "body": "x" } })
}

#[tokio::test]
async fn a_yes_holds_for_calls_that_can_do_no_more_harm_than_what_was_shown() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        add_rule(&world.hub, &scene.viewer, "ask", "fetch", "").await;
        let (read, write) = (get(scene.page.url("/")), post(scene.page.url("/")));
        for (call, decision, expected) in [
            (&read, Decision::Always, vec![ApprovalReason::Rule]),
            (&read, Decision::Deny, vec![]),
            (&write, Decision::Deny, vec![ApprovalReason::Rule]),
            (&write, Decision::Always, vec![ApprovalReason::Rule]),
            (&write, Decision::Deny, vec![]),
            (&read, Decision::Deny, vec![]),
        ] {
            let asked = scene.run(&world, &turns(std::slice::from_ref(call)), decision).await;
            assert_eq!(asked, expected, "{call} {decision:?}");
        }
        let rules = world.hub.for_viewer(&scene.viewer).policies().list(&scene.agent).await.unwrap();
        let limits: Vec<_> = rules.iter().map(|rule| rule.risk_at_most).collect();
        assert_eq!(limits, [Some(ToolRisk::High), Some(ToolRisk::Medium), None]);
    })
    .await;
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_before_anybody_is_asked_and_makes_no_rule() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        let evil = scene.evil.host();
        for url in [
            scene.page.url(&format!("/{}", "a".repeat(2048))),
            format!("http://user@{evil}/"),
            format!("http://user:word@{evil}/"),
            format!("ftp://{evil}/"),
            "https:///".to_owned(),
            "nowhere".to_owned(),
        ] {
            let asked = scene.run(&world, &turns(&[post(url.clone())]), Decision::Always).await;
            assert_eq!(asked, [], "{url}");
        }
        let rules = world.hub.for_viewer(&scene.viewer).policies().list(&scene.agent).await.unwrap();
        assert_eq!(rules, []);
        let asked = scene.run(&world, &turns(&[post(scene.evil.url("/"))]), Decision::Deny).await;
        assert_eq!((asked, scene.evil.heard()), (vec![ApprovalReason::Risk], vec![]));
    })
    .await;
}

#[tokio::test]
async fn a_request_that_may_do_more_than_it_looks_like_is_asked_about() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        let header = |name: &str| json!({ "headers": { name: "DELETE" } });
        for (more, expected) in [
            (header("X-HTTP-Method-Override"), vec![ApprovalReason::Risk]),
            (header("x-http-method"), vec![ApprovalReason::Risk]),
            (header("X-Method-Override"), vec![ApprovalReason::Risk]),
            // The server does what the person may whose secret it is sent.
            (json!({ "secret": "moss" }), vec![ApprovalReason::Risk]),
            (header("Accept-Language"), vec![]),
        ] {
            let mut input = more.clone();
            input["url"] = json!(scene.evil.url("/"));
            let call = json!({ "tool": "fetch", "input": input });
            assert_eq!(scene.run(&world, &turns(&[call]), Decision::Deny).await, expected, "{more}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_no_to_a_host_holds_for_each_spelling_port_and_redirect() {
    each_store_with_a_web(async |world: World| {
        for (number, rule) in
            ["127.0.0.1", "127.1", "http://127.0.0.1/", "127.0.0.*", ""].into_iter().enumerate()
        {
            let mut scene = Scene::begin(&world, &format!("ada{number}")).await;
            let port = scene.evil.host().rsplit_once(':').unwrap().1.to_owned();
            let led = Sink::leading(&scene.evil.url("/"));
            let led_port = led.host().rsplit_once(':').unwrap().1.to_owned();
            let hosts = vec![format!("localhost:{led_port}"), scene.evil.host()];
            let scoped = world.hub.for_viewer(&scene.viewer);
            scoped.networks().set(&scene.agent, Network::AllowList { hosts }).await.unwrap();
            if !rule.is_empty() {
                add_rule(&world.hub, &scene.viewer, "deny", "fetch", rule).await;
            }
            for url in [
                format!("http://127.0.0.1:{port}/"),
                format!("http://127.0.0.1.:{port}/"),
                format!("http://2130706433:{port}/"),
                format!("http://0x7f.1:{port}/"),
                format!("http://localhost:{led_port}/"),
            ] {
                let before = scene.evil.heard().len();
                // Both are named, so that nothing but the rule can be against it.
                let text =
                    format!("Look at {url} and {}\n{}", scene.evil.url("/"), turns(&[get(url.clone())]));
                scene.run(&world, &text, Decision::Once).await;
                assert_eq!(scene.evil.heard().len() - before, usize::from(rule.is_empty()), "{rule} {url}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_that_a_rule_speaks_of_is_not_read_by_listing_all() {
    each_store_with_a_web(async |world: World| {
        let cases = [
            ("deny", "diary", vec!["plan"]),
            ("ask", "diary", vec!["plan"]),
            ("allow", "diary", vec!["diary", "plan"]),
            ("ask", "", vec!["diary", "plan"]),
        ];
        for (number, tool) in ["state", "storage"].into_iter().enumerate() {
            for (verdict, about, expected) in &cases {
                let mut scene = Scene::begin(&world, &format!("ada-{number}-{verdict}-{about}")).await;
                let of = |input: Value| json!({ "tool": tool, "input": input });
                let set = |key: &str| of(json!({ "action": "set", "key": key, "value": "x" }));
                scene.run(&world, &turns(&[set("diary"), set("plan")]), Decision::Deny).await;
                add_rule(&world.hub, &scene.viewer, verdict, tool, about).await;
                let list = of(json!({ "action": "list" }));
                scene.run(&world, &turns(&[list]), Decision::Once).await;
                let entries = world
                    .hub
                    .for_viewer(&scene.viewer)
                    .conversations()
                    .entries(&scene.agent, 0)
                    .await
                    .unwrap();
                let told = entries.iter().rev().find_map(|entry| match &entry.body {
                    EntryBody::ToolFinished { result, .. } => Some(result.content.clone()),
                    _ => None,
                });
                let told: Value = serde_json::from_str(&told.unwrap()).unwrap();
                let keys: Vec<_> = told.as_object().unwrap().keys().collect();
                assert_eq!(&keys, expected, "{verdict} {tool} {about}");
            }
        }
    })
    .await;
}

/// What servers make of a path is not for us to know.
#[tokio::test]
async fn a_rule_about_a_path_holds_for_each_spelling_of_it_that_a_server_may_know() {
    each_store_with_a_web(async |world: World| {
        let paths = ["/admin", "/ADMIN", "/admin;a=1", "/open/..;/admin", "/open;/../admin", "/%61dmin/%ff"];
        let mut scene = Scene::begin(&world, "ada").await;
        let admin = format!("{}/admin", scene.evil.host());
        add_rule(&world.hub, &scene.viewer, "deny", "fetch", &admin).await;
        for path in paths {
            scene.run(&world, &turns(&[get(scene.evil.url(path))]), Decision::Once).await;
            assert_eq!(scene.evil.heard(), Vec::<String>::new(), "{path}");
        }
        let mut scene = Scene::begin(&world, "bo").await;
        add_rule(&world.hub, &scene.viewer, "ask", "fetch", "").await;
        let open = format!("{}/open", scene.evil.host());
        add_rule(&world.hub, &scene.viewer, "allow", "fetch", &open).await;
        for (path, is_asked) in
            [("/open", false), ("/open/a;b=c", false), ("/open/..;/admin", true), ("/Open", true)]
        {
            let asked = scene.run(&world, &turns(&[get(scene.evil.url(path))]), Decision::Deny).await;
            assert_eq!(!asked.is_empty(), is_asked, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_hook_that_denies_a_host_holds_for_each_spelling_and_redirect() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        let evil = scene.evil.host();
        let port = evil.rsplit_once(':').unwrap().1;
        let led = Sink::leading(&scene.evil.url("/"));
        let hosts = vec![led.host(), evil.clone()];
        let scoped = world.hub.for_viewer(&scene.viewer);
        scoped.networks().set(&scene.agent, Network::AllowList { hosts }).await.unwrap();
        scene.hook(&world, "web_fetch", &evil).await;
        for url in [scene.evil.url("/"), format!("http://2130706433:{port}/"), led.url("/")] {
            scene.run(&world, &turns(&[get(url.clone())]), Decision::Once).await;
            assert_eq!(scene.evil.heard(), Vec::<String>::new(), "{url}");
        }
        assert_eq!(led.heard().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_redirect_to_another_server_is_asked_for_itself() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        let led = Sink::leading(&scene.evil.url("/secret"));
        let hosts = vec![scene.page.host(), led.host(), scene.evil.host()];
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        scoped.networks().set(&scene.agent, Network::AllowList { hosts }).await.unwrap();
        // As long as nothing private is there, it is followed.
        let asked = scene.run(&world, &turns(&[get(led.url("/"))]), Decision::Deny).await;
        assert_eq!((asked, scene.evil.heard().len()), (vec![], 1));
        let asked = scene.run(&world, &turns(&[storage(), get(led.url("/"))]), Decision::Once).await;
        assert_eq!((asked, scene.evil.heard().len()), (vec![ApprovalReason::WayOut], 1));
        let entries = scoped.conversations().entries(&scene.agent, 0).await.unwrap();
        let told = entries.iter().rev().find_map(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => Some(result.content.clone()),
            _ => None,
        });
        let told: Value = serde_json::from_str(&told.unwrap()).unwrap();
        assert_eq!(told["headers"]["location"], scene.evil.url("/secret"));
        assert!(
            told["not_followed"].as_str().unwrap().contains("for which your person has to be asked"),
            "{told}"
        );

        add_rule(&world.hub, &scene.viewer, "ask", "fetch", &scene.evil.host()).await;
        add_rule(&world.hub, &scene.viewer, "allow", "fetch", &led.host()).await;
        let asked = scene.run(&world, &turns(&[get(led.url("/"))]), Decision::Once).await;
        assert_eq!(
            (asked, scene.evil.heard().len()),
            (vec![], 1),
            "a rule that asks counts for a redirect as well"
        );
        add_rule(&world.hub, &scene.viewer, "allow", "fetch", &scene.evil.host()).await;
        let asked = scene.run(&world, &turns(&[get(led.url("/"))]), Decision::Once).await;
        assert_eq!((asked, scene.evil.heard().len()), (vec![], 2));
    })
    .await;
}

#[tokio::test]
async fn a_rule_that_could_hold_for_nothing_is_refused() {
    each_store_with_a_web(async |world: World| {
        let viewer = world.person("ada").await;
        for (tool, about, expected) in [
            ("fetch", "Bank.example", true),
            ("fetch", "bücher.example", true),
            ("fetch", ".bank.example:8443/pay", true),
            ("fetch", "url=*bank*", true),
            ("fetch", "the bank", false),
            ("fetch", "me@bank.example", false),
            ("fetch", "bank.example:pay", false),
            ("state", "the bank", true),
            ("skins", "evening", true),
            ("dom", "button", false),
            ("dom", "selector=button*", true),
            ("send_*", "the bank", true),
        ] {
            let draft = PolicyDraft {
                verdict: "deny".to_owned(),
                tool: tool.to_owned(),
                about: about.to_owned(),
                ..PolicyDraft::default()
            };
            let added = world.hub.for_viewer(&viewer).policies().add(&draft).await;
            assert_eq!(added.is_ok(), expected, "{tool} {about}");
        }
    })
    .await;
}
