use super::*;
use protocol::log::EntryBody;
use protocol::model::ToolCall;
use serde_json::{Value, json};

/// A read of `tool_search` for `query`, by an agent of a person's in a run.
fn read(who: [&str; 3], query: &str) -> Read {
    let [person, agent, run] = who;
    let call = call("tool_search", json!({ "query": query }));
    let cache = Cache { ttl_ms: 1000, entries: 2 };
    let (person, agent, run) = (UserId::from(person), AgentId::from(agent), RunId::from(run));
    let signature = call.signature();
    Read { person, agent, run, call, cache, signature }
}

fn call(name: &str, input: Value) -> ResolvedCall {
    ResolvedCall::of(ToolCall { id: "c".into(), name: name.to_owned(), input })
}

const ADA: [&str; 3] = ["ada", "a1", "r1"];

fn keep(results: &Results, read: Read, content: &str, now: i64) {
    match results.look_up(read, Moment(now)) {
        CacheLookup::Not(reading) => reading.keep(content, Moment(now)),
        CacheLookup::Content(content) => panic!("{content} is known already"),
    }
}

fn known(results: &Results, read: Read, now: i64) -> Option<String> {
    match results.look_up(read, Moment(now)) {
        CacheLookup::Content(content) => Some(content),
        CacheLookup::Not(_) => None,
    }
}

#[test]
fn a_result_is_given_again_in_its_run_and_in_no_other() {
    let results = Results::default();
    keep(&results, read(ADA, "ferns"), "found", 0);
    assert_eq!(known(&results, read(ADA, "ferns"), 0).as_deref(), Some("found"));
    assert_eq!(known(&results, read(ADA, "moss"), 0), None);
    for other in [["ada", "a1", "r2"], ["ada", "a2", "r3"], ["eve", "e1", "r4"]] {
        assert_eq!(known(&results, read(other, "ferns"), 0), None, "{other:?}");
    }
}

#[test]
fn a_result_is_kept_for_its_time() {
    let results = Results::default();
    keep(&results, read(ADA, "ferns"), "found", 500);
    for (now, expected) in [(500, true), (1499, true), (1500, false)] {
        assert_eq!(known(&results, read(ADA, "ferns"), now).is_some(), expected, "{now}");
    }
}

#[test]
fn what_is_unused_for_longest_goes_first() {
    let results = Results::default();
    keep(&results, read(ADA, "one"), "1", 0);
    keep(&results, read(ADA, "two"), "2", 0);
    assert!(known(&results, read(ADA, "one"), 0).is_some());
    keep(&results, read(ADA, "three"), "3", 0);
    let kept = ["one", "two", "three"].map(|query| known(&results, read(ADA, query), 0).is_some());
    assert_eq!(kept, [true, false, true]);
}

#[test]
fn all_together_they_have_their_bounds() {
    let results = Results::default();
    for number in 0..MAX_RESULTS + 10 {
        keep(&results, read(["ada", "a1", &format!("r{number}")], "ferns"), "found", 0);
    }
    assert_eq!(results.state().kept.len(), MAX_RESULTS);
    let large = "x".repeat(super::super::RESULT);
    for number in 0..MAX_RESULT_BYTES / large.len() + 10 {
        keep(&results, read(["ada", "a1", &format!("s{number}")], "ferns"), &large, 0);
    }
    assert!(results.state().bytes() <= MAX_RESULT_BYTES);
    keep(&results, read(ADA, "ferns"), &"x".repeat(super::super::RESULT + 1), 0);
    assert_eq!(known(&results, read(ADA, "ferns"), 0), None);
}

#[test]
fn who_asks_for_much_pushes_out_what_they_asked_for_themselves() {
    let results = Results::default();
    let ada = || read(ADA, "ferns");
    let large = "x".repeat(super::super::RESULT);
    for content in ["found", large.as_str()] {
        keep(&results, ada(), "found", 0);
        for number in 0..MAX_RESULTS + 10 {
            keep(&results, read(["eve", "e1", &format!("e{number}")], "moss"), content, 0);
        }
        assert_eq!(known(&results, ada(), 0).as_deref(), Some("found"));
        results.wrote(&AgentId::from("a1"), Resource::Tools, None);
    }
}

/// Something that was done, and whether it drops what `a1` of Ada's has searched for.
fn check(name: &str, done: impl Fn(&Results), is_dropped: bool) {
    let results = Results::default();
    let asked = || read(ADA, "ferns");
    keep(&results, asked(), "found", 0);
    done(&results);
    assert_eq!(known(&results, asked(), 0).is_none(), is_dropped, "{name}, after it was read");

    let results = Results::default();
    let CacheLookup::Not(reading) = results.look_up(asked(), Moment(0)) else {
        panic!("nothing is kept yet")
    };
    done(&results);
    reading.keep("found", Moment(0));
    assert_eq!(known(&results, asked(), 0).is_none(), is_dropped, "{name}, while it was read");
}

#[test]
fn whoever_writes_what_was_read_drops_it() {
    let entry = |agent: &str, body: EntryBody| {
        let agent = AgentId::from(agent);
        vec![Entry { agent, seq: 1, at: 0, conversation: None, run: Some(RunId::from("r9")), body }]
    };
    let gone = |agent| entry(agent, EntryBody::ToolDeleted { name: "mow".to_owned() });
    check("a tool was deleted", |results| results.committed(&gone("a1")), true);
    check("another agent's tool was deleted", |results| results.committed(&gone("a2")), false);
    let state = EntryBody::State { key: "k".to_owned(), value: json!(1), superseded: false };
    check("a key of the state", |results| results.committed(&entry("a1", state.clone())), false);
    check("its tools", |results| results.wrote(&AgentId::from("a1"), Resource::Tools, None), true);
    for (name, input, is_dropped) in [
        ("create_tool", json!({ "name": "mow" }), true),
        ("state", json!({ "action": "set", "key": "k", "value": 1 }), false),
        ("list_tools", json!({}), false),
    ] {
        let call = call(name, input);
        check(name, |results| results.called(&AgentId::from("a1"), &call), is_dropped);
    }
    let own = call("mow", json!({}));
    check("a tool of its own", |results| results.called(&AgentId::from("a1"), &own), true);
}

#[test]
fn a_run_that_ends_takes_its_own_along() {
    let results = Results::default();
    keep(&results, read(ADA, "ferns"), "found", 0);
    let body = EntryBody::finished(protocol::log::Outcome::Completed);
    let run = Some(RunId::from("r1"));
    results.committed(&[Entry { agent: AgentId::from("a1"), seq: 1, at: 0, conversation: None, run, body }]);
    assert!(results.state().is_empty());
}

#[test]
fn a_call_that_was_given_up_leaves_nothing() {
    let results = Results::default();
    drop(results.look_up(read(ADA, "ferns"), Moment(0)));
    assert!(results.state().is_empty());
}
