//! What agents ask while they work for a program: it answers in words what is asked in words, and gives no leave.

use super::{program, provider};
use crate::approvals::add_rule;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{
    Asked, AskedRun, Error, ListedState, OpenedAgents, Place, Program, ProgramRuns, RunState, RunWord,
    RunWords, RunsWanted, Viewer, WhenGone, Words,
};
use protocol::AgentId;
use protocol::agent::ProviderKind;
use protocol::log::{EntryBody, Outcome};
use protocol::view::TokenScope;

const ASKS: &str = r#"turns: [[{"text":"Let me ask."},{"tool":"ask_user","input":{"question":"Which?","kind":"choice","options":[{"label":"Green"},{"label":"Blue"}]}}],[{"text":"Done."}]]"#;
const SETS: &str = r#"turns: [[{"text":"I write it down."},{"tool":"state","input":{"action":"set","key":"a","value":1}}],[{"text":"Done."}]]"#;

/// An agent of Ada's that asks and writes down.
async fn asker(world: &World, ada: &Viewer, endpoint: &Endpoint) -> AgentId {
    let scoped = world.hub.for_viewer(ada);
    provider(world, ada, "Claude", ProviderKind::Anthropic, endpoint).await;
    let providers = scoped.providers().list().await.unwrap();
    let agent = Definition::named("Fern").model(&providers[0].id, "claude-sonnet-4-5");
    agent.tools(["ask_user", "state"]).output(1000).create(&scoped).await.id
}

async fn asked(runs: ProgramRuns<'_>, agent: &AgentId, place: Place<'_>, text: &str) -> AskedRun {
    match runs.ask(agent, place, text, None, WhenGone::GoOn).await.unwrap() {
        Asked::Begun(asked) => *asked,
        Asked::Busy => panic!("the agent is at work"),
    }
}

/// The words up to the first that is none of the text.
async fn until_it_waits(words: &mut RunWords) -> RunWord {
    loop {
        match words.next().await.unwrap() {
            RunWord::Said(_) => {}
            word => return word,
        }
    }
}

async fn relay(world: &World, ada: &Viewer) -> Program {
    let account = world.hub.for_viewer(ada);
    let made = account
        .account()
        .make_token("bot", TokenScope::Agents, Words::OfOthers, None, OpenedAgents::All)
        .await
        .unwrap();
    world.hub.accounts().bearer(&made.token, "").await.unwrap().unwrap().program
}

#[tokio::test]
async fn a_question_in_words_is_answered_once_by_the_program_for_which_its_agent_works() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        let ((first, _), (other, _)) = (program(&world, &ada, None).await, program(&world, &ada, None).await);
        let runs = world.hub.program_runs(&first);
        let mut asking = asked(runs, &fern, Place::New, ASKS).await;
        let question = "Which?\nOne of these: Green, Blue.";
        assert_eq!(until_it_waits(&mut asking.words).await, RunWord::Asks(question.to_owned()));
        let found = runs.find(&fern, &asking.run).await.unwrap();
        assert!(matches!(found.state, RunState::Asks(asks) if asks == question));
        let asks = RunsWanted { state: Some(ListedState::Asks), ..RunsWanted::default() };
        assert_eq!(runs.count(&fern, asks).await.unwrap(), 1);

        let mut late = runs.listen(&fern, &asking.run).await.unwrap();
        assert_eq!(late.next().await, Some(RunWord::Said("Let me ask.".to_owned())));
        assert_eq!(late.next().await, Some(RunWord::Asks(question.to_owned())));
        let again = runs.ask(&fern, Place::Same(&asking.conversation), "Green", None, WhenGone::GoOn).await;
        assert!(matches!(again.unwrap(), Asked::Busy), "an answer says what it answers");
        let theirs = world.hub.program_runs(&other).answer(&fern, &asking.run, "Green", None).await;
        assert!(matches!(theirs, Err(Error::NotFound("task"))));
        for unfit in ["Red", " "] {
            let refused = runs.answer(&fern, &asking.run, unfit, None).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{unfit}");
        }

        let mut words = runs.answer(&fern, &asking.run, "green", Some("m-2")).await.unwrap().unwrap();
        assert!(words.go_on(), "it said something before");
        let mut said = String::new();
        let end = loop {
            match words.next().await.unwrap() {
                RunWord::Said(text) => said.push_str(&text),
                RunWord::Over(end) => break end,
                RunWord::GoesOn => {}
                word => panic!("{word:?}"),
            }
        };
        assert_eq!((said.as_str(), end.text.as_str()), ("\n\nDone.", "Let me ask.\n\nDone."));
        let entries = world.hub.for_viewer(&ada).conversations().entries(&fern, 0).await.unwrap();
        let got = entries.iter().find_map(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => Some(result.content.as_str()),
            _ => None,
        });
        assert!(got.unwrap().contains(r#""answer":"Green""#), "{got:?}");
        let over = runs.answer(&fern, &asking.run, "Blue", None).await.unwrap();
        assert!(over.is_none(), "it was answered");
        let before = runs.find_answered_as(&fern, "m-2").await.unwrap().unwrap();
        assert_eq!(before.run, asking.run);
        assert!(runs.find_answered_as(&fern, "m-3").await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn a_leave_to_make_a_call_is_the_person_s_alone_to_give() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        add_rule(&world.hub, &ada, "ask", "state", "").await;
        let (program, _) = program(&world, &ada, None).await;
        let runs = world.hub.program_runs(&program);
        let mut asking = asked(runs, &fern, Place::New, SETS).await;
        assert_eq!(until_it_waits(&mut asking.words).await, RunWord::Waits);
        assert!(matches!(runs.find(&fern, &asking.run).await.unwrap().state, RunState::Waits));
        for state in [ListedState::Works, ListedState::Asks] {
            let wanted = RunsWanted { state: Some(state), ..RunsWanted::default() };
            assert_eq!(runs.count(&fern, wanted).await.unwrap() == 1, state == ListedState::Works);
        }
        for words in ["yes", "once", "Allow"] {
            assert!(runs.answer(&fern, &asking.run, words, None).await.unwrap().is_none(), "{words}");
        }
        assert_eq!(world.hub.for_viewer(&ada).approvals().list().await.unwrap().len(), 1);
        runs.stop(&fern, &asking.run).await.unwrap();
        let RunState::Over(end) = runs.find(&fern, &asking.run).await.unwrap().state else {
            panic!("it goes on");
        };
        assert_eq!((end.outcome, end.text.as_str()), (Outcome::Stopped, "I write it down."));
        let stopped = RunsWanted { state: Some(ListedState::Stopped), ..RunsWanted::default() };
        assert_eq!(runs.list(&fern, stopped, None, 9).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_program_that_passes_on_the_words_of_others_answers_nothing() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        let ready = format!("turns: [[{{\"text\":\"Ready.\"}}]]\n{}", ASKS.replace("turns:", "next:"));
        let scoped = world.hub.for_viewer(&ada);
        scoped.runs().ask(&fern, &ready, None, hub::LONGEST_WAIT).await.unwrap();
        let bot = relay(&world, &ada).await;
        let runs = world.hub.program_runs(&bot);
        let mut asking = asked(runs, &fern, Place::Current, "Now.").await;
        assert_eq!(until_it_waits(&mut asking.words).await, RunWord::Waits);
        assert!(runs.answer(&fern, &asking.run, "Green", None).await.unwrap().is_none());
        assert_eq!(scoped.approvals().list().await.unwrap().len(), 1);
        runs.stop(&fern, &asking.run).await.unwrap();
    })
    .await;
}
