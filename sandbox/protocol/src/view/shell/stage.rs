/// What the place of an agent's page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The agent has not drawn.
    Empty,
    Shown,
    /// A script keeps the page so busy that it does not answer.
    Silent,
    /// It is being loaded anew.
    Returning,
    /// The person took the frame away. A picture of the page stands in for it, as soon as one can.
    Frozen {
        has_picture: bool,
    },
    /// The frame was taken away, or never came.
    Broken {
        why: String,
    },
}
