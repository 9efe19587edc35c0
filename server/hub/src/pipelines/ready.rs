//! What can begin and what never will: a function of the graph and of how its tasks stand.

use protocol::view::TaskState;

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) state: TaskState,
    /// Places of the tasks that have to be done before.
    pub(super) after: Vec<usize>,
    /// The person does it, so that it takes up nobody's turn.
    pub(super) is_persons: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) begin: Vec<usize>,
    /// Each with the task because of which it is never done.
    pub(super) skip: Vec<(usize, usize)>,
}

impl Step {
    pub(super) fn is_empty(&self) -> bool {
        self.begin.is_empty() && self.skip.is_empty()
    }
}

/// What is to happen next, where so many agents may be at work. What is written first comes first.
pub(super) fn step(nodes: &[Node], at_once: usize) -> Step {
    let is_lost = |task: &usize| {
        matches!(nodes[*task].state, TaskState::Failed | TaskState::Skipped | TaskState::Stopped)
    };
    let mut free =
        at_once.saturating_sub(nodes.iter().filter(|node| node.state == TaskState::Running).count());
    let mut step = Step { begin: Vec::new(), skip: Vec::new() };
    for (place, node) in nodes.iter().enumerate().filter(|(_, node)| node.state == TaskState::Waiting) {
        if let Some(lost) = node.after.iter().find(|task| is_lost(task)) {
            step.skip.push((place, *lost));
            continue;
        }
        let is_ready = node.after.iter().all(|task| nodes[*task].state == TaskState::Completed);
        if is_ready && node.is_persons {
            step.begin.push(place);
        } else if is_ready && free > 0 {
            free -= 1;
            step.begin.push(place);
        }
    }
    step
}

#[cfg(test)]
mod tests;
