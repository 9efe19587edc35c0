//! A call that names a device, or something that a device must have. While there is none it waits: for
//! a few minutes, in sight of the person, who can open the page there or stop the run.

use super::{fitting, is_known, others};
use crate::gateway::Caller;
use crate::live::{TabCallError, TabCommand, TabLink};
use crate::runs::Offered;
use crate::tools::ToolError;
use protocol::CallId;
use protocol::log::DeviceWanted;
use std::sync::Arc;
use std::time::Duration;

/// How long a call waits for a device.
const PATIENCE_MS: i64 = 3 * 60_000;

/// Has a device that fits perform the call, at once or when one comes.
pub(in crate::tools) async fn perform<C: TabCommand>(
    caller: &Caller<'_>,
    call: &CallId,
    wanted: &DeviceWanted,
    command: &C,
    limit: Duration,
) -> Result<(Arc<TabLink>, C::Done), ToolError> {
    let hub = caller.hub;
    let mut changes = hub.live().watch();
    let mut wait = None;
    loop {
        changes.mark_unchanged();
        let mut tabs = fitting(caller, wanted).await?;
        if wait.is_some() {
            tabs.retain(|tab| tab.is_awake());
        }
        if !tabs.is_empty() {
            if wait.is_some() {
                caller.note_offer(call, Offered::Yes).await?;
            }
            match hub.live().call_tab(tabs, caller.agent, command.clone(), limit).await {
                Ok((tab, done)) => {
                    if wait.is_some() {
                        let name = hub.accounts().device_name_of(tab.device.as_ref()).await?;
                        caller.found_device(call, name);
                    }
                    return Ok((tab, done));
                }
                Err(TabCallError::NobodyThere) if wait.is_some() => {
                    caller.note_offer(call, Offered::No).await?;
                }
                Err(TabCallError::NobodyThere) => {}
                Err(error @ (TabCallError::TabGone | TabCallError::TimedOut)) => {
                    return Err(ToolError(error.in_words::<C>().to_owned()));
                }
            }
        }
        let until = match wait {
            Some(until) => until,
            None => {
                let until = hub.moment().plus_ms(PATIENCE_MS);
                if let Some(device) = &wanted.device
                    && !is_known(caller, device).await?
                {
                    return Err(
                        nothing_done(caller, &format!("{device} is no device of your person's")).await?
                    );
                }
                caller.call_for_device(call, wanted, hub.now().saturating_add(PATIENCE_MS)).await?;
                *wait.insert(until)
            }
        };
        tokio::select! {
            _ = changes.changed() => {}
            () = hub.clock().until(until) => {
                let why = format!("it waited 3 minutes for {}, and none came", wanted.in_words());
                return Err(nothing_done(caller, &why).await?);
            }
        }
    }
}

async fn nothing_done(caller: &Caller<'_>, why: &str) -> Result<ToolError, ToolError> {
    let others = others(caller).await?;
    Ok(ToolError(format!("The call was not made: {why}. {others}")))
}
