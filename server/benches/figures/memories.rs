//! A search among ten thousand memories, through the hub in this process, beside the same search among a thousand, of
//! somebody else on the same hub.

use crate::append::open;
use crate::figure::{Figure, title};
use hub::clock::Clock;
use hub::{Hub, Viewer};
use protocol::view::Role;
use std::time::Instant;
use tempfile::TempDir;

const MANY: usize = 10_000;
const FEW: usize = 1_000;
const ROUNDS: usize = 30;
/// What one memory has, what a few have, what all have, and all of it together.
const SOUGHT: [&str; 4] = ["quince", "lisbon gardens", "remembers", "where does the quince stand in lisbon"];
const PLACES: [&str; 25] = [
    "lisbon", "graz", "porto", "turin", "ghent", "basel", "gdansk", "split", "cork", "bergen", "malmo",
    "brno", "lyon", "seville", "patras", "varna", "riga", "tartu", "oulu", "leeds", "ulm", "linz", "pisa",
    "nice", "cadiz",
];
const THINGS: [&str; 17] = [
    "garden", "piano", "bicycle", "letter", "teapot", "ferry", "violin", "lantern", "orchard", "kitchen",
    "harbour", "library", "station", "market", "bridge", "museum", "bakery",
];

pub async fn measure() {
    let folder = TempDir::new().unwrap();
    let (hub, ada) = open(folder.path(), Clock::default()).await;
    hub.accounts().add_user("mia", "correct horse battery", Role::Member).await.unwrap();
    let mia = hub.accounts().viewer_named("mia").await.unwrap().expect("she was added");
    fill(&hub, &ada, MANY).await;
    fill(&hub, &mia, FEW).await;
    title("search of memories");
    for sought in SOUGHT {
        let mut many = Figure::new(format!("\u{201c}{sought}\u{201d} among {MANY}"), "ms");
        let mut few = Figure::new(format!("the same among {FEW}"), "ms");
        for _ in 0..ROUNDS {
            many.raw.push(search(&hub, &ada, sought).await);
            few.raw.push(search(&hub, &mia, sought).await);
        }
        many.print_beside(&few);
    }
    hub.close().await;
}

async fn fill(hub: &Hub, viewer: &Viewer, count: usize) {
    let line = |at: usize| {
        let (place, thing) = (PLACES[at % PLACES.len()], THINGS[at % THINGS.len()]);
        format!("She remembers the {thing} in {place}, number {at} of those that she wrote down.\n")
    };
    let mut text: String = (1..count).map(line).collect();
    text.push_str("She remembers where the quince stands.");
    let report = hub.for_viewer(viewer).memories().import(&text).await.unwrap();
    assert_eq!(usize::try_from(report.added).unwrap(), count);
}

/// Milliseconds until it has found what it shows.
async fn search(hub: &Hub, viewer: &Viewer, sought: &str) -> f64 {
    let began = Instant::now();
    let found = hub.for_viewer(viewer).memories().list(sought, 0).await.unwrap();
    assert!(!found.kept.is_empty());
    began.elapsed().as_secs_f64() * 1000.0
}
