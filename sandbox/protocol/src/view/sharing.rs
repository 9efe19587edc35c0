//! Who may use a provider, as people see it.

use crate::{GroupId, Micros, ProviderId, UserId};
use serde::{Deserialize, Serialize};

/// Whose a provider is, for the person who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ProviderOwnership {
    /// Their own.
    #[default]
    Own,
    /// Their own, and others use it too.
    OwnShared,
    /// An administrator's, who lets them use it.
    Lent {
        /// Those that they may use; empty: all.
        models: Vec<String>,
        /// What they may spend on it in a month; absent: no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per_month: Option<Micros>,
        /// What they spent on it this month.
        spent: Micros,
    },
}

/// With whom an administrator shares a provider, and on what terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub everyone: bool,
    pub people: Vec<UserId>,
    pub groups: Vec<GroupId>,
    /// Those that others may use; empty: all.
    pub models: Vec<String>,
    /// For each person; absent: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month: Option<Micros>,
}

/// A provider that an administrator shares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedProvider {
    pub id: ProviderId,
    pub name: String,
    /// The administrator whose provider it is.
    pub owner: String,
    pub share: Share,
}

/// People whom an administrator names together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupView {
    pub id: GroupId,
    pub name: String,
    pub people: Vec<UserId>,
}
