//! Where programs' calls hold money and are settled. With SQLite, whose writes pass one after another in any
//! case, those that come while others are served are then served together: what they have in common is read
//! and written once for all. With PostgreSQL each is served by itself, at the same time as others.

mod serve;

use super::hold::{Holding, PricedCall};
use super::spender::Spender;
use super::spending::Metered;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::store::{Dialect, Store};
use crate::tasks::Tasks;
use serve::serve;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// What serving the last ones may take.
const CLOSING: Duration = Duration::from_secs(5);
/// Who is served together at most.
const MAX_BATCH: usize = 64;

/// What a program's call comes for.
pub(super) enum BookingRequest {
    Ask(ReserveRequest, Responder<Holding>),
    Bill(SettleRequest, Responder<()>),
    /// For nothing but to know that whoever came before is served.
    Last(Responder<()>),
}

/// For the most that it can cost.
pub(super) struct ReserveRequest {
    pub(super) call: PricedCall,
    /// Which of its scopes have a limit, in their order.
    pub(super) has_limit: Arc<[bool]>,
}

/// With what it used, and for what was held to be let go.
#[derive(Clone, Debug)]
pub(super) struct SettleRequest {
    pub(super) spender: Spender,
    pub(super) metered: Option<Metered>,
}

pub(super) type Responder<T> = oneshot::Sender<Result<T>>;

pub(crate) struct BookingQueue {
    books: Books,
    tasks: Tasks,
    /// Of those who are served together.
    queue: Option<mpsc::UnboundedSender<BookingRequest>>,
}

#[derive(Clone)]
struct Books {
    store: Store,
    clock: Clock,
}

impl BookingQueue {
    pub(crate) fn open(store: Store, clock: Clock) -> Self {
        let (books, tasks) = (Books { store, clock }, Tasks::default());
        let queue = match books.store.dialect() {
            Dialect::Sqlite => {
                let (queue, visits) = mpsc::unbounded_channel();
                tasks.spawn(attend(books.clone(), visits));
                Some(queue)
            }
            Dialect::Postgres => None,
        };
        Self { books, tasks, queue }
    }

    /// Whoever asked once is served, also if they do not wait for the answer.
    pub(super) async fn visit<T>(&self, visit: impl FnOnce(Responder<T>) -> BookingRequest) -> Result<T> {
        let (told, answer) = oneshot::channel();
        let visit = visit(told);
        match &self.queue {
            // Where nobody attends there is no answer either.
            Some(queue) => drop(queue.send(visit)),
            None => {
                let books = self.books.clone();
                self.tasks.spawn(async move { serve(&books, vec![visit]).await });
            }
        }
        answer.await.map_err(Error::internal)?
    }

    /// Returns when those who came before are served. Nobody is from then on.
    pub(crate) async fn close(&self) {
        // Where nobody attends any more, everybody was served.
        self.visit(BookingRequest::Last).await.ok();
        self.tasks.close(CLOSING).await;
    }
}

async fn attend(books: Books, mut queue: mpsc::UnboundedReceiver<BookingRequest>) {
    let mut visits = Vec::new();
    while queue.recv_many(&mut visits, MAX_BATCH).await > 0 {
        let is_last = visits.iter().any(|visit| matches!(visit, BookingRequest::Last(_)));
        serve(&books, std::mem::take(&mut visits)).await;
        if is_last {
            return;
        }
    }
}
