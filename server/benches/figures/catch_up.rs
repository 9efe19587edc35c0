//! P11: a socket that comes back ten thousand events behind, from its word until it has caught up.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::program::Program;
use crate::sockets::{Speaker, gather, upgrade};
use protocol::hub::ClientFrame;
use protocol::{AgentId, TabId, VERSION};
use serde_json::json;
use std::time::Instant;
use tokio::io::AsyncReadExt;

const BEHIND: u64 = 10_000;
/// Writes that may be under way.
const AT_ONCE: u64 = 64;
const ROUNDS: usize = 10;
const CAUGHT_UP: &[u8] = b"\"caught_up\"";

pub async fn measure() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0".to_owned())]);
    let token = program.token("ada");
    let caller = Caller::new(&program.url, &token);
    // No model is asked.
    let agent = AgentId(caller.agent("Ada", "http://127.0.0.1:9").await);
    let headers = format!("Authorization: Bearer {token}\r\n");
    let (mut authors, crowd) = gather(program.address(), &headers, 1).await;
    let author = &mut authors[0];
    follow(author, &agent, "author").await;
    crowd.settle().await;
    let (start, pace) = (crowd.heard(), crowd.pace(AT_ONCE));
    for number in 1..=BEHIND {
        pace.wait(number).await;
        let (agent, key) = (agent.clone(), "count".to_owned());
        author.say(&text(&ClientFrame::SetState { agent, key, value: json!(number) })).await;
    }
    crowd.each_heard(start, BEHIND).await;

    title(&format!("P11 a socket that is {BEHIND} events behind"));
    let mut figure = Figure::new("until it has caught up", "ms");
    for _ in 0..ROUNDS {
        let (mut reader, writer) = upgrade(program.address(), &headers).await;
        let mut speaker = Speaker::new(writer);
        let began = Instant::now();
        follow(&mut speaker, &agent, "reader").await;
        let (mut heard, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
        // The last bytes are looked at again: it may come in pieces.
        while !heard.windows(CAUGHT_UP.len()).any(|bytes| bytes == CAUGHT_UP) {
            heard.drain(..heard.len().saturating_sub(CAUGHT_UP.len()));
            let length = reader.read(&mut buffer).await.unwrap();
            assert!(length > 0, "the socket was closed");
            heard.extend_from_slice(&buffer[..length]);
        }
        figure.raw.push(began.elapsed().as_secs_f64() * 1e3);
    }
    figure.print();
}

async fn follow(speaker: &mut Speaker, agent: &AgentId, tab: &str) {
    speaker.say(&text(&ClientFrame::Hello { version: VERSION, tab: TabId::from(tab) })).await;
    speaker.say(&text(&ClientFrame::Subscribe { agent: agent.clone(), after: 0 })).await;
}

fn text(frame: &ClientFrame) -> String {
    serde_json::to_string(frame).expect("frames hold nothing that JSON cannot say")
}
