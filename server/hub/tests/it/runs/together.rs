//! Messages that come at the same moment, as from a laptop and a phone.

use super::{agent, trace};
use crate::world::{Endpoint, World, each_store};
use protocol::RunId;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody, Outcome};
use std::collections::BTreeSet;

const ROUNDS: usize = 12;
const AT_ONCE: usize = 3;

#[tokio::test]
async fn each_message_is_read_by_one_run_and_no_run_begins_with_nothing_to_read() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let scoped = world.hub.for_viewer(&viewer);
        for round in 0..ROUNDS {
            let asks = (0..AT_ONCE).map(async |n| {
                let text = format!("Number {n} of round {round}");
                scoped.runs().ask(&agent.id, &text, None, hub::LONGEST_WAIT).await.unwrap()
            });
            for answered in futures_util::future::join_all(asks).await {
                assert_eq!(answered.outcome, Some(Outcome::Completed));
            }
        }
        let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let messages: Vec<u64> = entries.iter().filter(is_message).map(|entry| entry.seq).collect();
        assert_eq!(messages.len(), ROUNDS * AT_ONCE);
        let readers: BTreeSet<RunId> = messages.iter().map(|seq| reader(&entries, *seq)).collect();
        let begun: BTreeSet<RunId> = entries
            .iter()
            .filter(|entry| is_begin(&entry.body))
            .filter_map(|entry| entry.run.clone())
            .collect();
        assert_eq!(begun, readers, "{}", trace::trace(&entries));
    })
    .await;
}

fn is_message(entry: &&Entry) -> bool {
    matches!(&entry.body, EntryBody::Message { text, .. } if text.starts_with("Number"))
}

fn is_begin(body: &EntryBody) -> bool {
    matches!(body, EntryBody::RunStarted { .. })
}

/// The run that was told of the message, or else the next one to begin.
fn reader(entries: &[Entry], message: u64) -> RunId {
    let told = |entry: &&Entry| matches!(entry.body, EntryBody::Steered { seq, .. } if seq == message);
    let next = |entry: &&Entry| entry.seq > message && is_begin(&entry.body);
    let read_by = entries.iter().find(told).or_else(|| entries.iter().find(next));
    read_by.and_then(|entry| entry.run.clone()).unwrap_or_else(|| panic!("nobody read message {message}"))
}
