//! What a person changes on one device reaches their pages on all others, also where no entry tells of it.

use crate::runs::{open, trace};
use crate::talk::{ada, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{DraftChange, MAX_ATTACHMENTS, Outgoing, Scoped, Tab};
use protocol::hub::{HubFrame, Noun};
use protocol::view::{AgentView, Draft, MemoryDraft};
use protocol::{AgentId, Attachment, AttachmentId, ConversationId, FailureKind, MemoryId};
use serde_json::json;
use std::slice;
use std::time::Duration;

/// What a tab is told beside the log, in the order in which it is.
fn told(tab: &mut Tab) -> Vec<HubFrame> {
    let frames = std::iter::from_fn(|| tab.next_ready());
    let frames = frames.map(|frame| serde_json::from_slice(&frame.text).unwrap());
    frames
        .filter(|frame| {
            matches!(
                frame,
                HubFrame::Changed { .. } | HubFrame::PersonChanged | HubFrame::DraftChanged { .. }
            )
        })
        .collect()
}

#[tokio::test]
async fn every_page_of_a_person_is_told_which_agents_there_are_and_nobody_elses() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let (mut phone, mut hers) = (open(&world, &ada, "phone"), open(&world, &eve, "hers"));
        let agent = Definition::named("Fern").create(&scoped).await.id;
        assert_eq!(told(&mut phone), [HubFrame::PersonChanged], "made");
        Definition::named("Moss").replace(&scoped, &agent).await;
        assert_eq!(told(&mut phone), [HubFrame::PersonChanged], "edited");
        let copy = scoped.copies().make(&agent).await.unwrap().id;
        assert_eq!(told(&mut phone), [HubFrame::PersonChanged], "copied");
        scoped.agents().delete(&copy).await.unwrap();
        assert_eq!(told(&mut phone), [HubFrame::PersonChanged], "deleted");
        assert!(told(&mut hers).is_empty());
        assert!(world.hub.for_viewer(&eve).agents().delete(&agent).await.is_err());
        assert!(told(&mut phone).is_empty(), "nothing was done");
    })
    .await;
}

#[tokio::test]
async fn whoever_follows_an_agent_is_told_what_became_of_its_conversations() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (id, conversation) = (&agent.id, &agent.conversation);
        let mut phone = open(&world, &viewer, "phone");
        phone.follow(id, u64::MAX).await.unwrap();
        ask(&scoped, id, conversation, "Ferns").await;
        // That there is an answer to read is told behind its last entry.
        while serde_json::from_slice::<HubFrame>(&phone.next().await.unwrap().text).unwrap() != changed(id) {}
        for change in Change::ALL {
            change.make(&scoped, conversation).await;
            assert_eq!(told(&mut phone), [changed(id)], "{change:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_was_read_of_the_notifications_is_told_to_every_page() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let list = scoped.notifications().list(None).await.unwrap().list;
        let mut phone = open(&world, &viewer, "phone");
        scoped.notifications().mark_read(&list[0].id).await.unwrap();
        assert_eq!(told(&mut phone), [HubFrame::PersonChanged]);
        scoped.notifications().mark_all_read().await.unwrap();
        assert_eq!(told(&mut phone), [HubFrame::PersonChanged]);
    })
    .await;
}

#[tokio::test]
async fn a_change_of_a_noun_is_told_once_to_every_page_of_its_person_and_nobody_elses() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let (scoped, hers) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        let token = scoped.account().create_token("backup").await.unwrap().token;
        let program = world.hub.accounts().viewer_by_token(&token).await.unwrap().unwrap();
        let (mut phone, mut laptop) = (open(&world, &viewer, "phone"), open(&world, &viewer, "laptop"));
        let (mut program, mut others) = (open(&world, &program, "program"), open(&world, &eve, "hers"));
        let nouns = [
            Noun::Pipelines,
            Noun::Topics,
            Noun::Memories,
            Noun::PersonContext,
            Noun::Providers,
            Noun::Peers,
            Noun::Skills,
            Noun::McpServers,
        ];
        for noun in nouns {
            change(&scoped, &agent, noun).await;
            for page in [&mut phone, &mut laptop] {
                assert_eq!(trace::next_noun(page).await, noun);
            }
            // What changes nothing, and what is taken back, is not told: the next noun is the first that comes.
            assert!(hers.topics().unsubscribe(&agent.id, "moss").await.is_err());
            assert!(scoped.topics().unsubscribe(&agent.id, "lichen").await.is_err());
            assert!(scoped.memories().forget(&MemoryId::from("none")).await.is_err());
        }
        for other in [&mut program, &mut others] {
            let mut frames = std::iter::from_fn(|| other.next_ready());
            let is_noun =
                |text: &[u8]| matches!(serde_json::from_slice(text).unwrap(), HubFrame::NounChanged { .. });
            assert!(!frames.any(|frame| is_noun(&frame.text)));
        }
    })
    .await;
}

/// Changes something of the noun, in one commit.
async fn change(scoped: &Scoped<'_>, agent: &AgentView, noun: Noun) {
    match noun {
        Noun::Pipelines => {
            let task = json!({ "id": "moss", "title": "Moss", "instruction": "Say moss." });
            let draft = json!({ "title": "Moss", "agent": agent.name, "tasks": [task] });
            scoped.pipelines().create(&draft.to_string()).await.map(drop)
        }
        Noun::Topics => scoped.topics().subscribe(&agent.id, "moss", "").await,
        Noun::Memories => {
            let draft =
                MemoryDraft { text: "Likes moss.".to_owned(), importance: 3, ..MemoryDraft::default() };
            scoped.memories().create(&draft).await.map(drop)
        }
        Noun::PersonContext => scoped.person_context().note("Moss", "green").await,
        Noun::Skills => {
            let text = "---\nname: moss\ndescription: Knows moss.\n---\n\nWater it.\n";
            scoped.skills().write(text).await.map(drop)
        }
        // Nothing answers there, which is noted right behind it.
        Noun::McpServers => scoped.mcp_servers().add("garden", "http://127.0.0.1:9/", "", "").await.map(drop),
        Noun::Providers => scoped.providers().delete(&agent.provider.clone().unwrap()).await,
        Noun::Peers => scoped.peers().add("garden", "http://127.0.0.1:9/", "").await.map(drop),
        // They change in runs: where those are told of, so are they.
        Noun::Agents | Noun::Delegations | Noun::TerminalJobs | Noun::ExternalJobs => Ok(()),
    }
    .unwrap();
}

#[tokio::test]
async fn a_draft_is_the_same_on_every_device_and_nobody_else_is_told_of_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let (scoped, hers) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        let (id, here) = (&agent.id, &agent.conversation);
        let drafts = scoped.conversations();
        let token = scoped.account().create_token("backup").await.unwrap().token;
        let program = world.hub.accounts().viewer_by_token(&token).await.unwrap().unwrap();
        let (mut phone, mut program, mut others) =
            (open(&world, &viewer, "phone"), open(&world, &program, "program"), open(&world, &eve, "hers"));
        program.follow(id, u64::MAX).await.unwrap();
        told(&mut program);
        let written =
            |version| HubFrame::DraftChanged { agent: id.clone(), conversation: here.clone(), version };
        assert_eq!(drafts.draft(here).await.unwrap(), Draft::default());
        for (text, version) in [("Fern", 1), ("Ferns", 2), ("", 3), ("Mosses ", 4)] {
            let kept = Draft { text: text.to_owned(), files: Vec::new(), version };
            assert_eq!(drafts.keep_draft(here, words(text)).await.unwrap(), kept);
            assert_eq!(drafts.draft(here).await.unwrap(), kept);
            assert_eq!(told(&mut phone), [written(version)]);
        }

        // What is too much stays as it was.
        let long = drafts.keep_draft(here, words(&"x".repeat(64 * 1024 + 1))).await.unwrap_err();
        assert_eq!(long.into_failure().kind, FailureKind::Limit);
        assert!(hers.conversations().draft(here).await.is_err());
        assert!(hers.conversations().keep_draft(here, words("Mine")).await.is_err());
        assert_eq!(drafts.draft(here).await.unwrap().text, "Mosses ");

        // Something else that is said leaves it, and what it says itself does not.
        ask(&scoped, id, here, "Water").await;
        assert_eq!(drafts.draft(here).await.unwrap().text, "Mosses ");
        ask(&scoped, id, here, "Mosses").await;
        assert_eq!(drafts.draft(here).await.unwrap(), Draft { version: 5, ..Draft::default() });
        let of_drafts = |frame: &HubFrame| matches!(frame, HubFrame::DraftChanged { .. });
        assert_eq!(told(&mut phone).into_iter().filter(of_drafts).collect::<Vec<_>>(), [written(5)]);
        assert!(!told(&mut program).iter().any(of_drafts), "a program is not told what is written");
        assert!(told(&mut others).is_empty());

        // All that they are writing has an end too.
        let other = drafts.create(id).await.unwrap().id;
        drafts.keep_draft(&other, words("Stones")).await.unwrap();
        let much = "x".repeat(4 * 1024 * 1024);
        world.execute(&format!("UPDATE drafts SET text = '{much}' WHERE text <> ''")).await;
        let full = drafts.keep_draft(here, words("Ferns")).await.unwrap_err();
        assert_eq!(full.into_failure().kind, FailureKind::Limit);
        drafts.keep_draft(&other, words("")).await.unwrap();
        drafts.keep_draft(here, words("Ferns")).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn files_of_a_draft_are_on_every_device_and_come_and_go_without_its_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let (scoped, hers) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        let here = &agent.conversation;
        let drafts = scoped.conversations();
        let mut phone = open(&world, &viewer, "phone");
        let bring = async |of: &Scoped<'_>, name: &str| {
            of.attachments().take_in(name, name.as_bytes().to_vec()).await.unwrap()
        };
        let (fern, moss) = (bring(&scoped, "fern.txt").await, bring(&scoped, "moss.txt").await);
        let foreign = bring(&hers, "hers.txt").await;
        let told_of = async |phone: &mut Tab, text: &str, files: &[&Attachment], version| {
            let files = files.iter().map(|&file| file.clone()).collect();
            let draft = Draft { text: text.to_owned(), files, version };
            assert_eq!(drafts.draft(here).await.unwrap(), draft);
            let frame =
                HubFrame::DraftChanged { agent: agent.id.clone(), conversation: here.clone(), version };
            assert!(told(phone).contains(&frame), "{version}");
        };

        drafts.keep_draft(here, words("Look")).await.unwrap();
        drafts.keep_draft(here, comes(slice::from_ref(&moss.id))).await.unwrap();
        drafts.keep_draft(here, comes(&[fern.id.clone(), moss.id.clone()])).await.unwrap();
        told_of(&mut phone, "Look", &[&moss, &fern], 3).await;
        drafts.keep_draft(here, words("Look at")).await.unwrap();
        told_of(&mut phone, "Look at", &[&moss, &fern], 4).await;
        drafts.keep_draft(here, leaves(slice::from_ref(&moss.id))).await.unwrap();
        told_of(&mut phone, "Look at", &[&fern], 5).await;

        // One of somebody else's is as one that does not exist.
        let none = [foreign.id.clone(), AttachmentId::from("none")];
        let refused = drafts.keep_draft(here, comes(&none)).await.unwrap();
        assert_eq!(refused.files, slice::from_ref(&fern));
        assert!(hers.conversations().keep_draft(here, comes(slice::from_ref(&foreign.id))).await.is_err());
        assert!(hers.attachments().open(&foreign.id).await.is_ok());

        // It has as many as a message.
        let mut many = Vec::new();
        for number in 0..MAX_ATTACHMENTS {
            many.push(bring(&scoped, &format!("{number}.txt")).await.id);
        }
        assert_eq!(drafts.keep_draft(here, comes(&many)).await.unwrap().files.len(), MAX_ATTACHMENTS);
    })
    .await;
}

#[tokio::test]
async fn files_of_a_draft_stay_until_they_are_sent_and_go_with_the_message_that_is_the_draft() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (drafts, here) = (scoped.conversations(), &agent.conversation);
        let bring =
            async |name: &str| scoped.attachments().take_in(name, name.as_bytes().to_vec()).await.unwrap();
        let age = async || {
            world.execute("UPDATE attachments SET at = at - 172800000").await;
            // Whatever comes in sweeps out what nothing has.
            bring("more.txt").await;
        };
        let (fern, moss) = (bring("fern.txt").await, bring("moss.txt").await);
        let both = [fern.id.clone(), moss.id.clone()];
        let change = DraftChange { text: Some("Look"), attach: &both, detach: &[] };
        drafts.keep_draft(here, change).await.unwrap();
        age().await;
        assert_eq!(drafts.draft(here).await.unwrap().files, [fern.clone(), moss.clone()]);

        // A message that waits for the hub may have what left.
        drafts.keep_draft(here, leaves(slice::from_ref(&moss.id))).await.unwrap();
        bring("other.txt").await;
        assert!(scoped.attachments().open(&moss.id).await.is_ok());
        age().await;
        assert!(scoped.attachments().open(&moss.id).await.is_err());

        let send = async |text: &str, files: &[AttachmentId]| {
            let message = Outgoing { text, attachments: files, key: None };
            scoped.runs().of_conversation(Some(here)).send(&agent.id, message, None).await.unwrap();
        };
        send("Water", &[]).await;
        assert_eq!(drafts.draft(here).await.unwrap().files.len(), 1, "it was another message");
        // What another device added meanwhile was not sent.
        let fresh = bring("fresh.txt").await;
        drafts.keep_draft(here, comes(slice::from_ref(&fresh.id))).await.unwrap();
        send("Look", slice::from_ref(&fern.id)).await;
        let left = drafts.draft(here).await.unwrap();
        assert_eq!((&*left.text, &*left.files), ("", slice::from_ref(&fresh)));
        // Files say enough.
        send("", slice::from_ref(&fresh.id)).await;
        assert!(drafts.draft(here).await.unwrap().files.is_empty());
        age().await;
        assert!(scoped.attachments().open(&fern.id).await.is_ok(), "a message has it");
    })
    .await;
}

fn words(text: &str) -> DraftChange<'_> {
    DraftChange { text: Some(text), ..DraftChange::default() }
}

fn comes(attach: &[AttachmentId]) -> DraftChange<'_> {
    DraftChange { attach, ..DraftChange::default() }
}

fn leaves(detach: &[AttachmentId]) -> DraftChange<'_> {
    DraftChange { detach, ..DraftChange::default() }
}

#[tokio::test]
async fn a_draft_goes_with_its_conversation() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (drafts, here) = (scoped.conversations(), &agent.conversation);
        ask(&scoped, &agent.id, here, "Ferns").await;
        drafts.keep_draft(here, words("Not done yet")).await.unwrap();
        let count = async || {
            let store = world.store().await;
            sqlx::query("SELECT text FROM drafts").fetch_all(store.read()).await.unwrap().len()
        };
        drafts.delete(here).await.unwrap();
        assert!(drafts.keep_draft(here, words("Once more")).await.is_err());
        drafts.restore(here).await.unwrap();
        assert_eq!(drafts.draft(here).await.unwrap().text, "Not done yet");
        drafts.delete(here).await.unwrap();
        assert_eq!(count().await, 1, "it can be brought back");
        world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
        let other = drafts.create(&agent.id).await.unwrap();
        drafts.delete(&other.id).await.unwrap();
        assert_eq!(count().await, 0);
    })
    .await;
}

fn changed(agent: &AgentId) -> HubFrame {
    HubFrame::Changed { agent: agent.clone() }
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Rename,
    SetModel,
    Pin,
    Archive,
    Delete,
    Restore,
}

impl Change {
    const ALL: [Self; 6] =
        [Self::Rename, Self::SetModel, Self::Pin, Self::Archive, Self::Delete, Self::Restore];

    async fn make(self, scoped: &Scoped<'_>, id: &ConversationId) {
        let conversations = scoped.conversations();
        match self {
            Self::Rename => conversations.rename(id, "Mosses").await,
            Self::SetModel => conversations.set_model(id, "another").await,
            Self::Pin => conversations.pin(id, true).await,
            Self::Archive => conversations.archive(id, true).await,
            Self::Delete => conversations.delete(id).await,
            Self::Restore => conversations.restore(id).await,
        }
        .unwrap();
    }
}
