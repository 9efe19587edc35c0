//! What is written here and has not been sent, beside what the hub has of it.

use protocol::view::Draft;
use protocol::{Attachment, AttachmentId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalDraft {
    pub text: String,
    /// The hub's newest that was seen here.
    pub version: u64,
    /// The hub has the text as it is.
    pub is_kept: bool,
    /// What goes with it, as far as the hub has taken it in.
    #[serde(default)]
    pub files: Vec<Attachment>,
    /// Those that the hub's draft had when it was last seen here.
    #[serde(default)]
    known: Vec<AttachmentId>,
}

/// How this device comes to see what the hub has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It was away until now: neither side knows what was written on the other.
    Again,
    /// Another device wrote this moment.
    Live,
}

/// What the hub is to be told. `None` as text: as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaved {
    pub text: Option<String>,
    pub attach: Vec<AttachmentId>,
    pub detach: Vec<AttachmentId>,
    /// All files that the draft has then, if nobody else changes it.
    pub files: Vec<AttachmentId>,
}

impl Default for LocalDraft {
    fn default() -> Self {
        Self { text: String::new(), version: 0, is_kept: true, files: Vec::new(), known: Vec::new() }
    }
}

impl LocalDraft {
    /// As this browser kept it. One of before, when the hub had none, is its text alone.
    pub fn read(stored: &str) -> Self {
        serde_json::from_str(stored).unwrap_or_else(|_| Self {
            text: stored.to_owned(),
            is_kept: false,
            ..Self::default()
        })
    }

    /// What this browser is to keep. Empty: nothing.
    pub fn stored(&self) -> String {
        if self.is_empty() && self.unsaved().is_none() {
            return String::new();
        }
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.files.is_empty()
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

    /// These files are to go with it. Gives whether they are others.
    pub fn attach(&mut self, mut files: Vec<Attachment>) -> bool {
        let mut seen = Vec::new();
        files.retain(|file| {
            let is_new = !seen.contains(&file.id);
            seen.push(file.id.clone());
            is_new
        });
        let is_other = ids_of(&files) != ids_of(&self.files);
        self.files = files;
        is_other
    }

    /// What the hub does not have yet, if there is any.
    pub fn unsaved(&self) -> Option<Unsaved> {
        let files = ids_of(&self.files);
        let attach: Vec<_> = files.iter().filter(|id| !self.known.contains(id)).cloned().collect();
        let detach: Vec<_> = self.known.iter().filter(|id| !files.contains(id)).cloned().collect();
        let text = (!self.is_kept).then(|| self.text.clone());
        let is_any = text.is_some() || !attach.is_empty() || !detach.is_empty();
        is_any.then_some(Unsaved { text, attach, detach, files })
    }

    /// The hub was told this, and then had that. Gives the files that it was to have and does not.
    pub fn was_kept(&mut self, told: &Unsaved, hub: Draft) -> Vec<Attachment> {
        let is_refused = |file: &Attachment| told.attach.contains(&file.id) && !has(&hub.files, &file.id);
        let refused = self.files.iter().filter(|file| is_refused(file)).cloned().collect();
        self.take_in(hub, &told.files, Meeting::Live);
        refused
    }

    /// Takes in what the hub has. Gives whether another text is to stand in the composer.
    pub fn meet(&mut self, hub: Draft, meeting: Meeting) -> bool {
        let (known, before) = (self.known.clone(), self.text.clone());
        self.take_in(hub, &known, meeting);
        self.text != before
    }

    /// `known` are the files that both sides had before either changed them.
    fn take_in(&mut self, hub: Draft, known: &[AttachmentId], meeting: Meeting) {
        if hub.version < self.version {
            return;
        }
        let is_news = hub.version > self.version;
        self.version = hub.version;
        self.known = ids_of(&hub.files);
        self.files = with_changes(known, hub.files, &self.files);
        if hub.text == self.text {
            self.is_kept = true;
        } else if is_news && self.is_kept {
            self.text = hub.text;
        } else if is_news && meeting == Meeting::Again {
            // Who is writing this moment writes last.
            let joined = joined(&hub.text, &self.text);
            self.is_kept = joined == hub.text;
            self.text = joined;
        }
    }
}

fn ids_of(files: &[Attachment]) -> Vec<AttachmentId> {
    files.iter().map(|file| file.id.clone()).collect()
}

fn has(files: &[Attachment], id: &AttachmentId) -> bool {
    files.iter().any(|file| file.id == *id)
}

/// The files there, without what was taken away here, and what was added here after them.
fn with_changes(known: &[AttachmentId], there: Vec<Attachment>, here: &[Attachment]) -> Vec<Attachment> {
    let is_new = |file: &&Attachment| !known.contains(&file.id) && !has(&there, &file.id);
    let added: Vec<_> = here.iter().filter(is_new).cloned().collect();
    let stays = |file: &Attachment| has(here, &file.id) || !known.contains(&file.id);
    there.into_iter().filter(stays).chain(added).collect()
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
        Draft { text: text.to_owned(), files: Vec::new(), version }
    }

    fn local(text: &str, version: u64, is_kept: bool) -> LocalDraft {
        LocalDraft { text: text.to_owned(), version, is_kept, ..LocalDraft::default() }
    }

    /// Each letter is a file.
    fn files(ids: &str) -> Vec<Attachment> {
        ids.chars().map(|id| file(&id.to_string())).collect()
    }

    fn file(id: &str) -> Attachment {
        Attachment {
            id: id.into(),
            name: format!("{id}.txt"),
            mime: "text/plain".to_owned(),
            size: 4,
            dimensions: None,
            server: None,
        }
    }

    fn with_files(draft: LocalDraft, known: &str, here: &str) -> LocalDraft {
        LocalDraft { files: files(here), known: ids_of(&files(known)), ..draft }
    }

    fn ids(files: &[Attachment]) -> String {
        files.iter().map(|file| &*file.id.0).collect()
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
        let of_files = [with_files(local("", 3, true), "a", "ab"), with_files(local("", 3, true), "a", "")];
        for draft in [local("Ferns", 3, true), local("", 3, false)].into_iter().chain(of_files) {
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
        let told = draft.unsaved().unwrap();
        draft.write("Ferns and");
        draft.was_kept(&told, hub("Ferns", 2));
        assert_eq!(draft, local("Ferns and", 2, false));
        let told = draft.unsaved().unwrap();
        draft.was_kept(&told, hub("Ferns and", 3));
        assert_eq!(draft, local("Ferns and", 3, true));
        assert_eq!(draft.unsaved(), None);
    }

    #[test]
    fn files_come_and_go_on_two_devices_without_one_undoing_the_other() {
        for (known, here, there, left) in [
            // Nobody changed any, or only one did.
            ("ab", "ab", "ab", "ab"),
            ("", "", "a", "a"),
            ("", "a", "", "a"),
            ("ab", "ab", "b", "b"),
            ("ab", "a", "ab", "a"),
            // Both did.
            ("", "a", "b", "ba"),
            ("", "a", "a", "a"),
            ("ab", "ac", "abd", "adc"),
            ("ab", "b", "a", ""),
            // It was sent from the other one, while something was added here.
            ("a", "ab", "", "b"),
        ] {
            for meeting in [Meeting::Again, Meeting::Live] {
                let mut met = with_files(local("Ferns", 1, true), known, here);
                assert!(!met.meet(Draft { files: files(there), ..hub("Ferns", 2) }, meeting));
                assert_eq!(ids(&met.files), left, "{known} became {here} here and {there} there");
                assert_eq!(met.unsaved().is_none(), left == there, "{known}, {here}, {there}");
            }
        }
    }

    #[test]
    fn a_device_tells_of_the_files_that_changed_on_it_and_leaves_words_that_did_not() {
        let mut draft = with_files(local("Ferns", 3, true), "ab", "ab");
        assert!(!draft.attach(files("abb")));
        assert!(draft.attach(files("bc")));
        let told = draft.unsaved().unwrap();
        assert_eq!(told.text, None);
        assert_eq!(
            (told.attach.clone(), told.detach.clone()),
            (vec![AttachmentId::from("c")], vec![AttachmentId::from("a")])
        );
        // Another device wrote and added one; this one took its own away while the hub was told.
        draft.attach(files("b"));
        let refused = draft.was_kept(&told, Draft { files: files("bcd"), ..hub("Mosses", 5) });
        assert!(refused.is_empty());
        assert_eq!((&*draft.text, &*ids(&draft.files), draft.version), ("Mosses", "bd", 5));
        assert_eq!(draft.unsaved().unwrap().detach, [AttachmentId::from("c")]);
    }

    #[test]
    fn a_file_that_the_hub_does_not_take_is_none_of_the_draft_s_and_is_told() {
        let mut draft = with_files(local("Ferns", 3, true), "a", "ab");
        let told = draft.unsaved().unwrap();
        let refused = draft.was_kept(&told, Draft { files: files("a"), ..hub("Ferns", 4) });
        assert_eq!((&*ids(&refused), &*ids(&draft.files)), ("b", "a"));
        assert_eq!(draft.unsaved(), None);
    }
}
