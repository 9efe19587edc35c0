//! A call that waits for a device, as everything around it sees it.

use super::Caller;
use super::caller::CallOrigin;
use crate::error::{Error, Result};
use crate::runs::Offered;
use protocol::CallId;
use protocol::log::DeviceWanted;

impl Caller<'_> {
    /// Says on every surface that the call waits, and calls for the person.
    pub(crate) async fn call_for_device(
        &self,
        call: &CallId,
        wanted: &DeviceWanted,
        until: i64,
    ) -> Result<()> {
        match self.by {
            CallOrigin::Model { execution, turn } => execution.begin_wait(turn, call, wanted, until).await,
            CallOrigin::Page { .. } => Err(Error::invalid("A page cannot choose a device.")),
        }
    }

    /// Says whether the call that waits may be with a device already.
    pub(crate) async fn note_offer(&self, call: &CallId, offered: Offered) -> Result<()> {
        match self.by {
            CallOrigin::Model { execution, turn } => execution.note_offer(turn, call, offered).await,
            CallOrigin::Page { .. } => Ok(()),
        }
    }

    /// A device that it waited for performed the call.
    pub(crate) fn found_device(&self, call: &CallId, name: String) {
        match self.by {
            CallOrigin::Model { execution, .. } => execution.found_device(call, name),
            CallOrigin::Page { .. } => {}
        }
    }
}
