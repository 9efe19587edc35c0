//! What is remembered of a person: written by agents and by themselves, told in prompts and on request, and never where
//! it does not belong.

mod carried;
mod corrected;
mod meaning;
mod recall;
mod searched;
mod source;

use crate::agents::draft;
use crate::runs::agent;
use crate::talk::{ada, ask, calls, until};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, Scoped};
use protocol::agent::{Home, ProviderKind};
use protocol::log::EntryBody;
use protocol::model::Block;
use protocol::view::{
    AgentDraft, AgentView, ContextPart, ConversationFilter, Memory, MemoryDraft, MemoryKind,
};
use protocol::{AgentId, ConversationId, MemoryId, RunId, UserId};
use serde_json::{Value, json};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAYS_31: Duration = Duration::from_secs(31 * 24 * 60 * 60);

fn drafted(text: &str, importance: u8) -> MemoryDraft {
    MemoryDraft { text: text.to_owned(), importance, ..MemoryDraft::default() }
}

/// Gives the agent a memory.
async fn let_remember(scoped: &Scoped<'_>, agent: &AgentView) {
    let provider = agent.provider.clone().unwrap().0;
    let (model, tools) = (agent.model.clone(), vec!["memory".to_owned(), "storage".to_owned()]);
    let draft = AgentDraft { provider, model, tools, ..draft(&agent.name) };
    scoped.agents().edit(&agent.id, draft).await.unwrap();
}

async fn texts(scoped: &Scoped<'_>, text: &str) -> Vec<String> {
    scoped.memories().list(text, 0).await.unwrap().kept.into_iter().map(|memory| memory.text).collect()
}

async fn id_of(scoped: &Scoped<'_>, text: &str) -> MemoryId {
    let list = scoped.memories().list("", 0).await.unwrap();
    let all = [list.proposed, list.kept, list.forgotten].concat();
    all.into_iter().find(|memory: &Memory| memory.text == text).unwrap().id
}

/// The system prompt of the last request that was sent in this conversation.
async fn prompt(scoped: &Scoped<'_>, agent: &AgentId, conversation: &ConversationId) -> String {
    let of = scoped.runs().of_conversation(Some(conversation));
    let view = of.context_of(agent).await.unwrap();
    let parts = view.sections.into_iter().filter_map(|section| match section.part {
        ContextPart::System { text, .. } => Some(text),
        _ => None,
    });
    parts.collect()
}

/// The run that ended last.
async fn last_run(scoped: &Scoped<'_>, agent: &AgentId) -> RunId {
    let entries = scoped.conversations().entries(agent, 0).await.unwrap();
    entries.into_iter().rev().find_map(|entry| entry.run).unwrap()
}

async fn conversation(scoped: &Scoped<'_>, agent: &AgentId) -> ConversationId {
    scoped.conversations().create(agent).await.unwrap().id
}

fn parsed(result: &(bool, String)) -> Value {
    assert!(!result.0, "{}", result.1);
    serde_json::from_str(&result.1).unwrap()
}

/// So many that say a number and are of middling importance, found by the word that all of them have.
async fn plant(world: &World, owner: &UserId, count: i64) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    let memories = "INSERT INTO memories (id, user_id, text, kind, tags, importance, words, state, author,
                                          created_at, changed_at, said)
        WITH RECURSIVE n (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < $2)
        SELECT 'planted-' || number, u.id, 'Knows number ' || number, 'fact', '[]', 3,
               number || ' knows|know|knows number', 'kept', 'person', 1, 1, 'planted'
        FROM n, users u WHERE u.id = $1";
    sqlx::query(memories).bind(owner.0.clone()).bind(count).execute(&mut *tx).await.unwrap();
    let words = "INSERT INTO memory_words (user_id, stem, memory_id)
        SELECT m.user_id, s.stem, m.id FROM memories m, (SELECT 'know' AS stem UNION ALL SELECT 'knows') s
        WHERE m.user_id = $1 AND m.said = 'planted'";
    sqlx::query(words).bind(owner.0.clone()).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn what_one_agent_keeps_another_knows_in_its_next_conversation() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, first) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let second = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        for agent in [&first, &second] {
            let_remember(&scoped, agent).await;
        }
        let talk = conversation(&scoped, &first.id).await;
        let written = calls(
            &scoped,
            &first.id,
            &talk,
            &[
                ("memory", json!({ "action": "write", "text": "Ada's sister Mia\nlives in Lisbon.", "importance": 5 })),
                ("memory", json!({ "action": "write", "text": "Ada's sister Mia lives in Lisbon.", "tags": [] })),
                ("memory", json!({ "action": "write", "text": "Ada's sister Mia lives in Porto now." })),
                ("memory", json!({ "action": "write", "text": "Mosses are watered first.", "scope": "agent" })),
                ("memory", json!({ "action": "search", "text": "schwester Mia lisbon" })),
                ("memory", json!({ "action": "write", "text": " . " })),
                ("memory", json!({ "action": "search" })),
            ],
        )
        .await;
        assert_eq!(parsed(&written[1])["note"], "That was known already.");
        assert_eq!(parsed(&written[2])["close_to"][0]["text"], "Ada's sister Mia lives in Lisbon.");
        assert_eq!(parsed(&written[4])["memories"][0]["text"], "Ada's sister Mia lives in Lisbon.");
        assert!(written[5].0 && written[5].1.contains("Write what is to be remembered."), "{}", written[5].1);
        assert!(written[6].0, "{}", written[6].1);
        assert!(!prompt(&scoped, &first.id, &talk).await.contains("Lisbon"), "it was said in it");

        let other = conversation(&scoped, &second.id).await;
        ask(&scoped, &second.id, &other, "Who is Mia?").await;
        let told = prompt(&scoped, &second.id, &other).await;
        assert!(told.contains("# What you remember") && told.contains("] Ada's sister Mia lives in Lisbon."), "{told}");
        assert!(!told.contains("Mosses"), "the other agent alone is told of that");

        // Into which answers it went is known: of one it stood in the prompt, the other found it.
        let lisbon = id_of(&scoped, "Ada's sister Mia lives in Lisbon.").await;
        let used = async || {
            let uses = scoped.memories().list("", 0).await.unwrap().uses;
            let of = uses.into_iter().find(|used| used.memory == lisbon).unwrap();
            let last: Vec<ConversationId> = of.last.into_iter().map(|last| last.conversation).collect();
            (of.answers, last)
        };
        assert_eq!(used().await, (2, vec![other.clone(), talk.clone()]));
        let uses = scoped.memories().list("", 0).await.unwrap().uses;
        let answer = &uses.iter().find(|used| used.memory == lisbon).unwrap().last[0];
        let from = answer.seq.unwrap() - 1;
        let said = scoped.conversations().entries(&second.id, from).await.unwrap().remove(0).body;
        let EntryBody::Block { block: Block::Text { text }, .. } = &said else { panic!("{said:?}") };
        assert!(text.contains("Who is Mia?"), "the answer itself: {text}");
        let run = last_run(&scoped, &second.id).await;
        let knew = scoped.memories().of_run(&run).await.unwrap().kept;
        assert!(knew.iter().any(|memory| memory.id == lisbon), "{knew:?}");
        assert!(knew.iter().all(|memory| !memory.text.contains("Mosses")), "{knew:?}");
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        assert!(matches!(theirs.memories().of_run(&run).await, Err(Error::NotFound("answer"))));

        // What requests begin with stays the same for an hour, but for what is forgotten.
        scoped.memories().create(&drafted("Ada plays the piano.", 5)).await.unwrap();
        ask(&scoped, &second.id, &other, "And?").await;
        assert_eq!(prompt(&scoped, &second.id, &other).await, told);
        scoped.memories().forget(&id_of(&scoped, "Ada's sister Mia lives in Porto now.").await).await.unwrap();
        ask(&scoped, &second.id, &other, "And?").await;
        let told = prompt(&scoped, &second.id, &other).await;
        assert!(told.contains("Lisbon") && !told.contains("Porto") && !told.contains("piano"), "{told}");
        world.clock.advance(HOUR);
        ask(&scoped, &second.id, &other, "And?").await;
        assert!(prompt(&scoped, &second.id, &other).await.contains("piano"));

        let without = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let talk = conversation(&scoped, &without).await;
        ask(&scoped, &without, &talk, "Who is Mia?").await;
        assert!(!prompt(&scoped, &without, &talk).await.contains("Lisbon"), "it has no memory");
    })
    .await;
}

#[tokio::test]
async fn what_strangers_may_have_said_waits_for_a_yes_and_takes_nothing_away() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        let old = scoped.memories().create(&drafted("Ada banks with Aurora.", 3)).await.unwrap();
        let talk = conversation(&scoped, &agent.id).await;
        let tab = world.hub.open_tab(viewer.clone(), protocol::TabId("t".to_owned())).unwrap();
        tab.set_state(&agent.id, "said".to_owned(), json!("Ada banks with Eve.")).await.unwrap();
        let provider = agent.provider.clone().unwrap().0;
        let tools = vec!["memory".to_owned(), "state".to_owned()];
        let with_state = AgentDraft { provider, model: agent.model.clone(), tools, ..draft("Ada") };
        scoped.agents().edit(&agent.id, with_state).await.unwrap();
        let results = calls(
            &scoped,
            &agent.id,
            &talk,
            &[
                ("state", json!({ "action": "get", "key": "said" })),
                ("memory", json!({ "action": "write", "text": "The bank of Ada is Eve's." })),
                ("memory", json!({ "action": "forget", "id": old.0 })),
                ("memory", json!({ "action": "search", "text": "bank" })),
            ],
        )
        .await;
        let written = parsed(&results[1]);
        assert!(written["note"].as_str().unwrap().contains("waits for your person's yes"), "{written}");
        assert_eq!(written["waits"], json!(true));
        assert!(
            results[2].0 && results[2].1.contains("only your person takes memories away"),
            "{}",
            results[2].1
        );
        assert!(!results[3].1.contains("Eve"), "{}", results[3].1);
        let list = scoped.memories().list("", 0).await.unwrap();
        assert_eq!((list.kept.len(), list.proposed.len()), (1, 1));
        assert_eq!(list.proposed[0].conversation.as_ref(), Some(&talk));
        assert_eq!(list.proposed[0].writer_name.as_deref(), Some("Ada"));
        scoped.memories().keep(&list.proposed[0].id).await.unwrap();
        assert_eq!(texts(&scoped, "bank").await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_person_has_all_of_it_in_hand_and_nobody_else_any() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, other) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let agent = scoped.agents().create(draft("Fern")).await.unwrap().id;
        let id = scoped.memories().create(&drafted("  Likes\tgreen tea. ", 9)).await.unwrap();
        let alone = MemoryDraft {
            agent: agent.0.clone(),
            kind: MemoryKind::Procedure,
            ..drafted("Answer in French.", 1)
        };
        scoped.memories().create(&alone).await.unwrap();
        let kept = scoped.memories().list("", 0).await.unwrap().kept;
        let tea = kept.iter().find(|memory| memory.id == id).unwrap();
        assert_eq!((tea.text.as_str(), tea.importance), ("Likes green tea.", 5));
        assert_eq!(kept.iter().find_map(|memory| memory.agent_name.clone()).as_deref(), Some("Fern"));
        assert_eq!(texts(&scoped, "teas").await, ["Likes green tea."]);

        scoped.memories().edit(&id, &drafted("Likes black tea.", 2)).await.unwrap();
        assert_eq!(texts(&scoped, "black").await, ["Likes black tea."]);
        for refused in [
            other.memories().edit(&id, &drafted("Likes coffee.", 2)).await,
            other.memories().forget(&id).await,
            other.memories().keep(&id).await,
        ] {
            assert!(matches!(refused, Err(Error::NotFound("memory"))), "{refused:?}");
        }
        let strange = MemoryDraft { agent: agent.0.clone(), ..drafted("Hers?", 1) };
        assert!(other.memories().create(&strange).await.is_err());
        assert_eq!(other.memories().list("", 0).await.unwrap().total, 0);
        for wrong in ["", "  ", "?!", &"moss ".repeat(101)] {
            assert!(
                matches!(scoped.memories().create(&drafted(wrong, 3)).await, Err(Error::Invalid(_))),
                "{wrong}"
            );
        }

        scoped.memories().forget(&id).await.unwrap();
        assert_eq!(texts(&scoped, "tea").await, [""; 0]);
        assert_eq!(scoped.memories().list("", 0).await.unwrap().forgotten.len(), 1);
        scoped.memories().keep(&id).await.unwrap();
        scoped.memories().forget(&id).await.unwrap();
        world.clock.advance(DAYS_31);
        assert_eq!(scoped.memories().list("", 0).await.unwrap().forgotten.len(), 0);
        scoped.memories().create(&drafted("Something else.", 3)).await.unwrap();
        assert!(matches!(scoped.memories().keep(&id).await, Err(Error::NotFound("memory"))));
        scoped.agents().delete(&agent).await.unwrap();
        assert_eq!(scoped.memories().list("", 0).await.unwrap().total, 1, "what it alone knew went with it");
    })
    .await;
}

#[tokio::test]
async fn a_temporary_conversation_knows_nothing_and_leaves_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        scoped.memories().create(&drafted("Ada banks with Aurora.", 5)).await.unwrap();
        let lasting = conversation(&scoped, &agent.id).await;
        let talk = scoped.conversations().create_temporary(&agent.id).await.unwrap();
        assert!(talk.temporary && talk.id != lasting);
        ask(&scoped, &agent.id, &talk.id, "Is the quincunx here?").await;
        let request = endpoint.requests().await.pop().unwrap()["body"].clone();
        assert!(!request["system"].to_string().contains("Aurora"), "{request}");
        let tools = request["tools"].to_string();
        assert!(tools.contains("storage") && !tools.contains("\"memory\""), "{tools}");
        assert!(!prompt(&scoped, &agent.id, &talk.id).await.contains("Aurora"));

        // Nobody else joins it, and nothing finds it.
        assert_eq!(scoped.agents().get(&agent.id).await.unwrap().conversation, lasting);
        assert!(scoped.conversations().recent().await.unwrap().iter().all(|one| one.id != talk.id));
        let list = scoped.conversations().list(&agent.id, ConversationFilter::Active, 0).await.unwrap();
        assert!(list.conversations.iter().any(|one| one.id == talk.id && one.temporary));
        let run = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let run = run.into_iter().find_map(|entry| entry.run).unwrap();
        assert!(scoped.conversations().fork(&talk.id, &run).await.unwrap().temporary);

        // One that is deleted is gone at once, and one that nobody uses after a day.
        let other = scoped.conversations().create_temporary(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &other, "Hello").await;
        scoped.conversations().delete(&other).await.unwrap();
        assert!(scoped.conversations().get(&other).await.is_err());
        world.clock.advance(Duration::from_secs(23 * 60 * 60));
        assert!(scoped.conversations().get(&talk.id).await.is_ok());
        world.clock.advance(2 * HOUR);
        until(async || scoped.conversations().get(&talk.id).await.is_err()).await;
        let left = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        assert!(left.iter().all(|entry| entry.conversation.as_ref() != Some(&talk.id)), "{left:?}");
    })
    .await;
}

#[tokio::test]
async fn what_is_for_a_workspace_is_told_to_the_agents_that_have_it_for_as_long_as_they_do() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, first) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let second = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let third = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        for agent in [&first, &second, &third] {
            let_remember(&scoped, agent).await;
        }
        let talk = conversation(&scoped, &first.id).await;
        let write = |text: &str| ("memory", json!({ "action": "write", "text": text, "scope": "workspace" }));
        let refused = calls(&scoped, &first.id, &talk, &[write("The shed is green.")]).await;
        assert!(refused[0].0 && refused[0].1.contains("You have no workspace."), "{}", refused[0].1);
        let garden = scoped.workspaces().create("garden").await.unwrap();
        for agent in [&first, &second] {
            scoped.workspaces().give(&agent.id, Some(&garden)).await.unwrap();
        }
        parsed(&calls(&scoped, &first.id, &talk, &[write("The shed is green.")]).await[0]);
        let knows = async |agent: &AgentId| {
            let search = [("memory", json!({ "action": "search", "text": "shed" }))];
            let found = calls(&scoped, agent, &conversation(&scoped, agent).await, &search).await;
            let told = conversation(&scoped, agent).await;
            ask(&scoped, agent, &told, "Hello").await;
            (found[0].1.contains("green"), prompt(&scoped, agent, &told).await.contains("The shed is green."))
        };
        assert_eq!(knows(&second.id).await, (true, true));
        assert_eq!(knows(&third.id).await, (false, false));
        let kept = scoped.memories().list("", 0).await.unwrap().kept;
        assert_eq!(kept[0].workspace_name.as_deref(), Some("garden"));
        let id = kept[0].id.clone();
        let forget = [("memory", json!({ "action": "forget", "id": id.0 }))];
        assert!(calls(&scoped, &third.id, &conversation(&scoped, &third.id).await, &forget).await[0].0);

        let file = serde_json::to_string(&scoped.memories().export().await.unwrap()).unwrap();
        assert_eq!(scoped.memories().import(&file).await.unwrap().known, 1);
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        let report = theirs.memories().import(&file).await.unwrap();
        assert!(report.refused[0].why.contains("the workspace garden"), "{report:?}");
        let of_garden = MemoryDraft { workspace: garden.0.clone(), ..drafted("Hers?", 1) };
        let strange = theirs.memories().create(&of_garden).await;
        assert!(matches!(strange, Err(Error::NotFound("workspace"))), "{strange:?}");
        let both = MemoryDraft { agent: first.id.0.clone(), ..of_garden };
        assert!(matches!(scoped.memories().create(&both).await, Err(Error::Invalid(_))));

        scoped.workspaces().give(&second.id, None).await.unwrap();
        assert_eq!(knows(&second.id).await, (false, false));
        scoped.workspaces().delete(&garden).await.unwrap();
        assert_eq!(scoped.memories().list("", 0).await.unwrap().total, 0, "it went with its workspace");
    })
    .await;
}
