//! Programs that are told how their tasks go on.

use super::{program, provider};
use crate::talk::until;
use crate::world::{Definition, Endpoint, Sink, World, each_store};
use hub::{
    Asked, Error, Place, ProgramRun, ProgramRuns, RunState, TaskPush, TaskPushDraft, Viewer, WhenGone,
};
use protocol::AgentId;
use protocol::agent::ProviderKind;
use serde_json::{Value, json};
use sqlx::Row as _;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const ASKS: &str =
    r#"turns: [[{"tool":"ask_user","input":{"question":"Which?","kind":"text"}}],[{"text":"Done."}]]"#;

fn draft(url: &str) -> TaskPushDraft<'_> {
    TaskPushDraft { id: "", url, token: "push-word", scheme: "Bearer", credentials: "push-credentials" }
}

/// An agent of Ada's that asks.
async fn asker(world: &World, ada: &Viewer, endpoint: &Endpoint) -> AgentId {
    let scoped = world.hub.for_viewer(ada);
    provider(world, ada, "Claude", ProviderKind::Anthropic, endpoint).await;
    let providers = scoped.providers().list().await.unwrap();
    let agent = Definition::named("Fern").model(&providers[0].id, "claude-sonnet-4-5");
    agent.tools(["ask_user"]).output(1000).create(&scoped).await.id
}

async fn begun(runs: ProgramRuns<'_>, agent: &AgentId, text: &str) -> ProgramRun {
    match runs.ask(agent, Place::New, text, None, WhenGone::GoOn).await.unwrap() {
        Asked::Begun(asked) => runs.find(agent, &asked.run).await.unwrap(),
        Asked::Busy => panic!("the agent is at work"),
    }
}

/// What arrived there, oldest first.
fn told(sink: &Sink) -> Vec<Value> {
    let body = |heard: String| serde_json::from_str(heard.splitn(4, ' ').nth(3).unwrap()).unwrap();
    sink.heard().into_iter().map(body).collect()
}

async fn is_forgotten(runs: ProgramRuns<'_>, run: &ProgramRun) -> bool {
    runs.pushes(&run.agent, &run.run).await.unwrap().is_empty()
}

#[tokio::test]
async fn a_program_is_told_what_its_task_asks_and_how_it_ended_and_then_nothing_of_its_address_is_left() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let (runs, sink) = (world.hub.program_runs(&program), Sink::start("thanks"));
        let run = begun(runs, &fern, ASKS).await;
        let push: TaskPush = runs.check_push(draft(&sink.url("/told"))).unwrap();
        runs.push(&fern, &run.run, &push, &RunState::Works).await.unwrap();
        until(async || !sink.heard().is_empty()).await;
        let status = told(&sink)[0]["statusUpdate"]["status"].clone();
        assert_eq!(
            (&status["state"], &status["message"]["parts"][0]["text"]),
            (&json!("TASK_STATE_INPUT_REQUIRED"), &json!("Which?"))
        );
        let head = &sink.heads()[0];
        for line in [
            "post /told ",
            "x-a2a-notification-token: push-word",
            "authorization: bearer push-credentials",
            "content-type: application/a2a+json",
        ] {
            assert!(head.contains(line), "{line}: {head}");
        }
        assert_eq!(runs.pushes(&fern, &run.run).await.unwrap()[0].id, run.run.0, "it is named like its task");
        runs.answer(&fern, &run.run, "Green", None).await.unwrap();
        until(async || is_forgotten(runs, &run).await).await;
        let end = told(&sink).pop().unwrap();
        assert_eq!(
            (&end["task"]["id"], &end["task"]["status"]["state"]),
            (&json!(run.run), &json!("TASK_STATE_COMPLETED"))
        );
        assert_eq!(end["task"]["artifacts"][0]["parts"][0]["text"], "Done.");
    })
    .await;
}

#[tokio::test]
async fn what_does_not_arrive_at_a_program_is_told_again_and_given_up_and_an_address_that_is_gone_at_once() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let runs = world.hub.program_runs(&program);
        for (status, times) in [("503 Service Unavailable", 5), ("410 Gone", 1), ("302 Found", 1)] {
            let sink = Sink::saying(status, "", b"");
            let run = begun(runs, &fern, "Hi").await;
            let push = runs.check_push(draft(&sink.url("/"))).unwrap();
            runs.push(&fern, &run.run, &push, &RunState::Works).await.unwrap();
            for tries in 1..=times {
                until(async || sink.heard().len() == tries).await;
                world.clock.advance(Duration::from_secs(30 * 60));
            }
            until(async || is_forgotten(runs, &run).await).await;
            assert_eq!(sink.heard().len(), times, "{status}");
        }
    })
    .await;
}

#[tokio::test]
async fn addresses_of_a_task_are_its_own_programs_few_and_none_that_the_hub_may_not_reach() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        let ((first, _), (other, _)) = (program(&world, &ada, None).await, program(&world, &ada, None).await);
        let (runs, others) = (world.hub.program_runs(&first), world.hub.program_runs(&other));
        let sink = Sink::start("thanks");
        let run = begun(runs, &fern, ASKS).await;
        let url = sink.url("/");
        for refused in [
            draft("http://169.254.169.254/latest"),
            draft("ftp://a.example/"),
            draft("http://a.example/"),
            draft(""),
            TaskPushDraft { scheme: "", ..draft(&url) },
            TaskPushDraft { token: "two\r\nlines", ..draft(&url) },
        ] {
            assert!(matches!(runs.check_push(refused), Err(Error::Invalid(_))), "{}", refused.url);
        }
        for (id, is_taken) in [("a", true), ("b", true), ("c", true), ("d", true), ("d", true), ("e", false)]
        {
            let push = runs.check_push(TaskPushDraft { id, ..draft(&url) }).unwrap();
            assert_eq!(runs.push(&fern, &run.run, &push, &run.state).await.is_ok(), is_taken, "{id}");
            assert!(matches!(others.push(&fern, &run.run, &push, &run.state).await, Err(Error::NotFound(_))));
        }
        assert!(matches!(others.pushes(&fern, &run.run).await, Err(Error::NotFound(_))));
        assert!(matches!(others.forget_push(&fern, &run.run, "a").await, Err(Error::NotFound(_))));
        runs.forget_push(&fern, &run.run, "a").await.unwrap();
        let left = runs.pushes(&fern, &run.run).await.unwrap();
        assert_eq!(left.iter().map(|push| push.id.as_str()).collect::<Vec<_>>(), ["b", "c", "d"]);
        assert!(left.iter().all(|push| push.url == url));
    })
    .await;
}

#[tokio::test]
async fn no_task_begins_without_room_for_its_address_and_one_gives_way_to_its_like_where_all_are_taken() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let fern = asker(&world, &ada, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let (runs, sink) = (world.hub.program_runs(&program), Sink::start("thanks"));
        let over = begun(runs, &fern, "Hi").await.run;
        until(async || matches!(runs.find(&fern, &over).await.unwrap().state, RunState::Over(_))).await;
        let run = begun(runs, &fern, ASKS).await;
        let url = sink.url("/");
        let push = |id| runs.check_push(TaskPushDraft { id, ..draft(&url) }).unwrap();
        for id in ["a", "b", "c", "d"] {
            runs.push(&fern, &run.run, &push(id), &run.state).await.unwrap();
        }
        let full = runs.require_room_for_push(Some(&run.run), &push("e")).await;
        assert!(matches!(full, Err(Error::Limit(_))), "of this task there are four");
        runs.require_room_for_push(None, &push("e")).await.unwrap();
        world
            .execute(&format!(
                "INSERT INTO task_pushes (run_id, id, token_id, sealed, told, tries, due_at)
                 SELECT '{over}', a.id || b.id || c.id || d.id, a.token_id, '', 'over', 0, 9000000000000000
                 FROM task_pushes a CROSS JOIN task_pushes b CROSS JOIN task_pushes c CROSS JOIN task_pushes d
                 LIMIT 196"
            ))
            .await;
        assert!(matches!(runs.require_room_for_push(None, &push("e")).await, Err(Error::Limit(_))));
        runs.require_room_for_push(Some(&run.run), &push("d")).await.unwrap();
        runs.push(&fern, &run.run, &push("d"), &run.state).await.unwrap();
    })
    .await;
}

/// Takes what is sent to it, and never answers. Its address, and the connections that it holds.
fn silent() -> (String, Arc<Mutex<Vec<TcpStream>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let held = Arc::new(Mutex::new(Vec::new()));
    let holds = Arc::clone(&held);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            holds.lock().unwrap().push(stream);
        }
    });
    (url, held)
}

#[tokio::test]
async fn a_program_is_told_however_many_of_somebody_else_s_wait_for_one_that_does_not_answer() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (fern, moss) = (asker(&world, &ada, &endpoint).await, asker(&world, &eve, &endpoint).await);
        let ((adas, _), (eves, _)) = (program(&world, &ada, None).await, program(&world, &eve, None).await);
        let (adas, eves) = (world.hub.program_runs(&adas), world.hub.program_runs(&eves));
        let done = async |runs: ProgramRuns<'_>, agent: &AgentId| {
            let run = begun(runs, agent, "Hi").await;
            let is_over =
                async || matches!(runs.find(agent, &run.run).await.unwrap().state, RunState::Over(_));
            until(is_over).await;
            run.run
        };
        let of_eve = done(eves, &moss).await;
        let of_ada = [done(adas, &fern).await, done(adas, &fern).await];
        let ((url, held), sink) = (silent(), Sink::start("thanks"));
        for run in &of_ada {
            for id in ["a", "b", "c", "d"] {
                let push = adas.check_push(TaskPushDraft { id, ..draft(&url) }).unwrap();
                adas.push(&fern, run, &push, &RunState::Works).await.unwrap();
            }
        }
        until(async || held.lock().unwrap().len() == 8).await;
        world
            .execute(
                "INSERT INTO task_pushes (run_id, id, token_id, sealed, told, tries, due_at)
                 SELECT a.run_id, a.id || b.run_id || b.id || c.run_id || c.id, a.token_id, 'of before', '', 0, 1
                 FROM task_pushes a CROSS JOIN task_pushes b CROSS JOIN task_pushes c",
            )
            .await;
        let push = eves.check_push(draft(&sink.url("/"))).unwrap();
        eves.push(&moss, &of_eve, &push, &RunState::Works).await.unwrap();
        until(async || !sink.heard().is_empty()).await;
        let store = world.store().await;
        let left = sqlx::query("SELECT COUNT(*) FROM task_pushes WHERE due_at <= 1");
        let left: i64 = left.fetch_one(store.read()).await.unwrap().get(0);
        assert!(left >= 500, "only {left} are before it");
        store.close().await;
        held.lock().unwrap().clear();
    })
    .await;
}
