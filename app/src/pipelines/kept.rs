//! What a person has begun to write of a pipeline and not made: this browser keeps it until they sign out, so that it is
//! there again when the page is.

use crate::browser::storage::Store;
use protocol::UserId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The names under which they are kept.
const FORM: &str = "pipeline-form";
const TEXT: &str = "pipeline-text";

/// The form, task by task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptForm {
    pub(super) title: String,
    pub(super) lead: String,
    pub(super) budget: String,
    pub(super) tasks: Vec<KeptTask>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptTask {
    pub(super) key: usize,
    pub(super) title: String,
    pub(super) instruction: String,
    pub(super) by: String,
    pub(super) after: BTreeSet<usize>,
}

impl KeptForm {
    pub(super) fn read(person: &UserId) -> Option<Self> {
        serde_json::from_str(&Store::of_person(person).read(FORM)?).ok()
    }

    /// One in which nothing is written is forgotten.
    pub(super) fn keep(&self, person: &UserId) {
        let text = match self.is_empty() {
            true => String::new(),
            false => serde_json::to_string(self).unwrap_or_default(),
        };
        Store::of_person(person).write(FORM, &text);
    }

    fn is_empty(&self) -> bool {
        let is_empty = |task: &KeptTask| task.title.is_empty() && task.instruction.is_empty();
        self.title.is_empty() && self.budget.is_empty() && self.tasks.iter().all(is_empty)
    }
}

pub(super) fn read_text(person: &UserId) -> Option<String> {
    Store::of_person(person).read(TEXT)
}

/// An empty one is forgotten.
pub(super) fn keep_text(person: &UserId, text: &str) {
    Store::of_person(person).write(TEXT, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_empty_whoever_is_to_do_what_nobody_has_written() {
        let with = |task: KeptTask| KeptForm { tasks: vec![task], ..KeptForm::default() };
        let untouched = KeptForm {
            lead: "ada".to_owned(),
            ..with(KeptTask { by: "bo".to_owned(), ..KeptTask::default() })
        };
        assert!(untouched.is_empty());
        for form in [
            KeptForm { title: "Moss".to_owned(), ..KeptForm::default() },
            KeptForm { budget: "1".to_owned(), ..KeptForm::default() },
            with(KeptTask { title: "Moss".to_owned(), ..KeptTask::default() }),
            with(KeptTask { instruction: "Find moss.".to_owned(), ..KeptTask::default() }),
        ] {
            assert!(!form.is_empty(), "{form:?}");
            let text = serde_json::to_string(&form).unwrap();
            assert_eq!(serde_json::from_str::<KeptForm>(&text).unwrap(), form);
        }
    }
}
