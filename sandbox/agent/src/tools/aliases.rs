//! Other names of our tools, and of their arguments: those that models and other products know them by.

mod patch;
mod table;
mod turns;

use super::files::with_whole_paths;
use super::{Tool, find};
use serde_json::{Map, Value};
use std::borrow::Cow;
use table::HABITS;

/// The arguments of a call.
type Input = Map<String, Value>;

/// How a tool is called elsewhere, or by habit: its name there, and what of its arguments is otherwise.
struct Habit {
    name: &'static str,
    /// The tool's own name, which may be the same.
    tool: &'static str,
    /// What an argument is called there, and here.
    renames: &'static [(&'static str, &'static str)],
    /// What parts of the input are, if the name says it.
    sets: &'static [(&'static str, &'static str)],
    /// For what takes more than other names. It gives the tool that is meant, where the arguments say that.
    turn: Option<Turn>,
}

type Turn = fn(&mut Input) -> Option<&'static str>;

/// The one name that a tool has here; other names are given back as they are.
pub fn canonical(name: &str) -> &str {
    habit(name).map_or(name, |habit| habit.tool)
}

/// Every other name that a tool of ours is called by, with that tool's own name.
pub fn aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    HABITS.iter().map(|habit| (habit.name, habit.tool)).filter(|(name, tool)| name != tool)
}

/// The tool that a call means, and its input in that tool's words where those are others.
pub(super) fn resolve(name: &str, input: &Value) -> (Option<&'static Tool>, Option<Value>) {
    let mut tool = canonical(name);
    let mut read = Cow::Borrowed(input);
    if let (Some(habit), Value::Object(given)) = (habit(name), input) {
        let mut turned = given.clone();
        tool = habit.apply(&mut turned);
        // What one tool is called by may be a habit of another one.
        if let Some(again) = habit_of(tool, name) {
            tool = again.apply(&mut turned);
        }
        if turned != *given {
            read = Cow::Owned(Value::Object(turned));
        }
    }
    let tool = find(tool);
    let whole = tool.and_then(|tool| with_whole_paths(tool.id, &read));
    let turned = match read {
        Cow::Owned(turned) => Some(turned),
        Cow::Borrowed(_) => None,
    };
    (tool, whole.or(turned))
}

fn habit(name: &str) -> Option<&'static Habit> {
    HABITS.iter().find(|habit| habit.name == name)
}

/// What is usual with the tool itself, if it was called by another name.
fn habit_of(tool: &str, name: &str) -> Option<&'static Habit> {
    habit(tool).filter(|_| tool != name)
}

impl Habit {
    /// Says the input in the words of the tool that is meant, which it gives. What is there in its own words stays,
    /// and so does what nobody knows: the schema tells of it.
    fn apply(&self, input: &mut Input) -> &'static str {
        for (there, here) in self.renames {
            if !input.contains_key(*here)
                && let Some(value) = input.remove(*there)
            {
                input.insert((*here).to_owned(), value);
            }
        }
        let meant = self.turn.and_then(|turn| turn(input));
        for (part, value) in self.sets {
            input.insert((*part).to_owned(), Value::from(*value));
        }
        meant.unwrap_or(self.tool)
    }
}

#[cfg(test)]
mod tests;
