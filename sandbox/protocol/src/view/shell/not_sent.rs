/// Why the hub does not have a file that was sent to it, in words for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSent {
    pub why: String,
    /// The same file later could be fine.
    pub may_retry: bool,
}
