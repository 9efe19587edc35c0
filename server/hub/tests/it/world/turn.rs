//! Which stories are told on PostgreSQL too: all of them, or where the machine is slow those whose turn it is.

use std::{env, thread};

/// `TEST_TURN` says which of how many parts has its turn, as `1/2`. The harness names a thread after its test.
pub fn is_told_on_postgres() -> bool {
    let Ok(turn) = env::var("TEST_TURN") else { return true };
    if turn.is_empty() {
        return true;
    }
    let (turn, turns) = turn.split_once('/').expect("as 1/2");
    let [turn, turns]: [u32; 2] = [turn, turns].map(|number| number.parse().expect("as 1/2"));
    let thread = thread::current();
    let name = thread.name().expect("the harness names it");
    name.bytes().map(u32::from).sum::<u32>() % turns + 1 == turn
}
