//! The tasks of the hub. Each is started here and belongs to whoever keeps its [`Tasks`], who waits for them
//! when it closes; nothing else in the program starts one.

use crate::error::{Error, Result};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

/// Between two tries of what failed because the database is away: at first, and at most.
const SOON: Duration = Duration::from_millis(250);
const LATER: Duration = Duration::from_secs(2);

/// Copies are the same tasks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    tracker: TaskTracker,
    closing: CancellationToken,
    /// Nothing goes on any more.
    closed: CancellationToken,
}

impl Tasks {
    /// Starts a task, in the span of the caller. One that only waits ends by itself when [`Self::closing`]
    /// does; all others are let come to their end.
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks begin")]
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        // Without a runtime the process ends, and the next one finds what was left.
        if let Ok(runtime) = Handle::try_current() {
            drop(self.tracker.spawn_on(self.owned(task), &runtime));
        }
    }

    /// Completes this, also if nobody waits for it any more.
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks begin")]
    pub(crate) async fn complete<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T> {
        let task = self.tracker.spawn(self.owned(task));
        let done = task.await.map_err(Error::internal)?;
        done.ok_or_else(|| Error::internal("the task did not come to its end"))
    }

    /// The same where the caller is a task that does nothing else until then: it goes on with it itself, and another
    /// task does once the caller is gone.
    pub(crate) async fn complete_here<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T> {
        let done = Here(Some(self.tracker.track_future(self.owned(task)).boxed())).await;
        done.ok_or_else(|| Error::internal("the task did not come to its end"))
    }

    /// Tells tasks that only wait to end.
    pub(crate) fn begin_closing(&self) {
        self.closing.cancel();
    }

    /// Ready when the hub closes.
    pub(crate) async fn closing(&self) {
        self.closing.cancelled().await;
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Returns when no task is left. What has not come to its end after `limit` is dropped where it is, and
    /// whatever is started from then on does not begin.
    pub(crate) async fn close(&self, limit: Duration) {
        self.begin_closing();
        self.tracker.close();
        if tokio::time::timeout(limit, self.tracker.wait()).await.is_err() {
            tracing::warn!("{} tasks did not end in time and are dropped", self.tracker.len());
        }
        self.closed.cancel();
        self.tracker.wait().await;
    }

    /// For what is tried until the database is back.
    pub(crate) fn patience(&self) -> Patience<'_> {
        Patience { tasks: self, pause: SOON }
    }

    /// Those that have not ended.
    pub(crate) fn count(&self) -> usize {
        self.tracker.len()
    }

    /// `None`: it was dropped, or panicked.
    fn owned<T>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send + 'static {
        let closed = self.closed.clone();
        let owned = async move {
            let task = AssertUnwindSafe(task).catch_unwind();
            let done = tokio::select! {
                biased;
                () = closed.cancelled() => return None,
                done = task => done,
            };
            // The hook of the process says where.
            done.map_err(|_| tracing::error!("a task panicked")).ok()
        };
        owned.in_current_span()
    }
}

/// What its caller goes on with. Dropped before its end, it becomes a task.
struct Here<T: Send + 'static>(Option<BoxFuture<'static, Option<T>>>);

impl<T: Send + 'static> Future for Here<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(task) = self.0.as_mut() else { return Poll::Ready(None) };
        let done = ready!(task.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(done)
    }
}

impl<T: Send + 'static> Drop for Here<T> {
    #[expect(clippy::disallowed_methods, reason = "the one place where tasks begin")]
    fn drop(&mut self) {
        // Without a runtime the process ends, and the next one finds what was left.
        if let (Some(rest), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            drop(runtime.spawn(rest));
        }
    }
}

/// Of who has to write something down and cannot go on before it is.
pub(crate) struct Patience<'a> {
    tasks: &'a Tasks,
    pause: Duration,
}

impl Patience<'_> {
    /// Waits a while, if it is worth trying again after this error. `false`: it is not, or the hub closes.
    pub(crate) async fn outlasts(&mut self, error: &Error) -> bool {
        if !error.is_database_away() || self.tasks.is_closing() {
            return false;
        }
        let pause = self.pause;
        self.pause = LATER.min(2 * pause);
        tokio::select! {
            biased;
            () = self.tasks.closing() => false,
            () = tokio::time::sleep(pause) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::pending;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Notify;
    use tokio::task::yield_now;

    const LONG: Duration = Duration::from_secs(3600);

    #[tokio::test]
    async fn who_closes_waits_for_what_comes_to_its_end_and_not_for_what_only_waits() {
        let (tasks, done, go_on) = (Tasks::default(), Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        for _ in 0..3 {
            let (done, go_on) = (Arc::clone(&done), Arc::clone(&go_on));
            tasks.spawn(async move {
                go_on.notified().await;
                yield_now().await;
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        let waiting = tasks.clone();
        tasks.spawn(async move { waiting.closing().await });
        let close = tasks.close(LONG);
        tokio::pin!(close);
        for _ in 0..10 {
            assert!(futures_util::poll!(&mut close).is_pending());
            yield_now().await;
        }
        assert_eq!(tasks.count(), 3);
        go_on.notify_waiters();
        close.await;
        assert_eq!((tasks.count(), done.load(Ordering::SeqCst)), (0, 3));
    }

    #[tokio::test]
    async fn what_does_not_end_is_dropped_and_nothing_begins_after_that() {
        let tasks = Tasks::default();
        tasks.spawn(pending());
        tasks.close(Duration::ZERO).await;
        assert_eq!(tasks.count(), 0);
        tasks.spawn(async { unreachable!("it does not begin") });
        assert!(tasks.complete(async { unreachable!("it does not begin") }).await.is_err());
        assert!(tasks.complete_here(async { unreachable!("it does not begin") }).await.is_err());
        assert_eq!(tasks.count(), 0);
    }

    #[tokio::test]
    async fn a_task_goes_on_when_its_caller_hangs_up_and_one_that_panics_ends_no_other() {
        let (tasks, done) = (Tasks::default(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&done);
        let mut caller = Box::pin(tasks.complete(async move {
            yield_now().await;
            counted.fetch_add(1, Ordering::SeqCst);
        }));
        assert!(futures_util::poll!(&mut caller).is_pending());
        drop(caller);
        let lost: Result<()> = tasks.complete(async { panic!("as some task may") }).await;
        assert!(lost.is_err());
        assert_eq!(tasks.complete(async { 1 }).await.ok(), Some(1));
        tasks.close(LONG).await;
        assert_eq!(done.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn what_its_caller_completes_needs_no_task_before_the_caller_is_gone() {
        let (tasks, done, go_on) = (Tasks::default(), Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let at_once = tasks.complete_here(async { 1 }).now_or_never();
        assert_eq!(at_once.expect("nobody else is waited for").ok(), Some(1));
        let lost: Result<()> = tasks.complete_here(async { panic!("as some task may") }).await;
        assert!(lost.is_err());
        let (counted, told) = (Arc::clone(&done), Arc::clone(&go_on));
        let mut caller = Box::pin(tasks.complete_here(async move {
            told.notified().await;
            counted.fetch_add(1, Ordering::SeqCst);
        }));
        assert!(futures_util::poll!(&mut caller).is_pending());
        assert_eq!(tasks.count(), 1);
        drop(caller);
        go_on.notify_one();
        tasks.close(LONG).await;
        assert_eq!((tasks.count(), done.load(Ordering::SeqCst)), (0, 1));
    }
}
