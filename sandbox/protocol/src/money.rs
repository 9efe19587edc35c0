use serde::{Deserialize, Serialize};
use std::fmt;

/// US dollars in whole micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub i64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = self.0 / 1_000_000;
        let rest = (self.0 % 1_000_000).unsigned_abs();
        if rest.is_multiple_of(10_000) {
            write!(f, "${dollars}.{:02}", rest / 10_000)
        } else {
            write!(f, "${dollars}.{rest:06}")
        }
    }
}
