//! Handing people over to another node while this one lives.

use crate::Hub;
use crate::access::Admin;
use crate::cluster::{BEAT_MS, HandingOver};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::UserId;
use std::time::Duration;
use tokio::time::sleep;

/// How often it is looked whether somebody has more than their share.
const LOOK_MS: i64 = 60_000;
/// Longer than a commit takes that had begun.
const SETTLING: Duration = Duration::from_millis(300);

/// The nodes of the hub, for administrators.
#[derive(Clone, Copy, Debug)]
pub struct AllNodes<'a> {
    hub: &'a Hub,
}

impl<'a> Admin<'a> {
    pub fn nodes(&self) -> AllNodes<'a> {
        AllNodes { hub: self.hub }
    }
}

impl AllNodes<'_> {
    /// Has this node hand its people to the others, as long as it lives, or take people on again.
    pub async fn hand_over(self, node: &str, hands_over: bool) -> Result<()> {
        let db = self.hub.store().read();
        let there: Option<i64> =
            query("SELECT hands_over FROM nodes WHERE id = $1", (node,)).fetch_optional(db).await?;
        if there.is_none() {
            return Err(Error::NotFound("node"));
        }
        if hands_over && self.hub.cluster().takers().await?.iter().all(|taker| taker == node) {
            return Err(Error::Conflict("There is no other node that takes people on.".to_owned()));
        }
        query("UPDATE nodes SET hands_over = $2 WHERE id = $1", (node, i64::from(hands_over)))
            .execute(db)
            .await?;
        tracing::info!("node {node} is to hand its people over: {hands_over}");
        Ok(())
    }
}

impl Hub {
    pub(super) async fn keep_handing_over(&self) {
        let mut look_at = self.moment().plus_ms(LOOK_MS);
        loop {
            tokio::select! {
                () = self.tasks().closing() => return,
                () = self.cluster().lost() => return,
                () = self.clock().until(self.moment().plus_ms(BEAT_MS)) => {}
            }
            let is_due = self.moment() >= look_at;
            if !is_due && !self.cluster().hands_over() {
                continue;
            }
            match self.hand_over().await {
                // Until all have their share.
                Ok(true) => {}
                Ok(false) => look_at = self.moment().plus_ms(LOOK_MS),
                Err(error) => {
                    let failure = error.into_failure();
                    tracing::warn!("people of this node could not be handed over: {failure}");
                }
            }
        }
    }

    /// `false`: nobody went.
    async fn hand_over(&self) -> Result<bool> {
        let Some(plan) = self.cluster().handing_over().await? else { return Ok(false) };
        let mut going = Vec::new();
        let gone = match self.choose(&plan, &mut going).await {
            Ok(()) => self.let_go(&plan, &going).await,
            Err(error) => Err(error),
        };
        self.cluster().give_up_going(&going);
        let gone = gone?;
        if gone > 0 {
            tracing::info!("{gone} people were handed over to node {}", plan.to);
        }
        Ok(gone > 0)
    }

    /// Who begins to go, as many as the plan has.
    async fn choose(&self, plan: &HandingOver, going: &mut Vec<UserId>) -> Result<()> {
        // Where there is no haste nobody's page connects anew for it.
        let is_in_haste = self.cluster().hands_over();
        let mut last = None;
        loop {
            let at_rest = self.cluster().at_rest(last.as_ref()).await?;
            let may_go = at_rest.iter().filter(|person| {
                (is_in_haste || self.live().tabs_of(person).is_empty()) && self.cluster().begin_to_go(person)
            });
            going.extend(may_go.take(plan.most - going.len()).cloned());
            last = at_rest.last().cloned();
            if last.is_none() || going.len() >= plan.most {
                return Ok(());
            }
        }
    }

    /// How many went.
    async fn let_go(&self, plan: &HandingOver, going: &[UserId]) -> Result<usize> {
        if going.is_empty() {
            return Ok(0);
        }
        self.cluster().hold_back(going).await?;
        // What had begun by then is seen.
        sleep(SETTLING).await;
        let mut gone = 0;
        for person in going {
            if self.cluster().put_on(person, &plan.to).await? {
                self.cluster().end_going(person, false);
                self.live().send_away(person);
                gone += 1;
            } else {
                self.cluster().note_taken_on(person).await?;
                self.cluster().end_going(person, true);
                if let Err(error) = self.make_up_for_holding_back(person).await {
                    tracing::warn!(user.id = %person, error = ?error, "what person {person} has waits on");
                }
            }
        }
        Ok(gone)
    }

    /// What was to begin while this person was held back has not, and nothing says so again.
    async fn make_up_for_holding_back(&self, person: &UserId) -> Result<()> {
        self.look_for_what_is_due();
        let thought = self.runs().arm_ambient_runs(Some(person)).await;
        let asked = self.delegations().go_on_across(person).await;
        let resumed = self.ledger().resume_cleared(Some(person)).await;
        thought.and(asked).and(resumed)
    }
}
