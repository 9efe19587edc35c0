//! One-time answers on their way to a page without script: such a form post can only redirect, so
//! the page after it fetches the answer here. In memory only, for a moment, for one device.

use crate::accounts::OwnAccount;
use crate::clock::Moment;
use protocol::DeviceId;
use protocol::view::OneTime;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

const KEPT_MS: i64 = 2 * 60 * 1000;

#[derive(Default)]
pub(crate) struct ShownOnce(Mutex<HashMap<DeviceId, PendingAnswer>>);

struct PendingAnswer {
    until: Moment,
    answer: OneTime,
}

impl ShownOnce {
    fn put(&self, device: DeviceId, answer: OneTime, now: Moment) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| kept.until > now);
        kept.insert(device, PendingAnswer { until: now.plus_ms(KEPT_MS), answer });
    }

    fn take(&self, device: &DeviceId, now: Moment) -> Option<OneTime> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(device).filter(|kept| kept.until > now).map(|kept| kept.answer)
    }
}

impl fmt::Debug for ShownOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShownOnce")
    }
}

impl OwnAccount<'_> {
    /// Keeps an answer for the next page of the asking device. Programs get theirs directly.
    pub fn show_once(self, answer: OneTime) {
        if let Some(device) = self.scoped.viewer.device() {
            self.scoped.hub.shown_once().put(device.clone(), answer, self.scoped.hub.moment());
        }
    }

    pub fn take_shown_once(self) -> Option<OneTime> {
        self.scoped.hub.shown_once().take(self.scoped.viewer.device()?, self.scoped.hub.moment())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::NewInvite;

    #[test]
    fn an_answer_is_shown_once_to_its_device_and_not_late() {
        let shown = ShownOnce::default();
        let (laptop, phone) = (DeviceId::from("laptop"), DeviceId::from("phone"));
        shown.put(laptop.clone(), answer("/a"), Moment(0));
        assert_eq!(shown.take(&phone, Moment(1)), None);
        assert_eq!(shown.take(&laptop, Moment(1)), Some(answer("/a")));
        assert_eq!(shown.take(&laptop, Moment(1)), None);

        shown.put(laptop.clone(), answer("/b"), Moment(0));
        assert_eq!(shown.take(&laptop, Moment(KEPT_MS)), None);
        shown.put(laptop.clone(), answer("/c"), Moment(0));
        shown.put(phone, answer("/d"), Moment(KEPT_MS));
        assert_eq!(shown.0.lock().unwrap().len(), 1);
    }

    fn answer(path: &str) -> OneTime {
        OneTime::Invite(NewInvite { path: path.to_owned(), expires_at: 0 })
    }
}
