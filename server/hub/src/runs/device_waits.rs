//! Calls of a run that wait for a device. The log says when one begins to wait, and when and how it ends.

use super::Execution;
use crate::error::Result;
use crate::log::Appending;
use crate::notifications::News;
use crate::store::query;
use protocol::CallId;
use protocol::log::{DeviceWait, DeviceWanted, EntryBody};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The calls that wait, and the device that performed one, once there is one.
#[derive(Default)]
pub(super) struct DeviceWaits(Mutex<HashMap<CallId, Option<String>>>);

/// Whether a call that waits may be with a device already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offered {
    No,
    Yes,
}

impl Offered {
    /// As the database has it; 0 is a call that does not wait.
    fn number(self) -> i64 {
        match self {
            Self::No => 1,
            Self::Yes => 2,
        }
    }
}

impl DeviceWaits {
    fn lock(&self) -> MutexGuard<'_, HashMap<CallId, Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Execution {
    pub(crate) async fn begin_wait(
        &self,
        turn: u32,
        call: &CallId,
        wanted: &DeviceWanted,
        until: i64,
    ) -> Result<()> {
        let wait = DeviceWait::Begun { wanted: wanted.clone(), until };
        let mut appending = self.hub().log().appending().await?;
        let body = EntryBody::DeviceWait { turn, call: call.clone(), wait };
        appending.append(&self.place(), body).await?;
        self.mark(&mut appending, turn, call, Offered::No).await?;
        self.require_running(&mut appending).await?;
        self.note_news(&mut appending, News::Device(wanted)).await?;
        self.hub().log().commit(appending).await?;
        self.device_waits.lock().insert(call.clone(), None);
        Ok(())
    }

    /// Writes down whether a device may have taken the call, before one is asked to.
    pub(crate) async fn note_offer(&self, turn: u32, call: &CallId, offered: Offered) -> Result<()> {
        let mut appending = self.hub().log().appending().await?;
        self.mark(&mut appending, turn, call, offered).await?;
        self.hub().log().commit(appending).await?;
        Ok(())
    }

    async fn mark(
        &self,
        appending: &mut Appending,
        turn: u32,
        call: &CallId,
        offered: Offered,
    ) -> Result<()> {
        query(
            "UPDATE tool_calls SET device_wait = $4 WHERE run_id = $1 AND turn = $2 AND call_id = $3",
            (&self.run, turn, call, offered.number()),
        )
        .execute(&mut *appending.tx)
        .await?;
        Ok(())
    }

    pub(crate) fn found_device(&self, call: &CallId, name: String) {
        if let Some(by) = self.device_waits.lock().get_mut(call) {
            *by = Some(name);
        }
    }

    /// The call has ended: if it waited, it does so no more.
    pub(crate) async fn end_wait(&self, appending: &mut Appending, turn: u32, call: &CallId) -> Result<()> {
        let ended = self.device_waits.lock().remove(call);
        let Some(by) = ended else { return Ok(()) };
        let body = EntryBody::DeviceWait { turn, call: call.clone(), wait: DeviceWait::Ended { by } };
        appending.append(&self.place(), body).await?;
        appending.mark_working(&self.agent).await
    }
}
