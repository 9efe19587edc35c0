//! What one person does at all limits: others do not notice.

use crate::archives::noise_text;
use crate::archives::zipped::Zipped;
use crate::providers::server::{Server, json as json_answer};
use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::{Error, LONGEST_WAIT};
use protocol::agent::ProviderKind;
use protocol::log::Outcome;
use protocol::view::{AgentDraft, Share, Status};
use serde_json::{Value, json};
use std::time::Duration;

/// Where a text stands in what somebody sends in, and what it does to a parser that believes that `style` and
/// the like hold no markup wherever they stand.
fn written_against_the_parser() -> Vec<String> {
    let tags = |tag: &str| tag.repeat(10_000);
    vec![
        format!("<svg><style><p>{}", tags("<q>")),
        format!("<svg><title>{}", tags("<q>")),
        format!("<math><title>{}", tags("<g>")),
        format!("<svg><style>{}</style>{}", tags("<g>"), tags("<a><p>")),
        (0..50_000).map(|n| format!("<b id={n}>")).collect(),
    ]
}

#[tokio::test]
async fn a_page_that_is_written_against_the_parser_is_refused_and_the_hub_goes_on() {
    on_sqlite(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        // What comes with it keeps it within what an archive may become when it is unpacked.
        let noise = String::from_utf8(noise_text(20_000)).unwrap();
        for html in written_against_the_parser() {
            let html = format!("{html}{noise}");
            let state = json!({ "viewportHtml": html, "listeners": [] }).to_string();
            let viewport = b"<div id=agent-viewport>".as_slice();
            for archive in [
                Zipped::new().with("srcdoc.html", html.as_bytes()),
                Zipped::new().with("srcdoc.html", viewport).with("files/_dom_state.json", state.as_bytes()),
                Zipped::new().with("srcdoc.html", b"<p>").with("files/skins/x.srcdoc", html.as_bytes()),
            ] {
                let archive = archive.with("manifest.yaml", b"name: A\nversion: 1\n").bytes();
                let id = theirs.archives().upload("x", &archive).await.unwrap().archive;
                let error = match theirs.archives().create(&id, draft()).await {
                    Ok(agent) => theirs.skins().load(&agent.id, "x").await.unwrap_err(),
                    Err(error) => error,
                };
                let start: String = html.chars().take(30).collect();
                assert!(matches!(error, Error::Invalid(_)), "{start}: {error:?}");
                assert!(error.to_string().contains("The page cannot be read"), "{start}: {error}");
                assert_eq!(hers.agents().list().await.unwrap(), []);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_small_archive_does_not_become_large_in_memory() {
    on_sqlite(async |world: World| {
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        let many: Vec<Value> = vec![json!({ "": 0 }); 200_000];
        let keys = json!({ "keys": [{ "key": "k", "value": many }] }).to_string();
        let inside = json!({ "keys": [{ "key": "__flo_state", "value": json!({ "state": { "a": many } }).to_string() }] });
        let heard = json!({ "listeners": many }).to_string();
        let named = b"name: A\nversion: 1\nentryPoints: { storage: keys.json }\n".as_slice();
        let plain = b"name: A\nversion: 1\n".as_slice();
        for (manifest, file, text) in [
            (named, "keys.json", &keys),
            (named, "keys.json", &inside.to_string()),
            (plain, "files/_dom_state.json", &heard),
            (plain, "schedules.json", &json!(many).to_string()),
        ] {
            let archive =
                Zipped::new().with("manifest.yaml", manifest).with(file, &pad(text)).bytes();
            let id = theirs.archives().upload("x", &archive).await.unwrap().archive;
            let error = theirs.archives().review_stored(&id).await.unwrap_err();
            assert!(error.to_string().contains("more than 200000 values"), "{file}: {error}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_provider_s_list_of_models_does_not_become_large_in_memory() {
    on_sqlite(async |world: World| {
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        let model = json!({ "id": "own", "about": vec![json!({ "": 0 }); 200_000] });
        let list = json!({ "object": "list", "data": [model] }).to_string();
        let server = Server::start(move |_| json_answer(200, &list)).await;
        let kind = ProviderKind::OpenAi;
        let saved =
            theirs.providers().save(None, "Own", kind, Some(&server.url), Some("sk-own")).await.unwrap();
        let probe =
            theirs.providers().test(kind, Some(&server.url), None, Some(&saved.id), None).await.unwrap();
        assert!(!probe.ok, "{probe:?}");
    })
    .await;
}

#[tokio::test]
async fn forty_agents_of_one_person_that_hang_and_loop_hold_up_nobody_else_s() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada, eve) =
            (world.admin("root").await, world.person("ada").await, world.person("eve").await);
        let (admin, hers, theirs) =
            (world.hub.as_admin(&root).unwrap(), world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let kind = ProviderKind::OpenAi;
        let provider = world.hub.for_viewer(&root);
        let provider =
            provider.providers().save(None, "Ours", kind, Some(&endpoint.url), Some("key-good")).await;
        let provider = provider.unwrap().id;
        admin.providers().put(&provider, &Share { everyone: true, ..Share::default() }).await.unwrap();
        let draft = Definition::named("A").model(&provider, "gpt-5-mini").tools(["runjs"]).draft();
        let looping = json!([[{ "tool": "runjs", "input": { "code": "while (true) {}" } }], "hang"]);
        for turns in [looping, json!(["hang"])] {
            for _ in 0..20 {
                let agent = theirs.agents().create(draft.clone()).await.unwrap();
                let asked =
                    theirs.runs().ask(&agent.id, &format!("turns: {turns}"), None, Duration::ZERO).await;
                assert_eq!(asked.unwrap().outcome, None);
            }
        }
        let agent = hers.agents().create(draft).await.unwrap();
        let turns =
            json!([[{ "tool": "runjs", "input": { "code": "return 40 + 2" } }], [{ "text": "{results}" }]]);
        let answered =
            hers.runs().ask(&agent.id, &format!("turns: {turns}"), None, LONGEST_WAIT).await.unwrap();
        assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
        assert!(answered.text.contains("42"), "{}", answered.text);
        let busy = theirs.agents().list().await.unwrap();
        assert!(busy.iter().all(|agent| agent.status == Status::Running), "{busy:?}");
    })
    .await;
}

/// So much that it does not pack better than an archive may.
fn pad(text: &str) -> Vec<u8> {
    let noise = String::from_utf8(noise_text(100_000)).unwrap();
    match text.strip_prefix('{') {
        Some(rest) => format!("{{\"noise\":\"{noise}\",{rest}").into_bytes(),
        None => text.replacen("{\"\":0}", &format!("{{\"{noise}\":0}}"), 1).into_bytes(),
    }
}

fn draft() -> AgentDraft {
    Definition::named("A").draft()
}
