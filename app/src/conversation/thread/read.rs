//! What pages read off a conversation.

use super::{Body, Item, Key, Progress, Thread};
use protocol::agent::Home;
use protocol::approval::Approval;
use protocol::log::{DeviceWanted, Driver};
use protocol::model::StopReason;
use protocol::todo::TodoList;
use protocol::view::{Spent, Status, Today};

impl Thread {
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn home(&self) -> Home {
        self.home
    }

    /// The tab that drives the run under way.
    pub fn driver(&self) -> Option<&Driver> {
        self.driver.as_ref()
    }

    pub fn spent(&self) -> Spent {
        self.spent
    }

    pub fn today(&self) -> Option<Today> {
        self.today
    }

    /// Tokens of the newest request, as the provider counted them.
    pub fn request_tokens(&self) -> u64 {
        self.request
    }

    /// What was said and done, then what is being streamed, then what waits for the run to end.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.settled.iter().chain(self.streaming.items()).chain(&self.waiting)
    }

    /// Whether a run goes on and no item shows it.
    pub fn is_quiet(&self) -> bool {
        let is_open = |item: &Item| {
            matches!(
                item.body,
                Body::Tool {
                    progress: Progress::Written | Progress::Asked | Progress::Waiting | Progress::Running(_),
                    ..
                }
            )
        };
        self.status == Status::Running
            && self.elsewhere.is_none()
            && self.streaming.items().next().is_none()
            && !self.settled.last().is_some_and(is_open)
    }

    /// The item of this name; found at once where it is one of the last.
    pub fn newest(&self, key: &Key) -> Option<&Item> {
        self.streaming
            .items()
            .chain(&self.waiting)
            .chain(self.settled.iter().rev())
            .find(|item| item.key == *key)
    }

    /// Whether a run goes on, or waits for the person.
    pub fn is_at_work(&self) -> bool {
        self.run.is_some()
    }

    /// What waits for the person, the oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Approval> {
        self.open.iter().filter_map(|place| match &self.settled[*place].body {
            Body::Approval { approval, .. } => Some(&**approval),
            _ => None,
        })
    }

    pub fn todo(&self) -> &TodoList {
        &self.todo
    }

    /// What calls of the run wait for, the oldest first.
    pub fn wanted(&self) -> impl Iterator<Item = &DeviceWanted> {
        self.waits.iter().filter_map(|place| match &self.settled[*place].body {
            Body::Device { wanted, .. } => Some(wanted),
            _ => None,
        })
    }

    /// The notice that offers a retry: the last run's, while no other run goes on.
    pub fn retry(&self) -> Option<&Key> {
        self.retry.as_ref()
    }

    /// The notice of an answer that reached its limit of tokens, if the agent rests and nothing was said since.
    pub fn cut(&self) -> Option<&Key> {
        if self.is_at_work() || !self.waiting.is_empty() {
            return None;
        }
        let last = self.settled.iter().rev().find(|item| !matches!(item.body, Body::Note(_)))?;
        matches!(last.body, Body::CutOff(StopReason::MaxTokens)).then_some(&last.key)
    }

    /// The line that offers a repair of the page: the last one, until the agent is at work again.
    pub fn repair(&self) -> Option<&Key> {
        self.repair.as_ref()
    }
}
