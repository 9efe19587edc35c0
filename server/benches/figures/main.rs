//! The published figures of `docs/benchmarks.md`: real programs measured from outside, each beside its
//! bare limit in the same run. `cargo bench -p server` takes all of them, `cargo bench -p server -- stop`
//! those whose name holds the word.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on says so")]

mod append;
mod ask;
mod bare;
mod bytes;
mod caller;
mod catch_up;
mod fan_out;
mod figure;
mod hands;
mod idle_memory;
mod long;
mod memories;
mod memory_recall;
mod model;
mod pages;
mod process;
mod program;
mod proxy;
mod schedules;
mod sockets;
mod stamps;
mod start;
mod stop;
mod whole;

use std::env;

const FIGURES: [&str; 16] = [
    "append",
    "ask",
    "bytes",
    "catch_up",
    "fan_out",
    "hands",
    "idle_memory",
    "long",
    "memories",
    "memory_recall",
    "pages",
    "proxy",
    "schedules",
    "start",
    "stop",
    "whole",
];

#[tokio::main]
async fn main() {
    rustls::crypto::ring::default_provider().install_default().expect("nothing else has chosen a provider");
    // Cargo adds the flag by itself.
    let asked: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [role, rest @ ..] = asked.as_slice()
        && let Some(role) = role.strip_prefix("bare-")
    {
        return bare::play(role, rest).await;
    }
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|word| name.contains(word.as_str()));
    for name in FIGURES.into_iter().filter(|name| is_asked(name)) {
        match name {
            "append" => append::measure().await,
            "ask" => ask::measure().await,
            "bytes" => bytes::measure().await,
            "catch_up" => catch_up::measure().await,
            "fan_out" => fan_out::measure().await,
            "hands" => hands::measure().await,
            "idle_memory" => idle_memory::measure().await,
            "long" => long::measure().await,
            "memories" => memories::measure().await,
            "memory_recall" => memory_recall::measure().await,
            "pages" => pages::measure().await,
            "proxy" => proxy::measure().await,
            "schedules" => schedules::measure().await,
            "start" => start::measure(),
            "stop" => stop::measure().await,
            _ => whole::measure().await,
        }
    }
}
