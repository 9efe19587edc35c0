//! Secrets that an agent asks for: what its person enters goes into the vault, from there to the one server that they
//! were shown, and to nobody else.

use super::{reply, results, until_asked, words};
use crate::approvals::add_rule;
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::trace::next;
use crate::runs::{agent, open};
use crate::world::{Definition, Endpoint, Sink, World, each_store_with_a_web};
use hub::{Hub, OpenedAgents, Tab, Viewer, Words};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{Approval, ApprovalOutcome, Decision};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody};
use protocol::question::{Answer, AnswerDraft, Wanted};
use protocol::view::{Network, TokenScope};
use protocol::{AgentId, FailureKind, page};
use serde_json::{Value, json};

const SECRET: &str = "moss-secret-0123456789";

struct Scene {
    viewer: Viewer,
    agent: AgentId,
    tab: Tab,
    /// Gives back what it was sent.
    own: Sink,
    /// Leads on to the other one.
    leading: Sink,
    other: Sink,
    endpoint: Endpoint,
}

impl Scene {
    async fn begin(world: &World) -> Self {
        let endpoint = Endpoint::start();
        // The secret stands where a header is cut.
        let head = format!("content-type: text/plain\r\nlink: {}{SECRET}\r\n", "m".repeat(490));
        let own = Sink::saying("200 OK", &head, b"You are let in with moss-secret-0123456789.");
        let other = Sink::start("Thank you.");
        let leading = Sink::leading(&other.url("/taken"));
        let viewer = world.person("ada").await;
        let agent = fetcher(world, &viewer, &endpoint, Home::Hub, &[&own, &other, &leading]).await;
        let mut tab = open(world, &viewer, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        Self { viewer, agent, tab, own, leading, other, endpoint }
    }

    async fn says(&self, world: &World, calls: &[Value]) {
        say(&world.hub, &self.viewer, &self.agent, calls).await;
    }

    /// Has the agent ask for a secret, and enters it.
    async fn enters(&mut self, world: &World, asks: Value, then: &[Value]) -> Approval {
        self.says(world, &[&[asks][..], then].concat()).await;
        let asked = until_asked(&mut self.tab).await;
        reply(&world.hub, &self.viewer, &asked, words(SECRET)).await.unwrap();
        asked
    }

    /// Why the page is told no that fetches with the secret, when its person lets it.
    async fn page_fetches(&mut self, world: &World, url: String) -> String {
        let approvals = world.hub.for_viewer(&self.viewer).approvals();
        self.tab.set_active(Some(self.agent.clone())).await.unwrap();
        let input = json!({ "url": url, "secret": "moss" });
        self.tab.page_call(&self.agent, 9, "fetch".to_owned(), input).await.unwrap();
        loop {
            match next(&mut self.tab).await {
                HubFrame::Answered { id: 9, answer: page::Answer::Error { message } } => return message,
                HubFrame::Answered { answer, .. } => panic!("{answer:?}"),
                HubFrame::Entry { entry: Entry { body: EntryBody::ApprovalAsked { approval }, .. } } => {
                    approvals.answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
                }
                _ => {}
            }
        }
    }

    /// Everything that a tab is told until the run ends, and the entries among it.
    async fn told(&mut self) -> (String, Vec<Entry>) {
        let (mut frames, mut entries) = (String::new(), Vec::new());
        loop {
            let frame = next(&mut self.tab).await;
            frames.push_str(&serde_json::to_string(&frame).unwrap());
            let HubFrame::Entry { entry } = frame else { continue };
            let is_last = matches!(entry.body, EntryBody::RunFinished { .. });
            entries.push(entry);
            if is_last {
                return (frames, entries);
            }
        }
    }
}

/// An agent that may ask, and fetch from these servers, also with the secret `moss`, without being asked about.
async fn fetcher(
    world: &World,
    viewer: &Viewer,
    endpoint: &Endpoint,
    home: Home,
    servers: &[&Sink],
) -> AgentId {
    let view = agent(world, viewer, endpoint, ProviderKind::Anthropic, home).await;
    let tools = Definition::like(&view).tools(["ask_user", "capabilities"]).home(home).draft();
    let scoped = world.hub.for_viewer(viewer);
    scoped.agents().edit(&view.id, tools).await.unwrap();
    let hosts: Vec<String> = servers.iter().map(|server| server.host()).collect();
    for host in &hosts {
        add_rule(&world.hub, viewer, "allow", "fetch", host).await;
    }
    add_rule(&world.hub, viewer, "allow", "fetch", "secret=moss").await;
    scoped.networks().set(&view.id, Network::AllowList { hosts }).await.unwrap();
    view.id
}

async fn say(hub: &Hub, viewer: &Viewer, agent: &AgentId, calls: &[Value]) {
    let mut turns: Vec<Value> = calls.iter().map(|call| json!([call])).collect();
    turns.push(json!([{ "text": "Done." }]));
    let text = format!("turns: {}", Value::from(turns));
    hub.for_viewer(viewer).runs().send_message(agent, &text, None, Some(&"laptop".into())).await.unwrap();
}

fn ask(server: &Sink) -> Value {
    let host = server.url("");
    json!({ "tool": "ask_user", "input": { "question": "What opens it?", "kind": "secret", "name": "moss", "host": host } })
}

fn fetch(url: String) -> Value {
    json!({ "tool": "fetch", "input": { "url": url, "secret": "moss" } })
}

#[tokio::test]
async fn a_secret_is_sent_to_its_server_and_told_to_nobody() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let (here, elsewhere) = (fetch(scene.own.url("/bed")), fetch(scene.other.url("/bed")));
        let known = json!({ "tool": "capabilities", "input": {} });
        let asks = ask(&scene.own);
        let asked = scene.enters(&world, asks, &[here, elsewhere, known]).await;
        let (frames, entries) = scene.told().await;
        let place = scene.own.url("");
        let wanted = Wanted::Secret {
            name: "moss".to_owned(),
            place: place.clone(),
            header: "authorization".to_owned(),
            scheme: Some("Bearer".to_owned()),
        };
        assert_eq!(asked.question.as_ref().unwrap().wanted, wanted, "the person is shown where it goes");

        let told = results(&entries);
        assert_eq!((&told[0].0["secret"], &told[0].0["host"]), (&json!("moss"), &json!(place)));
        assert_eq!(told[1].0["text"], "You are let in with [key].", "what the server gives back");
        let link = told[1].0["headers"]["link"].as_str().unwrap();
        assert!(link.ends_with("m[key]") && link.len() < 500, "a part of it stays at the cut: {link}");
        assert!(told[2].1 && told[2].0.as_str().unwrap().contains("is sent nowhere else"), "{told:?}");
        assert_eq!(told[3].0["secrets"], json!([{ "name": "moss", "host": place }]));
        let heads = scene.own.heads();
        assert!(
            heads.len() == 1 && heads[0].contains("authorization: bearer moss-secret-0123456789"),
            "{heads:?}"
        );
        assert_eq!(scene.other.heads(), Vec::<String>::new());

        let scoped = world.hub.for_viewer(&scene.viewer);
        let kept = scoped.web_secrets().list(&scene.agent).await.unwrap();
        assert_eq!((kept.len(), kept[0].name.as_str(), &kept[0].place), (1, "moss", &place));
        let log = scoped.conversations().entries(&scene.agent, 0).await.unwrap();
        let is_answer = |entry: &Entry| {
            matches!(
                &entry.body,
                EntryBody::ApprovalSettled {
                    settled: ApprovalOutcome::Answered { answer: Answer::Kept, .. },
                    ..
                }
            )
        };
        assert!(log.iter().any(is_answer), "the log has that it was answered");
        let audit = scoped.audit().calls(&hub::CallsQuery::default()).await.unwrap();
        let read = [
            ("frames", frames),
            ("the log", serde_json::to_string(&log).unwrap()),
            ("what the model is sent", serde_json::to_string(&scene.endpoint.requests().await).unwrap()),
            ("calls", format!("{audit:?}")),
        ];
        for (place, text) in read {
            assert!(text.contains("What opens it?") || place == "calls", "{place} was not looked at");
            assert!(!text.contains("0123456789"), "{place}: {text}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_yes_to_a_host_is_none_to_a_call_that_sends_a_secret_there() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        for rule in scoped.policies().list(&scene.agent).await.unwrap() {
            if rule.about.as_deref() == Some("secret=moss") {
                scoped.policies().delete(&rule.id).await.unwrap();
            }
        }
        let asks = ask(&scene.own);
        scene.enters(&world, asks, &[]).await;
        scene.told().await;

        scene.says(&world, &[fetch(scene.own.url("/"))]).await;
        let asked = until_asked(&mut scene.tab).await;
        assert_eq!(asked.about, Some(format!("{} over http with the secret moss", scene.own.host())));
        assert_eq!(scene.own.heads(), Vec::<String>::new());
        scoped.approvals().answer(&asked.id, &asked.hash, Decision::Always, "").await.unwrap();
        scene.told().await;

        scene.says(&world, &[fetch(scene.own.url("/bed"))]).await;
        let (_, entries) = scene.told().await;
        assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })));
        assert_eq!(scene.own.heads().len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_redirect_elsewhere_does_not_carry_a_secret() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let (asks, led) = (ask(&scene.leading), fetch(scene.leading.url("/")));
        scene.enters(&world, asks, &[led]).await;
        let (_, entries) = scene.told().await;
        assert_eq!(results(&entries)[1].0["text"], "Thank you.");
        assert!(scene.leading.heads()[0].contains(SECRET));
        let heads = scene.other.heads();
        assert!(
            heads.len() == 1 && !heads[0].contains("authorization") && !heads[0].contains(SECRET),
            "{heads:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn nobody_enters_a_secret_but_its_person_and_none_is_asked_for_that_could_not_be_sent() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let asks = ask(&scene.own);
        let with = |name: &str, value: Value| {
            let mut asks = asks.clone();
            asks["input"][name] = value;
            asks
        };
        scene
            .says(
                &world,
                &[
                    with("default", json!(SECRET)),
                    with("host", json!("moss.example")),
                    with("host", json!("http://moss.example")),
                    with("header", json!("cookie")),
                ],
            )
            .await;
        let (_, entries) = scene.told().await;
        let refused = results(&entries);
        assert!(refused.len() == 4 && refused.iter().all(|(_, is_error)| *is_error), "{refused:?}");
        assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })));

        scene.says(&world, std::slice::from_ref(&asks)).await;
        let asked = until_asked(&mut scene.tab).await;
        let scoped = world.hub.for_viewer(&viewer);
        let made = scoped
            .account()
            .make_token("script", TokenScope::Everything, Words::Own, None, OpenedAgents::All)
            .await
            .unwrap();
        let program = world.hub.accounts().bearer(&made.token, "").await.unwrap().unwrap().viewer.unwrap();
        let refused = reply(&world.hub, &program, &asked, words(SECRET)).await.unwrap_err();
        assert_eq!(refused.0, FailureKind::Forbidden, "{refused:?}");
        for text in ["", "moss", "moss secret 0123456789", "moss-secret-0123456789\r\nx-moss: 1"] {
            let refused = reply(&world.hub, &scene.viewer, &asked, words(text)).await.unwrap_err();
            assert_eq!(refused.0, FailureKind::Invalid, "{text:?}: {refused:?}");
        }
        assert_eq!(scoped.web_secrets().list(&scene.agent).await.unwrap(), []);
        let skip = AnswerDraft { skip: true, ..AnswerDraft::default() };
        reply(&world.hub, &scene.viewer, &asked, skip).await.unwrap();
        assert_eq!(results(&scene.told().await.1)[0].0["answered"], false);
        assert_eq!(scoped.web_secrets().list(&scene.agent).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn the_first_answer_holds_until_it_is_forgotten_or_its_agent_is_gone() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let (asks, here) = (ask(&scene.own), fetch(scene.own.url("/")));
        let asked = scene.enters(&world, asks.clone(), &[]).await;
        scene.told().await;
        let late = reply(&world.hub, &viewer, &asked, words("fern-secret-0123456789")).await.unwrap_err();
        assert_eq!(late.0, FailureKind::Conflict, "{late:?}");
        scene.says(&world, std::slice::from_ref(&here)).await;
        scene.told().await;
        assert!(scene.own.heads()[0].contains(SECRET), "a second answer is none");
        let refused = scene.page_fetches(&world, scene.own.url("/")).await;
        assert!(refused.starts_with("A page sends no secret."), "{refused}");
        let scoped = world.hub.for_viewer(&viewer);
        let left = scoped.agents().left_behind(&scene.agent).await.unwrap();
        assert!(left.copy.contains(&"Secrets that it sends: 1.".to_owned()), "{left:?}");
        let copy = scoped.copies().make(&scene.agent).await.unwrap().id;
        assert_eq!(scoped.web_secrets().list(&copy).await.unwrap(), []);
        let eve = world.person("eve").await;
        assert!(world.hub.for_viewer(&eve).web_secrets().list(&scene.agent).await.is_err());
        assert!(world.hub.for_viewer(&eve).web_secrets().forget(&scene.agent, "moss").await.is_err());

        scoped.web_secrets().forget(&scene.agent, "moss").await.unwrap();
        scene.says(&world, &[here]).await;
        let (told, is_error) = results(&scene.told().await.1).pop().unwrap();
        assert!(is_error && told.as_str().unwrap().contains("There is no secret moss"), "{told:?}");
        assert_eq!(scene.own.heads().len(), 1);

        scene.enters(&world, asks, &[]).await;
        scene.told().await;
        scoped.agents().delete(&scene.agent).await.unwrap();
        let store = world.store().await;
        let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM secrets WHERE purpose LIKE 'web secret %'")
            .fetch_one(store.read())
            .await
            .unwrap();
        assert_eq!(left, 0);
    })
    .await;
}

#[tokio::test]
async fn a_run_that_waits_for_a_secret_outlives_its_process_and_its_page() {
    each_store_with_a_web(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home, restarts) in [("ada", Home::Browser, false), ("bo", Home::Hub, true)] {
            let own = Sink::start("Moss.");
            let viewer = world.person(person).await;
            let agent = fetcher(&world, &viewer, &endpoint, home, &[&own]).await;
            let mut laptop = Browser::new(open(&world, &viewer, "laptop"), Page::default());
            laptop.show(&agent).await;
            say(&world.hub, &viewer, &agent, &[ask(&own), fetch(own.url("/"))]).await;
            let asked = loop {
                if let Some(entry) = laptop.step().await
                    && let EntryBody::ApprovalAsked { approval } = entry.body
                {
                    break approval;
                }
            };
            let hub = if restarts { world.reopened().await } else { world.hub.clone() };
            laptop.tab.leave();
            let refused = hub.for_viewer(&viewer).approvals();
            assert!(
                refused.answer(&asked.id, &asked.hash, Decision::Once, "").await.is_err(),
                "a yes is none"
            );
            reply(&hub, &viewer, &asked, words(SECRET)).await.unwrap();
            let mut phone =
                Browser::new(hub.open_tab(viewer.clone(), "phone".into()).unwrap(), Page::default());
            phone.show(&agent).await;
            let entries = phone.until_finished().await;
            assert_eq!(results(&entries).last().unwrap().0["text"], "Moss.", "{home:?}");
            assert!(own.heads()[0].contains(SECRET), "{home:?}");
        }
    })
    .await;
}
