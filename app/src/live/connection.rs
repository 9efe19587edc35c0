/// How the socket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    Live,
    /// It broke, and the next attempt is near.
    Reconnecting,
    /// There is no network, or the hub has not answered for a while.
    Offline,
    /// The hub speaks another version than this page.
    Outdated,
}
