//! Which role has which right: the one table.

use protocol::view::{Right, Role};
use protocol::words;

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
        Right::SaveProviders => {
            words!(
                "Guests use what others share. To bring in your own, ask an administrator to make you a member."
            )
        }
        Right::MakeTokens => {
            words!("Guests have no API tokens. To make some, ask an administrator to make you a member.")
        }
        Right::RunTheHub => words!("Only an administrator may do that."),
    }
}
