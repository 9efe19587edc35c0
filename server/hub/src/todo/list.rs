//! Changes of a list: pure, bounded, and in words.

use crate::error::{Error, Result};
use protocol::todo::{TodoItem, TodoList, TodoState};

const ITEMS: usize = 50;
/// Characters of one of them.
const TEXT: usize = 200;

/// The highest number that one of another hub may have: there are others behind it.
const FURTHEST: u32 = 1_000_000;

#[derive(Clone, Debug)]
pub(crate) enum TodoChange {
    Replace { items: Vec<(String, TodoState)> },
    Add { text: String },
    Change { id: u32, text: Option<String>, state: Option<TodoState> },
}

impl TodoChange {
    pub(super) fn made_of(self, before: TodoList) -> Result<TodoList> {
        let TodoList { items: mut old, mut last_id } = before;
        let mut next_id = || {
            last_id = last_id.saturating_add(1);
            last_id
        };
        let mut items = Vec::new();
        match self {
            Self::Replace { items: wanted } => {
                for (text, state) in wanted {
                    let text = checked(&text)?;
                    // What says the same is the same, so that a page that shows the old list ticks the right one.
                    let known =
                        old.iter().position(|item| item.text == text).map(|place| old.swap_remove(place));
                    let id = known.map_or_else(&mut next_id, |item| item.id);
                    items.push(TodoItem { id, text, state });
                }
            }
            Self::Add { text } => {
                let text = checked(&text)?;
                items = old;
                items.push(TodoItem { id: next_id(), text, state: TodoState::Pending });
            }
            Self::Change { id, text, state } => {
                items = old;
                let item = items.iter_mut().find(|item| item.id == id);
                let item = item.ok_or_else(|| {
                    Error::Conflict(format!("The list has no task {id} any more. Look at it again."))
                })?;
                if let Some(text) = text {
                    item.text = checked(&text)?;
                }
                if let Some(state) = state {
                    item.state = state;
                }
            }
        }
        if items.len() > ITEMS {
            return Err(Error::Limit(format!(
                "The list holds {ITEMS} tasks. Take some together, or let the agent begin a new one."
            )));
        }
        Ok(TodoList { items, last_id })
    }
}

/// A list that was kept elsewhere, as far as it can be one here.
pub(crate) fn of_elsewhere(list: TodoList) -> TodoList {
    let mut items: Vec<TodoItem> = Vec::new();
    for TodoItem { id, text, state } in list.items {
        let Ok(text) = checked(&text) else { continue };
        if items.len() < ITEMS && id <= FURTHEST && items.iter().all(|item| item.id != id) {
            items.push(TodoItem { id, text, state });
        }
    }
    let last_id = items.iter().map(|item| item.id).chain([list.last_id.min(FURTHEST)]).max().unwrap_or(0);
    TodoList { items, last_id }
}

fn checked(text: &str) -> Result<String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > TEXT || text.chars().any(char::is_control) {
        return Err(Error::invalid(format!("A task is one line of 1 to {TEXT} characters.")));
    }
    Ok(text.to_owned())
}

/// What the person changed, for the agent. `None`: nothing.
pub(super) fn difference(before: &TodoList, after: &TodoList) -> Option<String> {
    let sentences: Vec<String> = after
        .items
        .iter()
        .filter_map(|item| match before.items.iter().find(|former| former.id == item.id) {
            None => Some(format!("Your person added task {}: {}", item.id, item.text)),
            Some(former) if former.state != item.state => {
                let state = match item.state {
                    TodoState::Pending => "to be done",
                    TodoState::InProgress => "in progress",
                    TodoState::Done => "done",
                    TodoState::Cancelled => "cancelled",
                };
                Some(format!("Your person marked task {} as {state}: {}", item.id, item.text))
            }
            Some(_) => None,
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use TodoState::{Cancelled, Done, InProgress, Pending};

    fn list(items: &[(u32, &str, TodoState)], last_id: u32) -> TodoList {
        let item = |(id, text, state): &(u32, &str, TodoState)| TodoItem {
            id: *id,
            text: (*text).to_owned(),
            state: *state,
        };
        TodoList { items: items.iter().map(item).collect(), last_id }
    }

    fn replace(items: &[(&str, TodoState)]) -> TodoChange {
        let items = items.iter().map(|(text, state)| ((*text).to_owned(), *state)).collect();
        TodoChange::Replace { items }
    }

    #[test]
    fn a_task_keeps_its_number_and_none_is_given_twice() {
        let begun = list(&[(1, "Rake", Pending), (2, "Sow", Pending)], 2);
        for (change, expected, told) in [
            (
                TodoChange::Add { text: " Water ".to_owned() },
                list(&[(1, "Rake", Pending), (2, "Sow", Pending), (3, "Water", Pending)], 3),
                Some("Your person added task 3: Water"),
            ),
            (
                TodoChange::Change { id: 2, text: None, state: Some(Done) },
                list(&[(1, "Rake", Pending), (2, "Sow", Done)], 2),
                Some("Your person marked task 2 as done: Sow"),
            ),
            (
                TodoChange::Change { id: 1, text: None, state: Some(Cancelled) },
                list(&[(1, "Rake", Cancelled), (2, "Sow", Pending)], 2),
                Some("Your person marked task 1 as cancelled: Rake"),
            ),
            (TodoChange::Change { id: 1, text: None, state: Some(Pending) }, begun.clone(), None),
            (
                replace(&[("Water", Pending), ("Sow", InProgress)]),
                list(&[(3, "Water", Pending), (2, "Sow", InProgress)], 3),
                Some("Your person added task 3: Water\nYour person marked task 2 as in progress: Sow"),
            ),
            (replace(&[]), list(&[], 2), None),
        ] {
            let after = change.clone().made_of(begun.clone()).unwrap();
            assert_eq!(after, expected, "{change:?}");
            assert_eq!(difference(&begun, &after).as_deref(), told, "{change:?}");
        }
    }

    #[test]
    fn a_list_of_elsewhere_has_what_could_stand_in_one_of_here() {
        let long = "é".repeat(201);
        let odd = [
            (2, "", Pending),
            (3, "a\nb", Done),
            (4, long.as_str(), Done),
            (1, "Twice", Done),
            (u32::MAX, "Far", Done),
        ];
        let items = [[(1, " Rake ", InProgress)].as_slice(), &odd, &[(7, "Sow", Done)]].concat();
        for (last_id, expected) in [(0, 7), (9, 9), (u32::MAX, FURTHEST)] {
            let taken = of_elsewhere(list(&items, last_id));
            assert_eq!(taken, list(&[(1, "Rake", InProgress), (7, "Sow", Done)], expected));
        }
        let many: Vec<_> = (1..=60).map(|id| (id, "Rake", Pending)).collect();
        assert_eq!(of_elsewhere(list(&many, 60)).items.len(), ITEMS);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let many: Vec<_> = (0..51).map(|number| (number.to_string(), Pending)).collect();
        for (change, why) in [
            (TodoChange::Add { text: "  ".to_owned() }, "A task is one line of 1 to 200 characters."),
            (TodoChange::Add { text: "a\nb".to_owned() }, "A task is one line of 1 to 200 characters."),
            (TodoChange::Add { text: "é".repeat(201) }, "A task is one line of 1 to 200 characters."),
            (
                TodoChange::Replace { items: many },
                "The list holds 50 tasks. Take some together, or let the agent begin a new one.",
            ),
            (
                TodoChange::Change { id: 7, text: None, state: Some(Done) },
                "The list has no task 7 any more. Look at it again.",
            ),
        ] {
            let refused = change.made_of(TodoList::default()).unwrap_err().into_failure();
            assert_eq!(refused.message, why);
        }
    }
}
