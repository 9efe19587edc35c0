//! How a scope stands to its limits, read while nobody else can hold money under them, and whether a call
//! passes them.

use super::caps::{self, Caps};
use super::held::RunCosts;
use super::hold::PricedCall;
use super::scope::Scope;
use super::spending::{self, SoFar};
use crate::error::Result;
use crate::store::Transaction;
use protocol::Micros;
use protocol::{told, words};

pub(super) struct BudgetStatus {
    caps: Caps,
    so_far: SoFar,
}

pub(super) struct Refusal {
    /// In words.
    pub(super) why: String,
    /// Nobody knows what the model costs, or nobody whose word counts for this limit.
    pub(super) lacks_price: bool,
}

impl BudgetStatus {
    /// Until the transaction ends nobody else can hold money under these limits. `None`: there are none.
    pub(super) async fn locked(tx: &mut Transaction, scope: Scope<'_>, now: i64) -> Result<Option<Self>> {
        let Some(caps) = caps::lock(tx, scope).await? else { return Ok(None) };
        Ok(Some(Self { caps, so_far: spending::so_far(tx, scope, now).await? }))
    }

    /// Whether the most that the call can cost fits.
    pub(super) fn judge(
        &self,
        call: &PricedCall,
        scope: Scope<'_>,
        run: RunCosts,
    ) -> std::result::Result<(), Refusal> {
        let Some(most) = call.most.under(scope) else {
            let why = match scope.is_of_administrators() {
                true => unpriced_for_administrators(&call.model),
                false => unpriced(&call.model),
            };
            return Err(Refusal { why, lacks_price: true });
        };
        match self.passed_by(scope, most, run) {
            Some(why) => Err(Refusal { why, lacks_price: false }),
            None => Ok(()),
        }
    }

    /// Counts a call for which money is held now, if it is under these limits.
    pub(super) fn count(&mut self, call: &PricedCall, scope: Scope<'_>) {
        if call.scopes().contains(&scope) {
            let most = call.most.micros().unwrap_or_default();
            self.so_far.held.0 = self.so_far.held.0.saturating_add(most.0);
        }
    }

    /// The first limit that so much more would pass, in words.
    fn passed_by(&self, scope: Scope<'_>, most: Micros, run: RunCosts) -> Option<String> {
        let (Caps { per_call, per_run, per_day, per_month, ever }, SoFar { spent, held }) =
            (&self.caps, &self.so_far);
        let none = Micros(0);
        for (limit, per, spent, held) in [
            (per_call, words!("a call"), none, none),
            (per_run, words!("a run"), run.spent, run.held),
            (per_day, words!("a day"), spent.day, *held),
            (per_month, words!("a month"), spent.month, *held),
            (ever, words!("in all"), spent.ever, *held),
        ] {
            let Some(limit) = limit else { continue };
            if spent.0.saturating_add(held.0).saturating_add(most.0) <= limit.0 {
                continue;
            }
            let who = scope.in_words();
            return Some(match held == none {
                true => told!(
                    "{who} may spend {limit} {per}. {spent} is spent. The next call may cost up to {most}."
                ),
                false => told!(
                    "{who} may spend {limit} {per}. {spent} is spent. {held} is held for other calls. The next call may cost up to {most}."
                ),
            });
        }
        None
    }
}

fn unpriced(model: &str) -> String {
    told!(
        "There is a limit on spending, and nobody knows what {model} costs. Enter its price under Models, or take the limit away."
    )
}

fn unpriced_for_administrators(model: &str) -> String {
    told!(
        "An administrator limits spending here, and nobody knows what {model} costs. The administrators see under Models that you wait for its price; the agent goes on when they have entered it. Or choose another model."
    )
}
