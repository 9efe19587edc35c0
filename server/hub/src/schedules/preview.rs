//! What a schedule would do, without doing it: nothing is said, and no model is called.

use crate::error::Result;
use crate::schedules::OwnSchedules;
use agent::context::attributed;
use protocol::ScheduleId;
use protocol::schedule::SchedulePreview;

const TIMES: usize = 5;

impl OwnSchedules<'_> {
    pub async fn preview(self, id: &ScheduleId) -> Result<SchedulePreview> {
        let known = self.known_schedule(id).await?;
        let condition = self.scoped.hub.schedules().condition_holds(&known).await?;
        let mut at = self.scoped.hub.now();
        let mut next = Vec::new();
        while let Some(time) = known.times.after(at).filter(|_| next.len() < TIMES) {
            next.push(time);
            at = time;
        }
        Ok(SchedulePreview { text: attributed(&known.sender(), &known.message), condition, next })
    }
}
