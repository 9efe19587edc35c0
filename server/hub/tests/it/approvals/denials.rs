//! What becomes of a run that is told no again and again: words after the third time, and nothing
//! changes any more after the sixth.

use super::{add_rule, results, set, turns};
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::trace::trace;
use crate::runs::{agent, open};
use crate::world::{Endpoint, World, each_store};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::Decision;
use protocol::log::{Entry, EntryBody, NoticeKind};
use serde_json::json;

const NO: &str = "Not allowed: a rule of your person's is against it.";
const NOTHING_MORE: &str = "Not allowed: 6 calls of this run were denied, so nothing is changed in it any \
                            more. Say what you could not do.";

#[tokio::test]
async fn after_three_denials_the_agent_is_told_to_stop_and_after_six_nothing_is_changed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home) in [("ada", Home::Hub), ("bo", Home::Browser)] {
            let viewer = world.person(person).await;
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await.id;
            add_rule(&world.hub, &viewer, "deny", "state", "locked*").await;
            let mut browser = Browser::new(open(&world, &viewer, person), Page::default());
            browser.show(&agent).await;
            let scoped = world.hub.for_viewer(&viewer);
            let mut calls: Vec<_> = (1..=6).map(|key| set(&format!("locked {key}"), key)).collect();
            calls.insert(5, set("after five", 1));
            calls.push(set("after six", 1));
            calls.push(json!({ "tool": "state", "input": { "action": "list" } }));
            scoped.runs().send_message(&agent, &turns(&calls), None, Some(&person.into())).await.unwrap();
            let mut entries: Vec<Entry> = Vec::new();
            let is_over = |entries: &[Entry]| {
                entries.last().is_some_and(|entry| matches!(entry.body, EntryBody::RunFinished { .. }))
            };
            while !is_over(&entries) {
                let Some(entry) = browser.step().await else { continue };
                // After three denials what changes something is asked about.
                if let EntryBody::ApprovalAsked { approval } = &entry.body {
                    assert_eq!(approval.call.input["key"], "after five");
                    let (id, hash) = (&approval.id, &approval.hash);
                    scoped.approvals().answer(id, hash, Decision::Once, "").await.unwrap();
                }
                entries.push(entry);
            }

            let answers = results(&entries);
            let denied = |why: &str| (why.to_owned(), true);
            assert_eq!(answers[..5], vec![denied(NO); 5], "{home:?}: {}", trace(&entries));
            assert_eq!(answers[5], (json!({ "ok": true }).to_string(), false), "{home:?}");
            assert_eq!(answers[6..8], [denied(NO), denied(NOTHING_MORE)], "{home:?}");
            assert!(!answers[8].1, "reading is not refused: {answers:?}");
            let state = scoped.states().read(&agent).await.unwrap();
            assert_eq!(state.keys().collect::<Vec<_>>(), ["after five"], "{home:?}");

            let told = told_of_denials(&entries);
            assert_eq!(told.len(), 7, "{told:?}");
            let mild = |text: &&String| text.starts_with("[Denied: state.");
            assert!(told[..2].iter().all(|text| mild(&text)), "{told:?}");
            for (denials, text) in (3..=7).zip(&told[2..]) {
                let begins = format!("[Denied again: state. That makes {denials} denials in this run.");
                assert!(text.starts_with(&begins), "{home:?}: {text}");
            }
            let requests = endpoint.requests().await;
            let sent = requests.last().unwrap()["body"]["messages"].to_string();
            assert!(sent.contains(&told[2]), "{home:?}: {sent}");
        }
    })
    .await;
}

/// What the loop said to the model of calls that were denied.
fn told_of_denials(entries: &[Entry]) -> Vec<String> {
    let told = |entry: &Entry| match &entry.body {
        EntryBody::Notice { kind: NoticeKind::Denied, text, .. } => Some(text.clone()),
        _ => None,
    };
    entries.iter().filter_map(told).collect()
}
