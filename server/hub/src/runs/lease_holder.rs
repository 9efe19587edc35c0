//! Who drives a run at present, under which lease, and the two streams between the hub and a tab that
//! does: each side counts what it has taken, so that after a new connection each thing comes once.

use crate::live::{TabKey, TabLink};
use protocol::agent::Home;
use protocol::hub::HubFrame;
use protocol::run::{RunGrant, RunReply};
use protocol::{RunId, TabId};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Replies that are kept for a tab which does not say that it has them. One that lets more come
/// cannot rejoin.
const UNSEEN: usize = 1024;

pub(super) struct LeaseHolder {
    /// The lease.
    pub(super) token: String,
    driver: Driver,
}

enum Driver {
    Hub(mpsc::UnboundedSender<RunReply>),
    Tab(ReplayBuffer),
    /// An agent that lives in the browser, and no tab there to drive it.
    Nobody,
}

struct ReplayBuffer {
    tab: TabId,
    /// Gone while the tab is away, and before it was told of its run.
    socket: Option<Socket>,
    /// It was told of its run, over whatever socket.
    is_told: bool,
    /// Tells one absence from the next.
    absences: u64,
    /// Asks that came so far.
    taken: u64,
    /// The number of the first reply in `unseen`.
    first: u64,
    unseen: VecDeque<RunReply>,
}

struct Socket {
    key: TabKey,
    link: Arc<TabLink>,
}

/// One time that a tab was away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Absence {
    number: u64,
    /// In milliseconds since 1970.
    pub(super) since: i64,
}

impl LeaseHolder {
    pub(super) fn hub(token: String) -> (Self, mpsc::UnboundedReceiver<RunReply>) {
        let (replies, receiver) = mpsc::unbounded_channel();
        (Self { token, driver: Driver::Hub(replies) }, receiver)
    }

    /// What is for the tab waits until it is told of its run.
    pub(super) fn tab(token: String, tab: TabId) -> Self {
        let line = ReplayBuffer {
            tab,
            socket: None,
            is_told: false,
            absences: 0,
            taken: 0,
            first: 0,
            unseen: VecDeque::new(),
        };
        Self { token, driver: Driver::Tab(line) }
    }

    pub(super) fn empty(token: String) -> Self {
        Self { token, driver: Driver::Nobody }
    }

    /// Nobody drives, and nobody is expected back.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self.driver, Driver::Nobody)
    }

    pub(super) fn home(&self) -> Home {
        match self.driver {
            Driver::Hub(_) => Home::Hub,
            Driver::Tab(_) | Driver::Nobody => Home::Browser,
        }
    }

    pub(super) fn socket(&self) -> Option<TabKey> {
        Some(self.line()?.socket.as_ref()?.key)
    }

    pub(super) fn is_of(&self, tab: &TabId) -> bool {
        self.line().is_some_and(|line| line.tab == *tab)
    }

    pub(super) fn reply(&mut self, run: &RunId, reply: RunReply) {
        match &mut self.driver {
            Driver::Hub(replies) => {
                // The driver may have ended in this moment.
                let _ = replies.send(reply);
            }
            Driver::Tab(line) => {
                line.send(run, &reply);
                line.keep(reply);
            }
            Driver::Nobody => {}
        }
    }

    /// Tells the tab of its run, and then what has come for it meanwhile.
    pub(super) fn grant(&mut self, link: Arc<TabLink>, grant: RunGrant) {
        let token = self.token.clone();
        let Driver::Tab(line) = &mut self.driver else { return };
        let run = grant.run.clone();
        link.send(&HubFrame::Granted { token, grant });
        line.is_told = true;
        line.attach(link, &run);
    }

    /// This is the tab that drives, over another socket than it was told of its run, and it never said anything: it may
    /// not have heard of it.
    pub(super) fn may_not_know(&self, link: &TabLink) -> bool {
        self.line().is_some_and(|line| {
            let is_elsewhere = line.socket.as_ref().is_none_or(|own| own.key != link.key);
            line.is_told && line.taken == 0 && line.tab == link.id && is_elsewhere
        })
    }

    /// Counts an ask that came over this socket; `false` if it is not the driver's.
    pub(super) fn take(&mut self, socket: TabKey, received: u64) -> bool {
        let Driver::Tab(line) = &mut self.driver else { return false };
        if line.socket.as_ref().is_none_or(|own| own.key != socket) {
            return false;
        }
        line.taken += 1;
        line.forget(received);
        true
    }

    /// The socket of this tab is gone.
    pub(super) fn part(&mut self, socket: TabKey, now: i64) -> Option<Absence> {
        let Driver::Tab(line) = &mut self.driver else { return None };
        line.socket.take_if(|own| own.key == socket)?;
        Some(line.be_away(now))
    }

    pub(super) fn is_still(&self, absence: Absence) -> bool {
        self.line().is_some_and(|line| line.socket.is_none() && line.absences == absence.number)
    }

    /// The tab is back over another socket, with so many of the replies; `false` if it cannot go on.
    pub(super) fn rejoin(&mut self, run: &RunId, link: Arc<TabLink>, received: u64) -> bool {
        let Driver::Tab(line) = &mut self.driver else { return false };
        let sent = line.first + line.unseen.len() as u64;
        if line.tab != link.id || received < line.first || received > sent {
            return false;
        }
        line.forget(received);
        link.send(&HubFrame::Rejoined { run: run.clone(), taken: line.taken });
        line.attach(link, run);
        true
    }

    fn line(&self) -> Option<&ReplayBuffer> {
        match &self.driver {
            Driver::Tab(line) => Some(line),
            Driver::Hub(_) | Driver::Nobody => None,
        }
    }
}

impl ReplayBuffer {
    fn send(&self, run: &RunId, reply: &RunReply) {
        if let Some(socket) = &self.socket {
            let frame = HubFrame::Run { run: run.clone(), taken: self.taken, reply: reply.clone() };
            socket.link.send(&frame);
        }
    }

    fn keep(&mut self, reply: RunReply) {
        self.unseen.push_back(reply);
        if self.unseen.len() > UNSEEN {
            self.unseen.pop_front();
            self.first += 1;
        }
    }

    /// The tab has these.
    fn forget(&mut self, received: u64) {
        while self.first < received && self.unseen.pop_front().is_some() {
            self.first += 1;
        }
    }

    fn attach(&mut self, link: Arc<TabLink>, run: &RunId) {
        self.socket = Some(Socket { key: link.key, link });
        for reply in &self.unseen {
            self.send(run, reply);
        }
    }

    fn be_away(&mut self, now: i64) -> Absence {
        self.absences += 1;
        Absence { number: self.absences, since: now }
    }
}
