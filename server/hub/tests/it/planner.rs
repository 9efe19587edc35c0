//! What the planners of both databases make of the hub's statements: no table that grows with people, agents or
//! time is read as a whole on the way of one of them.

mod plan;
mod source;

use crate::world::{World, each_store, on_postgres, on_sqlite};
use plan::Planner;
use source::{Source, Statement};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Tables of which there are few rows, however many people there are.
const FEW: &[&str] = &[
    "lent_mcp_servers",
    "lent_skills",
    "mcp_programs",
    "model_facts",
    "nodes",
    "people_groups",
    "revoked_skills",
    "settings",
    "shared_providers",
];

/// What reads a table as a whole, and why it may: the file, the table, the reason.
const WHOLE: &[(&str, &str, &str)] = &[
    ("accounts/invites.rs", "invites", "those that are open, when one is made"),
    ("accounts/manage.rs", "users", "whether the hub keeps an administrator"),
    ("accounts/passkeys.rs", "passkeys", "whether there is any"),
    ("accounts/passkeys/challenge.rs", "used_challenges", "those of five minutes"),
    ("accounts/pending.rs", "pending_sign_ins", "those of five minutes"),
    ("accounts/people.rs", "users", "names of before, when a hub starts"),
    ("archives/uploads.rs", "archive_uploads", "those that wait for a yes"),
    ("audit/share.rs", "audit_shares", "a row for each action of a person, when what is old is let go of"),
    ("audit/verify.rs", "audit", "an administrator has all of it checked"),
    ("cluster/lease.rs", "users", "once a minute, whether anybody is on no node"),
    ("cluster/placement.rs", "users", "when a node joins"),
    ("cluster/status.rs", "runs", "those that are under way, for the page Status and for doctor"),
    ("conversations/packing.rs", "packed_conversations", "doctor opens each"),
    ("conversations/packing.rs", "users", "those whose old conversations are packed, once an hour"),
    ("conversations/retention.rs", "users", "those who have old conversations deleted, once an hour"),
    ("delegations/begin.rs", "delegations", "those that are open, when a node begins"),
    ("delegations/settle.rs", "delegations", "when a node begins"),
    ("delegations/unwanted.rs", "unwanted_peer_tasks", "those that are not cancelled yet"),
    ("external_jobs/follow.rs", "external_jobs", "those that are under way, when a node begins"),
    ("files/respelling.rs", "file_versions", "names of before, when a hub starts"),
    ("files/respelling.rs", "files", "names of before, when a hub starts"),
    ("imports/uploads.rs", "import_uploads", "those that wait for a yes"),
    ("ledger/checkpoint.rs", "holds", "those of calls under way, when a node begins"),
    ("ledger/hold.rs", "holds", "those of calls under way, when a node begins"),
    ("ledger/people.rs", "users", "the administrator's list of who spent what"),
    ("ledger/price_requests.rs", "wanted_prices", "the administrator's list of prices that are missing"),
    ("ledger/resume.rs", "stopped_agents", "those that a limit stopped, when a price is entered"),
    ("ledger/spending.rs", "holds", "those of calls under way"),
    ("ledger/spending.rs", "server_spending", "sixteen rows a day"),
    ("made_tools/renaming.rs", "agent_tools", "names of before, when a hub starts"),
    ("notifications.rs", "notification_deliveries", "those that wait, for the page Status"),
    ("notifications/push/vapid.rs", "push_devices", "the hub has another key for pushes"),
    ("pipelines/advance.rs", "delegations", "those that are open, once a minute"),
    ("pipelines/budget.rs", "pipelines", "those that wait for a price, when one is entered"),
    ("runs/keeper.rs", "runs", "those that are under way, once a minute"),
    ("runs/recovery.rs", "runs", "those that are under way, when a node begins"),
    ("runs/unread.rs", "unread_messages", "those that nobody has answered, once a minute"),
    ("schedules/fire.rs", "schedule_firings", "those that wait for their turn"),
    ("schedules/standing.rs", "schedules", "how many there are, for the page Status"),
    ("store.rs", "users", "how many there are, for doctor"),
    ("terminal/jobs.rs", "terminal_jobs", "those that are under way, when a node begins"),
    ("vault/bind.rs", "secrets", "when a hub of before is upgraded"),
    ("vault/examine.rs", "secrets", "doctor opens each"),
    ("vault/rotation.rs", "secrets", "each is sealed anew"),
];

#[tokio::test]
async fn no_statement_reads_a_table_that_grows_as_a_whole() {
    let Source { statements, unread } = Source::of_the_hub();
    assert!(statements.len() > 850, "{} statements were found", statements.len());
    assert!(unread.len() < 50, "so many statements are made at run time: {unread:#?}");
    let (reads, understood) = (RefCell::new(BTreeMap::new()), RefCell::new(BTreeSet::new()));
    let look = async |world: World| {
        let planner = Planner::of(&world).await;
        for (at, statement) in statements.iter().enumerate() {
            let Some(read) = planner.read_whole(statement).await else { continue };
            understood.borrow_mut().insert(at);
            for (table, step) in read.into_iter().filter(|(table, _)| !FEW.contains(&table.as_str())) {
                let text = statement.text.split_whitespace().collect::<Vec<_>>().join(" ");
                reads.borrow_mut().insert((statement.file.clone(), table), format!("{step}: {text}"));
            }
        }
    };
    // What is left over of both together counts.
    on_sqlite(&look).await;
    on_postgres(&look).await;
    let (mut reads, understood) = (reads.into_inner(), understood.into_inner());
    let foreign: Vec<&Statement> =
        statements.iter().enumerate().filter(|(at, _)| !understood.contains(at)).map(|(_, of)| of).collect();
    assert!(foreign.is_empty(), "no database understands these: {foreign:#?}");
    let allowed = WHOLE.iter().map(|(file, table, _)| ((*file).to_owned(), (*table).to_owned()));
    let idle: Vec<_> = allowed.filter(|of| reads.remove(of).is_none()).collect();
    assert!(reads.is_empty(), "these read a table as a whole: {reads:#?}");
    assert!(idle.is_empty(), "these do not any more: {idle:?}");
}

#[tokio::test]
async fn what_a_call_changed_is_found_by_its_author() {
    let Source { statements, .. } = Source::of_the_hub();
    let by_author: Vec<&Statement> = statements
        .iter()
        .filter(|of| of.file == "files/of_call.rs" && of.text.contains("author = $2"))
        .collect();
    assert_eq!(by_author.len(), 1, "{by_author:?}");
    each_store(async |world: World| {
        let planner = Planner::of(&world).await;
        for statement in &by_author {
            let steps = planner.steps(statement).await.expect("both databases understand it").join("\n");
            assert!(
                steps.contains(" files_by_author") && steps.contains("file_versions_by_author"),
                "{steps}"
            );
        }
    })
    .await;
}

/// What it costs to look at a schedule after each of its runs does not grow with them.
#[tokio::test]
async fn the_last_runs_of_a_schedule_and_what_it_holds_are_found_without_all_its_runs() {
    let Source { statements, .. } = Source::of_the_hub();
    let one = |file: &str, words: &str| -> &Statement {
        let found: Vec<&Statement> =
            statements.iter().filter(|of| of.file == file && of.text.contains(words)).collect();
        let [one] = found.as_slice() else { panic!("{file}: {found:?}") };
        one
    };
    let last = one("schedules/breaker.rs", "run_finished");
    let held = one("ledger/spending.rs", "schedule_spending WHERE");
    // PostgreSQL plans by how many rows there are, and here are none.
    on_sqlite(async |world: World| {
        let planner = Planner::of(&world).await;
        let steps = planner.steps(last).await.expect("it is SQL");
        assert!(steps.iter().any(|step| step.contains("runs_last_of_schedule")), "{steps:#?}");
        // What ends a run is found for these alone: the one sort is of those that the inner query gave.
        assert!(!steps.iter().any(|step| step.contains("SCAN l")), "{steps:#?}");
        let steps = planner.steps(held).await.expect("it is SQL");
        assert!(steps.iter().any(|step| step.starts_with("SCAN h")), "{steps:#?}");
        let by_id = |step: &String| step.starts_with("SEARCH r USING") && step.contains("(id=?)");
        assert!(steps.iter().any(by_id), "{steps:#?}");
    })
    .await;
}

/// What a search of memories reads does not grow with those of others, nor with those that have none of its words.
#[tokio::test]
async fn memories_with_a_word_are_found_by_it_and_those_with_a_common_one_by_their_importance() {
    let Source { statements, .. } = Source::of_the_hub();
    let of_rows = |words: &str| -> &Statement {
        let found: Vec<&Statement> =
            statements.iter().filter(|of| of.file == "memories/rows.rs" && of.text.contains(words)).collect();
        let [one] = found.as_slice() else { panic!("{words}: {found:?}") };
        one
    };
    let (same, named) = (of_rows("m.said = $4"), of_rows("m.id IN ($3"));
    let (with, important) =
        (of_rows("FROM memory_words w CROSS JOIN"), of_rows("EXISTS (SELECT 1 FROM memory_words"));
    // PostgreSQL plans by how many rows there are, and here are none.
    on_sqlite(async |world: World| {
        let planner = Planner::of(&world).await;
        let steps = planner.steps(with).await.expect("it is SQL");
        let by_word =
            |step: &String| step.starts_with("SEARCH w USING") && step.contains("(user_id=? AND stem=?");
        let by_id = |step: &String| step.starts_with("SEARCH m USING") && step.contains("(id=?)");
        assert!(steps.iter().any(by_word) && steps.iter().any(by_id), "{steps:#?}");
        let steps = planner.steps(same).await.expect("it is SQL");
        assert!(steps.iter().any(|step| step.contains("memories_said (said=? AND user_id=?")), "{steps:#?}");
        let steps = planner.steps(named).await.expect("it is SQL");
        assert!(steps.iter().any(by_id), "{steps:#?}");
        let steps = planner.steps(important).await.expect("it is SQL");
        assert!(
            steps.iter().any(|step| step.contains("memories_important (user_id=? AND state=?)")),
            "{steps:#?}"
        );
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE FOR ORDER BY")), "{steps:#?}");
    })
    .await;
}
