//! Runs that programs ask for are found again by who asked, and nobody else.

use super::{program, provider};
use crate::world::{Endpoint, each_store};
use hub::{Asked, AskedRun, Error, Place, ProgramRuns, RunWord, RunsWanted, WhenGone};
use protocol::AgentId;
use protocol::agent::ProviderKind;
use protocol::log::Outcome;

async fn asked(runs: ProgramRuns<'_>, agent: &AgentId, place: Place<'_>, text: &str) -> AskedRun {
    match runs.ask(agent, place, text, None, WhenGone::GoOn).await.unwrap() {
        Asked::Begun(asked) => *asked,
        Asked::Busy => panic!("the agent is at work"),
    }
}

async fn to_its_end(asked: &mut AskedRun) -> String {
    while let Some(word) = asked.words.next().await {
        if let RunWord::Over(end) = word {
            assert_eq!(end.outcome, Outcome::Completed);
            return end.text;
        }
    }
    panic!("it has no end");
}

#[tokio::test]
async fn what_a_program_asked_is_found_by_its_own_token_newest_first_and_goes_on_in_its_conversation() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (first, _) = program(&world, &ada, None).await;
        let (other, _) = program(&world, &ada, None).await;
        let (hers, _) = program(&world, &eve, None).await;
        let fern = super::agent(&world, &ada, "Fern").await.id;
        let runs = world.hub.program_runs(&first);
        let mut begun = asked(runs, &fern, Place::New, "One").await;
        assert_eq!(to_its_end(&mut begun).await, "You said: One");
        let mut second = asked(runs, &fern, Place::New, "Two").await;
        to_its_end(&mut second).await;
        let mut third = asked(runs, &fern, Place::Same(&begun.conversation), "Three").await;
        assert_eq!(to_its_end(&mut third).await, "You said: Three");
        assert_eq!(third.conversation, begun.conversation);
        assert_ne!(second.conversation, begun.conversation);

        let mut found = Vec::new();
        let mut before = None;
        let any = RunsWanted::default();
        while let [run] =
            runs.list(&fern, any, before.as_ref().map(|(at, run)| (*at, run)), 1).await.unwrap().as_slice()
        {
            before = Some((run.at, run.run.clone()));
            found.push(run.run.clone());
        }
        assert_eq!(found, [third.run.clone(), second.run.clone(), begun.run.clone()]);
        let within = |conversation| RunsWanted { conversation: Some(conversation), ..any };
        assert_eq!(runs.list(&fern, within(&begun.conversation), None, 9).await.unwrap().len(), 2);
        assert_eq!(runs.count(&fern, any).await.unwrap(), 3);
        assert_eq!(runs.count(&fern, within(&second.conversation)).await.unwrap(), 1);
        for program in [&other, &hers] {
            let runs = world.hub.program_runs(program);
            assert!(matches!(runs.find(&fern, &begun.run).await, Err(Error::NotFound(_))));
            assert!(matches!(runs.listen(&fern, &begun.run).await, Err(Error::NotFound(_))));
            assert!(matches!(runs.stop(&fern, &begun.run).await, Err(Error::NotFound(_))));
            assert!(runs.list(&fern, any, None, 9).await.unwrap().is_empty());
            let refused = runs.ask(&fern, Place::Same(&begun.conversation), "Hi", None, WhenGone::GoOn).await;
            assert!(matches!(refused, Err(Error::NotFound(_))));
        }
        let listed = scoped.conversations().entries(&fern, 0).await.unwrap();
        assert!(!listed.is_empty());
    })
    .await;
}
