//! A token that opens chosen agents: all others are for its program as those of other people.

use super::{agent, chat, hello, json_of, provider};
use crate::world::{Endpoint, World, each_store};
use hub::{Error, OpenedAgents, Place, Program, RunsWanted, Viewer, WhenGone, Words};
use protocol::agent::ProviderKind;
use protocol::view::{NamedAgent, TokenScope, TokenView};
use protocol::{AgentId, RunId};

async fn made(
    world: &World,
    ada: &Viewer,
    scope: TokenScope,
    opened: OpenedAgents,
) -> Result<(Program, TokenView), Error> {
    let scoped = world.hub.for_viewer(ada);
    let made = scoped.account().make_token("script", scope, Words::Own, None, opened).await?;
    let bearer = world.hub.accounts().bearer(&made.token, "").await?.unwrap();
    Ok((bearer.program, made.view))
}

/// How everything that a program can ask of this agent fails.
async fn failures(world: &World, program: &Program, agent: &AgentId) -> Vec<String> {
    let runs = world.hub.program_runs(program);
    let run = RunId::from("none");
    let any = RunsWanted::default();
    let asked = runs.ask(agent, Place::New, "Hi", None, WhenGone::Stop).await;
    let failures = [
        runs.agent(agent).await.err(),
        asked.err(),
        runs.find(agent, &run).await.err(),
        runs.find_asked_as(agent, "m").await.err(),
        runs.find_answered_as(agent, "m").await.err(),
        runs.listen(agent, &run).await.err(),
        runs.answer(agent, &run, "Yes", None).await.err(),
        runs.stop(agent, &run).await.err(),
        runs.list(agent, any, None, 9).await.err(),
        runs.count(agent, any).await.err(),
    ];
    failures.into_iter().map(|failure| failure.map_or_else(String::new, |it| it.to_string())).collect()
}

#[tokio::test]
async fn an_agent_that_a_token_does_not_open_is_not_there() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (fern, moss) = (agent(&world, &ada, "Fern").await.id, agent(&world, &ada, "Moss").await.id);
        let these = || OpenedAgents::These(vec![fern.clone()]);
        let (program, view) = made(&world, &ada, TokenScope::Agents, these()).await.unwrap();
        assert_eq!(view.agents, Some(vec![NamedAgent { id: fern.clone(), name: "Fern".to_owned() }]));

        let runs = world.hub.program_runs(&program);
        let offered: Vec<String> = runs.agents().await.unwrap().into_iter().map(|agent| agent.name).collect();
        assert_eq!(offered, ["Fern"]);
        let models = world.hub.for_program(&program).models().await.unwrap();
        let named: Vec<&str> =
            models.iter().map(|model| model.id.as_str()).filter(|name| name.starts_with("agent/")).collect();
        assert_eq!(named, ["agent/Fern"]);
        assert!(failures(&world, &program, &moss).await.iter().all(|why| why.contains("agent")));
        assert_eq!(json_of(chat(&world, &program, hello("agent/Moss", "Hi")).await).0, 404);
        assert_eq!(json_of(chat(&world, &program, hello("agent/Fern", "Hi")).await).0, 200);
        // What comes later is in no choice.
        let later = agent(&world, &ada, "Later").await.id;
        assert!(matches!(runs.agent(&later).await, Err(Error::NotFound("agent"))));

        for (scope, opened) in [
            (TokenScope::Everything, these()),
            (TokenScope::Models, these()),
            (TokenScope::Agents, OpenedAgents::These(vec![fern.clone(), AgentId::from("none")])),
        ] {
            assert!(made(&world, &ada, scope, opened).await.is_err(), "{scope:?}");
        }
        let hers = made(&world, &eve, TokenScope::Agents, these()).await;
        assert!(matches!(hers, Err(Error::NotFound("agent"))), "it is not hers");

        // A choice of which none is left opens none.
        world.hub.for_viewer(&ada).agents().delete(&fern).await.unwrap();
        assert_eq!(runs.agents().await.unwrap(), []);
        let listed = world.hub.for_viewer(&ada).account().tokens().await.unwrap();
        assert_eq!(listed[0].agents, Some(Vec::new()));
    })
    .await;
}

#[test]
fn a_choice_that_could_mean_something_else_is_none() {
    let fern = || vec![AgentId::from("fern")];
    assert_eq!(OpenedAgents::chosen(false, Vec::new()).unwrap(), OpenedAgents::All);
    assert_eq!(OpenedAgents::chosen(true, fern()).unwrap(), OpenedAgents::These(fern()));
    assert!(OpenedAgents::chosen(true, Vec::new()).is_err(), "nothing is ticked");
    assert!(OpenedAgents::chosen(false, fern()).is_err(), "something is ticked");
}
