//! P1, P3 and P4: a model behind the hub, beside the same model behind other proxies in the same run. What
//! a request and a frame cost their processes, what they add to the first token, and how many streams they
//! keep going at once. Only the hub asks who it is, holds money, translates and keeps books.

mod rivals;
mod upstream;
mod world;

use crate::figure::{Figure, title};
use futures_util::future::join_all;
use rivals::Rival;
use std::time::{Duration, Instant};
use upstream::{Reply, Upstream};
use world::{Door, World};

/// Requests of one round, and how many of them are under way at a time.
const REQUESTS: usize = 2000;
const AT_ONCE: usize = 16;
/// The same of a proxy that is a hundred times slower.
const FEW: usize = 100;
const ROUNDS: usize = 3;
/// Frames of a long reply.
const FRAMES: u64 = 2000;
/// Paced streams at once: so many frames each, so far apart.
const STREAMS: usize = 1000;
const PACED: u64 = 20;
const APART: Duration = Duration::from_millis(100);

pub async fn measure() {
    let upstream = Upstream::start().await;
    let world = World::start(&upstream).await;
    let mut rivals = Rival::all(&upstream).await;
    title("P1 model proxy, CPU for each request (10 frames), 16 at a time");
    upstream.reply(Reply { frames: 10, gap: Duration::ZERO });
    let mut hub = Figure::new("hub: token, limit, translation and a durable ledger", "µs CPU");
    let mut others: Vec<Figure> = rivals.iter().map(|rival| Figure::new(rival.name, "µs CPU")).collect();
    for _ in 0..ROUNDS {
        hub.raw.push(cpu_each(&world.door, REQUESTS, || world.process().cpu()).await);
        for (rival, figure) in rivals.iter_mut().zip(&mut others) {
            let count = if rival.is_slow { FEW } else { REQUESTS };
            figure.raw.push(cpu_each(&rival.door, count, || rival.process.cpu()).await);
        }
    }
    hub.print();
    for other in &others {
        other.print();
        println!("| hub / {} | × {:.2} | |", other.name, hub.median() / other.median());
    }

    title("P3 first token, one request after another");
    upstream.reply(Reply { frames: 3, gap: Duration::ZERO });
    let direct = first_tokens(&upstream.door, 500).await;
    print_added("no proxy", &direct, &direct);
    print_added("hub", &first_tokens(&world.door, 500).await, &direct);
    for rival in &rivals {
        let count = if rival.is_slow { FEW } else { 500 };
        print_added(rival.name, &first_tokens(&rival.door, count).await, &direct);
    }

    title(&format!("P3 CPU for each frame of a reply of {FRAMES}"));
    upstream.reply(Reply { frames: FRAMES, gap: Duration::ZERO });
    let mut frame = Figure::new("hub", "µs CPU");
    for _ in 0..ROUNDS {
        frame.raw.push(cpu_each(&world.door, 16, || world.process().cpu()).await / FRAMES as f64);
    }
    frame.print();
    for rival in rivals.iter().filter(|rival| !rival.is_slow) {
        let mut figure = Figure::new(rival.name, "µs CPU");
        for _ in 0..ROUNDS {
            figure.raw.push(cpu_each(&rival.door, 16, || rival.process.cpu()).await / FRAMES as f64);
        }
        figure.print();
    }

    title(&format!("P4 {STREAMS} streams at once, {PACED} frames each, {} ms apart", APART.as_millis()));
    upstream.reply(Reply { frames: PACED, gap: APART });
    many(&world, &upstream).await;
}

/// Microseconds that a process spends on each of so many requests.
async fn cpu_each(door: &Door, requests: usize, cpu: impl Fn() -> Duration) -> f64 {
    // Connections and caches are warm.
    join_all((0..AT_ONCE).map(|_| door.ask())).await;
    let before = cpu();
    let each = requests.div_ceil(AT_ONCE);
    join_all((0..AT_ONCE).map(async |_| {
        for _ in 0..each {
            door.ask().await;
        }
    }))
    .await;
    (cpu() - before).as_secs_f64() * 1e6 / (each * AT_ONCE) as f64
}

/// Microseconds to the first token, sorted.
async fn first_tokens(door: &Door, count: usize) -> Vec<f64> {
    door.ask().await;
    let mut times = Vec::new();
    for _ in 0..count {
        let began = Instant::now();
        let first = door.ask().await.first;
        times.push((first - began).as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times
}

fn print_added(name: &str, times: &[f64], direct: &[f64]) {
    let at = |times: &[f64], part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let (p50, p99) = (at(times, 50), at(times, 99));
    println!(
        "| {name} | p50 {p50:.0} µs, p99 {p99:.0} µs | added {:.0} and {:.0} µs |",
        p50 - at(direct, 50),
        p99 - at(direct, 99)
    );
}

async fn many(world: &World, upstream: &Upstream) {
    for (name, door) in [("no proxy", &upstream.door), ("hub", &world.door)] {
        let before = world.process().memory("Rss");
        let (cpu, began) = (world.process().cpu(), Instant::now());
        let peak = async {
            tokio::time::sleep(APART * 10).await;
            world.process().memory("Rss")
        };
        let (heard, peak) = tokio::join!(join_all((0..STREAMS).map(|_| door.ask())), peak);
        let whole = heard.iter().filter(|heard| heard.frames == PACED && heard.in_order).count();
        let seconds = began.elapsed().as_secs_f64();
        println!("| {name} | {whole} of {STREAMS} streams whole and in order | {seconds:.2} s |");
        if name == "hub" {
            let each = (peak - before) * 1024.0 / STREAMS as f64;
            let cpu = (world.process().cpu() - cpu).as_secs_f64() * 1e6;
            println!("| hub, each stream | {each:.1} KiB, {:.0} µs CPU | |", cpu / STREAMS as f64);
        }
    }
}
