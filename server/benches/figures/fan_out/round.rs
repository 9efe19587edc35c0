//! One round of messages: what it cost the server and how long it took.

use crate::figure::Figure;
use crate::process::Process;
use crate::sockets::Crowd;
use std::future::Future;
use std::time::{Duration, Instant};

pub struct Round {
    cpu: Duration,
    took: Duration,
    deliveries: f64,
}

/// Measures from the first message until the last delivery. Each socket hears so many frames of it at least: messages may
/// be joined.
pub async fn run(
    server: &Process,
    crowd: &Crowd,
    messages: u64,
    least: u64,
    send: impl Future<Output = ()>,
) -> Round {
    let (cpu, heard, began) = (server.cpu(), crowd.heard(), Instant::now());
    send.await;
    crowd.each_heard(heard, least).await;
    let last = crowd.settle().await;
    let deliveries = u32::try_from(messages * crowd.size()).expect("a round is not that long");
    Round { cpu: server.cpu() - cpu, took: last - began, deliveries: deliveries.into() }
}

/// The rounds of one of the two servers.
pub struct Side {
    cpu: Figure,
    rate: Figure,
}

impl Side {
    pub fn new(name: &str) -> Self {
        Self { cpu: Figure::new(name, "µs CPU per delivery"), rate: Figure::new(name, "deliveries/s") }
    }

    pub fn push(&mut self, round: Round) {
        self.cpu.raw.push(round.cpu.as_secs_f64() * 1e6 / round.deliveries);
        self.rate.raw.push(round.deliveries / round.took.as_secs_f64());
    }

    pub fn print_cpu_beside(&self, bare: &Self) {
        self.cpu.print_beside(&bare.cpu);
    }

    pub fn print_rate_beside(&self, bare: &Self) {
        self.rate.print_beside(&bare.rate);
    }
}
