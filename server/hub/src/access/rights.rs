//! Which role has which right: the one table.

use protocol::view::{Right, Role};

const TABLE: [(Right, &[Role]); 3] = [
    (Right::SaveProviders, &[Role::Admin, Role::Member]),
    (Right::MakeTokens, &[Role::Admin, Role::Member]),
    (Right::RunTheHub, &[Role::Admin]),
];

pub(crate) fn rights_of(role: Role) -> Vec<Right> {
    TABLE.iter().filter(|(_, roles)| roles.contains(&role)).map(|(right, _)| *right).collect()
}

pub(super) fn refusal(right: Right) -> &'static str {
    match right {
        Right::SaveProviders => "Guests use the providers that others share, and bring in none.",
        Right::MakeTokens => "Guests have no API tokens.",
        Right::RunTheHub => "Only an administrator may do that.",
    }
}
