//! What a program says to an agent is read by the run that begins with it, whoever speaks at the same time.

use super::{agent, chat, hello, json_of, program, provider};
use crate::world::{Endpoint, each_store};
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody, Sender};

const ROUNDS: usize = 8;

#[tokio::test]
async fn no_run_that_somebody_else_began_reads_what_a_program_says() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let fern = agent(&world, &ada, "Fern").await;
        let mut answered = 0;
        for round in 0..ROUNDS {
            let says = format!("By a program, {round}");
            let asks = async { json_of(chat(&world, &program, hello("agent/Fern", &says)).await) };
            let speaks = scoped.runs().ask(&fern.id, "By hand", None, hub::LONGEST_WAIT);
            let ((status, body), spoken) = match round % 2 {
                0 => futures_util::join!(asks, speaks),
                _ => {
                    let (spoken, asked) = futures_util::join!(speaks, asks);
                    (asked, spoken)
                }
            };
            spoken.unwrap();
            assert!(matches!(status, 200 | 503), "{status}: {body}");
            answered += usize::from(status == 200);
        }
        let entries = scoped.conversations().entries(&fern.id, 0).await.unwrap();
        let by_program: Vec<usize> = (0..entries.len()).filter(|at| is_by_program(&entries[*at])).collect();
        assert_eq!(by_program.len(), answered, "who is refused has said nothing");
        for at in by_program {
            let seq = entries[at].seq;
            let begins = entries[at + 1..].iter().find(|entry| !is_told(entry)).unwrap();
            assert!(matches!(begins.body, EntryBody::RunStarted { .. }), "{begins:?}");
            let steered = entries
                .iter()
                .any(|entry| matches!(entry.body, EntryBody::Steered { seq: read, .. } if read == seq));
            assert!(!steered, "another run was told: {entries:?}");
        }
    })
    .await;
}

fn is_by_program(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::Message { text, .. } if text.starts_with("By a program"))
}

/// What the hub itself says before a run begins.
fn is_told(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::Message { from: Sender::Devices, .. })
}
