//! Jobs elsewhere, against real servers: started once, found, followed, read, cancelled and told of, whatever the
//! service says and wherever a hub ends.

mod lies;

use crate::approvals::add_rule;
use crate::runs::{agent, open, trace};
use crate::talk::{PATIENCE, calls, until};
use crate::world::{Definition, Endpoint, JobServer, World, each_store};
use hub::{Hub, Scoped, Viewer};
use protocol::ExternalJobId;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::Decision;
use protocol::hub::Noun;
use protocol::log::{EntryBody, Sender};
use protocol::view::{
    AgentView, ExternalJobState, ExternalJobView, JobServiceDraft, JobServiceKind, JobServiceView, Network,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const TOOL: &str = "external_job";
/// Time passes faster here than there: what begins there begins after what is asked for here.
const AHEAD: u64 = 30 * 24 * 60 * 60;

/// An agent of a new person's that may start jobs at this server and is not asked about each.
async fn starter(world: &World, endpoint: &Endpoint, server: &JobServer, name: &str) -> (Viewer, AgentView) {
    let viewer = world.person(name).await;
    let view = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let scoped = world.hub.for_viewer(&viewer);
    let view = scoped.agents().edit(&view.id, Definition::like(&view).tools([TOOL]).draft()).await.unwrap();
    let network = Network::AllowList { hosts: vec![server.host()] };
    scoped.networks().set(&view.id, network).await.unwrap();
    add_rule(&world.hub, &viewer, "allow", TOOL, &server.host()).await;
    (viewer, view)
}

fn github(server: &JobServer) -> JobServiceDraft {
    JobServiceDraft {
        name: "ci".to_owned(),
        kind: JobServiceKind::Github,
        url: server.url.clone(),
        repository: "octo/garden".to_owned(),
        log_url: server.logs.clone(),
        jobs: "build.yml main job_id\nplain.yml".to_owned(),
        token: JobServer::TOKEN.to_owned(),
    }
}

fn plain(server: &JobServer) -> JobServiceDraft {
    JobServiceDraft {
        name: "farm".to_owned(),
        kind: JobServiceKind::Http,
        url: format!("{}/plain", server.url),
        jobs: "render".to_owned(),
        token: JobServer::TOKEN.to_owned(),
        ..JobServiceDraft::default()
    }
}

async fn add(scoped: &Scoped<'_>, draft: JobServiceDraft) -> JobServiceView {
    let service = scoped.job_services().add(&draft).await.unwrap();
    assert_eq!((service.failure.as_deref(), service.has_token), (None, true));
    service
}

async fn called(scoped: &Scoped<'_>, agent: &AgentView, input: Value) -> (bool, Value) {
    at_rest(scoped, agent).await;
    let (is_error, told) = calls(scoped, &agent.id, &agent.conversation, &[(TOOL, input)]).await.remove(0);
    (is_error, serde_json::from_str(&told).unwrap_or(Value::String(told)))
}

/// Returns when the agent has done all that it was told.
async fn at_rest(scoped: &Scoped<'_>, agent: &AgentView) {
    until(async || {
        let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let last = |is_one: fn(&EntryBody) -> bool| entries.iter().rposition(|entry| is_one(&entry.body));
        let ended = last(|body| matches!(body, EntryBody::RunFinished { .. }));
        let told = last(|body| matches!(body, EntryBody::Message { .. } | EntryBody::RunStarted { .. }));
        ended >= told
    })
    .await;
}

async fn start(scoped: &Scoped<'_>, agent: &AgentView, service: &str, job: &str) -> (bool, Value) {
    let input = json!({ "action": "start", "service": service, "job": job, "input": { "leaf": "moss" } });
    called(scoped, agent, input).await
}

async fn newest(scoped: &Scoped<'_>) -> ExternalJobView {
    scoped.external_jobs().list().await.unwrap().remove(0)
}

/// Lets time pass until it is so.
async fn in_time(world: &World, is_so: impl AsyncFn() -> bool) {
    let look = async {
        while !is_so().await {
            world.clock.advance(Duration::from_secs(2));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.expect("it comes to be so");
}

async fn until_state(world: &World, hub: &Hub, viewer: &Viewer, state: ExternalJobState) -> ExternalJobView {
    in_time(world, async || newest(&hub.for_viewer(viewer)).await.state == state).await;
    newest(&hub.for_viewer(viewer)).await
}

async fn log_of(scoped: &Scoped<'_>, id: &ExternalJobId) -> String {
    scoped.external_jobs().read(id).await.unwrap().log.text
}

/// What the agent was told of jobs that ended.
async fn told(scoped: &Scoped<'_>, agent: &AgentView) -> Vec<String> {
    let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
    let told = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Job { .. }, text, .. } => Some(text),
        _ => None,
    });
    told.collect()
}

/// The id that the server has for the job that it began last.
async fn there(server: &JobServer) -> String {
    server.jobs().await.last().unwrap()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_workflow_is_started_found_read_while_it_runs_and_its_end_is_told_to_whoever_started_it() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, github(&server)).await;
        let (_, listed) = called(&scoped, &ada, json!({ "action": "list" })).await;
        assert_eq!(listed["services"][0]["jobs"], json!(["build.yml", "plain.yml"]));

        let (is_error, began) = start(&scoped, &ada, "ci", "build.yml").await;
        assert!(!is_error && began["number"] == 1, "{began}");
        let job = newest(&scoped).await;
        let known = server.jobs().await;
        assert_eq!((known.len(), &known[0]["branch"]), (1, &json!("main")));
        assert_eq!(known[0]["inputs"], json!({ "leaf": "moss", "job_id": job.id }));

        let id = there(&server).await;
        server.say(&id, "one\n\u{1b}[31mtwo\u{1b}[0m\n").await;
        in_time(&world, async || log_of(&scoped, &job.id).await.contains("two\n")).await;
        assert_eq!(log_of(&scoped, &job.id).await, "== grow ==\none\ntwo\n");
        let running = newest(&scoped).await;
        assert_eq!(running.state, ExternalJobState::Running);
        assert_eq!(running.progress, "0 of 1 jobs done; grow: step 2 of 2, Grow moss");
        assert!(running.link.unwrap().ends_with(&format!("/octo/garden/actions/runs/{id}")));

        let read = json!({ "action": "log", "number": 1, "from": 0 });
        let (_, first) = called(&scoped, &ada, read).await;
        assert_eq!(first["log"], "== grow ==\none\ntwo\n");
        server.say(&id, "three\n").await;
        in_time(&world, async || log_of(&scoped, &job.id).await.contains("three")).await;
        let read = json!({ "action": "log", "number": 1, "from": first["read_on_from"] });
        assert_eq!(called(&scoped, &ada, read).await.1["log"], "three\n");

        server.end(&id, json!({ "how": "success" })).await;
        let ended = until_state(&world, &world.hub, &viewer, ExternalJobState::Succeeded).await;
        assert!(ended.ended_at.is_some());
        let result = scoped.external_jobs().read(&job.id).await.unwrap().result.unwrap();
        let result: Value = serde_json::from_str(&result).unwrap();
        assert_eq!(result["artifacts"], json!([{ "name": "moss.zip", "bytes": 4096, "expired": false }]));
        until(async || told(&scoped, &ada).await.len() == 1).await;
        let said = told(&scoped, &ada).await.remove(0);
        assert!(said.starts_with("Job 1: It succeeded.") && said.contains("three\n"), "{said}");
        until(async || {
            let asked = endpoint.requests().await;
            asked.last().unwrap()["body"]
                .to_string()
                .contains("[your external job has ended: build.yml at ci]")
        })
        .await;
        let read = endpoint.requests().await.last().unwrap()["body"]["messages"].to_string();
        assert!(read.contains("<words-of-strangers>\\nJob 1: It succeeded."), "{read}");

        let (asked, leaked) = server.asked().await;
        assert_eq!(leaked, 0, "the token goes to the service alone");
        assert_eq!(asked.iter().filter(|line| line.contains("dispatches")).count(), 1, "{asked:?}");
        let log = scoped.conversations().entries(&ada.id, 0).await.unwrap();
        assert!(!serde_json::to_string(&log).unwrap().contains(JobServer::TOKEN));
    })
    .await;
}

#[tokio::test]
async fn a_run_of_which_no_id_was_said_is_found_by_the_id_it_was_given_or_alone_and_never_guessed() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, github(&server)).await;
        server.be(json!({ "old": true, "strict": true, "quiet": true, "ahead": AHEAD })).await;

        start(&scoped, &ada, "ci", "build.yml").await;
        let first = there(&server).await;
        start(&scoped, &ada, "ci", "build.yml").await;
        let second = there(&server).await;
        server.say(&second, "of the second\n").await;
        server.end(&second, json!({ "how": "failure" })).await;
        let ended = until_state(&world, &world.hub, &viewer, ExternalJobState::Failed).await;
        assert_eq!(ended.why, "Failed: grow.");
        assert!(log_of(&scoped, &ended.id).await.contains("of the second"));
        server.end(&first, json!({ "how": "success" })).await;
        in_time(&world, async || {
            scoped.external_jobs().list().await.unwrap()[1].state == ExternalJobState::Succeeded
        })
        .await;

        // It takes no id: the only one that there is, is it.
        start(&scoped, &ada, "ci", "plain.yml").await;
        server.end(&there(&server).await, json!({ "how": "cancelled" })).await;
        until_state(&world, &world.hub, &viewer, ExternalJobState::Cancelled).await;

        // Two that began at once are not told apart.
        start(&scoped, &ada, "ci", "plain.yml").await;
        start(&scoped, &ada, "ci", "plain.yml").await;
        let lost = until_state(&world, &world.hub, &viewer, ExternalJobState::Lost).await;
        assert!(lost.why.contains("several runs of this workflow began"), "{}", lost.why);
    })
    .await;
}

#[tokio::test]
async fn any_server_that_speaks_the_few_requests_has_its_jobs_followed_and_ended() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, plain(&server)).await;
        let mut page = open(&world, &viewer, "page");
        start(&scoped, &ada, "farm", "render").await;
        let id = there(&server).await;
        let job = newest(&scoped).await;
        assert_eq!(server.jobs().await[0]["inputs"], json!({ "leaf": "moss" }));
        server.say(&id, "frame 1\nframe").await;
        in_time(&world, async || log_of(&scoped, &job.id).await == "frame 1\n").await;
        assert_eq!(newest(&scoped).await.progress, "50 %");
        server.say(&id, " 2\n").await;
        server.end(&id, json!({ "how": "failure", "code": 3, "result": { "frames": 2 } })).await;
        let ended = until_state(&world, &world.hub, &viewer, ExternalJobState::Failed).await;
        assert_eq!(ended.exit_code, Some(3));
        let detail = scoped.external_jobs().read(&job.id).await.unwrap();
        assert_eq!(
            (detail.log.text.as_str(), detail.result.as_deref()),
            ("frame 1\nframe 2\n", Some(r#"{"frames":2}"#))
        );
        at_rest(&scoped, &ada).await;
        scoped.person_context().note("Moss", "green").await.unwrap();
        let told_of = trace::nouns_until(&mut page, Noun::PersonContext).await;
        assert_eq!(told_of, BTreeSet::from([Noun::Agents, Noun::ExternalJobs, Noun::PersonContext]));

        // By its person.
        start(&scoped, &ada, "farm", "render").await;
        server.say(&there(&server).await, "frame 1\n").await;
        until_state(&world, &world.hub, &viewer, ExternalJobState::Running).await;
        let second = newest(&scoped).await;
        scoped.external_jobs().cancel(&second.id).await.unwrap();
        until_state(&world, &world.hub, &viewer, ExternalJobState::Cancelled).await;
        let again = scoped.external_jobs().cancel(&second.id).await.unwrap_err();
        assert!(again.to_string().contains("has ended already"), "{again}");

        // By its agent, which reads that it ended and is not told so once more.
        start(&scoped, &ada, "farm", "render").await;
        let before = told(&scoped, &ada).await.len();
        let (is_error, cancelled) = called(&scoped, &ada, json!({ "action": "cancel", "number": 3 })).await;
        assert!(!is_error && cancelled["cancelled"] == true, "{cancelled}");
        until_state(&world, &world.hub, &viewer, ExternalJobState::Cancelled).await;
        until(async || told(&scoped, &ada).await.len() == before + 1).await;
        let (_, listed) = called(&scoped, &ada, json!({ "action": "list" })).await;
        assert_eq!(listed["yours"].as_array().unwrap().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_person_is_asked_before_a_job_begins_or_ends_and_nothing_goes_where_network_and_person_are_against_it()
 {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let viewer = world.person("ada").await;
        let view = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let scoped = world.hub.for_viewer(&viewer);
        let ada =
            scoped.agents().edit(&view.id, Definition::like(&view).tools([TOOL]).draft()).await.unwrap();
        let service = add(&scoped, plain(&server)).await;
        let (_, denied) = start(&scoped, &ada, "farm", "render").await;
        assert!(denied.to_string().contains("may not reach the web"), "{denied}");
        let network = Network::AllowList { hosts: vec![server.host()] };
        scoped.networks().set(&ada.id, network).await.unwrap();

        for (decision, begun) in [(Decision::Deny, 0), (Decision::Once, 1)] {
            let input = json!({ "action": "start", "service": "farm", "job": "render" });
            let text =
                format!("turns: {}", json!([[{ "tool": TOOL, "input": input }], [{ "text": "Done." }]]));
            scoped.runs().send_message(&ada.id, &text, None, None).await.unwrap();
            until(async || !scoped.approvals().list().await.unwrap().is_empty()).await;
            let approval = scoped.approvals().list().await.unwrap().remove(0).approval;
            scoped.approvals().answer(&approval.id, &approval.hash, decision, "").await.unwrap();
            until(async || scoped.external_jobs().list().await.unwrap().len() == begun).await;
            at_rest(&scoped, &ada).await;
            assert_eq!(server.jobs().await.len(), begun);
        }

        scoped.job_services().switch(&service.id, false).await.unwrap();
        let (is_error, off) = start(&scoped, &ada, "farm", "render").await;
        assert!(is_error && off.to_string().contains("switched off"), "{off}");
        scoped.job_services().switch(&service.id, true).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", TOOL, &server.host()).await;
        scoped.job_services().change(&service.id, "encode", "").await.unwrap();
        let (is_error, unknown) = start(&scoped, &ada, "farm", "render").await;
        assert!(is_error && unknown.to_string().contains("has no job render for you"), "{unknown}");
        assert_eq!(server.jobs().await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_job_goes_on_with_the_next_process_and_is_told_of_once() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        add(&scoped, github(&server)).await;
        start(&scoped, &ada, "ci", "build.yml").await;
        let id = there(&server).await;
        server.say(&id, "one\n").await;
        let job = until_state(&world, &world.hub, &viewer, ExternalJobState::Running).await;
        in_time(&world, async || log_of(&scoped, &job.id).await.contains("one")).await;
        world.hub.close().await;
        server.say(&id, "two\n").await;
        server.end(&id, json!({ "how": "success" })).await;
        world.clock.advance(Duration::from_secs(300));
        let next = world.reopened().await;
        until_state(&world, &next, &viewer, ExternalJobState::Succeeded).await;
        let scoped = next.for_viewer(&viewer);
        assert_eq!(log_of(&scoped, &job.id).await, "== grow ==\none\ntwo\n");
        until(async || told(&scoped, &ada).await.len() == 1).await;
        let (asked, _) = server.asked().await;
        assert_eq!(asked.iter().filter(|line| line.contains("dispatches")).count(), 1, "{asked:?}");
        next.close().await;
    })
    .await;
}

#[tokio::test]
async fn jobs_and_services_are_their_persons_and_one_has_so_many() {
    each_store(async |world: World| {
        let (endpoint, server) = (Endpoint::start(), JobServer::start());
        let (viewer, ada) = starter(&world, &endpoint, &server, "ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let service = add(&scoped, plain(&server)).await;
        start(&scoped, &ada, "farm", "render").await;
        let job = newest(&scoped).await;

        let (stranger, bo) = starter(&world, &endpoint, &server, "bo").await;
        let others = world.hub.for_viewer(&stranger);
        assert_eq!(others.external_jobs().list().await.unwrap(), []);
        for refused in [
            others.external_jobs().read(&job.id).await.err(),
            others.external_jobs().log(&job.id, 0).await.err(),
            others.external_jobs().cancel(&job.id).await.err(),
            others.job_services().read(&service.id).await.err(),
            others.job_services().set_token(&service.id, "x").await.err(),
            others.job_services().switch(&service.id, false).await.err(),
            others.job_services().remove(&service.id).await.err(),
        ] {
            assert!(matches!(refused, Some(hub::Error::NotFound(_))), "{refused:?}");
        }
        let (is_error, none) = called(&others, &bo, json!({ "action": "status", "number": 1 })).await;
        assert!(is_error && none.to_string().contains("You have no job 1"), "{none}");
        let (is_error, none) = start(&others, &bo, "farm", "render").await;
        assert!(is_error, "{none}");
        assert_eq!(server.jobs().await.len(), 1);

        for _ in 0..9 {
            assert!(!start(&scoped, &ada, "farm", "render").await.0);
        }
        let (is_error, full) = start(&scoped, &ada, "farm", "render").await;
        assert!(is_error && full.to_string().contains("10 jobs of your person's are under way"), "{full}");
        assert_eq!(server.jobs().await.len(), 10);

        scoped.job_services().remove(&service.id).await.unwrap();
        let jobs = scoped.external_jobs().list().await.unwrap();
        assert!(jobs.iter().all(|job| job.state == ExternalJobState::Lost), "{jobs:?}");
    })
    .await;
}
