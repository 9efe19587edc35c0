//! Archives as others write them: what is missing has the meaning that it has there, what is odd is left out by
//! itself and named, and only danger refuses.

use super::zipped::Zipped;
use super::{import, noise_text, paths, told};
use crate::world::{World, each_store};
use protocol::page::Listener;
use serde_json::json;

#[tokio::test]
async fn a_listener_without_a_selector_hears_the_whole_page() {
    let state = json!({
        "viewportHtml": "<p>Say it</p>",
        "listeners": [
            { "events": ["classify"], "workerId": "main", "options": {} },
            { "selector": null, "events": ["done"] },
            { "selector": "#a", "events": ["click"], "workerId": "sub-1", "options": { "debounce": 200 } },
            { "selector": "#b" },
        ],
    });
    let archive = Zipped::new()
        .with("manifest.yaml", b"name: Lists\nversion: 1.0.0\n")
        .with("files/_dom_state.json", state.to_string().as_bytes())
        .bytes();
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, agent) = import(&scoped, &archive).await;
        told(&review, &["means nothing here: debounce", "1 of its page's listeners wake a helper"]);
        let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
        let heard =
            |selector: &str, event: &str| Listener { selector: selector.to_owned(), event: event.to_owned() };
        assert_eq!(
            page.listeners,
            [heard(":root", "classify"), heard(":root", "done"), heard("#a", "click")]
        );
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_read_is_left_out_by_itself_and_named() {
    let named = |manifest: &str| Zipped::new().with("manifest.yaml", manifest.as_bytes());
    let good = || named("name: A\nversion: 1\n");
    let kept = |keys: &str| {
        named("name: A\nversion: 1\nentryPoints: { storage: s.json }\n")
            .with("s.json", keys.as_bytes())
            .bytes()
    };
    let table: Vec<(&[&str], Vec<u8>)> = vec![
        (&[], named("name: A\nversion: 1\ndescription: null\ntags: null\nconfig: null\n").bytes()),
        (&["left out: config in manifest.yaml"], named("name: A\nversion: 1\nconfig: 7\n").bytes()),
        (
            &["left out: config.maxTokens in manifest.yaml, tags.1 in manifest.yaml"],
            named("name: A\nversion: 1\ntags: [a, [b]]\nconfig: { maxTokens: lots, systemPrompt: Hi }\n")
                .bytes(),
        ),
        (&["left out: name in manifest.yaml"], named("version: 1\n").bytes()),
        (&[], named("name: A\n").bytes()),
        (&["Its icon is not kept"], named("name: A\nversion: 1\nicon: x.png\n").bytes()),
        (&["files/large (larger than 5 MB)"], good().with("files/large", &noise_text(6_000_000)).bytes()),
        (&["files/_dom_state.json (EOF"], good().with("files/_dom_state.json", b"{").bytes()),
        (
            &["left out: listeners.0.events in files/_dom_state.json"],
            good()
                .with("files/_dom_state.json", br#"{"viewportHtml":"<p>","listeners":[{"events":7}]}"#)
                .bytes(),
        ),
        (&["srcdoc.html (letters that are not"], good().with("srcdoc.html", b"<p>\xff\xfe").bytes()),
        (
            &["left out: s.json (it is missing)"],
            named("name: A\nversion: 1\nentryPoints: { storage: s.json }\n").bytes(),
        ),
        (&["left out: keys.1 in s.json"], kept(r#"{"keys":[{"key":"a","value":1},"b",{"value":2}]}"#)),
        (&["left out: tools.json (expected"], good().with("tools.json", b"?").bytes()),
        (
            &["made the tool dom, which is left out", "made the tool , which is left out"],
            good()
                .with("tools.json", br#"[{"name":"dom","input_schema":{"type":"object"}},{"code":"1"}]"#)
                .bytes(),
        ),
    ];
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        for (expected, bytes) in &table {
            let (review, agent) = import(&scoped, bytes).await;
            told(&review, expected);
            assert!(["A", "Unnamed"].contains(&agent.name.as_str()), "{}", agent.name);
            assert_eq!(paths(&scoped, &agent.id).await, Vec::<String>::new());
            assert_eq!(scoped.made_tools().list(&agent.id).await.unwrap(), []);
        }
    })
    .await;
}

#[tokio::test]
async fn a_rule_of_flo_monster_wakes_here_too_where_it_can_be_said() {
    let rules = json!({
        "count": { "condition": "function anonymous(val\n) {\nreturn val > 2\n}", "message": "Enough." },
        "list": { "condition": "val.some(item => item.done)", "message": null },
    });
    let state = json!({ "state": { "count": 1 }, "escalationRules": rules }).to_string();
    let keys = json!({ "keys": [{ "key": "__flo_state", "value": state }], "capturedAt": 1 });
    let archive = Zipped::new()
        .with("manifest.yaml", b"name: A\nversion: 1\nentryPoints: { storage: s.json }\n")
        .with("s.json", keys.to_string().as_bytes())
        .bytes();
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, agent) = import(&scoped, &archive).await;
        told(&review, &["woken by list when this held: val.some(item => item.done)"]);
        assert_eq!(review.rules, 1);
        let kept: Vec<(String, String, String)> =
            sqlx::query_as("SELECT key, condition, message FROM agent_rules WHERE agent_id = $1")
                .bind(&agent.id.0)
                .fetch_all(world.store().await.read())
                .await
                .unwrap();
        assert_eq!(kept, [("count".to_owned(), "> 2".to_owned(), "Enough.".to_owned())]);
    })
    .await;
}
