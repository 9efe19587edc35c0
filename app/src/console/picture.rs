//! Who asks whom as a picture: agents around an ellipse, and an arrow for each two of which one asked the other.
//! The table says the same in words.

use super::flows::recipient;
use crate::prelude::*;
use crate::ui::grouped;
use protocol::view::{ConsoleFlow, DelegationKind};
use std::f64::consts::PI;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const NODE_WIDTH: f64 = 132.0;
const NODE_HEIGHT: f64 = 34.0;
/// Characters of a name that fit.
const NAME: usize = 16;
/// Agents that fit around the ellipse; the busiest are drawn.
const MAX_NODES: usize = 14;
/// How far an arrow is bent towards the middle, as a part of the way there.
const BEND: f64 = 0.35;
/// How far the arrows between two that ask each other stand apart.
const APART: f64 = 18.0;

#[derive(Clone, Debug, PartialEq)]
struct Node {
    key: String,
    name: String,
    x: f64,
    y: f64,
    is_busy: bool,
}

/// All that one asked another, by the places of both.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    count: u64,
    open: u64,
    failed: u64,
}

#[component]
pub(super) fn Picture(flows: Memo<Vec<ConsoleFlow>>) -> impl IntoView {
    let drawn = move || flows.with(|flows| draw(flows));
    view! { <div class="console-picture">{drawn}</div> }
}

fn draw(flows: &[ConsoleFlow]) -> impl IntoView + use<> {
    let (nodes, edges) = placed(flows);
    let arrows: Vec<_> = edges.iter().map(|edge| arrow(&nodes, edge)).collect();
    let boxes: Vec<_> = nodes.iter().map(node).collect();
    let (width, height) = (WIDTH, HEIGHT);
    view! {
        <svg viewBox=format!("0 0 {width} {height}") aria-hidden="true">
            {arrows}
            {boxes}
        </svg>
    }
}

fn node(node: &Node) -> impl IntoView + use<> {
    let Node { name, x, y, is_busy, .. } = node;
    let busy = is_busy.then_some("running");
    view! {
        <g class="console-node" data-state=busy>
            <rect x=x - NODE_WIDTH / 2.0 y=y - NODE_HEIGHT / 2.0 width=NODE_WIDTH height=NODE_HEIGHT rx="10"></rect>
            <text x=*x y=y + 5.0 text-anchor="middle">{cut(name)}</text>
        </g>
    }
}

fn arrow(nodes: &[Node], edge: &Edge) -> impl IntoView + use<> {
    let (from, to) = (&nodes[edge.from], &nodes[edge.to]);
    let curve = Curve::between((from.x, from.y), (to.x, to.y));
    let state = match edge {
        Edge { open: 1.., .. } => "open",
        Edge { failed: 1.., .. } => "failed",
        Edge { .. } => "done",
    };
    let width = 1.5 + (edge.count as f64).ln().min(4.0);
    let (x, y) = curve.middle();
    let label = (edge.count > 1).then(|| {
        view! { <text class="console-arrow-count" x=x y=y - 10.0 text-anchor="middle">{grouped(edge.count)}</text> }
    });
    view! {
        <g class="console-arrow" data-state=state>
            <path d=curve.path() stroke-width=format!("{width:.1}")></path>
            <path class="console-arrow-head" d=curve.head()></path>
            {label}
        </g>
    }
}

/// A curve from one node to another, bent towards the middle of the picture.
struct Curve {
    from: (f64, f64),
    bend: (f64, f64),
    to: (f64, f64),
}

impl Curve {
    fn between(from: (f64, f64), to: (f64, f64)) -> Self {
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let length = across.hypot(down).max(1.0);
        let bend = (
            middle.0 + (WIDTH / 2.0 - middle.0) * BEND - down / length * APART,
            middle.1 + (HEIGHT / 2.0 - middle.1) * BEND + across / length * APART,
        );
        Self { from, bend, to }
    }

    fn path(&self) -> String {
        let Self { from, bend, to } = self;
        format!("M{:.1} {:.1} Q{:.1} {:.1} {:.1} {:.1}", from.0, from.1, bend.0, bend.1, to.0, to.1)
    }

    /// The point half way.
    fn middle(&self) -> (f64, f64) {
        let Self { from, bend, to } = self;
        let half = |from: f64, bend: f64, to: f64| from / 4.0 + bend / 2.0 + to / 4.0;
        (half(from.0, bend.0, to.0), half(from.1, bend.1, to.1))
    }

    /// A triangle in the middle, which points the way: there the curve runs as the straight line does.
    fn head(&self) -> String {
        let Self { from, to, .. } = self;
        let (x, y) = self.middle();
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
        let (along, down) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let corner = |ahead: f64, aside: f64| {
            format!("{:.1} {:.1}", x + along * ahead - down * aside, y + down * ahead + along * aside)
        };
        format!("M{} L{} L{} Z", corner(7.0, 0.0), corner(-5.0, 5.5), corner(-5.0, -5.5))
    }
}

fn cut(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

/// The busiest agents around the ellipse, and what went between them. What the one who asked has elsewhere or below it
/// stands for itself.
fn placed(flows: &[ConsoleFlow]) -> (Vec<Node>, Vec<Edge>) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for flow in flows {
        let ends = [(flow.from.0.clone(), flow.from_name.clone()), recipient_node(flow)];
        let known = |nodes: &[Node], key: &str| nodes.iter().position(|node| node.key == key);
        let new = ends.iter().filter(|(key, _)| known(&nodes, key).is_none()).count();
        if nodes.len() + new > MAX_NODES {
            continue;
        }
        let [from, to] = ends.map(|(key, name)| {
            known(&nodes, &key).unwrap_or_else(|| {
                nodes.push(Node { key, name, x: 0.0, y: 0.0, is_busy: false });
                nodes.len() - 1
            })
        });
        let ConsoleFlow { count, open, failed, .. } = *flow;
        nodes[to].is_busy |= open > 0;
        match edges.iter_mut().find(|edge| (edge.from, edge.to) == (from, to)) {
            Some(edge) => {
                edge.count += count;
                edge.open += open;
                edge.failed += failed;
            }
            None => edges.push(Edge { from, to, count, open, failed }),
        }
    }
    let all = nodes.len() as f64;
    for (place, node) in nodes.iter_mut().enumerate() {
        let angle = 2.0 * PI * place as f64 / all - PI / 2.0;
        node.x = WIDTH / 2.0 + (WIDTH - NODE_WIDTH - 4.0) / 2.0 * angle.cos();
        node.y = HEIGHT / 2.0 + (HEIGHT - NODE_HEIGHT - 4.0) / 2.0 * angle.sin();
    }
    (nodes, edges)
}

/// The key and the name of who is asked.
fn recipient_node(flow: &ConsoleFlow) -> (String, String) {
    match flow.kind {
        DelegationKind::Agent | DelegationKind::Topic => (flow.to.0.clone(), flow.to_name.clone()),
        DelegationKind::SubAgent => (format!("{} below", flow.to), say!("{name} › …", name = flow.from_name)),
        DelegationKind::Peer => (format!("{} elsewhere", flow.to_name), recipient(flow)),
        DelegationKind::Shared => (format!("{} shared", flow.to_name), recipient(flow)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Micros;

    fn flow(kind: DelegationKind, from: &str, to: &str, count: u64) -> ConsoleFlow {
        let (from_name, to_name) = (from.to_owned(), to.to_owned());
        let (from, to) = (from.into(), to.into());
        ConsoleFlow { kind, from, from_name, to, to_name, count, open: 0, failed: 0, cost: Micros(0) }
    }

    #[test]
    fn each_two_have_one_arrow_each_way_and_nobody_stands_twice() {
        let flows = [
            flow(DelegationKind::Agent, "ada", "bo", 3),
            flow(DelegationKind::Topic, "ada", "bo", 2),
            flow(DelegationKind::Agent, "bo", "ada", 1),
            flow(DelegationKind::SubAgent, "ada", "ada", 4),
            flow(DelegationKind::Peer, "ada", "fern", 1),
            flow(DelegationKind::Shared, "ada", "fern", 1),
        ];
        let (nodes, edges) = placed(&flows);
        let keys: Vec<&str> = nodes.iter().map(|node| node.key.as_str()).collect();
        assert_eq!(keys, ["ada", "bo", "ada below", "fern elsewhere", "fern shared"]);
        let arrows: Vec<_> = edges.iter().map(|edge| (edge.from, edge.to, edge.count)).collect();
        assert_eq!(arrows, [(0, 1, 5), (1, 0, 1), (0, 2, 4), (0, 3, 1), (0, 4, 1)]);
    }

    #[test]
    fn everything_stands_within_the_picture_however_many_there_are() {
        for count in 0..40 {
            let flows: Vec<_> = (0..count)
                .map(|at| flow(DelegationKind::Agent, &format!("a{at}"), &format!("b{at}"), 1))
                .collect();
            let (nodes, edges) = placed(&flows);
            assert!(nodes.len() <= MAX_NODES);
            assert!(edges.iter().all(|edge| edge.from < nodes.len() && edge.to < nodes.len()));
            for node in nodes {
                let (across, down) = (NODE_WIDTH / 2.0, NODE_HEIGHT / 2.0);
                assert!(node.x >= across && node.x <= WIDTH - across, "{node:?}");
                assert!(node.y >= down && node.y <= HEIGHT - down, "{node:?}");
            }
        }
    }
}
