//! In which conversation a program speaks, and that its person's stays theirs.

use super::{agent, chat, hello, json_of, program, provider};
use crate::runs::open;
use crate::runs::trace;
use crate::talk::GATED;
use crate::world::{Endpoint, each_store};
use hub::{Asked, Place, ProgramRuns, RunWord, Scoped, WhenGone};
use protocol::agent::ProviderKind;
use protocol::log::EntryBody;
use protocol::view::ConversationFilter;
use protocol::{AgentId, ConversationId};

/// The agent's conversations in the order of the list.
async fn listed(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<ConversationId> {
    let list = scoped.conversations().list(agent, ConversationFilter::Active, 0).await.unwrap();
    list.conversations.into_iter().map(|conversation| conversation.id).collect()
}

async fn current(scoped: &Scoped<'_>, agent: &AgentId) -> ConversationId {
    scoped.agents().get(agent).await.unwrap().conversation
}

/// Asks, and hears the answer to its end.
async fn asked(runs: ProgramRuns<'_>, agent: &AgentId, place: Place<'_>) -> ConversationId {
    let Asked::Begun(mut begun) = runs.ask(agent, place, "Hello", None, WhenGone::GoOn).await.unwrap() else {
        panic!("the agent is at work");
    };
    while let Some(word) = begun.words.next().await {
        if matches!(word, RunWord::Over(_)) {
            return begun.conversation;
        }
    }
    panic!("it has no end");
}

#[tokio::test]
async fn a_program_that_is_told_that_the_agent_is_at_work_has_changed_nothing() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let fern = agent(&world, &ada, "Fern").await.id;
        let mut tab = open(&world, &ada, "laptop");
        tab.follow(&fern, 0).await.unwrap();
        scoped.runs().send_message(&fern, GATED, None, None).await.unwrap();
        trace::until(&mut tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
        let before = (listed(&scoped, &fern).await, current(&scoped, &fern).await);
        let runs = world.hub.program_runs(&program);
        let answer = runs.ask(&fern, Place::New, "Hello", None, WhenGone::GoOn).await.unwrap();
        assert!(matches!(answer, Asked::Busy));
        assert_eq!((listed(&scoped, &fern).await, current(&scoped, &fern).await), before);
        scoped.runs().stop(&fern).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_a_program_asks_in_a_conversation_of_its_own_leaves_the_current_one_be() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let fern = agent(&world, &ada, "Fern").await.id;
        let (runs, mine) = (world.hub.program_runs(&program), current(&scoped, &fern).await);
        let first = asked(runs, &fern, Place::New).await;
        assert_ne!(first, mine, "an empty one of the person's is not the program's");
        let second = asked(runs, &fern, Place::New).await;
        assert_eq!(listed(&scoped, &fern).await, [mine.clone(), second.clone(), first.clone()]);
        assert_eq!(asked(runs, &fern, Place::Same(&first)).await, first);
        assert_eq!(listed(&scoped, &fern).await, [mine.clone(), first.clone(), second]);
        assert_eq!(current(&scoped, &fern).await, mine);

        let (status, body) = json_of(chat(&world, &program, hello("agent/Fern", "As a model")).await);
        assert_eq!(status, 200, "{body}");
        let entries = scoped.conversations().entries(&fern, 0).await.unwrap();
        let said = entries
            .into_iter()
            .find(|entry| matches!(&entry.body, EntryBody::Message { text, .. } if text == "As a model"));
        assert_eq!(said.unwrap().conversation, Some(mine));

        // Where the person goes on in it, it is theirs.
        let of_first = scoped.runs().of_conversation(Some(&first));
        of_first.ask(&fern, "And then?", None, hub::LONGEST_WAIT).await.unwrap();
        assert_eq!(current(&scoped, &fern).await, first);
        asked(runs, &fern, Place::Same(&first)).await;
        assert_eq!(current(&scoped, &fern).await, first);
    })
    .await;
}
