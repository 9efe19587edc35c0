//! Which servers are listened to outside their answers, and for which calls: one stream of each, held while calls are
//! made and a little longer.

use super::era::Era;
use super::message::Part;
use crate::clock::Moment;
use protocol::{McpServerId, UserId};
use reqwest::header::HeaderMap;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

/// Streams of one person, and of all.
const MOST_OF_ONE: usize = 8;
const MOST_LISTENING: usize = 512;
/// So long a stream is held without a call, and so long a server that has none is not asked for one again.
const IDLE_MS: i64 = 3 * 60 * 1000;
/// Servers of which it is known that they have none.
const MOST_DEAF: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Listening(Mutex<Ears>);

#[derive(Debug, Default)]
struct Ears {
    held: HashMap<McpServerId, Ear>,
    /// Those that have no such stream, and since when that is known.
    deaf: HashMap<McpServerId, (Era, Moment)>,
}

#[derive(Debug)]
struct Ear {
    owner: UserId,
    era: Era,
    /// With which it was asked for: who asks with others is to be known by those.
    headers: HeaderMap,
    /// Those that are open, in the order in which they began, by the numbers of their requests.
    calls: Vec<(u64, mpsc::Sender<Part>)>,
    since: Moment,
    /// When a call began or ended last.
    used: Moment,
    end: CancellationToken,
    opened: watch::Receiver<bool>,
}

/// A call that listens.
pub(super) struct Call<'a> {
    pub(super) owner: &'a UserId,
    pub(super) server: &'a McpServerId,
    pub(super) era: &'a Era,
    pub(super) headers: &'a HeaderMap,
    pub(super) number: u64,
    pub(super) hears: mpsc::Sender<Part>,
}

/// What there is to do for a call that wants to listen.
pub(super) enum Joined {
    /// The stream is held, or being opened since then.
    Held { is_open: watch::Receiver<bool>, since: Moment },
    /// It is to be opened, and held until `end`.
    New { end: CancellationToken, opened: watch::Sender<bool>, is_open: watch::Receiver<bool> },
    /// There is none, or no room for it.
    No,
}

impl Listening {
    fn ears(&self) -> MutexGuard<'_, Ears> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn join(&self, call: Call<'_>, now: Moment) -> Joined {
        let mut ears = self.ears();
        if let Some((era, since)) = ears.deaf.get(call.server) {
            if era == call.era && now.ms_since(*since) < IDLE_MS {
                return Joined::No;
            }
            ears.deaf.remove(call.server);
        }
        if let Some(ear) = ears.held.get_mut(call.server) {
            if ear.era == *call.era && ear.headers == *call.headers {
                ear.calls.push((call.number, call.hears));
                ear.used = now;
                return Joined::Held { is_open: ear.opened.clone(), since: ear.since };
            }
            ears.end(call.server);
        }
        if !ears.makes_room(call.owner) {
            return Joined::No;
        }
        let (end, (opened, is_open)) = (CancellationToken::new(), watch::channel(false));
        let ear = Ear {
            owner: call.owner.clone(),
            era: call.era.clone(),
            headers: call.headers.clone(),
            calls: vec![(call.number, call.hears)],
            since: now,
            used: now,
            end: end.clone(),
            opened: is_open.clone(),
        };
        ears.held.insert(call.server.clone(), ear);
        Joined::New { end, opened, is_open }
    }

    /// The call is over.
    pub(super) fn leave(&self, server: &McpServerId, number: u64, now: Moment) {
        if let Some(ear) = self.ears().held.get_mut(server) {
            let before = ear.calls.len();
            ear.calls.retain(|(known, _)| *known != number);
            if ear.calls.len() < before {
                ear.used = now;
            }
        }
    }

    /// Nobody listens to this server any more.
    pub(super) fn end(&self, server: &McpServerId) {
        let mut ears = self.ears();
        ears.end(server);
        ears.deaf.remove(server);
    }

    /// The stream that was held until `end` is over.
    pub(super) fn ended(&self, server: &McpServerId, end: &CancellationToken) {
        // Where it was ended from here, another one may be held by now.
        if !end.is_cancelled() {
            self.ears().end(server);
        }
    }

    /// The server has no stream like this.
    pub(super) fn is_deaf(&self, server: &McpServerId, end: &CancellationToken, now: Moment) {
        let mut ears = self.ears();
        if !end.is_cancelled()
            && let Some(ear) = ears.end(server)
        {
            if ears.deaf.len() >= MOST_DEAF {
                ears.deaf.clear();
            }
            ears.deaf.insert(server.clone(), (ear.era, now));
        }
    }

    /// Until when the stream is held if no call begins.
    pub(super) fn held_until(&self, server: &McpServerId, now: Moment) -> Moment {
        match self.ears().held.get(server) {
            Some(ear) if ear.calls.is_empty() => ear.used.plus_ms(IDLE_MS),
            Some(_) | None => now.plus_ms(IDLE_MS),
        }
    }

    /// The call that began last, or the one with this number.
    pub(super) fn call(&self, server: &McpServerId, number: Option<u64>) -> Option<mpsc::Sender<Part>> {
        let ears = self.ears();
        let calls = &ears.held.get(server)?.calls;
        let found = match number {
            Some(number) => calls.iter().find(|(known, _)| *known == number),
            None => calls.last(),
        };
        found.map(|(_, hears)| hears.clone())
    }

    pub(super) fn calls(&self, server: &McpServerId) -> Vec<mpsc::Sender<Part>> {
        let ears = self.ears();
        let calls = ears.held.get(server).map(|ear| ear.calls.as_slice()).unwrap_or_default();
        calls.iter().map(|(_, hears)| hears.clone()).collect()
    }
}

impl Ears {
    fn end(&mut self, server: &McpServerId) -> Option<Ear> {
        let ear = self.held.remove(server)?;
        ear.end.cancel();
        Some(ear)
    }

    /// Whether there is room for another one of this person's. Theirs that no call uses goes for it, the one longest
    /// unused first.
    fn makes_room(&mut self, owner: &UserId) -> bool {
        let own = self.held.iter().filter(|(_, ear)| ear.owner == *owner);
        if own.clone().count() < MOST_OF_ONE && self.held.len() < MOST_LISTENING {
            return true;
        }
        let idle = own.filter(|(_, ear)| ear.calls.is_empty()).min_by_key(|(_, ear)| ear.used);
        let idle = idle.map(|(server, _)| server.clone());
        idle.is_some_and(|server| self.end(&server).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{AUTHORIZATION, HeaderValue};

    fn join(listening: &Listening, owner: &str, server: &str, number: u64, era: &Era, now: i64) -> Joined {
        let (owner, server) = (UserId(owner.to_owned()), McpServerId(server.to_owned()));
        let headers = &HeaderMap::new();
        let call = Call { owner: &owner, server: &server, era, headers, number, hears: mpsc::channel(1).0 };
        listening.join(call, Moment(now))
    }

    #[test]
    fn a_person_has_so_many_streams_and_one_that_is_in_use_is_not_taken() {
        let (listening, era) = (Listening::default(), Era::Modern);
        for number in 0..8 {
            let joined = join(&listening, "ada", &format!("s{number}"), number, &era, 0);
            assert!(matches!(joined, Joined::New { .. }));
        }
        assert!(matches!(join(&listening, "ada", "s0", 20, &era, 1), Joined::Held { .. }));
        assert!(matches!(join(&listening, "ada", "s9", 21, &era, 1), Joined::No));
        assert!(matches!(join(&listening, "bob", "t", 22, &era, 1), Joined::New { .. }));
        for (server, number) in [("s3", 3), ("s2", 2)] {
            listening.leave(&McpServerId(server.to_owned()), number, Moment(number.cast_signed()));
        }
        assert!(matches!(join(&listening, "ada", "s9", 23, &era, 9), Joined::New { .. }));
        assert!(matches!(join(&listening, "ada", "s3", 24, &era, 9), Joined::Held { .. }), "s2 went for it");
    }

    #[test]
    fn a_server_that_has_no_stream_is_not_asked_for_one_for_a_while_unless_it_is_greeted_anew() {
        let (listening, server) = (Listening::default(), McpServerId("s".to_owned()));
        let era = |session: &str| Era::Legacy { version: "2025-11-25", session: Some(session.to_owned()) };
        let Joined::New { end, .. } = join(&listening, "ada", "s", 1, &era("a"), 0) else {
            panic!("it is new")
        };
        listening.is_deaf(&server, &end, Moment(0));
        assert!(matches!(join(&listening, "ada", "s", 2, &era("a"), 1), Joined::No));
        assert!(matches!(join(&listening, "ada", "s", 3, &era("b"), 1), Joined::New { .. }));
        listening.end(&server);
        assert!(matches!(join(&listening, "ada", "s", 4, &era("b"), 1), Joined::New { .. }));
        assert!(
            matches!(join(&listening, "ada", "s", 5, &era("c"), 1), Joined::New { .. }),
            "of another session"
        );
        assert!(listening.call(&server, Some(4)).is_none() && listening.call(&server, Some(5)).is_some());
    }

    #[test]
    fn a_stream_ends_when_a_call_is_known_by_something_else() {
        let (listening, era) = (Listening::default(), Era::Modern);
        let (owner, server) = (UserId("ada".to_owned()), McpServerId("s".to_owned()));
        let join = |token: &'static str, number: u64| {
            let headers = [(AUTHORIZATION, HeaderValue::from_static(token))].into_iter().collect();
            let hears = mpsc::channel(1).0;
            let (owner, server) = (&owner, &server);
            listening.join(Call { owner, server, era: &era, headers: &headers, number, hears }, Moment(0))
        };
        let Joined::New { end, .. } = join("old", 1) else { panic!("it is new") };
        assert!(matches!(join("old", 2), Joined::Held { .. }) && !end.is_cancelled());
        assert!(matches!(join("new", 3), Joined::New { .. }) && end.is_cancelled());
    }

    #[test]
    fn a_stream_without_a_call_is_held_for_a_while() {
        let (listening, server) = (Listening::default(), McpServerId("s".to_owned()));
        join(&listening, "ada", "s", 1, &Era::Modern, 0);
        assert_eq!(listening.held_until(&server, Moment(5)), Moment(5 + IDLE_MS));
        listening.leave(&server, 1, Moment(7));
        assert_eq!(listening.held_until(&server, Moment(9)), Moment(7 + IDLE_MS));
        assert!(listening.calls(&server).is_empty() && listening.call(&server, None).is_none());
    }
}
