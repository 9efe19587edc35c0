//! What must hold of the agent's state before a schedule begins anything. No model is asked.

use super::rows::ScheduleRow;
use crate::error::{Error, Result};
use crate::schedules::Schedules;
use agent::rules::{Condition, holds};
use protocol::schedule::StateCondition;
use serde_json::Value;

impl Schedules<'_> {
    /// `None`: it has no condition. A key that is not there is `null`.
    pub(super) async fn condition_holds(self, known: &ScheduleRow) -> Result<Option<bool>> {
        let Some(StateCondition { key, when }) = &known.rules.only_if else { return Ok(None) };
        let condition: Condition = when.parse().map_err(Error::internal)?;
        let value = self.hub.states().get(&known.place.agent, key).await?.unwrap_or(Value::Null);
        Ok(Some(holds(&condition, &value, &value)))
    }
}
