//! Streams of answers that end too early.

use super::{called, given, water};
use crate::approvals::add_rule;
use crate::talk::ada;
use crate::world::{Endpoint, FakeMcp, World, each_store};
use serde_json::json;

const CUT: &str = "It closed the connection before it had answered. Try again.";
const ANSWER: &str = "data: $ANSWER\n\n";

#[tokio::test]
async fn a_stream_that_ends_before_its_answer_is_taken_up_again_after_its_last_event_and_nothing_is_done_twice()
 {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let primed = "id: e-1\nretry: 1\ndata: \n\n";
        for (number, (version, pieces, ids, expected)) in [
            (Some("2025-11-25"), &[primed, ANSWER][..], &["e-1"][..], Ok("Watered.")),
            (
                Some("2025-03-26"),
                &[primed, "id: e-2\n\n", "id: e-3\ndata: $AN", ANSWER],
                &["e-1", "e-2", "e-2"],
                Ok("Watered."),
            ),
            // After which event is not said, or cannot be.
            (Some("2025-11-25"), &["data: \n\n", ANSWER], &[], Err(CUT)),
            (Some("2025-11-25"), &["id: e\u{0}\n\n", ANSWER], &[], Err(CUT)),
            (Some("2025-11-25"), &["id: e\u{1}\n\n", ANSWER], &[], Err(CUT)),
            (Some("2025-11-25"), &["id: grün\nretry: 1\n\n", ANSWER], &["grün"], Ok("Watered.")),
            // It takes the id back, at once or after it was taken up; what names none keeps it.
            (Some("2025-11-25"), &["id: e-1\n\nid\n\n", ANSWER], &[], Err(CUT)),
            (Some("2025-11-25"), &[primed, "id\n\n", ANSWER], &["e-1"], Err(CUT)),
            (Some("2025-11-25"), &[primed, "data: \n\n", ANSWER], &["e-1", "e-1"], Ok("Watered.")),
            // It does not know the stream any more.
            (Some("2025-11-25"), &[primed], &["e-1"], Err(CUT)),
            // Nothing comes of it.
            (
                Some("2025-11-25"),
                &[primed, ": \n", ": \n", ": \n", ": \n", ": \n", ": \n", ANSWER],
                &["e-1"; 5],
                Err(CUT),
            ),
            // There the connection is the call.
            (None, &[primed, ANSWER], &[], Err(CUT)),
        ]
        .into_iter()
        .enumerate()
        {
            let fake = FakeMcp::start(&[water()]);
            let fake = match version {
                Some(version) => fake.speaking(version),
                None => fake,
            };
            let name = format!("s{number}");
            given(&scoped, &agent.id, &name, &fake).await;
            let tool = format!("mcp_{name}_water");
            add_rule(&world.hub, &viewer, "allow", &tool, &fake.host()).await;
            fake.answer_in_pieces(pieces);
            let told = called(&scoped, &agent.id, &tool, json!({})).await;
            match (&told, expected) {
                (Ok(told), Ok(expected)) | (Err(told), Err(expected)) => {
                    assert!(told.contains(expected), "{name}: {told}")
                }
                (told, expected) => panic!("{name}: {told:?}, not {expected:?}"),
            }
            let gets = fake.gets();
            let asked = |get: &String| Some(get.split_once("last-event-id: ")?.1.lines().next()?.to_owned());
            assert_eq!(gets.iter().filter_map(asked).collect::<Vec<_>>(), ids, "{name}");
            assert!(
                gets.iter()
                    .all(|get| get.contains("accept: text/event-stream")
                        && get.contains("mcp-session-id: s-1"))
            );
            assert_eq!(fake.methods().iter().filter(|method| *method == "tools/call").count(), 1, "{name}");
        }
    })
    .await;
}
