//! The graph as a picture, where there is room for it: tasks in columns, each behind those that it comes after. The
//! list says the same in words.

use super::words;
use crate::prelude::*;
use protocol::view::{PipelineView, TaskState, TaskView};
use std::collections::HashMap;

const WIDTH: usize = 168;
const HEIGHT: usize = 52;
const ACROSS: usize = 48;
const DOWN: usize = 16;
/// Characters of a title that fit.
const TITLE: usize = 19;

/// A task with its upper left corner.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    task: TaskView,
    x: usize,
    y: usize,
}

#[component]
pub(super) fn Picture(pipeline: RwSignal<PipelineView>) -> impl IntoView {
    let drawn = move || pipeline.with(|pipeline| draw(&placed(&pipeline.tasks)));
    view! { <div class="pipeline-picture" tabindex="0" role="region" aria-label="Picture of the tasks">{drawn}</div> }
}

fn draw(placed: &[Placed]) -> impl IntoView + use<> {
    let right = placed.iter().map(|one| one.x + WIDTH).max().unwrap_or(0) + 2;
    let bottom = placed.iter().map(|one| one.y + HEIGHT).max().unwrap_or(0) + 2;
    let at: HashMap<&str, &Placed> = placed.iter().map(|one| (one.task.id.as_str(), one)).collect();
    let edges: Vec<_> = placed
        .iter()
        .flat_map(|to| {
            to.task.depends_on.iter().filter_map(|id| at.get(id.as_str())).map(move |from| (*from, to))
        })
        .map(|(from, to)| {
            let (x1, y1) = (from.x + WIDTH, from.y + HEIGHT / 2);
            let (x2, y2) = (to.x, to.y + HEIGHT / 2);
            let bend = ACROSS / 2;
            let path = format!("M{x1} {y1} C{} {y1} {} {y2} {x2} {y2}", x1 + bend, x2 - bend);
            view! { <path class="pipeline-edge" data-state=words::task_key(from.task.state) d=path></path> }
        })
        .collect();
    let boxes: Vec<_> = placed.iter().map(node).collect();
    view! {
        <svg
            width=right
            height=bottom
            viewBox=format!("-1 -1 {right} {bottom}")
            aria-hidden="true"
        >
            {edges}
            {boxes}
        </svg>
    }
}

fn node(one: &Placed) -> impl IntoView + use<> {
    let Placed { task, x, y } = one;
    let title = cut(&task.title);
    let state = words::task(task.state);
    let mark = mark(x + 16, y + 36, task.state);
    view! {
        <g class="pipeline-node" data-state=words::task_key(task.state)>
            <rect x=*x y=*y width=WIDTH height=HEIGHT rx="10"></rect>
            <text class="pipeline-node-title" x=x + 12 y=y + 21>{title}</text>
            {mark}
            <text class="pipeline-node-state" x=x + 26 y=y + 40>{state}</text>
        </g>
    }
}

/// A shape for each state, so that the colour is never all that tells them apart.
fn mark(x: usize, y: usize, state: TaskState) -> impl IntoView {
    let path = match state {
        TaskState::Running => format!("M{} {} l8 4.5 l-8 4.5 z", x - 3, y - 4),
        TaskState::Asking => format!("M{x} {} l5 5 l-5 5 l-5 -5 z", y - 5),
        TaskState::Completed => format!("M{} {y} l3.5 3.5 l6 -7", x - 5),
        TaskState::Failed => format!("M{} {} l8 8 m0 -8 l-8 8", x - 4, y - 4),
        TaskState::Skipped => format!("M{} {y} h8", x - 4),
        TaskState::Stopped => format!("M{} {} h8 v8 h-8 z", x - 4, y - 4),
        TaskState::Waiting => format!("M{} {y} a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0", x - 4),
    };
    view! { <path class="pipeline-mark" d=path></path> }
}

fn cut(title: &str) -> String {
    if title.chars().count() <= TITLE {
        return title.to_owned();
    }
    title.chars().take(TITLE - 1).chain(['…']).collect()
}

/// In columns by the longest way to a task, and in each from top to bottom where what it comes after stands.
fn placed(tasks: &[TaskView]) -> Vec<Placed> {
    let index: HashMap<&str, usize> =
        tasks.iter().enumerate().map(|(place, task)| (task.id.as_str(), place)).collect();
    let before: Vec<Vec<usize>> = tasks
        .iter()
        .map(|task| task.depends_on.iter().filter_map(|id| index.get(id.as_str()).copied()).collect())
        .collect();
    let mut column = vec![0; tasks.len()];
    // There is no circle, so it settles in as many rounds as there are tasks.
    for _ in 0..tasks.len() {
        for task in 0..tasks.len() {
            column[task] = before[task].iter().map(|other| column[*other] + 1).max().unwrap_or(0);
        }
    }
    let columns = column.iter().max().map_or(0, |last| last + 1);
    let mut row = vec![0_usize; tasks.len()];
    let mut tallest = 0;
    for here in 0..columns {
        let mut own: Vec<usize> = (0..tasks.len()).filter(|task| column[*task] == here).collect();
        let middle = |task: &usize| {
            let rows: usize = before[*task].iter().map(|other| row[*other] * 100).sum();
            rows.checked_div(before[*task].len()).unwrap_or(0)
        };
        own.sort_by_key(|task| (middle(task), *task));
        tallest = tallest.max(own.len());
        own.into_iter().enumerate().for_each(|(at, task)| row[task] = at);
    }
    let count_of = |here: usize| column.iter().filter(|other| **other == here).count();
    let place = |(task, view): (usize, &TaskView)| {
        let lower = (tallest - count_of(column[task])) * (HEIGHT + DOWN) / 2;
        Placed {
            task: view.clone(),
            x: column[task] * (WIDTH + ACROSS),
            y: lower + row[task] * (HEIGHT + DOWN),
        }
    };
    tasks.iter().enumerate().map(place).collect()
}
