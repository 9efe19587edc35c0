//! Why a server did not do what it was asked for, in sentences for people and models.

use crate::error::Error;
use crate::outbound::OutboundError;
use serde_json::Value;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum McpFailure {
    #[error(transparent)]
    Unreached(#[from] OutboundError),
    /// The session that was begun with it is over, or it is another server by now. It did nothing.
    #[error("It forgot who asks. Try again.")]
    Forgotten,
    #[error(
        "It wants to know who asks (status 401). Sign in to it on its page, or enter a token for it, another one if that \
         has run out."
    )]
    LoginNeeded,
    #[error("Your sign-in there is over. Sign in again on its page.")]
    SignedOut,
    #[error("Your sign-in there could not be renewed. {0}")]
    NotRenewed(String),
    #[error("Its administrator does not share it with you any more. Remove it.")]
    NotLent,
    #[error("It refuses what was sent along (status 403). Check the token, and what it is for.")]
    Forbidden,
    #[error("It has to be allowed more than you allowed it. Sign in once more on its page.")]
    WantsMoreRights,
    #[error("It leads elsewhere (status {0}). Enter the address where it is now.")]
    Moved(u16),
    #[error(
        "Something answers, but not as an MCP server does. Check the address: many end in /mcp. Servers that \
         only speak the transport of 2024 are not supported."
    )]
    NotMcp,
    #[error(
        "It speaks another version of MCP ({0}). Here 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05 are spoken."
    )]
    Version(String),
    #[error("It sent more than {0} MB and was given up.")]
    TooMuch(usize),
    #[error("It did not answer within {0} seconds and was given up.")]
    TooLate(u64),
    #[error("It gave up what it had begun for this call, and does not say what came of it.")]
    GaveUp,
    #[error("It closed the connection before it had answered. Try again.")]
    Cut,
    #[error("It was asked too often. Wait a little.")]
    TooOften,
    #[error("It answered with an error of its own (status {0}).")]
    Broken(u16),
    #[error("Too many requests to servers are waiting. Wait for the ones under way.")]
    Busy,
    #[error("It gave nothing that could be used.")]
    Empty,
    #[error("It gave no page where it said that there is one.")]
    NoPage,
    #[error("It asks something where nobody can be asked.")]
    Asks,
    #[error("It asked more than {0} times within one call and was given up.")]
    AsksOn(u32),
    #[error("It asks something that nobody can be asked. {0}")]
    NotAsked(String),
    #[error("It asks for what it is not given: a model's answer, or your folders.")]
    WantsMore,
    /// What it asks that for.
    #[error("It wants you to open an address of its own before it does what it is asked for.")]
    WantsVisit(Vec<Value>),
    #[error(
        "What is sent along with each request cannot be opened. Enter it again on the page of the server."
    )]
    NoSecrets,
    #[error(
        "What follows the question mark in its address cannot be opened. Remove the server, and add it again."
    )]
    NoQuery,
    #[error(
        "No administrator of this hub allows the program {0} any more. Remove the server, or ask an administrator."
    )]
    NotAllowed(String),
    #[error(
        "What was filled in for its program cannot be opened, or the program is another one since then. Fill it in again \
         on the page of the server."
    )]
    NoValues,
    #[error("Its program is not run: {0}.")]
    NotRun(String),
    #[error(
        "As many programs run for you as may, and calls use all of them. Wait for one, or remove a server."
    )]
    NoPlace,
    /// With what it said last beside its answers, in its own words.
    #[error("Its program ended with exit code {0} before it had answered. It said: {1}")]
    Exited(i32, String),
    #[error("Its program was killed by signal {0} before it had answered. It said: {1}")]
    Killed(i32, String),
    #[error("Its program was ended before it had answered, because {0}. It said: {1}")]
    Exceeded(&'static str, String),
    #[error("Its program was not wanted any more, and was ended before it had answered. Try again.")]
    Unwanted,
    #[error("Its program does not read what it is told, and was ended.")]
    Deaf,
    #[error("Its program answers nothing any more, and was ended. Try again.")]
    Mute,
    #[error(
        "Its program ended again soon after it was started. It is started once more in a moment: try again then."
    )]
    EndsAgain,
    /// In the server's own words.
    #[error("It says: {0}")]
    Said(String),
    #[error(
        "The tool is another one than your person said yes to, and was switched off. They see what changed on the page of MCP servers."
    )]
    Changed,
    #[error("{0}")]
    Hub(String),
}

impl McpFailure {
    /// Whether the same may well be answered in a moment.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Unreached(_) | Self::Cut | Self::TooOften | Self::Broken(_))
    }
}

impl From<Error> for McpFailure {
    fn from(error: Error) -> Self {
        Self::Hub(error.into_failure().to_string())
    }
}
