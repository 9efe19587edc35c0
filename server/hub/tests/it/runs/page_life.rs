//! What a page does by itself: its errors, what it tells, what it makes of itself.

use super::driven::Browser;
use super::page::Page;
use super::trace::trace;
use super::{agent, open};
use crate::talk::until;
use crate::world::{Endpoint, World, each_store};
use hub::{Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::log::{EntryBody, Sender};
use protocol::page::{PageError, PageErrorKind, SkinPage};
use protocol::view::{AgentDraft, AgentView, LoopSettings, Repairs, SkinOrigin};
use protocol::{ConversationId, FailureKind};
use serde_json::{Value, json};
use std::time::Duration;

/// A person's agent and the browser that shows it.
async fn shown(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, Browser) {
    let viewer = world.person("ada").await;
    let agent = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let mut browser = Browser::new(open(world, &viewer, "tab-1"), Page::default());
    browser.show(&agent.id).await;
    (viewer, agent, browser)
}

fn problem(message: &str) -> PageError {
    let message = message.to_owned();
    PageError { kind: PageErrorKind::Exception, message, source: None, line: Some(3), count: 2 }
}

fn page(body: &str) -> SkinPage {
    SkinPage { body: body.to_owned(), ..SkinPage::default() }
}

async fn said_by(world: &World, viewer: &Viewer, agent: &AgentView, wanted: &Sender) -> usize {
    let entries = world.hub.for_viewer(viewer).conversations().entries(&agent.id, 0).await.unwrap();
    let is = |body: &EntryBody| matches!(body, EntryBody::Message { from, .. } if from == wanted);
    entries.iter().filter(|entry| is(&entry.body)).count()
}

#[tokio::test]
async fn errors_of_a_page_are_repaired_once_and_at_most_three_times_while_nobody_speaks() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for message in ["one", "two", "three"] {
            for _ in 0..2 {
                browser.tab.page_problems(&agent.id, &[problem(message)]).await.unwrap();
            }
            let trace = trace(&browser.until_finished().await);
            let told = "The page reported errors:\\n- exception: MESSAGE, line 3 (2 times)";
            let expected = format!("message page errors \"{}\"\n", told.replace("MESSAGE", message));
            assert!(trace.starts_with(&expected), "{trace}");
        }
        assert_eq!(said_by(&world, &viewer, &agent, &Sender::PageErrors).await, 3);

        browser.tab.page_problems(&agent.id, &[problem("four")]).await.unwrap();
        let noted = scoped.conversations().entries(&agent.id, 0).await.unwrap().pop().unwrap().body;
        assert!(matches!(&noted, EntryBody::PageErrors { text } if text.contains("four")), "{noted:?}");
        scoped.runs().repair(&agent.id, None).await.unwrap();
        let trace = trace(&browser.until_finished().await);
        assert!(trace.contains("message page errors") && trace.contains("four"), "{trace}");

        scoped.runs().send_message(&agent.id, "Go on", None, None).await.unwrap();
        browser.until_finished().await;
        browser.tab.page_problems(&agent.id, &[problem("five")]).await.unwrap();
        browser.until_finished().await;
        assert_eq!(said_by(&world, &viewer, &agent, &Sender::PageErrors).await, 5);
    })
    .await;
}

#[tokio::test]
async fn only_the_stage_tells_of_errors_and_of_what_the_page_became() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: draw", None, None).await.unwrap();
        browser.until_finished().await;
        let drawn = scoped.skins().current(&agent.id).await.unwrap().unwrap();
        let mut stage = Browser::new(open(&world, &viewer, "tab-2"), Page::default());
        stage.show(&agent.id).await;
        browser.tab.page_problems(&agent.id, &[problem("one")]).await.unwrap();
        browser.tab.page_snapshot(&agent.id, drawn.version, &page("away")).await.unwrap();
        stage.tab.page_snapshot(&agent.id, drawn.version - 1, &page("old")).await.unwrap();
        stage.tab.page_snapshot(&agent.id, drawn.version, &drawn.page).await.unwrap();
        assert_eq!(said_by(&world, &viewer, &agent, &Sender::PageErrors).await, 0);
        assert_eq!(scoped.skins().current(&agent.id).await.unwrap().unwrap(), drawn);

        stage.tab.page_snapshot(&agent.id, drawn.version, &page("grown")).await.unwrap();
        let grown = scoped.skins().current(&agent.id).await.unwrap().unwrap();
        assert_eq!((grown.version, grown.page), (drawn.version + 1, page("grown")));
    })
    .await;
}

#[tokio::test]
async fn what_a_page_makes_of_itself_takes_one_version_and_any_version_comes_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: draw", None, None).await.unwrap();
        browser.until_finished().await;
        let drawn = scoped.skins().current(&agent.id).await.unwrap().unwrap();
        for step in 0..5 {
            let body = page(&format!("step {step}"));
            browser.tab.page_snapshot(&agent.id, drawn.version + step, &body).await.unwrap();
        }
        let versions = async || -> Vec<(u64, SkinOrigin)> {
            let all = scoped.skins().versions(&agent.id).await.unwrap();
            all.into_iter().map(|version| (version.version, version.origin)).collect()
        };
        let run = |version| (version, SkinOrigin::Run);
        let last = (drawn.version + 5, SkinOrigin::Page);
        assert_eq!(versions().await, [last, run(drawn.version), run(drawn.version - 1)]);
        let newest = scoped.skins().versions(&agent.id).await.unwrap().remove(0);
        assert_eq!(newest.device.as_deref(), Some("A program"));
        // Only what a run drew came about in a conversation.
        let named = async || -> Vec<Option<(ConversationId, String)>> {
            let all = scoped.skins().versions(&agent.id).await.unwrap().into_iter();
            all.map(|version| version.conversation.map(|named| (named.id, named.title))).collect()
        };
        let here = Some((agent.conversation.clone(), "script: draw".to_owned()));
        assert_eq!(named().await, [None, here.clone(), here]);

        let restored = scoped.skins().restore(&agent.id, drawn.version).await.unwrap();
        assert_eq!(restored, drawn.version + 6);
        assert_eq!(scoped.skins().current(&agent.id).await.unwrap().unwrap().page, drawn.page);
        assert_eq!(scoped.skins().restore(&agent.id, drawn.version).await.unwrap(), restored);
        assert_eq!(versions().await[0], (restored, SkinOrigin::Person));
        let still = scoped.skins().still(&agent.id, Some(last.0)).await.unwrap().unwrap();
        assert!(still.contains("step 4"), "{still}");
        assert_eq!(scoped.skins().still(&agent.id, Some(last.0 - 1)).await.unwrap(), None);
        let missing = scoped.skins().restore(&agent.id, 999).await.unwrap_err().into_failure();
        assert_eq!(missing.to_string(), "There is no such version.");
    })
    .await;
}

#[tokio::test]
async fn a_hundred_versions_are_kept() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: draw", None, None).await.unwrap();
        browser.until_finished().await;
        for _ in 0..60 {
            let version = scoped.skins().current(&agent.id).await.unwrap().unwrap().version;
            browser.tab.page_snapshot(&agent.id, version, &page(&format!("from {version}"))).await.unwrap();
            scoped.skins().restore(&agent.id, version).await.unwrap();
        }
        let versions = scoped.skins().versions(&agent.id).await.unwrap();
        assert_eq!((versions.len(), versions[0].version), (100, 122));
    })
    .await;
}

#[tokio::test]
async fn what_a_page_emits_wakes_nobody_and_is_read_by_the_next_run() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for n in 0..3 {
            browser.tab.page_emit(&agent.id, "moved", &json!(n)).await.unwrap();
        }
        for n in 0..20 {
            browser.tab.page_emit(&agent.id, &format!("name {n:02}"), &Value::Null).await.unwrap();
        }
        browser.tab.page_emit(&agent.id, "moved", &json!({ "to": 7 })).await.unwrap();
        assert!(scoped.conversations().entries(&agent.id, 0).await.unwrap().is_empty());

        let after = world.reopened().await;
        let scoped = after.for_viewer(&viewer);
        let mut tab = after.open_tab(viewer.clone(), "tab-1".into()).unwrap();
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, "What did I do?", None, None).await.unwrap();
        let first = super::until_finished(&mut tab).await;
        let told: Vec<&str> = first
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Message { from: Sender::PageEmit { .. }, text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!((told.len(), told.contains(&"moved: {\"to\":7}")), (16, true), "{told:?}");
        let asked = endpoint.requests().await.pop().unwrap()["body"]["messages"][0].to_string();
        let (moved, question) = (asked.find("[page told: moved]"), asked.find("What did I do?"));
        assert!(moved.is_some() && moved < question, "{asked}");

        scoped.runs().send_message(&agent.id, "And now?", None, None).await.unwrap();
        let second = trace(&super::until_finished(&mut tab).await);
        assert!(!second.contains("page told"), "{second}");
    })
    .await;
}

#[tokio::test]
async fn a_tab_that_writes_without_end_is_refused_in_words_and_what_was_kept_stays() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, browser) = shown(&world, &endpoint).await;
        // More is allowed with time, and none passes.
        world.clock.stand_still();
        let writes = (0..2_000).map(|n| browser.tab.set_state(&agent.id, "n".to_owned(), json!(n)));
        let outcomes = futures_util::future::join_all(writes).await;
        let kept = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        // On a busy machine some do not get to the database in time.
        let mut refused = outcomes.into_iter().filter_map(Result::err).map(hub::Error::into_failure);
        let refused = refused.find(|failure| failure.kind == FailureKind::Limit).expect("there is a limit");
        assert!(refused.message.contains("was not kept"), "{refused}");
        let scoped = world.hub.for_viewer(&viewer);
        let (mut written, mut after) = (Vec::new(), 0);
        while let Some(page) = Some(scoped.conversations().entries(&agent.id, after).await.unwrap())
            .filter(|page| !page.is_empty())
        {
            after = page.last().unwrap().seq;
            written.extend(page.into_iter().filter_map(|entry| match entry.body {
                EntryBody::State { value, .. } => Some(value),
                _ => None,
            }));
        }
        assert_eq!(written.len(), kept);
        assert_eq!(scoped.states().read(&agent.id).await.unwrap().get("n"), written.last());
        // Whatever the page says.
        let moved = json!(1);
        let told = (0..2_000).map(|_| browser.tab.page_emit(&agent.id, "moved", &moved));
        let refused = futures_util::future::join_all(told).await.into_iter().find_map(Result::err);
        let refused = refused.expect("there is one limit").into_failure();
        assert!(refused.message.contains("was not kept"), "{refused}");
        let other = open(&world, &viewer, "tab-2");
        kept_at_last(&other, &agent, "m").await;
        world.clock.advance(Duration::from_secs(1));
        kept_at_last(&browser.tab, &agent, "n").await;
    })
    .await;
}

/// What the log says of this key, oldest first, as `value` or `superseded`.
async fn written(world: &World, viewer: &Viewer, agent: &AgentView, wanted: &str) -> Vec<String> {
    let entries = world.hub.for_viewer(viewer).conversations().entries(&agent.id, 0).await.unwrap();
    let said = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::State { key, superseded: true, value: Value::Null } if key == wanted => {
            Some("superseded".to_owned())
        }
        EntryBody::State { key, superseded: false, value } if key == wanted => Some(value.to_string()),
        _ => None,
    });
    said.collect()
}

#[tokio::test]
async fn a_value_that_is_there_already_writes_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, browser) = shown(&world, &endpoint).await;
        let set = |value: Value| browser.tab.set_state(&agent.id, "n".to_owned(), value);
        for value in [json!(null), json!({ "a": [1] }), json!({ "a": [1] }), json!(2), json!(2)] {
            set(value).await.unwrap();
        }
        assert_eq!(written(&world, &viewer, &agent, "n").await, ["superseded", "2"]);
        set(json!(null)).await.unwrap();
        set(json!(null)).await.unwrap();
        assert_eq!(written(&world, &viewer, &agent, "n").await, ["superseded", "superseded", "null"]);
        assert!(browser.tab.set_state(&agent.id, String::new(), json!(null)).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn what_a_page_wrote_over_is_let_go_of_and_the_log_has_no_gap() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for n in 0..5 {
            browser.tab.set_state(&agent.id, "n".to_owned(), json!("x".repeat(1_000 + n))).await.unwrap();
            browser.tab.set_state(&agent.id, "m".to_owned(), json!(n)).await.unwrap();
        }
        // What a run writes is what it did, and stays.
        for n in [7, 8] {
            let turns = json!([
                [{ "tool": "state", "input": { "action": "set", "key": "m", "value": n } }], [{ "text": "Done." }],
            ]);
            scoped.runs().send_message(&agent.id, &format!("turns: {turns}"), None, None).await.unwrap();
            browser.until_finished().await;
        }
        browser.tab.set_state(&agent.id, "m".to_owned(), json!(9)).await.unwrap();
        let last = json!("x".repeat(1_004)).to_string();
        let four = vec!["superseded".to_owned(); 4];
        assert_eq!(written(&world, &viewer, &agent, "n").await, [four.clone(), vec![last]].concat());
        let runs = ["superseded", "7", "8", "9"].map(str::to_owned).to_vec();
        assert_eq!(written(&world, &viewer, &agent, "m").await, [four, runs].concat());
        let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let seqs: Vec<u64> = entries.iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=u64::try_from(entries.len()).unwrap()).collect::<Vec<_>>());
        assert_eq!(scoped.states().read(&agent.id).await.unwrap()["m"], json!(9));
    })
    .await;
}

#[tokio::test]
async fn all_pages_of_an_agent_write_so_many_bytes_and_more_with_time() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, browser) = shown(&world, &endpoint).await;
        let mut kept = 0;
        let refused = loop {
            // Time enough for each tab to write again, and for a few of these bytes.
            world.clock.advance(Duration::from_millis(25));
            let value = format!("{kept:06}{}", "x".repeat(60_000));
            let tab = open(&world, &viewer, "another");
            match tab.set_state(&agent.id, "n".to_owned(), json!(value)).await {
                Ok(()) => kept += 1,
                Err(error) => break error.into_failure(),
            }
        };
        assert!((250..=300).contains(&kept), "{kept}");
        assert_eq!(refused.kind, FailureKind::Limit);
        assert!(refused.message.contains("Write less, or again in"), "{refused}");
        let told = browser.tab.page_emit(&agent.id, "moved", &json!("x".repeat(60_000))).await;
        assert!(told.is_err(), "there is one allowance for all that a page says");
        browser.tab.set_state(&agent.id, "small".to_owned(), json!(1)).await.unwrap();
        world.clock.advance(Duration::from_secs(60));
        browser.tab.set_state(&agent.id, "n".to_owned(), json!("x".repeat(60_000))).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn errors_of_a_page_wake_nobody_whose_person_wants_to_be_asked() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let settings = LoopSettings { repairs: Repairs::Asked, ..agent.loop_settings.clone() };
        scoped.agents().edit(&agent.id, draft_of(&agent, settings)).await.unwrap();
        browser.tab.page_problems(&agent.id, &[problem("one")]).await.unwrap();
        let noted = scoped.conversations().entries(&agent.id, 0).await.unwrap().pop().unwrap().body;
        assert!(matches!(&noted, EntryBody::PageErrors { text } if text.contains("one")), "{noted:?}");
        scoped.runs().repair(&agent.id, None).await.unwrap();
        browser.until_finished().await;
        assert_eq!(said_by(&world, &viewer, &agent, &Sender::PageErrors).await, 1);
    })
    .await;
}

#[tokio::test]
async fn errors_of_a_page_are_known_and_counted_though_what_came_since_is_packed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (conversations, runs) = (scoped.conversations(), scoped.runs());
        let asked = LoopSettings { repairs: Repairs::Asked, ..agent.loop_settings.clone() };
        scoped.agents().edit(&agent.id, draft_of(&agent, asked)).await.unwrap();
        browser.tab.page_problems(&agent.id, &[problem("one")]).await.unwrap();
        for _ in 0..3 {
            runs.repair(&agent.id, None).await.unwrap();
            browser.until_finished().await;
        }
        conversations.pin(&agent.conversation, true).await.unwrap();
        conversations.create(&agent.id).await.unwrap();
        runs.send_message(&agent.id, "Go on", None, None).await.unwrap();
        browser.until_finished().await;
        browser.tab.page_problems(&agent.id, &[problem("two")]).await.unwrap();
        conversations.create(&agent.id).await.unwrap();
        let ms = 40_i64 * 24 * 60 * 60 * 1000;
        let old = format!(
            "UPDATE conversations SET created_at = created_at - {ms}, used_at = used_at - {ms}
             WHERE agent_id = '{}'",
            agent.id.0
        );
        world.execute(&old).await;
        conversations.pack_after(Some(30)).await.unwrap();
        until(async || conversations.packed().await.unwrap().conversations == 1).await;

        runs.repair(&agent.id, None).await.unwrap();
        let repaired = trace(&browser.until_finished().await);
        assert!(repaired.contains("message page errors") && repaired.contains("two"), "{repaired}");
        assert_eq!(conversations.packed().await.unwrap().conversations, 1, "nobody opened it");
        world.execute("UPDATE packed_conversations SET digest = digest || 'x'").await;
        runs.repair(&agent.id, None).await.unwrap();
        let repaired = trace(&browser.until_finished().await);
        assert!(repaired.contains("exception: one"), "what is damaged is left out: {repaired}");

        // The three of long ago do not count.
        let alone = LoopSettings { repairs: Repairs::Alone, ..agent.loop_settings.clone() };
        scoped.agents().edit(&agent.id, draft_of(&agent, alone)).await.unwrap();
        browser.tab.page_problems(&agent.id, &[problem("three")]).await.unwrap();
        let repaired = trace(&browser.until_finished().await);
        assert!(repaired.contains("three"), "{repaired}");
    })
    .await;
}

fn draft_of(agent: &AgentView, loop_settings: LoopSettings) -> AgentDraft {
    AgentDraft {
        name: agent.name.clone(),
        colour: agent.colour.clone(),
        provider: agent.provider.clone().unwrap().0,
        model: agent.model.clone(),
        tools: agent.tools.clone(),
        home: agent.home,
        loop_settings,
        ..AgentDraft::default()
    }
}

#[tokio::test]
async fn always_for_a_host_covers_no_address_that_strangers_may_have_written() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let covered = async |url: &str| scoped.permissions().covers_link(&agent.id, url).await.unwrap();
        assert!(covered("https://a.example/?d=secret").await);

        // What a page says, anybody may have written.
        browser.tab.page_notify(&agent.id, "saw", &json!("words of strangers")).await.unwrap();
        browser.until_finished().await;
        for (url, expected) in [
            ("https://a.example", true),
            ("https://a.example/", true),
            ("https://a.example/?d=secret", false),
            ("https://a.example?d=secret", false),
            ("https://a.example/secret", false),
            ("https://a.example/#secret", false),
            ("https://secret@a.example/", false),
        ] {
            assert_eq!(covered(url).await, expected, "{url}");
        }

        scoped
            .runs()
            .send_message(&agent.id, "Look at https://a.example/secret please", None, None)
            .await
            .unwrap();
        browser.until_finished().await;
        assert!(covered("https://a.example/secret").await);
        assert!(!covered("https://a.example/secret2").await);
    })
    .await;
}

/// Writes as often as the database of a busy machine does not answer; no limit may be in the way.
async fn kept_at_last(tab: &Tab, agent: &AgentView, key: &str) {
    while let Err(error) = tab.set_state(&agent.id, key.to_owned(), json!("again")).await {
        let failure = error.into_failure();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
    }
}
