//! Runs whose model the browser calls with a key of its person's: the money is held before, and a run
//! without its key waits and says where.

use super::driven::Browser;
use super::page::Page;
use super::trace::{self, trace};
use super::{agent_with, open, outcome};
use crate::world::{World, each_store};
use hub::Viewer;
use protocol::Caps;
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::model::{Block, BlockKind, ModelEvent, ModelFailureKind, StopReason, Usage};
use protocol::run::{Effect, KeyLack, RunAsk, RunReply};
use protocol::view::{AgentView, When};
use protocol::{FailureKind, Micros, RunId, TabId};

const TAB: &str = "tab-1";

async fn agent(world: &World, viewer: &Viewer, home: Home) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    let provider = scoped
        .providers()
        .save_device_key_provider(None, "Mine", ProviderKind::Anthropic, None)
        .await
        .unwrap();
    agent_with(world, viewer, provider.id, "claude-sonnet-4-5", home).await
}

async fn granted(world: &World, viewer: &Viewer, agent: &AgentView) -> (Browser, RunId, String) {
    let mut browser = Browser::new(open(world, viewer, TAB), Page::default());
    browser.show(&agent.id).await;
    let scoped = world.hub.for_viewer(viewer);
    scoped.runs().send_message(&agent.id, "Hello", None, Some(&TabId::from(TAB))).await.unwrap();
    let (run, token) = browser.grant_without_driving().await;
    (browser, run, token)
}

#[tokio::test]
async fn what_a_call_used_is_paid_by_the_price_of_its_model() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.ledger().limit_agent(&agent.id, &ever(1_000_000)).await.unwrap();
        let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
        browser.ask_as(&run, &token, hold(1)).await;
        assert_eq!(held(&mut browser).await, (1, None));
        let usage = Usage { input: 1_000, output: 100, ..Usage::default() };
        for ask in reply(usage) {
            browser.ask_as(&run, &token, ask).await;
        }
        let entries = browser.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
        let usage = scoped.ledger().usage().await.unwrap();
        let lines: Vec<_> = usage.models.iter().map(|line| (line.calls, line.unpriced)).collect();
        assert_eq!(lines, [(1, 0)]);
        assert!(usage.models[0].cost > Micros(0), "{usage:?}");
    })
    .await;
}

#[tokio::test]
async fn a_limit_stops_a_call_before_the_browser_makes_it() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.ledger().limit_agent(&agent.id, &ever(1)).await.unwrap();
        let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
        browser.ask_as(&run, &token, hold(7)).await;
        let (call, refused) = held(&mut browser).await;
        assert_eq!(call, 7);
        assert!(refused.is_some_and(|why| why.contains("may spend")));
    })
    .await;
}

#[tokio::test]
async fn a_run_that_waits_for_its_key_says_so_once_on_every_device() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        let mut phone = open(&world, &viewer, "phone");
        phone.follow(&agent.id, 0).await.unwrap();
        for _ in 0..2 {
            browser.ask_as(&run, &token, wanted(KeyLack::Locked)).await;
        }
        browser.ask_as(&run, &token, hold(1)).await;
        for ask in reply(Usage::default()) {
            browser.ask_as(&run, &token, ask).await;
        }
        let told = notices(&trace::until_finished(&mut phone).await);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("Mine") && told[0].contains("Unlock it there"), "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn a_tab_that_says_by_turns_what_its_key_lacks_is_heard_once_for_each_until_the_model_answers() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
        let fuss = || [wanted(KeyLack::Locked), wanted(KeyLack::Missing), hold(1)];
        for ask in std::iter::repeat_with(fuss).take(10).flatten() {
            browser.ask_as(&run, &token, ask).await;
        }
        let mut answer = reply(Usage::default());
        let finish = answer.pop().unwrap();
        for ask in answer {
            browser.ask_as(&run, &token, ask).await;
        }
        for ask in std::iter::repeat_with(fuss).take(10).flatten() {
            browser.ask_as(&run, &token, ask).await;
        }
        browser.ask_as(&run, &token, finish).await;
        let told = notices(&browser.until_finished().await);
        let lacks: Vec<_> = told.iter().map(|text| text.contains("is locked on")).collect();
        assert_eq!(lacks, [true, false, true, false], "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn a_run_whose_key_is_elsewhere_names_that_device() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let provider = agent.provider.clone().unwrap();
        let laptop = world
            .hub
            .accounts()
            .sign_in("ada", crate::world::PASSWORD, LAPTOP)
            .await
            .unwrap()
            .done()
            .unwrap()
            .viewer;
        world.hub.for_viewer(&laptop).providers().note_kept_key(&provider).await.unwrap();
        let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
        browser.ask_as(&run, &token, wanted(KeyLack::Missing)).await;
        world.hub.for_viewer(&viewer).runs().stop(&agent.id).await.unwrap();
        browser.ask_as(&run, &token, effect(Effect::Finish { ordinal: 0, outcome: Outcome::Stopped })).await;
        let told = notices(&browser.until_finished().await);
        assert!(told[0].contains("It is kept on Firefox on Linux"), "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn a_run_that_waits_for_its_key_outlives_its_tab() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        browser.ask_as(&run, &token, wanted(KeyLack::Locked)).await;
        browser.tab.leave();
        drop(browser);
        let mut again = Browser::new(open(&world, &viewer, "tab-2"), Page::default());
        again.show(&agent.id).await;
        let (same, token) = again.grant_without_driving().await;
        assert_eq!(same, run);
        for ask in reply(Usage::default()) {
            again.ask_as(&run, &token, ask).await;
        }
        let entries = again.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
    })
    .await;
}

#[tokio::test]
async fn a_run_that_waits_for_its_key_goes_on_where_the_key_is() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.providers().note_kept_key(&agent.provider.clone().unwrap()).await.unwrap();
        let phone = world
            .hub
            .accounts()
            .sign_in("ada", crate::world::PASSWORD, LAPTOP)
            .await
            .unwrap()
            .done()
            .unwrap()
            .viewer;
        let mut without = Browser::new(open(&world, &phone, "phone"), Page::default());
        without.show(&agent.id).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        browser.ask_as(&run, &token, wanted(KeyLack::Locked)).await;
        browser.tab.leave();
        drop(browser);
        let mut again = Browser::new(open(&world, &viewer, "tab-2"), Page::default());
        again.show(&agent.id).await;
        let (same, token) = again.grant_without_driving().await;
        assert_eq!(same, run);
        for ask in reply(Usage::default()) {
            again.ask_as(&run, &token, ask).await;
        }
        let entries = again.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
        assert!(!without.is_driving());
    })
    .await;
}

#[tokio::test]
async fn a_run_without_such_a_key_cannot_ask_for_one() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let near =
            scoped.providers().save_device_provider(None, "Near", ProviderKind::Ollama, None).await.unwrap();
        let agent = agent_with(&world, &viewer, near.id, "llama3", Home::Browser).await;
        for ask in [hold(1), wanted(KeyLack::Locked)] {
            let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
            browser.ask_as(&run, &token, ask).await;
            let entries = browser.until_finished().await;
            assert!(matches!(outcome(&entries), Outcome::Interrupted { .. }), "{}", trace(&entries));
        }
    })
    .await;
}

#[tokio::test]
async fn the_hub_says_that_it_has_no_such_key_and_what_to_do() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Hub).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, TAB);
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        let entries = trace::until_finished(&mut tab).await;
        let Outcome::Failed { failure } = outcome(&entries) else { panic!("{}", trace(&entries)) };
        assert_eq!(failure.kind, ModelFailureKind::NotConfigured);
        assert!(failure.message.contains("key of Mine is kept on your devices"), "{}", failure.message);

        scoped.runs().move_agent(&agent.id, Home::Browser, When::After, None).await.unwrap();
        let refused = scoped.runs().move_agent(&agent.id, Home::Hub, When::After, None).await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::Conflict);
    })
    .await;
}

const LAPTOP: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

/// What the run says of the key that it waits for.
fn notices(entries: &[Entry]) -> Vec<String> {
    let said = |entry: &Entry| match &entry.body {
        EntryBody::Notice { kind: NoticeKind::KeyWanted, text, .. } => Some(text.clone()),
        _ => None,
    };
    entries.iter().filter_map(said).collect()
}

async fn held(browser: &mut Browser) -> (u64, Option<String>) {
    loop {
        if let HubFrame::Run { reply: RunReply::Held { call, refused }, .. } =
            trace::next(&mut browser.tab).await
        {
            return (call, refused);
        }
    }
}

fn ever(limit: i64) -> Caps {
    Caps { ever: Some(Micros(limit)), ..Caps::default() }
}

fn hold(call: u64) -> RunAsk {
    RunAsk::Hold { call, tokens: 2_000, aside: false }
}

fn wanted(lack: KeyLack) -> RunAsk {
    RunAsk::KeyWanted { lack }
}

fn effect(effect: Effect) -> RunAsk {
    RunAsk::Effect { effect }
}

/// A whole reply that used so much, and the end of the run.
fn reply(usage: Usage) -> Vec<RunAsk> {
    let told = |event| RunAsk::Told { turn: 0, event };
    let text = || Block::Text { text: String::new() };
    let append = |ordinal, body| effect(Effect::Append { ordinal, body });
    vec![
        told(ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text }),
        told(ModelEvent::BlockFinished { index: 0, block: text() }),
        told(ModelEvent::Usage { usage }),
        told(ModelEvent::Stopped { reason: StopReason::EndTurn }),
        append(0, EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn }),
        effect(Effect::Finish { ordinal: 1, outcome: Outcome::Completed }),
    ]
}
