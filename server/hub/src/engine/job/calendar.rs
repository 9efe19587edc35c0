//! Calendars that are read.

use serde::{Deserialize, Serialize};

/// A calendar as it came, and what of it is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct CalendarFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// Of the IANA database: of days, and of times that name none. Empty: the calendar's own.
    pub(crate) zone: String,
    /// In Unix seconds: what ends after the one and begins before the other.
    pub(crate) from: i64,
    pub(crate) until: i64,
    /// So many entries at most, the first ones.
    pub(crate) most: usize,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct CalendarEntries {
    /// The zone that it was read in.
    pub(crate) zone: String,
    /// By their times.
    pub(crate) entries: Vec<CalendarEntry>,
    /// Those that begin before are all there, in Unix seconds.
    pub(crate) until: i64,
    /// Some of the calendar could not be read.
    pub(crate) incomplete: bool,
}

/// One time of something that is in a calendar. In Unix seconds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct CalendarEntry {
    pub(crate) start: i64,
    pub(crate) end: i64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) all_day: bool,
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) place: String,
}
