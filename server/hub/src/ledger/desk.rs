//! Where programs' calls hold money and are settled. With SQLite, whose writes pass one after another in any
//! case, those that come while others are served are then served together: what they have in common is read
//! and written once for all. With PostgreSQL each is served by itself, at the same time as others.

mod serve;

use super::hold::{Call, Holding};
use super::spender::Spender;
use super::spending::Metered;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::store::{Dialect, Store};
use serve::serve;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Who is served together at most.
const MOST: usize = 64;

/// What a program's call comes for.
pub(super) enum Visit {
    Ask(Ask, Told<Holding>),
    Bill(Bill, Told<()>),
    /// For nothing but to know that whoever came before is served.
    Last(Told<()>),
}

/// For the most that it can cost.
pub(super) struct Ask {
    pub(super) call: Call,
    /// Which of its scopes have a limit, in their order.
    pub(super) has_limit: Arc<[bool]>,
}

/// With what it used, and for what was held to be let go.
pub(super) struct Bill {
    pub(super) spender: Spender,
    pub(super) metered: Option<Metered>,
}

pub(super) type Told<T> = oneshot::Sender<Result<T>>;

pub(crate) struct Desk {
    books: Books,
    /// Of those who are served together.
    queue: Option<mpsc::UnboundedSender<Visit>>,
}

#[derive(Clone)]
struct Books {
    store: Store,
    clock: Clock,
}

impl Desk {
    pub(crate) fn open(store: Store, clock: Clock) -> Self {
        let books = Books { store, clock };
        let queue = match books.store.dialect() {
            Dialect::Sqlite => {
                let (queue, visits) = mpsc::unbounded_channel();
                tokio::spawn(attend(books.clone(), visits));
                Some(queue)
            }
            Dialect::Postgres => None,
        };
        Self { books, queue }
    }

    /// Whoever asked once is served, also if they do not wait for the answer.
    pub(super) async fn visit<T>(&self, visit: impl FnOnce(Told<T>) -> Visit) -> Result<T> {
        let (told, answer) = oneshot::channel();
        let visit = visit(told);
        match &self.queue {
            // Where nobody attends there is no answer either.
            Some(queue) => drop(queue.send(visit)),
            None => {
                let books = self.books.clone();
                tokio::spawn(async move { serve(&books, vec![visit]).await });
            }
        }
        answer.await.map_err(Error::internal)?
    }

    /// Returns when those who came before are served.
    pub(crate) async fn close(&self) {
        // Where nobody attends any more, everybody was served.
        self.visit(Visit::Last).await.ok();
    }
}

async fn attend(books: Books, mut queue: mpsc::UnboundedReceiver<Visit>) {
    let mut visits = Vec::new();
    while queue.recv_many(&mut visits, MOST).await > 0 {
        serve(&books, std::mem::take(&mut visits)).await;
    }
}
