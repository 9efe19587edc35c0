//! Schemas that agents wrote, and what is called with them: compiled and checked here, because a pattern may
//! take long.

use super::job::{Fit, Unfit};
use crate::made_tools::Bounded;

pub(super) fn check(Fit { schema, input }: &Fit) -> Result<(), Unfit> {
    let bounded = Bounded::of(schema).map_err(Unfit::Schema)?;
    match input {
        Some(input) => bounded.check(input).map_err(Unfit::Input),
        None => Ok(()),
    }
}
