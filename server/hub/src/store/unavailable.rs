//! When the database is away: what its errors mean for whoever asked, and what to do about it.

use sqlx::Error;
use sqlx::error::DatabaseError;
use thiserror::Error as ThisError;

/// Why the database did not do what it was asked for, though there is nothing wrong with that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
pub enum Unavailable {
    #[error("The database does not answer at the moment. Try again in a few seconds.")]
    Silent,
    #[error("The database is busy. Try again in a few seconds.")]
    Busy,
    #[error("The disk of the hub is full, so nothing can be saved. Make room on it and try again.")]
    DiskFull,
    #[error("The database may not be written. Let the hub write its data folder, and try again.")]
    ReadOnly,
    #[error(
        "The database is damaged. Whoever runs the hub can see more with `vivarium doctor` and has to put a backup in its place."
    )]
    Damaged,
}

impl Unavailable {
    /// `None`: it answered, and something else is wrong.
    pub(crate) fn of(error: &Error) -> Option<Self> {
        match error {
            Error::Io(error) if error.kind() == std::io::ErrorKind::StorageFull => Some(Self::DiskFull),
            Error::Io(_) | Error::Tls(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed => {
                Some(Self::Silent)
            }
            Error::Database(error) => Self::said(error.as_ref()),
            _ => None,
        }
    }

    fn said(error: &dyn DatabaseError) -> Option<Self> {
        let code = error.code()?;
        // States of PostgreSQL have five characters; SQLite's numbers have fewer.
        if code.len() == 5 { Self::of_state(&code) } else { Self::of_number(code.parse().ok()?) }
    }

    /// `SQLSTATE`.
    fn of_state(state: &str) -> Option<Self> {
        match state {
            "53100" => Some(Self::DiskFull),
            "25006" => Some(Self::ReadOnly),
            "XX001" | "XX002" => Some(Self::Damaged),
            "40001" | "40P01" | "55P03" | "53300" => Some(Self::Busy),
            // No connections are let in at the moment. No statement of ours is answered with it.
            "55000" => Some(Self::Silent),
            // The connection, the resources, an administrator who stops it.
            _ if ["08", "53", "57P", "58"].iter().any(|class| state.starts_with(class)) => Some(Self::Silent),
            _ => None,
        }
    }

    /// The lower byte is the kind, the rest says more.
    fn of_number(number: u32) -> Option<Self> {
        match number & 0xff {
            5 | 6 => Some(Self::Busy),
            7 | 10 | 14 | 15 => Some(Self::Silent),
            8 | 3 | 23 => Some(Self::ReadOnly),
            11 | 26 => Some(Self::Damaged),
            13 => Some(Self::DiskFull),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_database_says_of_itself_is_told_from_what_it_says_of_the_question() {
        for (state, expected) in [
            ("53100", Some(Unavailable::DiskFull)),
            ("57P01", Some(Unavailable::Silent)),
            ("55000", Some(Unavailable::Silent)),
            ("08006", Some(Unavailable::Silent)),
            ("40P01", Some(Unavailable::Busy)),
            ("25006", Some(Unavailable::ReadOnly)),
            ("XX001", Some(Unavailable::Damaged)),
            ("23505", None),
            ("42601", None),
        ] {
            assert_eq!(Unavailable::of_state(state), expected, "{state}");
        }
        for (number, expected) in [
            (13, Some(Unavailable::DiskFull)),
            (5, Some(Unavailable::Busy)),
            (517, Some(Unavailable::Busy)),
            (778, Some(Unavailable::Silent)),
            (1032, Some(Unavailable::ReadOnly)),
            (267, Some(Unavailable::Damaged)),
            (26, Some(Unavailable::Damaged)),
            (1, None),
            (2067, None),
        ] {
            assert_eq!(Unavailable::of_number(number), expected, "{number}");
        }
    }
}
