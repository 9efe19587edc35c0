//! A question to the person, and who waits for its answer.

use protocol::view::shell::Card;

pub(super) struct Question {
    pub(super) card: Card,
    pub(super) waiting: Waiting,
}

pub(super) enum Waiting {
    /// Requests of the page, by their ids.
    Page(Vec<u64>),
    Shell(Hearing),
}

impl Question {
    pub(super) fn of_page(card: Card, request: u64) -> Self {
        Self { card, waiting: Waiting::Page(vec![request]) }
    }

    pub(super) fn of_shell(card: Card, hear: Hearing) -> Self {
        Self { card, waiting: Waiting::Shell(hear) }
    }

    /// The requests of the page that wait.
    pub(super) fn requests(&mut self) -> Option<&mut Vec<u64>> {
        match &mut self.waiting {
            Waiting::Page(requests) => Some(requests),
            Waiting::Shell(_) => None,
        }
    }
}

/// Hears a person's answer, or no if there never is one.
pub(super) struct Hearing(Option<Box<dyn FnOnce(bool)>>);

impl Hearing {
    pub(super) fn new(hear: impl FnOnce(bool) + 'static) -> Self {
        Self(Some(Box::new(hear)))
    }

    pub(super) fn tell(mut self, said_yes: bool) {
        if let Some(hear) = self.0.take() {
            hear(said_yes);
        }
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        if let Some(hear) = self.0.take() {
            hear(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn whoever_waits_for_a_person_hears_once_and_no_if_nobody_answers() {
        for (answer, expected) in [(Some(true), true), (Some(false), false), (None, false)] {
            let heard = Rc::new(RefCell::new(Vec::new()));
            let hears = Rc::clone(&heard);
            let hearing = Hearing::new(move |said_yes| hears.borrow_mut().push(said_yes));
            match answer {
                Some(answer) => hearing.tell(answer),
                None => drop(hearing),
            }
            assert_eq!(*heard.borrow(), [expected]);
        }
    }
}
