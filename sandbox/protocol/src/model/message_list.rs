//! Messages in a list of which a copy shares what it holds with the original.

use super::ModelMessage;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::{Index, Range};
use std::sync::Arc;

/// Messages of a full chunk.
const CHUNK: usize = 64;

/// A list that grows at its end. A request has all messages of a conversation, and the next one has
/// them again: to copy the list costs one count for each chunk of 64. On the wire it is an array.
#[derive(Clone, Default)]
pub struct MessageList {
    full: Vec<Arc<Vec<Arc<ModelMessage>>>>,
    /// Empty only if the list is.
    tail: Vec<Arc<ModelMessage>>,
}

impl MessageList {
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.tail.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tail.is_empty()
    }

    pub fn get(&self, at: usize) -> Option<&ModelMessage> {
        let message = match self.full.get(at / CHUNK) {
            Some(chunk) => chunk.get(at % CHUNK),
            None => self.tail.get(at - self.full.len() * CHUNK),
        };
        message.map(Arc::as_ref)
    }

    pub fn first(&self) -> Option<&ModelMessage> {
        self.get(0)
    }

    pub fn last(&self) -> Option<&ModelMessage> {
        self.tail.last().map(Arc::as_ref)
    }

    /// The last message, for a change that copies of the list do not see.
    pub fn last_mut(&mut self) -> Option<&mut ModelMessage> {
        self.tail.last_mut().map(Arc::make_mut)
    }

    /// A message, for a change that copies of the list do not see. Only its chunk is copied, and it.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut ModelMessage> {
        let before_tail = self.full.len() * CHUNK;
        let message = match self.full.get_mut(at / CHUNK) {
            Some(chunk) => Arc::make_mut(chunk).get_mut(at % CHUNK),
            None => self.tail.get_mut(at - before_tail),
        };
        message.map(Arc::make_mut)
    }

    pub fn push(&mut self, message: impl Into<Arc<ModelMessage>>) {
        if self.tail.len() == CHUNK {
            self.full.push(Arc::new(std::mem::take(&mut self.tail)));
        }
        self.tail.push(message.into());
    }

    /// Drops the last message.
    pub fn pop(&mut self) {
        self.tail.pop();
        if self.tail.is_empty()
            && let Some(chunk) = self.full.pop()
        {
            self.tail = Arc::unwrap_or_clone(chunk);
        }
    }

    pub fn iter(&self) -> Iter<'_> {
        Iter { list: self, range: 0..self.len() }
    }
}

#[derive(Clone, Debug)]
pub struct Iter<'a> {
    list: &'a MessageList,
    range: Range<usize>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a ModelMessage;

    fn next(&mut self) -> Option<Self::Item> {
        self.list.get(self.range.next()?)
    }

    fn nth(&mut self, skipped: usize) -> Option<Self::Item> {
        self.list.get(self.range.nth(skipped)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.list.get(self.range.next_back()?)
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a MessageList {
    type Item = &'a ModelMessage;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl Index<usize> for MessageList {
    type Output = ModelMessage;

    fn index(&self, at: usize) -> &ModelMessage {
        self.get(at).expect("the place is in the list")
    }
}

impl FromIterator<ModelMessage> for MessageList {
    fn from_iter<I: IntoIterator<Item = ModelMessage>>(messages: I) -> Self {
        let mut list = Self::default();
        messages.into_iter().for_each(|message| list.push(message));
        list
    }
}

impl From<Vec<ModelMessage>> for MessageList {
    fn from(messages: Vec<ModelMessage>) -> Self {
        messages.into_iter().collect()
    }
}

impl PartialEq for MessageList {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl fmt::Debug for MessageList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self).finish()
    }
}

impl Serialize for MessageList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for MessageList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|messages: Vec<ModelMessage>| messages.into())
    }
}
