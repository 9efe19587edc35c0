//! A folder with as many files as a cloned repository: what is done with all of them takes few statements, and what is
//! told of them is no more than fits.

use crate::approvals::add_rule;
use crate::budgets::cost;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, on_sqlite};
use hub::{FileListing, MOST_LISTED, Scoped};
use protocol::files::{FileAuthor, UndoneCall};
use protocol::{AgentId, CallId, ConversationId};
use serde_json::{Value, json};

/// Files that the command makes.
const FILES: u64 = 10_000;

fn ok(result: &(bool, String)) -> Value {
    assert!(!result.0, "{result:?}");
    serde_json::from_str(&result.1).unwrap_or_else(|_| panic!("{result:?}"))
}

/// By which call the file came to be, or went.
async fn last_call(scoped: &Scoped<'_>, agent: &AgentId, path: &str) -> CallId {
    let versions = scoped.files().versions(agent, path).await.unwrap();
    match versions.first().and_then(|version| version.author.clone()) {
        Some(FileAuthor::Agent { call: Some(call), .. }) => call,
        other => panic!("{other:?}"),
    }
}

async fn count(scoped: &Scoped<'_>, agent: &AgentId) -> u64 {
    scoped.files().folder(agent).await.unwrap().files
}

async fn run(scoped: &Scoped<'_>, agent: &AgentId, talk: &ConversationId, command: &str) -> Value {
    ok(&calls(scoped, agent, talk, &[("terminal", json!({ "command": command }))]).await[0])
}

#[tokio::test]
async fn ten_thousand_files_are_made_found_read_and_taken_back_in_few_statements() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tools = ["terminal", "glob", "grep", "files"];
        Definition::like(&agent).tools(tools).replace(&scoped, &agent.id).await;
        add_rule(&world.hub, &viewer, "allow", "terminal", "").await;
        let (agent, talk) = (&agent.id, scoped.conversations().create(&agent.id).await.unwrap().id);

        // What was changed since stays.
        run(&scoped, agent, &talk, "mkdir s; echo one > s/1; echo one > s/2").await;
        run(&scoped, agent, &talk, "echo two >> s/1; echo two >> s/2; echo new > new.txt").await;
        scoped.files().write(agent, "s/1", b"by hand").await.unwrap();
        let call = last_call(&scoped, agent, "new.txt").await;
        // A branch shows the call as well.
        let entries = scoped.conversations().entries(agent, 0).await.unwrap();
        let last = entries.into_iter().filter_map(|entry| entry.run).next_back().unwrap();
        let branch = scoped.conversations().fork(&talk, &last).await.unwrap().id;
        let undone = scoped.files().undo_call(agent, &branch, &call).await.unwrap();
        assert_eq!(undone, UndoneCall { undone: 2, left: 0 });
        assert_eq!(scoped.files().read(agent, "s/1").await.unwrap(), b"by hand");
        assert_eq!(scoped.files().read(agent, "s/2").await.unwrap(), b"one\n");
        assert!(scoped.files().read(agent, "new.txt").await.is_err());

        let fill = format!("mkdir d; for i in $(seq {FILES}); do echo \"line $i\" > d/$i.txt; done");
        let made = cost(&world, async {
            let made = run(&scoped, agent, &talk, &fill).await;
            assert_eq!(made["changed_besides"], json!(FILES - 15), "{made}");
        });
        if let Some(cost) = made.await {
            // Four for each part of two hundred, beside those of a turn with a call.
            assert!(cost.statements < 400, "{cost:?}");
        }
        assert_eq!(count(&scoped, agent).await, FILES + 2);

        let grep = |offset: u64| {
            json!({ "pattern": "line 1.*7", "output_mode": "content", "limit": 250, "offset": offset })
        };
        let results = calls(
            &scoped,
            agent,
            &talk,
            &[
                ("files", json!({ "action": "list", "path": "/agent" })),
                ("glob", json!({ "pattern": "d/99*.txt" })),
                ("grep", json!({ "pattern": "^line 10000$" })),
                ("grep", grep(0)),
            ],
        )
        .await;
        let listed = ok(&results[0]);
        assert_eq!(listed["files"], json!(FILES + 2));
        assert!(listed["more"].as_str().unwrap().contains("are not shown"), "{}", listed["more"]);
        let globbed = ok(&results[1]);
        assert_eq!((&globbed["total"], globbed["paths"].as_array().unwrap().len()), (&json!(111), 100));
        assert_eq!(ok(&results[2]), json!({ "paths": ["/agent/d/10000.txt"] }));
        // The answer is cut at what fits, and reads on where it was.
        let lines = |part: &Value| part["lines"].as_array().unwrap().clone();
        let first = ok(&results[3]);
        let told = lines(&first).len() as u64;
        assert!(first["more"].as_str().unwrap().contains(&format!("offset {told},")), "{}", first["more"]);
        let second = ok(&calls(&scoped, agent, &talk, &[("grep", grep(told))]).await[0]);
        assert!(!lines(&second).is_empty());
        assert!(lines(&second).iter().all(|line| !lines(&first).contains(line)));

        let part = scoped.files().list(agent, &FileListing::default()).await.unwrap();
        assert_eq!(part.len(), MOST_LISTED);
        let after = FileListing { after: part[MOST_LISTED - 1].path.clone(), ..FileListing::default() };
        let next = scoped.files().list(agent, &after).await.unwrap();
        assert!(next.iter().all(|file| part.iter().all(|before| before.path != file.path)));
        let find = FileListing { find: "D/999".to_owned(), ..FileListing::default() };
        assert_eq!(scoped.files().list(agent, &find).await.unwrap().len(), 11);

        // All of it goes into the bin, and comes back at once.
        run(&scoped, agent, &talk, "rm -r d").await;
        assert_eq!(count(&scoped, agent).await, 2);
        assert_eq!(scoped.files().deleted(agent, 500).await.unwrap().len(), 500);
        let call = last_call(&scoped, agent, "d/7.txt").await;
        let back = cost(&world, async {
            let undone = scoped.files().undo_call(agent, &talk, &call).await.unwrap();
            assert_eq!(undone, UndoneCall { undone: FILES, left: 0 });
        });
        if let Some(cost) = back.await {
            assert!(cost.statements < 500, "{cost:?}");
        }
        assert_eq!(scoped.files().read(agent, "d/7.txt").await.unwrap(), b"line 7\n");
        assert!(scoped.files().undo_call(agent, &talk, &call).await.is_err(), "it was taken back");

        // A folder has an end.
        let more = format!("mkdir e; cd e; touch $(seq {})", FILES - 1);
        let full = run(&scoped, agent, &talk, &more).await;
        let why = full["not_kept"][0]["why"].as_str().unwrap();
        assert!(why.contains("20,000 files already") && why.contains("Delete some first"), "{full}");
        assert_eq!(full["not_kept"].as_array().unwrap().len(), 1);
        assert_eq!(count(&scoped, agent).await, 2 * FILES);
        let error = scoped.files().write(agent, "one too many", b"").await.unwrap_err();
        assert!(error.to_string().contains("20,000 files already"), "{error}");
        scoped.files().write(agent, "e/1", b"what is there can be changed").await.unwrap();
    })
    .await;
}
