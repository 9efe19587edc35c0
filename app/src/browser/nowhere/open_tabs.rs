use protocol::TabId;
use std::future::{Ready, ready};

pub fn open() -> Ready<Vec<TabId>> {
    ready(Vec::new())
}
