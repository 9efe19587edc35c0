/// What the place of an agent's page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The agent has not drawn.
    Empty,
    Shown,
    /// The frame was taken away, or never came.
    Broken {
        why: String,
    },
}
