//! A page as the hub sees it: takes commands, answers with a page that every command changes.

use protocol::page::{SkinCommand, SkinDone, SkinPage};
use serde_json::json;

#[derive(Default)]
pub struct Page {
    commands: u32,
}

impl Page {
    pub fn perform(&mut self, _command: &SkinCommand) -> SkinDone {
        self.commands += 1;
        let body = format!("<p>{} commands</p>", self.commands);
        SkinDone {
            result: json!({ "done": self.commands, "backend": "claimed" }),
            is_error: false,
            page: SkinPage { body, ..SkinPage::default() },
        }
    }
}
