use crate::prelude::t;

/// The name of a conversation; one in which nobody has said anything has none yet.
pub fn conversation_title(title: &str) -> String {
    if title.is_empty() { t("New conversation").to_owned() } else { title.to_owned() }
}
