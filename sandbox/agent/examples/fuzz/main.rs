//! Mutates the committed fixtures and feeds them to every parser of what others wrote:
//! `cargo run -p agent --release --example fuzz -- INPUTS|SECONDSs [TARGET…]`.
//!
//! `50000` is so many inputs for each target, `60s` a minute that they share; the targets are all if none
//! is named. The same `SEED` (an environment variable, 1 if not set) makes the same inputs. A target fails when its parser panics, when
//! pieces give other events than the whole, when the order of events is not kept, or when something
//! comes after the end; the input is then written to a file in the temporary folder.

mod mutation;
#[path = "../../tests/it/providers/recording.rs"]
mod recording;
#[path = "../../tests/it/providers/reduction.rs"]
mod reduction;
mod target;

use mutation::{Random, mutate};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use target::{TARGETS, Target};

/// How long one target goes on.
#[derive(Clone, Copy)]
enum Effort {
    Inputs(u64),
    Time(Duration),
}

impl Effort {
    /// The whole run's, as it was typed.
    fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix('s') {
            Some(seconds) => seconds.parse().ok().map(|seconds| Self::Time(Duration::from_secs(seconds))),
            None => text.parse().ok().map(Self::Inputs),
        }
    }

    fn share(self, targets: usize) -> Self {
        match self {
            Self::Inputs(_) => self,
            Self::Time(whole) => Self::Time(whole / u32::try_from(targets).unwrap_or(u32::MAX)),
        }
    }

    fn is_spent(self, begun: Instant, count: u64) -> bool {
        match self {
            Self::Inputs(most) => count >= most,
            Self::Time(most) => begun.elapsed() >= most,
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let effort = arguments.next().and_then(|effort| Effort::parse(&effort));
    let named: Vec<String> = arguments.collect();
    let targets: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| named.is_empty() || named.iter().any(|name| name == target.name))
        .collect();
    let (Some(effort), true) = (effort, named.is_empty() || named.len() == targets.len()) else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("usage: fuzz INPUTS|SECONDSs [TARGET…]\ntargets: {}", names.join(" "));
        return ExitCode::FAILURE;
    };
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let share = effort.share(targets.len());
    let mut is_good = true;
    for target in targets {
        is_good &= run(target, seed, share);
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(target: &Target, seed: u64, effort: Effort) -> bool {
    let corpus = target.corpus();
    assert!(!corpus.is_empty(), "there are fixtures for {}", target.name);
    let mut random = Random::of(seed);
    let begun = Instant::now();
    let mut count = 0_u64;
    while !effort.is_spent(begun, count) {
        let bytes = &corpus[random.below(corpus.len())];
        let input = mutate(bytes, &corpus[random.below(corpus.len())], &mut random);
        let size = 1 + random.below(64);
        if catch_unwind(AssertUnwindSafe(|| target.feed(&input, size))).is_err() {
            let path = std::env::temp_dir().join(format!("fuzz-{}-{seed}-{count}", target.name));
            let kept = std::fs::write(&path, &input).is_ok();
            println!("{}: broken in pieces of {size} by {} (written: {kept})", target.name, path.display());
            return false;
        }
        count += 1;
    }
    println!("{}: {count} inputs, seed {seed}", target.name);
    true
}
