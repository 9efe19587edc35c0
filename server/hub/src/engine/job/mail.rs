//! Mails that are read.

use serde::{Deserialize, Serialize};

/// A mail as its server has it, or the beginning of it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct MailFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
}

/// What it says. What is not there is empty.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct MailText {
    /// Addresses in small letters. Whoever wrote the mail wrote these as well.
    pub(crate) senders: Vec<String>,
    pub(crate) from: String,
    pub(crate) subject: String,
    /// As mails write it.
    pub(crate) date: Option<String>,
    /// The link of `List-Unsubscribe`.
    pub(crate) ends_at: Option<String>,
    pub(crate) text: String,
    /// There is more of it.
    pub(crate) is_cut: bool,
    /// Their names.
    pub(crate) attachments: Vec<String>,
}
