//! Commands in the background: read later, told something, stopped, and never left behind.

use super::{Scene, paths};
use crate::approvals::until_asked;
use crate::runs::{open, trace};
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::Scoped;
use protocol::hub::Noun;
use protocol::view::{JobEnding, TerminalJob};
use serde_json::{Value, json};
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);
/// Looks until a test gives up, each half a second after the one before.
const LOOKS: usize = 120;

impl Scene {
    async fn call(&self, scoped: &Scoped<'_>, input: Value) -> (bool, Value) {
        let mut results = calls(scoped, &self.agent.id, &self.talk, &[("terminal", input)]).await;
        let (failed, told) = results.remove(0);
        (failed, serde_json::from_str(&told).unwrap_or(Value::String(told)))
    }

    pub(super) async fn told(&self, scoped: &Scoped<'_>, input: Value) -> Value {
        let (failed, told) = self.call(scoped, input).await;
        assert!(!failed, "{told}");
        told
    }

    pub(super) async fn begin_job(&self, scoped: &Scoped<'_>, command: &str) -> u64 {
        let told = self.told(scoped, json!({ "command": command, "background": true })).await;
        assert_eq!(told["running"], true);
        told["job"].as_u64().unwrap()
    }

    async fn jobs(&self, scoped: &Scoped<'_>) -> Vec<TerminalJob> {
        scoped.terminal_jobs().list(&self.agent.id).await.unwrap()
    }

    /// When it has ended, how.
    async fn ending(&self, scoped: &Scoped<'_>, number: u64) -> JobEnding {
        for _ in 0..LOOKS {
            let job = self.jobs(scoped).await.into_iter().find(|job| u64::from(job.number) == number);
            if let Some(ending) = job.unwrap().ending {
                return ending;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        panic!("job {number} does not end");
    }
}

/// Waits until so many processes of the machine have that name.
async fn until_processes(name: &str, count: usize) {
    let is_it = |entry: &std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.starts_with(name.as_bytes())
    };
    for _ in 0..LOOKS {
        let found = std::fs::read_dir("/proc").unwrap().flatten().filter(is_it).count();
        if found == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("there are not {count} processes {name}");
}

#[tokio::test]
async fn a_job_is_read_on_told_something_and_what_it_changes_is_kept_when_it_is_read_and_when_it_ends() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        scoped.files().write(agent, "trees.txt", b"oak\n").await.unwrap();
        let mut page = open(&world, &scene.viewer, "page");
        let command = "echo ready; rm trees.txt; echo 1 > early.txt; ln -s /etc/passwd link; \
                       while read line; do echo \"heard $line\"; done; echo 2 > early.txt; echo late > late.txt; exit 3";
        let job = scene.begin_job(&scoped, command).await;
        let mut first = scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 60 })).await;
        assert_eq!((&first["output"], &first["running"]), (&json!("ready\n"), &json!(true)));
        for _ in 0..LOOKS {
            if paths(&scoped, agent).await == ["early.txt"] {
                break;
            }
            first = scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 1 })).await;
        }
        assert_eq!(paths(&scoped, agent).await, ["early.txt"], "{first}");
        let heard =
            scene.told(&scoped, json!({ "action": "input", "job": job, "text": "moss\n", "wait_s": 60 })).await;
        assert_eq!((&heard["output"], &heard.get("changed")), (&json!("heard moss\n"), &None));
        let closing =
            scene.told(&scoped, json!({ "action": "input", "job": job, "end_input": true, "wait_s": 0 })).await;
        assert_eq!(scene.ending(&scoped, job).await, JobEnding::Exited { code: 3 });
        let last = scene.told(&scoped, json!({ "action": "output", "job": job })).await;
        assert_eq!((&last["exit_code"], &last["running"]), (&json!(3), &json!(false)));
        let told = format!("{}{}", closing["changed"], last["changed"]);
        assert!(told.contains("/agent/early.txt") && told.contains("/agent/late.txt"), "{told}");
        assert_eq!(scoped.files().read(agent, "early.txt").await.unwrap(), b"2\n");
        let again = scene.told(&scoped, json!({ "action": "output", "job": job, "from": 6 })).await;
        assert_eq!((&again["output"], &again.get("changed")), (&json!("heard moss\n"), &None));
        let (failed, told) = scene.call(&scoped, json!({ "action": "input", "job": job, "text": "x" })).await;
        assert!(failed, "{told}");
        let listed = scene.told(&scoped, json!({ "action": "list" })).await;
        assert_eq!((&listed["jobs"][0]["job"], &listed["jobs"][0]["exit_code"]), (&json!(job), &json!(3)));
        scoped.person_context().note("Oak", "green").await.unwrap();
        assert!(trace::nouns_until(&mut page, Noun::PersonContext).await.contains(&Noun::TerminalJobs));
    })
    .await;
}

#[tokio::test]
async fn nothing_of_a_job_outlives_its_stop_and_its_person_stops_it_as_well() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let command = "(trap '' TERM HUP; setsid sh -c 'while :; do echo x >> /agent/late; sleep 0.1; done') \
                       >/dev/null 2>&1 & trap '' TERM; echo begun; while :; do sleep 1; done";
        for by_person in [false, true] {
            let job = scene.begin_job(&scoped, command).await;
            scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 60 })).await;
            let shown = scene.jobs(&scoped).await;
            assert_eq!((shown[0].last.as_str(), &shown[0].ending), ("begun", &None));
            assert_eq!(shown[0].command, command);
            let expected = if by_person {
                scoped.terminal_jobs().stop(agent, u32::try_from(job).unwrap()).await.unwrap();
                JobEnding::StoppedByPerson
            } else {
                let told = scene.told(&scoped, json!({ "action": "stop", "job": job })).await;
                assert_eq!(told["ended"], "it was stopped by the agent");
                JobEnding::StoppedByAgent
            };
            assert_eq!(scene.ending(&scoped, job).await, expected);
            let bytes = scoped.files().read(agent, "late").await.unwrap();
            let [later] = scene.run(&scoped, ["sleep 0.5; wc -c < late"]).await;
            assert_eq!(later["output"], format!("{}\n", bytes.len()));
            scoped.files().delete(agent, "late").await.unwrap();
        }
        let other = world.person("Bert").await;
        let theirs = world.hub.for_viewer(&other);
        assert!(theirs.terminal_jobs().list(agent).await.is_err());
        assert!(theirs.terminal_jobs().stop(agent, 1).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_job_ends_when_its_time_is_over_with_its_agent_and_with_its_person_s_terminal() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let mut jobs = Vec::new();
        for _ in 0..3 {
            jobs.push(scene.begin_job(&scoped, "echo moss > kept.txt; echo on; exec sleep 100000").await);
        }
        let (failed, told) = scene.call(&scoped, json!({ "command": "true", "background": true })).await;
        assert!(failed && told.as_str().unwrap().contains("3 jobs of yours run already"), "{told}");
        scene.told(&scoped, json!({ "action": "output", "job": jobs[2], "wait_s": 60 })).await;
        world.clock.advance(HOUR);
        for job in jobs {
            assert_eq!(scene.ending(&scoped, job).await, JobEnding::TimeOver);
        }
        assert_eq!(scoped.files().read(&scene.agent.id, "kept.txt").await.unwrap(), b"moss\n");
        let mark = format!("job-of-{}", scene.agent.id);
        let last = scene.begin_job(&scoped, &format!("echo on; exec -a {mark} sleep 100000")).await;
        scene.told(&scoped, json!({ "action": "output", "job": last, "wait_s": 60 })).await;
        until_processes(&mark, 1).await;
        scoped.agents().delete(&scene.agent.id).await.unwrap();
        until_processes(&mark, 0).await;
    })
    .await;
}

#[tokio::test]
async fn a_job_that_takes_more_than_it_may_have_is_ended_and_the_oldest_of_a_long_output_is_let_go_of() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        for (command, words) in [
            (
                "for i in 1 2; do python3 -c 'import time; a=b\"x\"*(400<<20); time.sleep(60)' & done; wait",
                "512 MB of memory",
            ),
            (
                "touch kept; for i in 1 2; do head -c 200M /dev/zero > /tmp/$i; done; sleep 60",
                "256 MB of disk",
            ),
        ] {
            let job = scene.begin_job(&scoped, command).await;
            let ending = scene.ending(&scoped, job).await;
            assert!(matches!(&ending, JobEnding::Exceeded { what } if what.contains(words)), "{ending:?}");
        }
        assert_eq!(paths(&scoped, agent).await, Vec::<String>::new());
        let job = scene.begin_job(&scoped, "seq 100000; echo end").await;
        scene.ending(&scoped, job).await;
        let told = scene.told(&scoped, json!({ "action": "output", "job": job })).await;
        assert!(told["left_out"].as_str().unwrap().contains("which are not kept"), "{told}");
        let on = told["read_on_from"].as_u64().unwrap();
        let next = scene.told(&scoped, json!({ "action": "output", "job": job })).await;
        let same = scene.told(&scoped, json!({ "action": "output", "job": job, "from": on })).await;
        assert_eq!(next["output"], same["output"]);
        assert_eq!(scene.jobs(&scoped).await[0].last.lines().last(), Some("end"));
    })
    .await;
}

#[tokio::test]
async fn what_ended_with_the_hub_says_so() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let job = scene.begin_job(&scoped, "echo moss > kept.txt; echo begun; exec sleep 100000").await;
        scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 60 })).await;
        world.hub.close().await;
        // As one finds it that crashed.
        let store = world.store().await;
        let left = "UPDATE terminal_jobs SET ended_at = NULL, ending = NULL";
        sqlx::query(left).execute(store.read()).await.unwrap();
        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&scene.viewer);
        let shown = scene.jobs(&scoped).await;
        assert_eq!((&shown[0].ending, shown[0].last.as_str()), (&Some(JobEnding::HubEnded), "begun"));
        let told = scene.told(&scoped, json!({ "action": "output", "job": job })).await;
        assert_eq!((&told["ended"], &told["running"]), (&json!("it ended with the hub"), &json!(false)));
        assert_eq!(scoped.files().read(&scene.agent.id, "kept.txt").await.unwrap(), b"moss\n");
    })
    .await;
}

#[tokio::test]
async fn what_a_job_is_told_is_asked_about_like_a_command() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["terminal"]).replace(&scoped, &agent.id).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let turns = json!([
            [{ "tool": "terminal_list", "input": {} }],
            [{ "tool": "terminal_input", "input": { "job": 1, "text": "rm moss\n" } }],
            [{ "text": "Done." }],
        ]);
        scoped.runs().send_message(&agent.id, &format!("turns: {turns}"), None, None).await.unwrap();
        let asked = until_asked(&mut tab).await;
        let input = json!({ "job": 1, "text": "rm moss\n", "action": "input" });
        assert_eq!((asked.call.name.as_str(), &asked.call.input), ("terminal", &input));
    })
    .await;
}
