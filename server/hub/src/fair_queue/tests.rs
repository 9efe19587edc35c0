use super::*;
use futures_util::FutureExt;
use proptest::prelude::*;

type Queue = FairQueue<&'static str>;

/// A place that is there at once.
fn place(queue: &Queue, key: &'static str) -> Option<Permit<&'static str>> {
    queue.enter(&key).now_or_never().map(|place| place.expect("there is room to wait"))
}

#[test]
fn one_alone_takes_half_and_leaves_room_for_who_comes() {
    let queue = Queue::new(16, 100);
    let eve: Vec<_> = std::iter::from_fn(|| place(&queue, "eve")).collect();
    let ada: Vec<_> = std::iter::from_fn(|| place(&queue, "ada")).collect();
    let ben = place(&queue, "ben");
    assert_eq!((eve.len(), ada.len(), ben.is_some()), (8, 4, true));
}

#[test]
fn of_two_places_one_is_for_somebody_else() {
    let queue = Queue::new(2, 100);
    let _eve = place(&queue, "eve").unwrap();
    assert!(place(&queue, "eve").is_none());
    assert!(place(&queue, "ada").is_some());
}

#[tokio::test]
async fn those_who_wait_are_let_in_in_turn_and_not_by_their_number() {
    let queue = Queue::new(2, 100);
    let (first, other) = (place(&queue, "eve").unwrap(), place(&queue, "ben").unwrap());
    let mut waiting: Vec<_> = (0..40).map(|_| Box::pin(queue.enter(&"eve"))).collect();
    for one in &mut waiting {
        assert!(one.now_or_never().is_none());
    }
    let mut ada = Box::pin(queue.enter(&"ada"));
    assert!((&mut ada).now_or_never().is_none());
    drop(first);
    // Eve waited first, and then it is Ada's turn, before Eve's other thirty-nine.
    let again = (&mut waiting[0]).now_or_never().expect("one of Eve's").unwrap();
    assert!((&mut ada).now_or_never().is_none());
    drop(again);
    let hers = ada.now_or_never().expect("Ada's turn").unwrap();
    drop((hers, other));
    assert!((&mut waiting[1]).now_or_never().is_some());
}

#[tokio::test]
async fn beyond_their_share_of_the_queue_one_is_told_and_others_are_not() {
    let queue = Queue::new(2, 1);
    let _inside = (place(&queue, "eve").unwrap(), place(&queue, "ben").unwrap());
    let mut waiting = Box::pin(queue.enter(&"eve"));
    assert!((&mut waiting).now_or_never().is_none());
    assert_eq!(queue.enter(&"eve").await.unwrap_err(), QueueFull);
    let mut ada = Box::pin(queue.enter(&"ada"));
    assert!((&mut ada).now_or_never().is_none() && queue.waiting(&"ada") == 1);
    drop(waiting);
    assert!(queue.enter(&"eve").now_or_never().is_none(), "who left makes room in the queue");
}

#[tokio::test]
async fn a_place_for_one_who_left_goes_to_the_next_and_nobody_is_remembered() {
    let queue = Queue::new(2, 10);
    let (eve, ben) = (place(&queue, "eve").unwrap(), place(&queue, "ben").unwrap());
    let mut left = Box::pin(queue.enter(&"eve"));
    let mut ada = Box::pin(queue.enter(&"ada"));
    assert!((&mut left).now_or_never().is_none() && (&mut ada).now_or_never().is_none());
    drop(eve);
    // It was given its place and never looked.
    drop(left);
    drop(ada.await.unwrap());
    drop(ben);
    let state = lock(&queue.0);
    assert!(state.free == 2 && state.all.is_empty() && state.turns.is_empty(), "{state:?}");
}

proptest! {
    /// Whoever enters, waits, leaves and gives up in whatever order: no place is lost or given twice, nobody
    /// waits who may enter, and nobody has more than there were left for others when they came.
    #[test]
    fn places_are_neither_lost_nor_hoarded(steps in proptest::collection::vec((0usize..4, 0u8..3, any::<prop::sample::Index>()), 1..200)) {
        static KEYS: [&str; 4] = ["ada", "ben", "cleo", "eve"];
        const PLACES: usize = 6;
        let queue = Queue::new(PLACES, 1000);
        let mut inside: Vec<(usize, Permit<&str>)> = Vec::new();
        let mut waiting = Vec::new();
        for (key, what, which) in steps {
            match what {
                0 => waiting.push((key, Box::pin(queue.enter(&KEYS[key])))),
                1 if !inside.is_empty() => drop(inside.swap_remove(which.index(inside.len()))),
                2 if !waiting.is_empty() => drop(waiting.remove(which.index(waiting.len()))),
                _ => {}
            }
            let mut still = Vec::new();
            for (key, mut turn) in waiting {
                match (&mut turn).now_or_never() {
                    Some(place) => inside.push((key, place.unwrap())),
                    None => still.push((key, turn)),
                }
            }
            waiting = still;
            let state = lock(&queue.0);
            prop_assert_eq!(state.free + inside.len(), PLACES);
            for (key, _) in &waiting {
                prop_assert!(!state.admits(&KEYS[*key]), "{} waits and may enter: {:?}", KEYS[*key], state);
            }
            for key in 0..KEYS.len() {
                prop_assert!(inside.iter().filter(|(one, _)| *one == key).count() <= PLACES / 2);
            }
        }
    }
}
