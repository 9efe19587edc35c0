//! Runs that programs ask for are found again by who asked, and nobody else, whatever they wait for.

use super::{program, provider};
use crate::world::{Definition, Endpoint, each_store};
use hub::{Asked, AskedRun, Error, Place, ProgramRuns, RunState, RunWord, WhenGone};
use protocol::AgentId;
use protocol::agent::ProviderKind;
use protocol::log::Outcome;

const ASKS: &str = r#"turns: [[{"text":"Let me ask."},{"tool":"ask_user","input":{"question":"Which?","kind":"text"}}],[{"text":"Done."}]]"#;

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
        while let [run] =
            runs.list(&fern, None, before.as_ref().map(|(at, run)| (*at, run)), 1).await.unwrap().as_slice()
        {
            before = Some((run.at, run.run.clone()));
            found.push(run.run.clone());
        }
        assert_eq!(found, [third.run.clone(), second.run.clone(), begun.run.clone()]);
        assert_eq!(runs.list(&fern, Some(&begun.conversation), None, 9).await.unwrap().len(), 2);
        assert_eq!(runs.count(&fern, None).await.unwrap(), 3);
        assert_eq!(runs.count(&fern, Some(&second.conversation)).await.unwrap(), 1);
        for program in [&other, &hers] {
            let runs = world.hub.program_runs(program);
            assert!(matches!(runs.find(&fern, &begun.run).await, Err(Error::NotFound(_))));
            assert!(matches!(runs.listen(&fern, &begun.run).await, Err(Error::NotFound(_))));
            assert!(matches!(runs.stop(&fern, &begun.run).await, Err(Error::NotFound(_))));
            assert!(runs.list(&fern, None, None, 9).await.unwrap().is_empty());
            let refused = runs.ask(&fern, Place::Same(&begun.conversation), "Hi", None, WhenGone::GoOn).await;
            assert!(matches!(refused, Err(Error::NotFound(_))));
        }
        let listed = scoped.conversations().entries(&fern, 0).await.unwrap();
        assert!(!listed.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_program_is_told_that_its_run_waits_for_the_person_and_does_not_answer_for_them() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let scoped = world.hub.for_viewer(&ada);
        let providers = scoped.providers().list().await.unwrap();
        let agent =
            Definition::named("Fern").model(&providers[0].id, "claude-sonnet-4-5").tools(["ask_user"]);
        let fern = agent.output(1000).create(&scoped).await.id;
        let runs = world.hub.program_runs(&program);
        let mut asking = asked(runs, &fern, Place::New, ASKS).await;
        loop {
            match asking.words.next().await.unwrap() {
                RunWord::Waits => break,
                RunWord::Said(_) => {}
                word => panic!("{word:?}"),
            }
        }
        assert!(matches!(runs.find(&fern, &asking.run).await.unwrap().state, RunState::Waits));
        let again =
            runs.ask(&fern, Place::Same(&asking.conversation), "Green", None, WhenGone::GoOn).await.unwrap();
        assert!(matches!(again, Asked::Busy), "what it waits for is not the program's to say");
        drop(asking.words);
        let mut late = runs.listen(&fern, &asking.run).await.unwrap();
        assert_eq!(late.next().await, Some(RunWord::Said("Let me ask.".to_owned())));
        assert_eq!(late.next().await, Some(RunWord::Waits));
        runs.stop(&fern, &asking.run).await.unwrap();
        let RunState::Over(end) = runs.find(&fern, &asking.run).await.unwrap().state else {
            panic!("it goes on");
        };
        assert_eq!((end.outcome, end.text.as_str()), (Outcome::Stopped, "Let me ask."));
    })
    .await;
}
