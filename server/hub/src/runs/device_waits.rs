//! Calls of a run that wait for a device. The log says when one begins to wait, and when and how it ends.

use super::Execution;
use crate::error::Result;
use crate::log::Appending;
use protocol::CallId;
use protocol::log::{DeviceWait, DeviceWanted, EntryBody};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The calls that wait, and the device that performed one, once there is one.
#[derive(Default)]
pub(super) struct DeviceWaits(Mutex<HashMap<CallId, Option<String>>>);

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
        let mut appending = self.hub().appending().await?;
        let body = EntryBody::DeviceWait { turn, call: call.clone(), wait };
        appending.append(&self.place(), body).await?;
        self.require_running(&mut appending).await?;
        self.hub().commit(appending).await?;
        self.device_waits.lock().insert(call.clone(), None);
        Ok(())
    }

    pub(crate) fn found_device(&self, call: &CallId, name: String) {
        if let Some(by) = self.device_waits.lock().get_mut(call) {
            *by = Some(name);
        }
    }

    /// The call has ended: if it waited, it does so no more.
    pub(crate) async fn end_wait(&self, appending: &mut Appending, turn: u32, call: &CallId) -> Result<()> {
        let (ended, is_last) = {
            let mut waits = self.device_waits.lock();
            (waits.remove(call), waits.is_empty())
        };
        let Some(by) = ended else { return Ok(()) };
        let body = EntryBody::DeviceWait { turn, call: call.clone(), wait: DeviceWait::Ended { by } };
        appending.append(&self.place(), body).await?;
        if is_last {
            appending.go_on(&self.agent).await?;
        }
        Ok(())
    }
}
