use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    )*};
}

ids! {
    UserId,
    /// One signed-in browser.
    DeviceId,
    /// One live socket, named by the page that opens it: a random text of at most 64 characters.
    TabId,
    /// A personal API token.
    TokenId,
    PasskeyId,
    ProviderId,
    GroupId,
    AgentId,
    /// A kind of agent of one person's.
    AgentRoleId,
    ConversationId,
    /// One execution of the loop.
    RunId,
    /// A tool call, as the provider named it; unique within its run.
    CallId,
    /// One question to a person about one call.
    ApprovalId,
    PolicyRuleId,
    /// A file that a person brought: the SHA-256 of what is kept of it, in 64 hexadecimal digits.
    AttachmentId,
    ScheduleId,
    /// What one agent asked another to do.
    DelegationId,
    /// A graph of tasks.
    PipelineId,
    /// Something that is remembered of a person.
    MemoryId,
    /// An answer of one agent that others are told of.
    SayingId,
    /// One conversation that is shown to one reader.
    ShareId,
    /// An agent that somebody lets another person's agents ask.
    AgentShareId,
    SearchSourceId,
    SkillId,
    McpServerId,
    /// A hub or an agent elsewhere.
    PeerId,
    /// An agent of one.
    PeerAgentId,
    /// A place elsewhere that carries out jobs.
    JobServiceId,
    /// A job that an agent started there.
    ExternalJobId,
    /// Where files lie: an agent's own folder, which has its id, or a workspace.
    FolderId,
    /// An address of a file that a person gave away.
    GivenLinkId,
    NotificationId,
    /// Where a person is notified besides their devices.
    ChannelId,
}

impl From<&AgentId> for FolderId {
    /// The agent's own.
    fn from(agent: &AgentId) -> Self {
        Self(agent.0.clone())
    }
}

impl From<&Self> for FolderId {
    fn from(folder: &Self) -> Self {
        folder.clone()
    }
}
