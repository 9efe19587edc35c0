//! What is written here and has not been sent, beside what the hub has of it.

use protocol::view::Draft;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalDraft {
    pub text: String,
    /// The hub's newest that was seen here.
    pub version: u64,
    /// The hub has it as it is.
    pub is_kept: bool,
}

/// How this device comes to see what the hub has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It was away until now: neither side knows what was written on the other.
    Again,
    /// Another device wrote this moment.
    Live,
}

impl Default for LocalDraft {
    fn default() -> Self {
        Self { text: String::new(), version: 0, is_kept: true }
    }
}

impl LocalDraft {
    /// As this browser kept it. One of before, when the hub had none, is its text alone.
    pub fn read(stored: &str) -> Self {
        serde_json::from_str(stored).unwrap_or_else(|_| Self {
            text: stored.to_owned(),
            version: 0,
            is_kept: false,
        })
    }

    /// What this browser is to keep. Empty: nothing.
    pub fn stored(&self) -> String {
        if self.text.is_empty() && self.is_kept {
            return String::new();
        }
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The person wrote. Gives whether that is something else.
    pub fn write(&mut self, text: &str) -> bool {
        if self.text == text {
            return false;
        }
        text.clone_into(&mut self.text);
        self.is_kept = false;
        true
    }

    /// The hub has this text now, as this version.
    pub fn was_kept(&mut self, text: &str, version: u64) {
        self.version = self.version.max(version);
        self.is_kept = self.text == text;
    }

    /// Takes in what the hub has. Gives whether something else is to stand in the composer.
    pub fn meet(&mut self, hub: Draft, meeting: Meeting) -> bool {
        if hub.text == self.text && hub.version >= self.version {
            self.was_kept(&hub.text, hub.version);
            return false;
        }
        if hub.version <= self.version {
            return false;
        }
        self.version = hub.version;
        if self.is_kept {
            self.text = hub.text;
            return true;
        }
        // Who is writing this moment writes last.
        if meeting == Meeting::Live {
            return false;
        }
        let joined = joined(&hub.text, &self.text);
        self.is_kept = joined == hub.text;
        let is_other = joined != self.text;
        self.text = joined;
        is_other
    }
}

/// Both, unless one has the other in it.
fn joined(there: &str, here: &str) -> String {
    if here.trim().is_empty() || there.contains(here) {
        there.to_owned()
    } else if here.contains(there) {
        here.to_owned()
    } else {
        [there, here].join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hub(text: &str, version: u64) -> Draft {
        Draft { text: text.to_owned(), version }
    }

    fn local(text: &str, version: u64, is_kept: bool) -> LocalDraft {
        LocalDraft { text: text.to_owned(), version, is_kept }
    }

    #[test]
    fn what_was_written_on_two_devices_is_not_lost_on_either() {
        use Meeting::{Again, Live};
        for (here, there, meeting, left) in [
            // Nothing is written here.
            (local("", 0, true), hub("Ferns", 2), Again, local("Ferns", 2, true)),
            (local("Ferns", 2, true), hub("Mosses", 3), Live, local("Mosses", 3, true)),
            (local("Ferns", 2, true), hub("", 3), Live, local("", 3, true)),
            // It came late.
            (local("Mosses", 3, true), hub("Ferns", 2), Live, local("Mosses", 3, true)),
            // Written without a connection, and nowhere else.
            (local("Ferns, too", 2, false), hub("Ferns", 2), Again, local("Ferns, too", 2, false)),
            (local("", 2, false), hub("Ferns", 2), Again, local("", 2, false)),
            // And elsewhere too.
            (local("Stones", 2, false), hub("Mosses", 3), Again, local("Mosses\nStones", 3, false)),
            (local("Ferns and", 2, false), hub("Ferns", 3), Again, local("Ferns and", 3, false)),
            (local("Ferns", 2, false), hub("Ferns and", 3), Again, local("Ferns and", 3, true)),
            (local("Ferns", 2, false), hub("", 3), Again, local("Ferns", 3, false)),
            (local("", 2, false), hub("Mosses", 3), Again, local("Mosses", 3, true)),
            // This moment: who writes last has the word.
            (local("Stones", 2, false), hub("Mosses", 3), Live, local("Stones", 3, false)),
            (local("Same", 2, false), hub("Same", 3), Live, local("Same", 3, true)),
        ] {
            let mut met = here.clone();
            let is_other = met.meet(there.clone(), meeting);
            assert_eq!(met, left, "{here:?} meets {there:?}");
            assert_eq!(is_other, met.text != here.text, "{here:?} meets {there:?}");
        }
    }

    #[test]
    fn a_draft_is_kept_as_it_is_and_one_of_before_is_read() {
        // The hub has an older one still of what was emptied, and that is not to come back.
        for draft in [local("Ferns", 3, true), local("", 3, false)] {
            assert_eq!(LocalDraft::read(&draft.stored()), draft);
        }
        assert_eq!(LocalDraft::default().stored(), "");
        assert_eq!(LocalDraft::read("Not done yet"), local("Not done yet", 0, false));
    }

    #[test]
    fn what_was_written_on_while_it_was_saved_is_not_taken_for_saved() {
        let mut draft = local("Fern", 1, true);
        assert!(draft.write("Ferns"));
        assert!(!draft.write("Ferns"));
        draft.write("Ferns and");
        draft.was_kept("Ferns", 2);
        assert_eq!(draft, local("Ferns and", 2, false));
        draft.was_kept("Ferns and", 3);
        assert_eq!(draft, local("Ferns and", 3, true));
    }
}
