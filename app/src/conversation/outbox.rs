//! What the person sent from this tab and the hub has not shown as an entry yet. Text leaves here
//! only when it is in the log, or when the person takes it back.

use protocol::Attachment;
use protocol::log::{Entry, EntryBody, Sender};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outbox {
    items: Vec<Unsent>,
    last_id: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    pub id: u64,
    pub text: String,
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// Answers it alone. Empty: the one that the conversation is held with does.
    #[serde(default)]
    pub model: String,
    /// Says to the hub that it is the same message when it is sent again.
    pub key: String,
    /// The newest entry that the tab knew when this was sent.
    after: u64,
    pub delivery: Delivery,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Delivery {
    Sending,
    /// The hub could not be reached. It goes out by itself, in its turn, when that is over.
    Waiting,
    /// The hub has it; its entry is on the way.
    Committed,
    Failed {
        why: String,
    },
}

impl Outbox {
    /// Takes in what was kept when a page was left, before what is here, without what `entries` show to be in the log.
    pub fn take_in<'a>(&mut self, kept: Self, entries: impl IntoIterator<Item = &'a Entry>) {
        let mut left = kept;
        for entry in entries {
            left.acknowledge(entry);
        }
        left.settle();
        let newer = std::mem::take(&mut self.items);
        for item in left.items {
            if newer.iter().all(|known| known.key != item.key) {
                self.last_id += 1;
                self.items.push(Unsent { id: self.last_id, ..item });
            }
        }
        self.items.extend(newer);
    }

    /// Nobody waits for an answer any more: what the hub has is in its log, and what was on its way goes out again. Under
    /// its key it counts once.
    pub fn settle(&mut self) {
        self.items.retain(|item| item.delivery != Delivery::Committed);
        for item in &mut self.items {
            if item.delivery == Delivery::Sending {
                item.delivery = Delivery::Waiting;
            }
        }
    }

    /// The hub has the message with this key.
    pub fn forget(&mut self, key: &str) {
        self.items.retain(|item| item.key != key);
    }

    /// The hub does not take the message with this key.
    pub fn refuse(&mut self, key: &str, why: String) {
        if let Some(item) = self.items.iter_mut().find(|item| item.key == key) {
            item.delivery = Delivery::Failed { why };
        }
    }

    pub fn items(&self) -> &[Unsent] {
        &self.items
    }

    /// Messages that the hub does not have, and that are not on their way.
    pub fn unsent(&self) -> usize {
        let is_unsent = |item: &&Unsent| match item.delivery {
            Delivery::Waiting | Delivery::Failed { .. } => true,
            Delivery::Sending | Delivery::Committed => false,
        };
        self.items.iter().filter(is_unsent).count()
    }

    /// Takes in a message, to be sent now unless others wait before it. No other message has this key.
    pub fn push(
        &mut self,
        text: String,
        attachments: Vec<Attachment>,
        model: String,
        after: u64,
        key: &str,
    ) -> Unsent {
        self.last_id += 1;
        let id = self.last_id;
        let is_behind = self.items.iter().any(|item| item.delivery == Delivery::Waiting);
        let delivery = if is_behind { Delivery::Waiting } else { Delivery::Sending };
        let item = Unsent { id, text, attachments, model, key: key.to_owned(), after, delivery };
        self.items.push(item.clone());
        item
    }

    /// The hub has it as the entry `seq`. It waits for that, unless the page has all entries up to it (`shown`) already.
    pub fn commit(&mut self, id: u64, seq: u64, shown: u64) {
        if seq > shown {
            self.set(id, Delivery::Committed);
        } else {
            self.take_back(id);
        }
    }

    pub fn fail(&mut self, id: u64, why: String) {
        self.set(id, Delivery::Failed { why });
    }

    pub fn wait(&mut self, id: u64) {
        self.set(id, Delivery::Waiting);
    }

    /// The first that waits, to be sent now. One at a time, or they would change their order.
    pub fn next(&mut self) -> Option<Unsent> {
        if self.items.iter().any(|item| item.delivery == Delivery::Sending) {
            return None;
        }
        let item = self.items.iter_mut().find(|item| item.delivery == Delivery::Waiting)?;
        item.delivery = Delivery::Sending;
        Some(item.clone())
    }

    /// What is to be sent once more, if it was not sent.
    pub fn resend(&mut self, id: u64) -> Option<Unsent> {
        let item = self.items.iter_mut().find(|item| item.id == id)?;
        if !matches!(item.delivery, Delivery::Failed { .. }) {
            return None;
        }
        item.delivery = Delivery::Sending;
        Some(item.clone())
    }

    pub fn take_back(&mut self, id: u64) -> Option<Unsent> {
        let place = self.items.iter().position(|item| item.id == id)?;
        Some(self.items.remove(place))
    }

    /// Lets go of what this entry shows to be in the log, whatever became of the answer.
    pub fn acknowledge(&mut self, entry: &Entry) -> bool {
        let EntryBody::Message { from: Sender::Person, text, attachments } = &entry.body else {
            return false;
        };
        let same = |item: &Unsent| {
            // What is equal may have been brought under another name meanwhile.
            let ids = item.attachments.iter().map(|file| &file.id);
            item.text.trim() == text.as_str()
                && ids.eq(attachments.iter().map(|file| &file.id))
                && item.after < entry.seq
        };
        let Some(place) = self.items.iter().position(same) else { return false };
        self.items.remove(place);
        true
    }

    fn set(&mut self, id: u64, delivery: Delivery) {
        if let Some(item) = self.items.iter_mut().find(|item| item.id == id) {
            item.delivery = delivery;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::AgentId;

    fn said(seq: u64, text: &str) -> Entry {
        let body = EntryBody::said(Sender::Person, text.to_owned());
        Entry { agent: AgentId::from("ada"), seq, at: 0, conversation: None, run: None, body }
    }

    fn texts(outbox: &Outbox) -> Vec<&str> {
        outbox.items().iter().map(|item| item.text.as_str()).collect()
    }

    #[test]
    fn a_message_stays_until_its_entry_is_there() {
        let mut outbox = Outbox::default();
        let id = outbox.push(" hello\n".to_owned(), Vec::new(), String::new(), 4, "tab").id;
        outbox.commit(id, 6, 4);
        assert!(!outbox.acknowledge(&said(4, "hello")), "an older entry is another message");
        assert!(!outbox.acknowledge(&said(5, "other")));
        assert_eq!(texts(&outbox), [" hello\n"]);
        assert!(outbox.acknowledge(&said(6, "hello")));
        assert_eq!(texts(&outbox), [""; 0]);
    }

    #[test]
    fn a_message_whose_answer_was_lost_is_settled_by_its_entry_and_not_sent_twice() {
        let mut outbox = Outbox::default();
        let id = outbox.push("hello".to_owned(), Vec::new(), String::new(), 0, "tab").id;
        outbox.fail(id, "The hub cannot be reached.".to_owned());
        assert!(outbox.acknowledge(&said(1, "hello")));
        assert_eq!(outbox.resend(id), None);
    }

    #[test]
    fn one_entry_settles_one_message() {
        let mut outbox = Outbox::default();
        outbox.push("yes".to_owned(), Vec::new(), String::new(), 0, "tab");
        outbox.push("yes".to_owned(), Vec::new(), String::new(), 0, "tab");
        outbox.acknowledge(&said(1, "yes"));
        assert_eq!(texts(&outbox), ["yes"]);
    }

    #[test]
    fn only_what_failed_can_be_sent_again() {
        let mut outbox = Outbox::default();
        let id = outbox.push("hello".to_owned(), Vec::new(), String::new(), 0, "tab").id;
        assert_eq!(outbox.resend(id), None);
        outbox.fail(id, "No.".to_owned());
        assert_eq!(outbox.unsent(), 1);
        assert_eq!(outbox.resend(id).map(|item| item.text).as_deref(), Some("hello"));
        assert_eq!(outbox.unsent(), 0);
    }

    #[test]
    fn what_waits_goes_out_in_its_order() {
        let mut outbox = Outbox::default();
        let first = outbox.push("one".to_owned(), Vec::new(), String::new(), 0, "tab").id;
        outbox.wait(first);
        assert_eq!(
            outbox.push("two".to_owned(), Vec::new(), String::new(), 0, "tab").delivery,
            Delivery::Waiting
        );
        assert_eq!(outbox.unsent(), 2);
        assert_eq!(outbox.next().map(|item| item.text).as_deref(), Some("one"));
        assert_eq!(outbox.next(), None, "the first is still on its way");
        outbox.commit(first, 1, 0);
        assert_eq!(outbox.next().map(|item| item.text).as_deref(), Some("two"));
        assert_eq!(outbox.unsent(), 0);
    }

    fn keys(outbox: &Outbox) -> Vec<&str> {
        outbox.items().iter().map(|item| item.key.as_str()).collect()
    }

    #[test]
    fn what_was_on_its_way_when_the_page_was_left_goes_out_again_under_its_key() {
        let mut left = Outbox::default();
        left.push("on its way".to_owned(), Vec::new(), String::new(), 0, "tab.1");
        let there = left.push("there".to_owned(), Vec::new(), String::new(), 0, "tab.2").id;
        left.commit(there, 1, 0);
        let mut outbox = Outbox::default();
        outbox.take_in(left, []);
        assert_eq!((texts(&outbox), outbox.unsent()), (vec!["on its way"], 1));
        assert_eq!(outbox.next().map(|item| item.key).as_deref(), Some("tab.1"));
    }

    #[test]
    fn what_the_page_shows_when_it_comes_anew_is_not_sent_again() {
        let mut left = Outbox::default();
        left.push("hello".to_owned(), Vec::new(), String::new(), 4, "tab.1");
        left.push("hello".to_owned(), Vec::new(), String::new(), 4, "tab.2");
        let mut outbox = Outbox::default();
        outbox.take_in(left, &[said(3, "hello"), said(5, "hello")]);
        assert_eq!(keys(&outbox), ["tab.2"]);
    }

    #[test]
    fn what_was_left_stands_before_what_was_written_since_and_once() {
        let mut left = Outbox::default();
        left.push("first".to_owned(), Vec::new(), String::new(), 0, "old.1");
        left.push("second".to_owned(), Vec::new(), String::new(), 0, "new.1");
        let mut outbox = Outbox::default();
        outbox.push("second".to_owned(), Vec::new(), String::new(), 0, "new.1");
        outbox.take_in(left, []);
        assert_eq!(keys(&outbox), ["old.1", "new.1"]);
        let ids: Vec<u64> = outbox.items().iter().map(|item| item.id).collect();
        assert_eq!(ids, [2, 1], "each has a number of its own");
    }

    #[test]
    fn a_message_that_is_sent_for_a_page_that_is_gone_is_known_by_its_key() {
        let mut outbox = Outbox::default();
        outbox.push("taken".to_owned(), Vec::new(), String::new(), 0, "tab.1");
        outbox.push("refused".to_owned(), Vec::new(), String::new(), 0, "tab.2");
        outbox.settle();
        outbox.forget("tab.1");
        outbox.refuse("tab.2", "The agent is gone.".to_owned());
        assert_eq!((keys(&outbox), outbox.unsent()), (vec!["tab.2"], 1));
        assert_eq!(outbox.next(), None, "its person decides");
    }

    #[test]
    fn a_message_that_the_hub_had_before_the_page_came_waits_for_no_entry() {
        let mut outbox = Outbox::default();
        let id = outbox.push("long ago".to_owned(), Vec::new(), String::new(), 0, "tab").id;
        outbox.commit(id, 7, 9);
        assert_eq!(texts(&outbox), [""; 0]);
    }
}
