//! Chains of agents that go over several hubs.

use super::{asked, asker, asks};
use crate::approvals::add_rule;
use crate::programs::program;
use crate::world::{CHAIN, Endpoint, FakeA2a, PeerManner, World, each_store};
use hub::{Asked, AskedChain, Error, Place, ProgramRuns, RunWord, WhenGone};
use protocol::view::AgentView;
use serde_json::json;

/// Says something for another hub, in this chain: the agent asks the peer, and is done.
async fn asked_in_chain(
    runs: ProgramRuns<'_>,
    agent: &AgentView,
    cause: &str,
    depth: i64,
) -> Result<(), Error> {
    let text =
        format!("turns: {}", json!([[{ "tool": "agent_ask", "input": asks() }], [{ "text": "Done." }]]));
    let chain = Some(AskedChain { cause: cause.to_owned(), depth });
    let begun = runs.ask_in_chain(&agent.id, Place::New, &text, None, WhenGone::GoOn, chain).await?;
    let Asked::Begun(mut begun) = begun else { panic!("the agent is at work") };
    while let Some(word) = begun.words.next().await {
        if matches!(word, RunWord::Over(_)) {
            return Ok(());
        }
    }
    panic!("it has no end");
}

#[tokio::test]
async fn a_chain_that_comes_back_from_another_hub_is_never_less_deep_than_is_known_and_ends() {
    each_store(async |world: World| {
        let (endpoint, fern) = (Endpoint::start(), FakeA2a::start(PeerManner::Well));
        let (viewer, ada) = asker(&world, &endpoint, "ada", Some(&fern.host())).await;
        let scoped = world.hub.for_viewer(&viewer);
        add_rule(&world.hub, &viewer, "allow", "agent_ask", &fern.host()).await;
        scoped.peers().add("garden", &fern.url(), "").await.unwrap();
        asked(&scoped, &ada).await;
        let told = fern.messages()[0]["metadata"][CHAIN].clone();
        let cause = told["cause"].as_str().unwrap();
        assert_eq!(told["depth"], 1);
        let log = serde_json::to_string(&scoped.conversations().entries(&ada.id, 0).await.unwrap()).unwrap();
        assert!(!log.contains(cause), "it says nothing of what it stands for");

        let (program, _) = program(&world, &viewer, None).await;
        let runs = world.hub.program_runs(&program);
        // It lies twice: what goes out again is deeper than what came back.
        for (number, (claimed, sent)) in [(0, 3), (-5, 3), (3, 4)].into_iter().enumerate() {
            asked_in_chain(runs, &ada, cause, claimed).await.unwrap();
            let told = &fern.messages()[number + 1]["metadata"][CHAIN];
            assert_eq!((&told["cause"], &told["depth"]), (&json!(cause), &json!(sent)), "{claimed}");
        }
        asked_in_chain(runs, &ada, cause, 4).await.unwrap();
        let log = serde_json::to_string(&scoped.conversations().entries(&ada.id, 0).await.unwrap()).unwrap();
        assert!(log.contains("at most 4 deep") && fern.begun() == 4, "{log}");
        let refused = asked_in_chain(runs, &ada, cause, 5).await;
        assert!(matches!(&refused, Err(Error::Limit(why)) if why.contains("at most 4 deep")), "{refused:?}");
        let often = |id: &str, of: &str| {
            format!(
                "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at, process,
                                   began_after, asked_cause, asked_depth)
                 SELECT {id}, agent_id, conversation_id, home, owner, 'often', 0, started_at, process, began_after,
                        'often', 1
                 FROM runs WHERE asked_cause = '{of}' AND asked_depth <= 2"
            )
        };
        world.execute(&often("'often-' || id", cause)).await;
        // As many again, until there are more than fifty.
        for double in ["'a-' || id", "'b-' || id", "'c-' || id", "'d-' || id", "'e-' || id"] {
            world.execute(&often(double, "often")).await;
        }
        let refused = asked_in_chain(runs, &ada, "often", 1).await;
        assert!(matches!(&refused, Err(Error::Limit(why)) if why.starts_with("50 times")), "{refused:?}");
        for wrong in ["", &"x".repeat(201)] {
            assert!(matches!(asked_in_chain(runs, &ada, wrong, 1).await, Err(Error::Invalid(_))));
        }
    })
    .await;
}
