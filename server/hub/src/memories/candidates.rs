//! The memories that a search looks at: those with the rarest of its words, and no more than can be ranked at once.

use super::rank::{Ranked, Wanted, best, weight};
use super::stems::Stemmed;
use super::{Memories, rows};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::MemoryState;
use protocol::{AgentId, UserId};
use std::collections::{BTreeSet, HashSet};

/// Words that are looked for.
const MOST_WORDS: usize = 100;
/// Memories that are ranked.
const MOST_RANKED: usize = 300;
/// A word that more have is common: of those with it the most important are looked at, and these are so many.
const COMMON: usize = 500;
const OF_COMMON: usize = 100;

/// What is looked for, as far as the person has any word that counts as it.
struct Sought {
    wanted: Vec<Wanted>,
    /// Its stems that the person's own words have, and how many memories have each, the rarest first.
    own: Vec<(usize, String)>,
}

impl Memories<'_> {
    /// Those that have any of the words, the best fitting first; of an agent those that it is told of.
    pub(super) async fn fitting(
        self,
        owner: &UserId,
        agent: Option<&AgentId>,
        words: &BTreeSet<Stemmed>,
    ) -> Result<Vec<Ranked>> {
        let Sought { wanted, own } = self.sought(owner, words).await?;
        let mut candidates: Vec<Ranked> = Vec::new();
        let mut known = HashSet::new();
        for (having, stem) in own {
            let is_common = having > COMMON;
            let found = match is_common {
                true => rows::important_with(self.hub.store().read(), owner, agent, &stem, OF_COMMON).await?,
                false => rows::with(self.hub.store().read(), owner, agent, &stem, MOST_RANKED).await?,
            };
            candidates.extend(found.into_iter().filter(|one| known.insert(one.id.clone())));
            // All others are as common, or there are enough.
            if is_common || candidates.len() >= MOST_RANKED {
                break;
            }
        }
        let now = self.hub.now();
        // Off the threads that serve others.
        tokio::task::spawn_blocking(move || best(&wanted, candidates, now)).await.map_err(Error::internal)
    }

    async fn sought(self, owner: &UserId, words: &BTreeSet<Stemmed>) -> Result<Sought> {
        let store = self.hub.store().read();
        let kept = rows::count(store, owner, MemoryState::Kept).await?;
        let kept = usize::try_from(kept).unwrap_or_default();
        let (mut wanted, mut own) = (Vec::new(), BTreeSet::new());
        for word in words.iter().take(MOST_WORDS) {
            let [english, german] = word.stems();
            let there: Vec<(String, i64)> = query(
                "SELECT stem, COUNT(*) FROM memory_words WHERE user_id = $1 AND stem IN ($2, $3) GROUP BY stem",
                (owner, english, german),
            )
            .fetch_all(store)
            .await?;
            let mut having = 0;
            for (stem, count) in there {
                let count = usize::try_from(count).unwrap_or_default();
                having = having.max(count);
                own.insert((count, stem));
            }
            if having > 0 {
                wanted.push(Wanted { word: word.clone(), weight: weight(having.min(kept), kept) });
            }
        }
        Ok(Sought { wanted, own: own.into_iter().collect() })
    }
}
