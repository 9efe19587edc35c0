//! The memories nearest to what is looked for, among all vectors of the person.

use super::{Chosen, lock, rows};
use crate::error::Result;
use crate::memories::Memories;
use protocol::{AgentId, MemoryId, UserId};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// So long a search waits for what its text means.
const PATIENCE: Duration = Duration::from_millis(800);
/// So long nobody waits after that was in vain.
const AWAY_MS: i64 = 30_000;
/// Characters of what is looked for.
const LONGEST: usize = 1_000;
/// Vectors that are read at a time: others are served in between.
const PART: usize = 250;
/// Memories that are found by meaning, how near the furthest of them is in parts of the nearest, and at least.
const MOST_NEAR: usize = 20;
const NEAR: f32 = 0.8;
const LEAST: f32 = 0.2;
/// Texts whose vectors are kept for the next look, of all people together.
const KEPT: usize = 200;

/// What somebody looked for.
pub(super) struct Sought {
    choice: String,
    text: String,
    vector: Arc<[f32]>,
}

impl Memories<'_> {
    /// None where there is no model, or it does not answer in time.
    pub(super) async fn nearest(
        self,
        owner: &UserId,
        agent: Option<&AgentId>,
        text: &str,
    ) -> Result<Vec<MemoryId>> {
        let store = self.hub.store().read();
        let Some(chosen) = rows::chosen(store, owner).await? else { return Ok(Vec::new()) };
        if !rows::has_vectors(store, &chosen).await? {
            return Ok(Vec::new());
        }
        let text: String = text.trim().chars().take(LONGEST).collect();
        let Some(sought) = self.vector_of(owner, &chosen, text).await else { return Ok(Vec::new()) };
        let mut near: Vec<(f32, MemoryId)> = Vec::new();
        let mut after = String::new();
        loop {
            let part = rows::vectors(store, owner, agent, &chosen, (after.as_str(), PART)).await?;
            let count = part.len();
            if let Some((last, _)) = part.last() {
                after.clone_from(&last.0);
            }
            near.extend(part.into_iter().map(|(id, bytes)| (likeness(&sought, &bytes), id)));
            near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            near.truncate(MOST_NEAR);
            if count < PART {
                break;
            }
            tokio::task::yield_now().await;
        }
        let least = near.first().map_or(LEAST, |(nearest, _)| LEAST.max(nearest * NEAR));
        Ok(near.into_iter().filter(|(likeness, _)| *likeness >= least).map(|(_, id)| id).collect())
    }

    async fn vector_of(self, owner: &UserId, chosen: &Chosen, text: String) -> Option<Arc<[f32]>> {
        if let Some(vector) = self.sought_before(chosen, &text) {
            return Some(vector);
        }
        if lock(&self.known().away).get(owner).is_some_and(|until| self.hub.moment() < *until) {
            return None;
        }
        let (hub, call, choice) = (self.hub.clone(), chosen.call(owner), chosen.choice.clone());
        let asked = async move {
            let found = hub.models().meanings(&call, std::slice::from_ref(&text)).await.ok()?;
            let vector: Arc<[f32]> = unit(found.into_iter().next()?).into();
            hub.memories().note_sought(Sought { choice, text, vector: Arc::clone(&vector) });
            Some(vector)
        };
        // What it used is booked, and its answer is there for the next look, also if nobody waits any more.
        let found = timeout(PATIENCE, self.hub.tasks().complete(asked)).await;
        let vector = found.ok().and_then(Result::ok).flatten();
        let mut away = lock(&self.known().away);
        match vector.is_some() {
            true => away.remove(owner),
            false => {
                let now = self.hub.moment();
                away.retain(|_, until| now < *until);
                away.insert(owner.clone(), now.plus_ms(AWAY_MS))
            }
        };
        vector
    }

    /// Somebody may wait for the model again.
    pub(super) fn answers_again(self, owner: &UserId) {
        lock(&self.known().away).remove(owner);
    }

    fn sought_before(self, chosen: &Chosen, text: &str) -> Option<Arc<[f32]>> {
        let sought = lock(&self.known().sought);
        let found = sought.iter().find(|one| one.choice == chosen.choice && one.text == text);
        found.map(|one| Arc::clone(&one.vector))
    }

    fn note_sought(self, new: Sought) {
        let mut sought = lock(&self.known().sought);
        sought.truncate(KEPT - 1);
        sought.push_front(new);
    }
}

/// As it is kept: of length one.
pub(super) fn to_bytes(vector: Vec<f32>) -> Vec<u8> {
    unit(vector).into_iter().flat_map(f32::to_le_bytes).collect()
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length.is_normal() {
        for number in &mut vector {
            *number /= length;
        }
    }
    vector
}

/// The cosine of the angle between the two; nothing where they are not of one model.
fn likeness(sought: &[f32], bytes: &[u8]) -> f32 {
    if bytes.len() != size_of_val(sought) {
        return 0.0;
    }
    let (numbers, _) = bytes.as_chunks::<4>();
    sought.iter().zip(numbers).map(|(one, other)| one * f32::from_le_bytes(*other)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_as_alike_as_their_directions() {
        let sought = unit(vec![3.0, 4.0]);
        for (vector, expected) in [
            (vec![30.0, 40.0], 1.0),
            (vec![-4.0, 3.0], 0.0),
            (vec![-3.0, -4.0], -1.0),
            (vec![0.0, 0.0], 0.0),
            (vec![3.0, 4.0, 0.0], 0.0),
        ] {
            let found = likeness(&sought, &to_bytes(vector.clone()));
            assert!((found - expected).abs() < 1e-6, "{vector:?}: {found}");
        }
    }
}
