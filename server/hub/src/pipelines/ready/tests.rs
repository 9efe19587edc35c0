use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A task: after which others, whether it is a person's, and whether it comes to something.
type Drawn = (Vec<usize>, bool, bool);

/// Graphs without cycles.
fn graphs() -> impl Strategy<Value = Vec<Drawn>> {
    let after = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    let tasks = prop::collection::vec((after, any::<bool>(), prop::bool::weighted(0.8)), 1..40);
    tasks.prop_map(|tasks| {
        let drawn = tasks.into_iter().enumerate().map(|(place, (after, is_persons, works))| {
            let before = |index: prop::sample::Index| (place > 0).then(|| index.index(place.max(1)));
            let after: BTreeSet<usize> = after.into_iter().filter_map(before).collect();
            (after.into_iter().collect(), is_persons, works)
        });
        drawn.collect()
    })
}

/// The plain model: a task is done if it works and all before it are, and is lost if it does not or one of them is.
fn expected(graph: &[Drawn]) -> Vec<TaskState> {
    let mut ends: Vec<TaskState> = Vec::new();
    for (after, _, works) in graph {
        let all_done = after.iter().all(|task| ends[*task] == TaskState::Completed);
        ends.push(match (all_done, works) {
            (false, _) => TaskState::Skipped,
            (true, true) => TaskState::Completed,
            (true, false) => TaskState::Failed,
        });
    }
    ends
}

proptest! {
    /// Whatever ends first: each task begins once at most, after all before it, never more than may be at once, none
    /// is forgotten, and nobody waits while something could be done.
    #[test]
    fn what_begins_is_what_a_plain_model_says(
        graph in graphs(),
        at_once in 1_usize..5,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 100),
    ) {
        let mut nodes: Vec<Node> = graph
            .iter()
            .map(|(after, is_persons, _)| Node { state: TaskState::Waiting, after: after.clone(), is_persons: *is_persons })
            .collect();
        let mut begun = vec![0; nodes.len()];
        let mut picks = picks.into_iter();
        loop {
            loop {
                let next = step(&nodes, at_once);
                if next.is_empty() {
                    break;
                }
                for (task, lost) in next.skip {
                    prop_assert!(nodes[task].after.contains(&lost));
                    nodes[task].state = TaskState::Skipped;
                }
                for task in next.begin {
                    prop_assert!(nodes[task].after.iter().all(|before| nodes[*before].state == TaskState::Completed));
                    begun[task] += 1;
                    nodes[task].state = if nodes[task].is_persons { TaskState::Asking } else { TaskState::Running };
                }
            }
            let running: Vec<usize> = (0..nodes.len()).filter(|task| nodes[*task].state == TaskState::Running).collect();
            prop_assert!(running.len() <= at_once);
            let open: Vec<usize> = (0..nodes.len())
                .filter(|task| matches!(nodes[*task].state, TaskState::Running | TaskState::Asking))
                .collect();
            let could_begin = nodes.iter().any(|node| {
                node.state == TaskState::Waiting
                    && node.after.iter().all(|before| nodes[*before].state == TaskState::Completed)
            });
            prop_assert!(!could_begin || running.len() == at_once);
            let Some(ends) = picks.next().filter(|_| !open.is_empty()).map(|pick| open[pick.index(open.len())]) else { break };
            nodes[ends].state = if graph[ends].2 { TaskState::Completed } else { TaskState::Failed };
        }
        let ends: Vec<TaskState> = nodes.iter().map(|node| node.state).collect();
        prop_assert_eq!(&ends, &expected(&graph));
        prop_assert!(begun.iter().all(|times| *times <= 1));
    }
}
