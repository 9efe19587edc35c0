//! P23: the whole hub at work, on one node and on three in one run: two hundred agents whose replies come word by word,
//! each followed over two sockets. With three nodes one of the two is on another node than the agent's person. Without
//! TEST_DATABASE_URL it is one node, with SQLite.

mod nodes;

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::sockets::{Speaker, upgrade};
use crate::stamps::Stamps;
use nodes::Nodes;
use protocol::hub::ClientFrame;
use protocol::{AgentId, TabId, VERSION};
use serde_json::json;
use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::sleep;

const PEOPLE: usize = 20;
const OF_EACH: usize = 10;
/// Fifty words a second.
const BETWEEN: Duration = Duration::from_millis(20);
const WARMING: Duration = Duration::from_secs(5);
/// The hub closes sockets that say nothing for a minute.
const PING: Duration = Duration::from_secs(20);
const PINGS: u32 = 3;

pub async fn measure() {
    let server = env::var("TEST_DATABASE_URL").ok();
    let model = Model::start().await;
    model.speak(Speech::Stamped(BETWEEN));
    title(&format!(
        "P23 {} agents, {} words a second, two sockets each",
        PEOPLE * OF_EACH,
        1000 / BETWEEN.as_millis()
    ));
    let one = Round::of(1, server.as_deref(), &model).await;
    one.print("one node");
    if server.is_none() {
        println!("\nThree nodes need PostgreSQL: `.ci/postgres.sh cargo bench -p server -- whole`.");
        return;
    }
    let three = Round::of(3, server.as_deref(), &model).await;
    three.print("three nodes");
    println!("| = ratio of CPU | × {:.2} | |", three.cpu_each / one.cpu_each);
    let [here, elsewhere] = &three.ages;
    println!("| later on another node | {:.2} ms | |", elsewhere.median() - here.median());
}

/// What is heard over all sockets.
struct Ears {
    words: AtomicU64,
    /// Ages are noted.
    is_measured: AtomicBool,
    /// On the node of the person, and on another one.
    ages: [Mutex<Vec<f64>>; 2],
}

impl Ears {
    async fn listen(self: Arc<Self>, mut reader: OwnedReadHalf, place: usize) {
        let (mut buffer, mut stamps) = (vec![0; 16 * 1024], Stamps::default());
        while let Ok(length @ 1..) = reader.read(&mut buffer).await {
            let ages = stamps.take(&buffer[..length]);
            self.words.fetch_add(ages.len() as u64, Ordering::Relaxed);
            if self.is_measured.load(Ordering::Relaxed) {
                self.ages[place].lock().unwrap().extend(ages);
            }
        }
    }

    fn ages_at(&self, place: usize) -> Figure {
        let raw = std::mem::take(&mut *self.ages[place].lock().unwrap());
        Figure { raw, ..Figure::new("", "ms") }
    }
}

struct Round {
    /// Microseconds of all nodes for each word that was delivered.
    cpu_each: f64,
    cores: f64,
    words_a_second: f64,
    ages: [Figure; 2],
    /// Of all nodes, in MiB, at the beginning and at the end.
    memory: [f64; 2],
}

impl Round {
    async fn of(count: usize, server: Option<&str>, model: &Model) -> Self {
        let nodes = Nodes::start(count, server);
        let ears = Arc::new(Ears {
            words: AtomicU64::new(0),
            is_measured: AtomicBool::new(false),
            ages: Default::default(),
        });
        let mut voices = Vec::new();
        let mut people = Vec::new();
        for person in 0..PEOPLE {
            let (node, other) = (nodes.node(person % count), nodes.node((person + 1) % count));
            let token = nodes.token(&format!("p{person}"));
            let caller = Caller::new(&node.url, &token);
            let mut agents = Vec::new();
            for number in 0..OF_EACH {
                let agent = caller.agent(&format!("Agent {number}"), &model.url).await;
                for (place, node) in [node, other].into_iter().enumerate() {
                    let headers = format!("Authorization: Bearer {token}\r\n");
                    let (reader, writer) = upgrade(node.address(), &headers).await;
                    let mut voice = Speaker::new(writer);
                    let tab = TabId(format!("{number} {place}"));
                    voice.say(&text(&ClientFrame::Hello { version: VERSION, tab })).await;
                    let agent = AgentId(agent.clone());
                    voice.say(&text(&ClientFrame::Subscribe { agent, after: 0 })).await;
                    #[expect(clippy::disallowed_methods, reason = "what a measurement starts belongs to it")]
                    tokio::spawn(Arc::clone(&ears).listen(reader, place));
                    voices.push(voice);
                }
                agents.push(agent);
            }
            people.push((caller, agents));
        }
        for (caller, agents) in &people {
            for agent in agents {
                caller.call("/api/agents/send", &json!({ "agent": agent, "text": "Speak." })).await;
            }
        }
        sleep(WARMING).await;
        let (cpu, memory, began) = (nodes.cpu(), nodes.memory(), Instant::now());
        let words = ears.words.load(Ordering::Relaxed);
        assert!(words > 0, "nothing is heard");
        ears.is_measured.store(true, Ordering::Relaxed);
        for _ in 0..PINGS {
            sleep(PING).await;
            for voice in &mut voices {
                voice.say(&text(&ClientFrame::Ping)).await;
            }
        }
        ears.is_measured.store(false, Ordering::Relaxed);
        let took = began.elapsed().as_secs_f64();
        let cpu = (nodes.cpu() - cpu).as_secs_f64();
        let heard =
            u32::try_from(ears.words.load(Ordering::Relaxed) - words).expect("a round is not that long");
        Self {
            cpu_each: cpu * 1e6 / f64::from(heard),
            cores: cpu / took,
            words_a_second: f64::from(heard) / took,
            ages: [ears.ages_at(0), ears.ages_at(1)],
            memory: [memory, nodes.memory()],
        }
    }

    fn print(&self, name: &str) {
        let Self { cpu_each, cores, words_a_second, ages, memory } = self;
        println!(
            "| {name}: CPU for each word delivered | {cpu_each:.1} µs | {cores:.2} cores, {words_a_second:.0} words a second |"
        );
        for (ages, place) in ages.iter().zip(["first socket", "second socket"]) {
            let (median, most) = (ages.median(), ages.at(99));
            println!("| {name}: age of a word, {place} | {median:.2} ms | 99 of 100 within {most:.2} ms |");
        }
        println!("| {name}: memory | {:.1} MiB | at the beginning {:.1} MiB |", memory[1], memory[0]);
    }
}

fn text(frame: &ClientFrame) -> String {
    serde_json::to_string(frame).expect("frames hold nothing that JSON cannot say")
}
