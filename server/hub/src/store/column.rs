//! What a column holds and what it stands for: TEXT, BIGINT and BYTEA are all that the two databases share.

#[cfg(test)]
mod tests;

use crate::error::Error;
use protocol::agent::{Home, ProviderKind, ToolRisk};
use protocol::approval::{Asker, Decision, Verdict};
use protocol::import::ImportSource;
use protocol::schedule::{Author, FiringCause, Missed};
use protocol::view::{
    AuditAction, AuditOutcome, AuditVia, CallDecider, CallKind, CallOutcome, ChainBeginning, ChannelKind,
    DelegationKind, DelegationState, DeliveryState, ExternalJobState, InstructionsAuthor, JobServiceKind,
    MemoryAuthor, MemoryKind, MemoryState, NotificationKind, PipelineState, ProviderReach, Role, SearchKind,
    SignUpMode, SkillUse, SkinOrigin, SpeechPart, Status, TaskBy, TaskState, Thumb, TokenScope, ToolAuthor,
};
use protocol::{
    AgentId, AgentRoleId, AgentShareId, ApprovalId, AttachmentId, CallId, ChannelId, ContextSource,
    ConversationId, DelegationId, DeviceId, ExternalJobId, FolderId, GivenLinkId, GroupId, JobServiceId,
    Language, LimitOf, McpServerId, MemoryId, Micros, NotificationId, PasskeyId, PeerAgentId, PeerId,
    Permission, PipelineId, PolicyRuleId, ProviderId, RunId, SayingId, ScheduleId, SearchSourceId, ShareId,
    SkillId, TokenId, UserId,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::de::value::{Error as NoSuchName, StrDeserializer};
use sqlx::error::BoxDynError;
use sqlx::{Any, Decode, Encode, Type};
use std::fmt::{self, Write as _};

/// What a statement can be given.
pub(crate) trait ToColumn {
    type Stored: for<'q> Encode<'q, Any> + Type<Any> + 'static;

    fn into_stored(self) -> Result<Self::Stored, BoxDynError>;
}

/// What can be read from a column. A value that it cannot be is an error that names the value and the column.
pub(crate) trait FromColumn: Sized {
    type Stored: for<'r> Decode<'r, Any> + Type<Any>;

    fn from_stored(stored: Self::Stored) -> Result<Self, BoxDynError>;
}

/// A column that holds JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<T>(pub(crate) T);

/// Enums that stand in columns under the names that serde gives their cases, as on the wire.
macro_rules! stored_by_name {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::store::ToColumn for $type {
            type Stored = String;

            fn into_stored(self) -> ::std::result::Result<String, sqlx::error::BoxDynError> {
                Ok($crate::store::name_of(&self)?)
            }
        }

        impl $crate::store::FromColumn for $type {
            type Stored = String;

            fn from_stored(stored: String) -> ::std::result::Result<Self, sqlx::error::BoxDynError> {
                $crate::store::named(&stored)
            }
        }
    )*};
}
pub(crate) use stored_by_name;

pub(crate) fn name_of(case: &impl Serialize) -> crate::error::Result<String> {
    struct Name<'a, T>(&'a T);

    impl<T: Serialize> fmt::Display for Name<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }

    let mut name = String::new();
    write!(name, "{}", Name(case)).map_err(Error::internal)?;
    Ok(name)
}

pub(crate) fn named<T: DeserializeOwned>(name: &str) -> Result<T, BoxDynError> {
    Ok(T::deserialize(StrDeserializer::<NoSuchName>::new(name))?)
}

impl<T: Serialize> ToColumn for Json<T> {
    type Stored = String;

    fn into_stored(self) -> Result<String, BoxDynError> {
        Ok(serde_json::to_string(&self.0)?)
    }
}

impl<T: DeserializeOwned> FromColumn for Json<T> {
    type Stored = String;

    fn from_stored(stored: String) -> Result<Self, BoxDynError> {
        Ok(Self(serde_json::from_str(&stored)?))
    }
}

impl<T: ToColumn> ToColumn for Option<T> {
    type Stored = Option<T::Stored>;

    fn into_stored(self) -> Result<Self::Stored, BoxDynError> {
        self.map(T::into_stored).transpose()
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    type Stored = Option<T::Stored>;

    fn from_stored(stored: Self::Stored) -> Result<Self, BoxDynError> {
        stored.map(T::from_stored).transpose()
    }
}

impl<T: ToColumn + Clone> ToColumn for &T {
    type Stored = T::Stored;

    fn into_stored(self) -> Result<T::Stored, BoxDynError> {
        self.clone().into_stored()
    }
}

impl ToColumn for &str {
    type Stored = String;

    fn into_stored(self) -> Result<String, BoxDynError> {
        Ok(self.to_owned())
    }
}

impl ToColumn for &[u8] {
    type Stored = Vec<u8>;

    fn into_stored(self) -> Result<Vec<u8>, BoxDynError> {
        Ok(self.to_owned())
    }
}

impl ToColumn for bool {
    type Stored = i64;

    fn into_stored(self) -> Result<i64, BoxDynError> {
        Ok(self.into())
    }
}

impl FromColumn for bool {
    type Stored = i64;

    fn from_stored(stored: i64) -> Result<Self, BoxDynError> {
        match stored {
            0 => Ok(false),
            1 => Ok(true),
            number => Err(format!("{number} is neither 0 nor 1").into()),
        }
    }
}

/// What the databases know themselves.
macro_rules! stored_as_is {
    ($($type:ty),*) => {$(
        impl ToColumn for $type {
            type Stored = $type;

            fn into_stored(self) -> Result<$type, BoxDynError> {
                Ok(self)
            }
        }

        impl FromColumn for $type {
            type Stored = $type;

            fn from_stored(stored: $type) -> Result<Self, BoxDynError> {
                Ok(stored)
            }
        }
    )*};
}

/// Numbers that may not fit.
macro_rules! stored_as_bigint {
    ($($type:ty),*) => {$(
        impl ToColumn for $type {
            type Stored = i64;

            fn into_stored(self) -> Result<i64, BoxDynError> {
                Ok(self.try_into()?)
            }
        }

        impl FromColumn for $type {
            type Stored = i64;

            fn from_stored(stored: i64) -> Result<Self, BoxDynError> {
                Ok(stored.try_into()?)
            }
        }
    )*};
}

/// Types around one value.
macro_rules! stored_as_inner {
    ($($outer:ident($inner:ty)),* $(,)?) => {$(
        impl ToColumn for $outer {
            type Stored = $inner;

            fn into_stored(self) -> Result<$inner, BoxDynError> {
                Ok(self.0)
            }
        }

        impl FromColumn for $outer {
            type Stored = $inner;

            fn from_stored(stored: $inner) -> Result<Self, BoxDynError> {
                Ok(Self(stored))
            }
        }
    )*};
}

stored_as_is!(String, i64, Vec<u8>);
stored_as_bigint!(u8, u16, u32, u64, usize);
stored_as_inner! {
    AgentId(String),
    AgentRoleId(String),
    ApprovalId(String),
    CallId(String),
    ChannelId(String),
    ConversationId(String),
    DeviceId(String),
    GroupId(String),
    MemoryId(String),
    Micros(i64),
    NotificationId(String),
    PasskeyId(String),
    PolicyRuleId(String),
    ProviderId(String),
    RunId(String),
    AttachmentId(String),
    DelegationId(String),
    PipelineId(String),
    SayingId(String),
    ScheduleId(String),
    ShareId(String),
    AgentShareId(String),
    SearchSourceId(String),
    SkillId(String),
    FolderId(String),
    GivenLinkId(String),
    ExternalJobId(String),
    JobServiceId(String),
    McpServerId(String),
    PeerAgentId(String),
    PeerId(String),
    TokenId(String),
    UserId(String),
}
stored_by_name! {
    Asker,
    Language,
    MemoryAuthor,
    MemoryKind,
    MemoryState,
    NotificationKind,
    AuditAction,
    AuditOutcome,
    AuditVia,
    Author,
    CallDecider,
    CallKind,
    CallOutcome,
    ChainBeginning,
    ChannelKind,
    ContextSource,
    Decision,
    DelegationKind,
    DelegationState,
    PipelineState,
    TaskBy,
    TaskState,
    DeliveryState,
    ExternalJobState,
    FiringCause,
    Home,
    JobServiceKind,
    ImportSource,
    InstructionsAuthor,
    LimitOf,
    Missed,
    Permission,
    ProviderKind,
    ProviderReach,
    Role,
    SearchKind,
    SignUpMode,
    SkillUse,
    SkinOrigin,
    SpeechPart,
    Status,
    Thumb,
    TokenScope,
    ToolAuthor,
    ToolRisk,
    Verdict,
}
