//! Where a file is.

use leptos_router::location::Url;
use protocol::AgentId;

/// The page of one file.
pub fn address(agent: &AgentId, path: &str) -> String {
    format!("/agents/{agent}/files/view?path={}", Url::escape(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_whole_in_an_address() {
        let address = address(&AgentId("fern".to_owned()), "a b/ä&c.txt");
        assert_eq!(address, "/agents/fern/files/view?path=a%20b%2F%C3%A4%26c%2Etxt");
    }
}
