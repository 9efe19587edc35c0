//! What happens before a request: its server may rest, may not want programs, or is asked often enough.

use super::{WebClient, WebError};
use crate::outbound::{Answer, Target};
use reqwest::Method;
use reqwest::header::RETRY_AFTER;
use std::time::Duration;

impl WebClient<'_> {
    pub(super) async fn mind_manners(self, method: &Method, target: &Target) -> Result<(), WebError> {
        let place = target.place();
        if let Some(seconds) = self.memory().pace.rest(self.owner, &place, self.hub.moment()) {
            return Err(WebError::Resting(place, seconds));
        }
        let reads = matches!(*method, Method::GET | Method::HEAD);
        if self.manners.follows_robots && reads {
            self.follow_robots(target).await?;
        }
        if self.manners.is_paced {
            let turn = self.memory().pace.turn(self.owner, &place, self.hub.moment());
            let wait = turn.map_err(|seconds| WebError::Paced(place, seconds))?;
            if wait > Duration::ZERO {
                tokio::time::sleep(wait).await;
            }
        }
        Ok(())
    }

    /// Whoever says that it was asked too much, and for how long, is left alone for so long.
    pub(super) fn note_rest(self, target: &Target, answer: &Answer) {
        if !matches!(answer.status(), 429 | 503) {
            return;
        }
        let seconds = answer.header(RETRY_AFTER).and_then(|after| after.trim().parse().ok());
        if let Some(seconds) = seconds {
            self.memory().pace.leave_alone(self.owner, &target.place(), seconds, self.hub.moment());
        }
    }
}
