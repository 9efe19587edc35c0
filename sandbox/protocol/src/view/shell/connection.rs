/// How the socket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The page has just been opened, or follows nothing.
    Opening,
    Live,
    /// It broke, or never came about.
    Offline {
        /// When the next attempt is made, in Unix milliseconds. Absent: it is being made.
        retry_at: Option<u64>,
    },
    /// The hub closed it: the person's pages said more than it takes. The next attempt is made at this
    /// time, in Unix milliseconds.
    HeldBack {
        retry_at: u64,
    },
    /// The hub speaks another version than this page.
    Outdated,
}
