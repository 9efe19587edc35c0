//! What a person changes on one device reaches their pages on all others, also where no entry tells of it.

use crate::runs::open;
use crate::talk::{ada, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Scoped, Tab};
use protocol::hub::HubFrame;
use protocol::{AgentId, ConversationId};

/// What a tab is told beside the log, in the order in which it is.
fn told(tab: &mut Tab) -> Vec<HubFrame> {
    let frames = std::iter::from_fn(|| tab.next_ready());
    let frames = frames.map(|frame| serde_json::from_slice(&frame.text).unwrap());
    frames.filter(|frame| matches!(frame, HubFrame::Changed { .. } | HubFrame::PersonChanged)).collect()
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
