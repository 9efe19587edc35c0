//! Which model answers in the background: the cheapest that the person's agents use at the same provider, so that
//! no word goes where it did not go before.

use super::{AnsweredRun, SideCalls};
use crate::error::Result;
use crate::runs::Model;
use crate::store::query;
use protocol::agent::ProviderKind;
use protocol::model::Usage;

/// What a call is reckoned by.
const TYPICAL: Usage = Usage { input: 1_000, output: 100, cache_read: 0, cache_write: 0, reasoning: 0 };

impl SideCalls<'_> {
    /// `None`: there is no model that could answer.
    pub(super) async fn model_for(self, answered: &AnsweredRun) -> Result<Option<Model>> {
        let own = &answered.model;
        let Some(provider) = &own.provider else { return Ok(None) };
        let Some(usable) = self.hub.providers().usable(&answered.owner, provider).await? else {
            return Ok(None);
        };
        if usable.provider.kind == ProviderKind::Scripted {
            return Ok(None);
        }
        // A server of one's own has this one at hand.
        if usable.is_free() {
            return Ok(Some(own.clone()));
        }
        let others: Vec<String> = query(
            "SELECT DISTINCT model FROM agents
             WHERE user_id = $1 AND provider_id = $2 AND model <> '' ORDER BY model",
            (&answered.owner, provider),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut cheapest = (self.typical_cost(answered, &own.name).await?, own.name.clone());
        for name in others {
            let cost = self.typical_cost(answered, &name).await?;
            if let (Some(least), Some(cost)) = (cheapest.0, cost)
                && cost < least
            {
                cheapest = (Some(cost), name);
            }
        }
        Ok(Some(Model { provider: own.provider.clone(), name: cheapest.1 }))
    }

    async fn typical_cost(self, answered: &AnsweredRun, model: &str) -> Result<Option<i64>> {
        let rate = self.hub.model_facts().rate(&answered.owner, model).await?;
        Ok(self.hub.facts().cost_at(&rate, model, &TYPICAL).map(|cost| cost.0))
    }
}
