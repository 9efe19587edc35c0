//! What agents call the tools of servers.

use crate::made_tools::OF_SERVERS;
use sha2::{Digest, Sha256};

/// The longest name that providers take.
const LONGEST: usize = 64;
const OF_DIGEST: usize = 8;

/// The one name under which agents call it, with the letters that all providers take.
pub(super) fn called(server: &str, tool: &str) -> String {
    let plain =
        |char: char| if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' };
    let name: String = format!("{OF_SERVERS}{server}_").chars().chain(tool.chars().map(plain)).collect();
    if name.len() <= LONGEST {
        return name;
    }
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(tool));
    format!("{}_{}", &name[..LONGEST - OF_DIGEST - 1], &digest[..OF_DIGEST])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_every_provider_takes() {
        for (tool, expected) in [
            ("water", "mcp_garden_water"),
            ("get-Weather", "mcp_garden_get-Weather"),
            ("beds/water.now", "mcp_garden_beds_water_now"),
            ("gießen", "mcp_garden_gie_en"),
            ("", "mcp_garden_"),
        ] {
            assert_eq!(called("garden", tool), expected);
        }
        let long = ["x".repeat(100) + "a", "x".repeat(100) + "b"].map(|tool| called("garden", &tool));
        assert!(long.iter().all(|name| name.len() == 64) && long[0] != long[1], "{long:?}");
    }
}
