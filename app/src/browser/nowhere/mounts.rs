use protocol::AgentId;
use std::future::{Ready, ready};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceFiles {
    pub kept: (usize, u64),
    pub folders: Vec<String>,
}

pub fn look(_agent: AgentId) -> Ready<DeviceFiles> {
    ready(DeviceFiles::default())
}

pub fn can_pick() -> bool {
    false
}

pub fn pick(_agent: AgentId) -> Ready<Result<Option<String>, String>> {
    ready(Ok(None))
}

pub fn forget(_agent: AgentId, _name: String) -> Ready<Result<(), String>> {
    ready(Ok(()))
}

pub fn empty(_agent: AgentId) -> Ready<Result<(), String>> {
    ready(Ok(()))
}
