//! Archives: those of flo.monster open and become agents, and an upload is its person's.

mod conversations;
mod exported;
mod others;
mod refused;
mod schedules;
pub mod zipped;

use crate::world::{World, each_store};
use hub::{Error, FileListing, Scoped};
use protocol::AgentId;
use protocol::agent::{Home, Hook, HookAction, HookEvent};
use protocol::archive::ArchiveReview;
use protocol::log::EntryBody;
use protocol::page::Listener;
use protocol::view::{AgentCommand, AgentDraft, AgentView, LoopSettings};
use serde_json::json;
use zipped::fixture;

#[tokio::test]
async fn a_page_with_buttons_opens_as_it_was() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, agent) = import(&scoped, &fixture("counter")).await;
        assert_eq!((review.name.as_str(), review.version.as_str()), ("Counter", "1.2.0"));
        assert_eq!((review.author.as_deref(), review.license.as_deref()), (Some("Somebody"), Some("MIT")));
        assert_eq!(review.draft.tools, ["dom", "runjs", "state"]);
        told(
            &review,
            &[
                "asks for the network ({\"mode\":\"allow-all\"})",
                "budget of 500000 tokens",
                "budget of 2.5 US dollars",
                "model claude-sonnet-4-20250514, which none",
                "It asks for a terminal.",
            ],
        );
        assert_eq!((agent.name.as_str(), agent.max_output_tokens), ("Counter", 8192));
        assert_eq!(agent.instructions.lines().count(), 2);
        let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
        assert!(page.head.contains(".row { display: flex;"), "{}", page.head);
        assert!(page.body.contains("onclick=\"add(1)\"") && page.body.contains("flo.notify('passed'"));
        assert!(!page.body.contains("FLO_BOOTSTRAP"));
        assert_eq!(page.html_attributes["lang"], "en");
        let notes = notes(&scoped, &agent.id).await;
        assert!(
            notes.contains(&"It had a budget of 500000 tokens, which is not kept.".to_owned()),
            "{notes:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_captured_page_wins_over_its_document_and_keeps_its_listeners() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, agent) = import(&scoped, &fixture("todo")).await;
        assert_eq!((review.version.as_str(), review.files, review.draft.tools.len()), ("0.3", 2, 3));
        told(
            &review,
            &[
                "can use the skill flo-srcdoc",
                "needs the skill list-keeping",
                "its file context.json",
                "means nothing here: debounce",
            ],
        );
        let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
        assert!(page.body.contains("<div id=\"agent-viewport\"><h1>Things to do</h1>"), "{}", page.body);
        assert!(page.head.contains("ul { padding-left"));
        let heard =
            |selector: &str, event: &str| Listener { selector: selector.to_owned(), event: event.to_owned() };
        let expected = [heard("#add", "submit"), heard("#list li", "click"), heard("#list li", "dblclick")];
        assert_eq!(page.listeners, expected);
        assert_eq!(paths(&scoped, &agent.id).await, ["context.json", "context.terse.json"]);
        assert_eq!(scoped.agents().message_count(&agent.id).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn state_and_storage_find_their_places() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, notes) = import(&scoped, &fixture("voice-note")).await;
        told(
            &review,
            &[
                "needs the extension com.example.recorder",
                "Its icon is not kept",
                "loads things from fonts.example.com",
                "fields that mean nothing here: screenshots",
                "tools that are not here: flo_unheard_of",
            ],
        );
        assert_eq!((review.state_keys, review.storage_keys, review.rules), (1, 1, 1));
        assert_eq!(
            json!(scoped.states().read(&notes.id).await.unwrap()),
            json!({ "notes": ["Call the plumber"] })
        );
        assert_eq!(scoped.files().read(&notes.id, "about.txt").await.unwrap(), b"Recorded on a walk.\n");

        let (review, watcher) = import(&scoped, &fixture("watcher")).await;
        assert_eq!((review.version.as_str(), review.files), ("2", 2));
        let state = scoped.states().read(&watcher.id).await.unwrap();
        assert_eq!(json!(state), json!({ "place": "Bern", "days": [1, 2, 3] }));
        assert_eq!(scoped.files().read(&watcher.id, "data/rain.csv").await.unwrap(), b"day,rain\n1,0\n");
    })
    .await;
}

#[tokio::test]
async fn an_upload_is_its_persons_and_the_fourth_replaces_the_first() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let archive = fixture("counter");
        let mut ids = Vec::new();
        for _ in 0..4 {
            ids.push(hers.archives().upload("x", &archive).await.unwrap().archive);
        }
        assert!(matches!(hers.archives().review_stored(&ids[0]).await, Err(Error::NotFound(_))));
        for id in &ids[1..] {
            hers.archives().review_stored(id).await.unwrap();
            assert!(matches!(theirs.archives().review_stored(id).await, Err(Error::NotFound(_))));
            assert!(matches!(theirs.archives().create(id, draft("A")).await, Err(Error::NotFound(_))));
            assert!(matches!(theirs.archives().discard(id).await, Err(Error::NotFound(_))));
        }
        hers.archives().create(&ids[1], draft("A")).await.unwrap();
        assert!(
            matches!(hers.archives().review_stored(&ids[1]).await, Err(Error::NotFound(_))),
            "it was made"
        );
        hers.archives().discard(&ids[2]).await.unwrap();
        assert!(matches!(hers.archives().review_stored(&ids[2]).await, Err(Error::NotFound(_))));
        let too_large = vec![0; hub::LARGEST_ARCHIVE + 1];
        assert!(matches!(hers.archives().upload("x", &too_large).await, Err(Error::Limit(_))));
    })
    .await;
}

#[tokio::test]
async fn every_template_becomes_an_agent_that_needs_nothing_from_elsewhere() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let templates = scoped.archives().templates().unwrap();
        assert_eq!(templates.len(), 6);
        for template in templates {
            let review = scoped.archives().review_stored(&template.archive).await.unwrap();
            assert_eq!(review.notices, Vec::<String>::new(), "{}", template.archive);
            assert!(!review.draft.instructions.is_empty() && !review.draft.tools.is_empty());
            // A form does not send what is out of its bounds, and cannot show where that is.
            assert!(review.draft.max_output_tokens > 0 && review.draft.loop_settings.rounds > 0);
            assert!(!template.description.is_empty());
            let agent = scoped.archives().create(&template.archive, review.draft).await.unwrap();
            assert_eq!((agent.name, agent.colour), (template.name, template.colour));
            let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
            let all = format!("{}{}", page.head, page.body);
            assert!(all.contains("flo.ask(") || all.contains("flo.notify("), "{}", template.archive);
            assert!(!all.contains("://"), "{} reaches elsewhere", template.archive);
            assert!(scoped.archives().still(&template.archive).await.unwrap().is_some());
        }
    })
    .await;
}

async fn import(scoped: &Scoped<'_>, bytes: &[u8]) -> (ArchiveReview, AgentView) {
    let uploaded = scoped.archives().upload("x.flo.zip", bytes).await.unwrap();
    let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
    let agent = scoped.archives().create(&uploaded.archive, review.draft.clone()).await.unwrap();
    (review, agent)
}

/// Every expected sentence is among the notices, and no others are.
fn told(review: &ArchiveReview, expected: &[&str]) {
    for words in expected {
        assert!(review.notices.iter().any(|notice| notice.contains(words)), "{words}: {:#?}", review.notices);
    }
    let known = |notice: &&String| expected.iter().any(|words| notice.contains(words));
    let others: Vec<_> = review.notices.iter().filter(|notice| !known(notice)).collect();
    assert!(others.iter().all(|notice| notice.contains("context.terse.json")), "{others:?}");
}

async fn notes(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    let imported =
        scoped.pages().latest(agent).await.unwrap().entries.into_iter().find_map(|entry| match entry.body {
            EntryBody::Imported { notes, .. } => Some(notes),
            _ => None,
        });
    imported.expect("the log says where the agent is from")
}

async fn paths(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    scoped
        .files()
        .list(agent, &FileListing::default())
        .await
        .unwrap()
        .into_iter()
        .map(|file| file.path)
        .collect()
}

fn everything(provider: &str) -> AgentDraft {
    AgentDraft {
        name: "Ada & Co".to_owned(),
        colour: "#4a7fc1".to_owned(),
        instructions: "One: two\n- three # four\n\n\"five\"\t{six}\n'".to_owned(),
        provider: provider.to_owned(),
        model: "some:model".to_owned(),
        tools: vec!["dom".to_owned(), "skins".to_owned()],
        max_output_tokens: 1234,
        home: Home::Browser,
        loop_settings: LoopSettings {
            rounds: 7,
            hooks: vec![Hook {
                event: HookEvent::PreToolUse,
                tool: Some("dom".to_owned()),
                holds: None,
                action: HookAction::Deny { reason: "No: never.".to_owned() },
            }],
            hub_after_minutes: Some(15),
            commands: vec![AgentCommand {
                name: "plan".to_owned(),
                label: String::new(),
                text: "Plan my week.".to_owned(),
            }],
            ..LoopSettings::default()
        },
        ..AgentDraft::default()
    }
}

fn draft(name: &str) -> AgentDraft {
    AgentDraft { name: name.to_owned(), provider: String::new(), ..everything("") }
}

/// Letters in which there is nothing to pack.
pub fn noise_text(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let letter = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        b'a' + (state >> 28) as u8
    };
    std::iter::repeat_with(letter).take(length).collect()
}
