//! A database that an earlier program made, opened by this one: everything is shown as that program showed
//! it, its people come in as before, its secrets open, and what was under way at its end goes on.

mod doors;
mod fixture;
mod moment;

use crate::second_factor::app::App;
use crate::world::{Endpoint, PASSWORD, Program, spawn_in};
use doors::Doors;
use fixture::{Database, Fixture, MASTER_KEY};
use hub::SignIn;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::sleep;

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_before_is_shown_as_it_was_on_sqlite() {
    is_shown_as_it_was(&Fixture::unpack(Database::Sqlite)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_before_is_shown_as_it_was_on_postgresql() {
    is_shown_as_it_was(&Fixture::unpack(Database::Postgresql)).await;
}

async fn is_shown_as_it_was(fixture: &Fixture) {
    let doors = Doors::open_interrupting(fixture).await;
    doors.waiting("anna").await;
    assert!(fixture.shown.len() > 250, "{}", fixture.shown.len());
    let mut other = Vec::new();
    for (asked, expected) in &fixture.shown {
        let (who, path) = asked.split_once(' ').unwrap();
        let (mut expected, mut shown) = (expected.clone(), json!(doors.ask(who, path).await));
        leave_words_of_the_end_out(&mut expected);
        leave_words_of_the_end_out(&mut shown);
        if path == "agents/tools" {
            leave_new_ones_out(&mut shown["body"], &expected["body"]);
        } else if path.starts_with("agents/context") {
            join_the_prompt(&mut shown);
            leave_declarations_out(&mut expected);
            leave_declarations_out(&mut shown);
            leave_new_sections_out(&mut shown, &expected);
        }
        if path.starts_with("agents/left_behind") {
            leave_what_goes_along_out(&mut expected);
            leave_what_goes_along_out(&mut shown);
        }
        // The words with which a run was interrupted take room as well.
        if path == "account/space" {
            expected["body"]["kept"].take();
            shown["body"]["kept"].take();
        }
        if !is_within(&fixture.moment.blur(&expected), &fixture.moment.blur(&shown)) {
            other.push(format!("{asked}\nwas {expected}\nis  {shown}"));
        }
    }
    assert!(other.is_empty(), "{} of {}:\n{}", other.len(), fixture.shown.len(), other.join("\n"));
}

/// Why a run was interrupted, each program says in its own words.
fn leave_words_of_the_end_out(answer: &mut Value) {
    match answer {
        Value::Object(fields) => {
            if fields.get("type") == Some(&json!("interrupted")) {
                fields.remove("why");
            }
            fields.values_mut().for_each(leave_words_of_the_end_out);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_words_of_the_end_out),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Which tools there are the program says, and not the database: those that came since stand between the others.
fn leave_new_ones_out(tools: &mut Value, known: &Value) {
    let names: Vec<&Value> = known.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    tools.as_array_mut().unwrap().retain(|tool| names.contains(&&tool["name"]));
}

/// Nor what does not go along into a copy or an archive: before, no rule and no reach of the web did.
fn leave_what_goes_along_out(answer: &mut Value) {
    for place in ["copy", "archive"] {
        let Some(lines) = answer["body"][place].as_array_mut() else { continue };
        lines.retain(|line| {
            let line = line.as_str().unwrap_or_default();
            !line.starts_with("Rules ") && line != "What it may reach of the web."
        });
    }
}

/// Nor how many sections the system prompt is told in: before, it was one.
fn join_the_prompt(answer: &mut Value) {
    let Some(sections) = answer["body"].get_mut("sections").and_then(Value::as_array_mut) else { return };
    let is_prompt = |section: &Value| section["part"]["type"] == "system";
    let (prompt, others): (Vec<_>, Vec<_>) = std::mem::take(sections).into_iter().partition(is_prompt);
    let text: String = prompt.iter().filter_map(|section| section["part"]["text"].as_str()).collect();
    sections.push(json!({ "part": { "type": "system", "text": text } }));
    sections.extend(others);
}

/// Nor how a tool is declared, and how many tokens that takes: what a section takes is reckoned from the whole.
fn leave_declarations_out(answer: &mut Value) {
    let Some(body) = answer["body"].as_object_mut() else { return };
    body.remove("tokens");
    for section in body.get_mut("sections").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(name) = section["part"]["tool"].get("name").cloned() {
            *section = name;
        }
        // Nor what scripts of a page can call.
        if let Some(text) = section["part"]["text"].as_str() {
            let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("- `flo.")).collect();
            section["part"]["text"] = json!(lines);
        }
        if let Some(section) = section.as_object_mut() {
            section.remove("tokens");
        }
    }
}

/// Nor which tools come with what an agent may reach: of a tool the name is left.
fn leave_new_sections_out(answer: &mut Value, known: &Value) {
    let known = known["body"]["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    if let Some(sections) = answer["body"].get_mut("sections").and_then(Value::as_array_mut) {
        sections.retain(|section| !section.is_string() || known.contains(section));
    }
}

/// Whether all of `old` is in `new` as it was. Fields that came since may stand beside it, and who asks for more than a
/// minute is seen again.
fn is_within(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => old.iter().all(|(name, item)| {
            let seen_again =
                |now: &Value| matches!(&**name, "last_seen_at" | "last_used_at") && now == "since";
            new.get(name).is_some_and(|now| is_within(item, now) || seen_again(now))
        }),
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_within(old, new))
        }
        (old, new) => old == new,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_people_come_in_as_before_on_sqlite() {
    come_in(&Fixture::unpack(Database::Sqlite)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_people_come_in_as_before_on_postgresql() {
    come_in(&Fixture::unpack(Database::Postgresql)).await;
}

async fn come_in(fixture: &Fixture) {
    let doors = Doors::open(fixture).await;
    let accounts = doors.hub.accounts();
    let SignIn::Done(_) = accounts.sign_in("anna", PASSWORD, "test").await.unwrap() else {
        panic!("anna has no second factor");
    };
    assert!(accounts.sign_in("anna", "another password", "test").await.is_err());
    assert!(accounts.sign_in("dan", PASSWORD, "test").await.is_err(), "dan is shut out");
    let app = App::with(&fixture.second_factor());
    for code in [fixture.recovery_code(), app.code(doors.clock.now())] {
        let SignIn::CodeNeeded(pending) = accounts.sign_in("ben", PASSWORD, "test").await.unwrap() else {
            panic!("ben has a second factor");
        };
        accounts.sign_in_with_code(&pending.secret, &code, "test").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_under_way_at_its_end_goes_on_on_sqlite() {
    goes_on(&Fixture::unpack(Database::Sqlite)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_under_way_at_its_end_goes_on_on_postgresql() {
    goes_on(&Fixture::unpack(Database::Postgresql)).await;
}

/// The run that was under way goes on by itself, and the one that waited for a person gets its answer. The model
/// server has another address by now, so the key is entered again.
async fn goes_on(fixture: &Fixture) {
    let doors = Doors::open(fixture).await;
    let endpoint = Endpoint::start();
    let provider = json!({
        "id": fixture.provider(), "name": "Home", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good",
    });
    doors.tell("anna", "providers/save", &provider).await;

    let (ida, paul) = (fixture.agent("ida"), fixture.agent("paul"));
    endpoint.open_gate().await;
    let approval = doors.waiting("anna").await;
    let answer = json!({ "id": approval["id"], "hash": approval["hash"], "decision": "once" });
    doors.tell("anna", "approvals/answer", &answer).await;
    for (agent, said) in [(&ida, "Then I wait at the gate here."), (&paul, "It is written.")] {
        let log = doors.completed(agent).await;
        assert!(log.iter().any(|body| body["block"]["text"] == said), "{log:?}");
        let written = log.iter().filter(|body| body["type"] == "state").count();
        assert_eq!(written, 1, "its call happened once: {log:?}");
    }
}

#[tokio::test]
async fn a_program_that_was_killed_as_it_changed_it_starts_on_it_and_every_secret_opens_on_sqlite() {
    starts(&Fixture::unpack(Database::Sqlite)).await;
}

#[tokio::test]
async fn a_program_that_was_killed_as_it_changed_it_starts_on_it_and_every_secret_opens_on_postgresql() {
    starts(&Fixture::unpack(Database::Postgresql)).await;
}

async fn starts(fixture: &Fixture) {
    let database = fixture.url();
    let environment = [("VIVARIUM_MASTER_KEY", MASTER_KEY), ("DATABASE_URL", database.as_str())];
    let before = fixture.schema();
    let mut schemas = Vec::new();
    for wait in [30, 80, 200] {
        let folder = TempDir::new().unwrap();
        let mut process = spawn_in(folder.path(), &environment, &["serve"]);
        sleep(Duration::from_millis(wait)).await;
        process.kill().unwrap();
        process.wait().unwrap();
        schemas.push(fixture.schema());
    }
    let program = Program::start_with(&environment);
    let examined = program.command(&["doctor"], "");
    let found = String::from_utf8(examined.stdout).unwrap();
    assert!(found.contains(" lines, whole"), "{found}");
    assert!(found.contains(" stored keys, and all of them open\n"), "{found}");
    let anna = program.browser("anna", "test").await;
    let page = anna.get("/").await.text().await.unwrap();
    for name in ["Ada", "Watcher", "Web"] {
        assert!(page.contains(name), "{name} is not on the page");
    }
    drop(program);
    let after = fixture.schema();
    assert!(schemas.iter().all(|schema| *schema == before || *schema == after), "half way: {schemas:?}");
}
