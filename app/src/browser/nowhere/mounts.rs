use protocol::AgentId;
use protocol::device::{DeviceFile, DeviceMount, DevicePath};
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

pub fn list(_agent: AgentId, _mount: DeviceMount) -> Ready<Result<(Vec<DeviceFile>, bool), String>> {
    ready(Ok((Vec::new(), false)))
}

pub fn read(_agent: AgentId, _at: DevicePath) -> Ready<Result<Vec<u8>, String>> {
    ready(Ok(Vec::new()))
}

pub fn download(_agent: AgentId, _at: DevicePath) -> Ready<Result<(), String>> {
    ready(Ok(()))
}

pub fn delete(_agent: AgentId, _at: DevicePath) -> Ready<Result<(), String>> {
    ready(Ok(()))
}
