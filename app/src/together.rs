//! Requests that need nothing of each other's answers are made at once: a page waits for the slowest of them, and not for
//! one after the other.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// What both bring, once both have.
pub async fn both<A, B>(first: impl Future<Output = A>, second: impl Future<Output = B>) -> (A, B) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    let (mut one, mut other) = (None, None);
    poll_fn(move |context| {
        if one.is_none()
            && let Poll::Ready(brought) = first.as_mut().poll(context)
        {
            one = Some(brought);
        }
        if other.is_none()
            && let Poll::Ready(brought) = second.as_mut().poll(context)
        {
            other = Some(brought);
        }
        match (one.take(), other.take()) {
            (Some(one), Some(other)) => Poll::Ready((one, other)),
            (brought, others) => {
                (one, other) = (brought, others);
                Poll::Pending
            }
        }
    })
    .await
}

/// What all of them bring, asked for at once; the first failure, in their order. Each is in a place of its own: one within
/// another, they would take more than a thread's stack has.
macro_rules! together {
    ($a:expr, $b:expr $(,)?) => {{
        let (a, b) = $crate::together::both(Box::pin($a), Box::pin($b)).await;
        (a?, b?)
    }};
    ($a:expr, $b:expr, $c:expr $(,)?) => {{
        use $crate::together::both;
        let ((a, b), c) = both(both(Box::pin($a), Box::pin($b)), Box::pin($c)).await;
        (a?, b?, c?)
    }};
    ($a:expr, $b:expr, $c:expr, $d:expr $(,)?) => {{
        use $crate::together::both;
        let ((a, b), (c, d)) = both(both(Box::pin($a), Box::pin($b)), both(Box::pin($c), Box::pin($d))).await;
        (a?, b?, c?, d?)
    }};
    ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr $(,)?) => {{
        use $crate::together::both;
        let four = both(both(Box::pin($a), Box::pin($b)), both(Box::pin($c), Box::pin($d)));
        let (((a, b), (c, d)), e) = both(four, Box::pin($e)).await;
        (a?, b?, c?, d?, e?)
    }};
}
pub(crate) use together;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AppError;
    use protocol::{Failure, FailureKind};
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::task::{Context, Waker};

    /// Says that it was asked for, and brings `number` when it is asked again.
    async fn asked(log: Rc<RefCell<Vec<u8>>>, number: u8) -> Result<u8, AppError> {
        let mut is_there = false;
        poll_fn(|_| {
            if std::mem::replace(&mut is_there, true) {
                return Poll::Ready(());
            }
            log.borrow_mut().push(number);
            Poll::Pending
        })
        .await;
        if number == 0 { Err(AppError(Failure::new(FailureKind::NotFound, "gone"))) } else { Ok(number) }
    }

    #[test]
    fn all_are_asked_for_before_the_first_answer_and_the_first_failure_counts() {
        for (numbers, expected) in [([1, 2, 3], Ok((1, 2, 3))), ([1, 0, 3], Err(FailureKind::NotFound))] {
            let log = Rc::new(RefCell::new(Vec::new()));
            let ask = |number| asked(Rc::clone(&log), number);
            let [a, b, c] = numbers;
            let all = async { Ok::<_, AppError>(together!(ask(a), ask(b), ask(c))) };
            let mut all = pin!(all);
            let mut context = Context::from_waker(Waker::noop());
            assert!(all.as_mut().poll(&mut context).is_pending());
            assert_eq!(*log.borrow(), numbers);
            let Poll::Ready(brought) = all.as_mut().poll(&mut context) else { panic!("all have answered") };
            assert_eq!(brought.map_err(|AppError(failure)| failure.kind), expected);
        }
    }
}
