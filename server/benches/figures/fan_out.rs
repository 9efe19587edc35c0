//! P5: one agent followed by many sockets. What the hub's process spends for each delivery and how many
//! it delivers in a second; and P6: what a socket adds to its memory.

mod round;
mod world;

use crate::figure::{Figure, title};
use round::Side;
use world::{MANY, ONE, World};

const LIMIT: &str = "bare broadcast of the same frames";

pub async fn measure() {
    for size in [50, 1000] {
        let mut world = World::new(size).await;
        print_idle(&world, f64::from(size));

        let (mut hub, mut bare) = (Side::new("hub, deltas of a reply"), Side::new(LIMIT));
        for _ in 0..2 {
            hub.push(world.deltas().await);
            bare.push(world.bare(&world.delta_frame(), MANY).await);
            bare.push(world.bare(&world.delta_frame(), MANY).await);
            hub.push(world.deltas().await);
        }
        title(&format!("P5 fan-out to {size} sockets, as fast as they take it"));
        hub.print_cpu_beside(&bare);
        hub.print_rate_beside(&bare);

        let (mut hub, mut bare) = (Side::new("hub, committed entries"), Side::new(LIMIT));
        for _ in 0..2 {
            hub.push(world.entries().await);
            bare.push(world.bare(&world.entry_frame(), ONE).await);
            bare.push(world.bare(&world.entry_frame(), ONE).await);
            hub.push(world.entries().await);
        }
        title(&format!("P5 fan-out to {size} sockets, one event after another"));
        hub.print_cpu_beside(&bare);
    }
}

fn print_idle(world: &World, size: f64) {
    let [mut hub, mut bare] = ["hub, following", "bare"].map(|name| Figure::new(name, "KiB each"));
    hub.raw.push(world.idle[0] * 1024.0 / size);
    bare.raw.push(world.idle[1] * 1024.0 / size);
    title(&format!("P6 memory of {size} sockets"));
    hub.print_beside(&bare);
}
