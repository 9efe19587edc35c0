//! `schedules.json`: what the agent was told by itself, and when. Only this product has them, so the file
//! is one that others pass over.

use super::content::check_values;
use crate::error::{Error, Result};
use crate::schedules;
use crate::zip::against;
use protocol::archive::ArchivedSchedule;

pub(super) const FILE: &str = "schedules.json";

pub(super) fn read(bytes: &[u8]) -> Result<Vec<ArchivedSchedule>> {
    check_values(FILE, bytes)?;
    let archived = serde_json::from_slice(bytes)
        .map_err(|error| Error::invalid(format!("{FILE} cannot be read: {error}.")))?;
    schedules::check_archived(archived).map_err(|error| match error {
        Error::Invalid(why) | Error::Limit(why) => against(FILE, why.trim_end_matches('.')),
        error => error,
    })
}
