//! Answers that were kept, for each person by itself, by what HTTP says of how long they hold (RFC 9111).

use super::Reading;
use crate::clock::Moment;
use crate::outbound::freshness::{self, Freshness};
use crate::outbound::{Answer, OutboundError, Target};
use bytes::Bytes;
use protocol::UserId;
use reqwest::header::{
    AGE, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, SET_COOKIE,
};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Bytes of an answer that is kept, of those of a person, and of all.
const LARGEST: usize = 2 * 1024 * 1024;
const OF_A_PERSON: usize = 8 * 1024 * 1024;
const OF_ALL: usize = 64 * 1024 * 1024;
/// Whole bytes that are read of an answer to see whether it can be kept.
const READ: usize = 5 * 1024 * 1024 + 1;
/// For so long a text that was begun is gone on with as it was.
const READ_ON_MS: i64 = 10 * 60 * 1000;

#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<HashMap<UserId, Vec<Kept>>>);

/// An answer to a request that has nothing of its own.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    target: Target,
    headers: HeaderMap,
    body: Bytes,
    tag: Option<String>,
    at: Moment,
    until: Moment,
    /// What of it may be given now, if anything.
    holds: bool,
    now: Moment,
}

impl Kept {
    /// It, with its age, if it holds.
    pub(super) fn answer(&self) -> Option<Answer> {
        self.holds.then(|| self.again()).flatten()
    }

    fn again(&self) -> Option<Answer> {
        let mut headers = self.headers.clone();
        let seconds = self.now.ms_since(self.at) / 1000;
        headers.insert(AGE, HeaderValue::from(seconds));
        Answer::kept(self.target.place(), 200, &headers, self.body.clone())
    }

    /// What its server is asked by whether it still holds.
    pub(super) fn validators(&self) -> HeaderMap {
        let tag = self.tag.as_deref().and_then(|tag| HeaderValue::from_str(tag).ok());
        let modified = self.headers.get(LAST_MODIFIED).cloned();
        let named = [(IF_NONE_MATCH, tag), (IF_MODIFIED_SINCE, modified)];
        named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// What it takes, about.
    fn bytes(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 64);
        self.body.len() + headers.sum::<usize>() + 512
    }
}

impl Cache {
    pub(super) fn find(
        &self,
        person: &UserId,
        target: &Target,
        reading: Reading,
        now: Moment,
    ) -> Option<Kept> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all.get(person)?.iter().find(|kept| kept.target == *target)?;
        let holds = match reading {
            Reading::Anew => return None,
            Reading::FromStart => now < kept.until,
            Reading::On => now.ms_since(kept.at) < READ_ON_MS || now < kept.until,
        };
        Some(Kept { holds, now, ..kept.clone() })
    }

    /// Lets go of what was kept of it: whoever reads on is to read what came since.
    pub(super) fn forget(&self, person: &UserId, target: &Target) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = all.get_mut(person) {
            own.retain(|kept| kept.target != *target);
        }
    }

    /// The answer, which is kept if it may be. `known` is what was kept before and its server was asked about.
    pub(super) async fn keep(
        &self,
        person: &UserId,
        target: &Target,
        mut answer: Answer,
        known: Option<Kept>,
        now: Moment,
    ) -> Result<Answer, OutboundError> {
        let how = freshness::of(|name| answer.header(name), 0);
        if answer.status() == 304
            && let Some(mut known) = known
        {
            if let Freshness::Kept { seconds, tag } = how.or_tag(known.tag.clone()) {
                known = Kept { at: now, until: now.plus_ms(seconds * 1000), tag, now, ..known };
                self.put(person, known.clone());
            }
            // What was asked about was an answer once.
            return Ok(known.again().unwrap_or(answer));
        }
        let Freshness::Kept { seconds, tag } = how else { return Ok(answer) };
        if answer.status() != 200 {
            return Ok(answer);
        }
        let mut headers = answer.headers().clone();
        headers.remove(SET_COOKIE);
        let mut body = Vec::new();
        while body.len() < READ {
            let Some(bytes) = answer.next().await? else { break };
            body.extend_from_slice(&bytes[..bytes.len().min(READ - body.len())]);
        }
        let until = now.plus_ms(seconds * 1000);
        let (target, body) = (target.clone(), Bytes::from(body));
        let kept = Kept { target, headers, body, tag, at: now, until, holds: true, now };
        let again = Answer::kept(kept.target.place(), 200, &kept.headers, kept.body.clone());
        if kept.bytes() <= LARGEST {
            self.put(person, kept);
        }
        Ok(again.unwrap_or(answer))
    }

    /// The oldest of the same person make room, and then those of who has most.
    fn put(&self, person: &UserId, kept: Kept) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = all.entry(person.clone()).or_default();
        own.retain(|old| old.target != kept.target);
        own.push(kept);
        make_room(own, OF_A_PERSON);
        let bytes = |own: &[Kept]| own.iter().map(Kept::bytes).sum::<usize>();
        let mut over = all.values().map(|own| bytes(own)).sum::<usize>().saturating_sub(OF_ALL);
        while over > 0 {
            let Some(most) = all.values_mut().max_by_key(|own| bytes(own)) else { break };
            let had = bytes(most);
            make_room(most, had.saturating_sub(over));
            over = over.saturating_sub(had - bytes(most));
        }
        all.retain(|_, own| !own.is_empty());
    }
}

/// Lets go of the oldest until what is left takes so many bytes at most.
fn make_room(own: &mut Vec<Kept>, most: usize) {
    let mut bytes: usize = own.iter().map(Kept::bytes).sum();
    let gone = own.iter().take_while(|kept| {
        let is_over = bytes > most;
        bytes = bytes.saturating_sub(if is_over { kept.bytes() } else { 0 });
        is_over
    });
    let gone = gone.count();
    own.drain(..gone);
}

#[cfg(test)]
mod tests;
