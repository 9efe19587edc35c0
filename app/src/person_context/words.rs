//! Sources in words.

use crate::prelude::t;
use protocol::ContextSource;

/// What it is called, and what it is about.
pub(super) fn source_words(source: ContextSource) -> (&'static str, &'static str) {
    match source {
        ContextSource::Time => {
            (t("Local time"), t("The time and its zone, of the device that you used last."))
        }
        ContextSource::Device => {
            (t("Device"), t("Whether you used a phone or a computer last, and in which language."))
        }
        ContextSource::Place => {
            (t("Place"), t("Where you are: as you write it, or as this device finds it when you press."))
        }
        ContextSource::Calendar => (
            t("Calendar"),
            t(
                "What is on now and what comes next, today and tomorrow, with its times, title and place. Who invites you writes some of it, so a conversation that is told has words of strangers.",
            ),
        ),
        ContextSource::Activity => (
            t("Activity"),
            t("Which page of Vivarium you look at, of which agent, and since when you are away."),
        ),
        ContextSource::Keys => {
            (t("Keys"), t("What you note below, and agents that have the tool set_context."))
        }
        ContextSource::Agents => (t("Other agents"), t("What your other agents said lately.")),
    }
}

/// The name that forms send.
pub(super) fn source_name(source: ContextSource) -> &'static str {
    match source {
        ContextSource::Time => "time",
        ContextSource::Device => "device",
        ContextSource::Place => "place",
        ContextSource::Calendar => "calendar",
        ContextSource::Activity => "activity",
        ContextSource::Keys => "keys",
        ContextSource::Agents => "agents",
    }
}

/// Of what is on and has nothing to tell.
pub(super) fn nothing_words(source: ContextSource) -> &'static str {
    t(match source {
        ContextSource::Keys => "Nothing: there are no keys.",
        ContextSource::Calendar => "Nothing: what is in it today is not known.",
        ContextSource::Time
        | ContextSource::Device
        | ContextSource::Place
        | ContextSource::Activity
        | ContextSource::Agents => {
            "Nothing yet: a browser of yours says it with the next page that it opens."
        }
    })
}
