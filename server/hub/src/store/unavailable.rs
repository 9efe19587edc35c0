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
    #[error(
        "The database does not let the hub in at the moment. If that stays so, whoever runs the hub can look whether its name or password in DATABASE_URL still holds."
    )]
    Shut,
    #[error("The disk of the hub is full, so nothing can be saved. Make room on it and try again.")]
    DiskFull,
    #[error("The database may not be written. Let the hub write its data folder, and try again.")]
    ReadOnly,
    #[error(
        "The database is damaged. Whoever runs the hub can see more with `vivarium doctor` and has to put a backup in its place."
    )]
    Damaged,
}

/// Of what the driver says when it is a statement that cannot be sent, and never will.
const OF_THE_QUESTION: [&str; 3] = ["too many arguments", "too many parameter", "too large"];

impl Unavailable {
    /// `None`: it answered, and something else is wrong.
    pub(crate) fn of(error: &Error) -> Option<Self> {
        match error {
            Error::Io(error) if error.kind() == std::io::ErrorKind::StorageFull => Some(Self::DiskFull),
            Error::Io(_) | Error::Tls(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed => {
                Some(Self::Silent)
            }
            // What came over the connection is no answer of a database: it broke, or leads elsewhere.
            Error::Protocol(words) if !OF_THE_QUESTION.iter().any(|part| words.contains(part)) => {
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
            // No connections are let in at the moment: no statement of ours is answered with it. Or a transaction
            // waited or took too long for the server's settings, which ends its connection.
            "55000" | "25P03" | "25P04" => Some(Self::Silent),
            // The name, the password or the database is another one by now.
            "28000" | "28P01" | "3D000" => Some(Self::Shut),
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
            ("57P02", Some(Unavailable::Silent)),
            ("57P03", Some(Unavailable::Silent)),
            ("57P04", Some(Unavailable::Silent)),
            ("55000", Some(Unavailable::Silent)),
            ("08000", Some(Unavailable::Silent)),
            ("08001", Some(Unavailable::Silent)),
            ("08006", Some(Unavailable::Silent)),
            ("08P01", Some(Unavailable::Silent)),
            ("25P03", Some(Unavailable::Silent)),
            ("53200", Some(Unavailable::Silent)),
            ("53300", Some(Unavailable::Busy)),
            ("28000", Some(Unavailable::Shut)),
            ("28P01", Some(Unavailable::Shut)),
            ("3D000", Some(Unavailable::Shut)),
            ("40P01", Some(Unavailable::Busy)),
            ("25006", Some(Unavailable::ReadOnly)),
            ("XX001", Some(Unavailable::Damaged)),
            ("22021", None),
            ("23505", None),
            ("25P02", None),
            ("42501", None),
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
    #[test]
    fn a_connection_that_breaks_or_leads_elsewhere_is_a_database_that_is_away() {
        let io = |kind: std::io::ErrorKind| Error::Io(kind.into());
        for (error, expected) in [
            (io(std::io::ErrorKind::ConnectionRefused), Some(Unavailable::Silent)),
            (io(std::io::ErrorKind::ConnectionReset), Some(Unavailable::Silent)),
            (io(std::io::ErrorKind::UnexpectedEof), Some(Unavailable::Silent)),
            (io(std::io::ErrorKind::StorageFull), Some(Unavailable::DiskFull)),
            (Error::PoolTimedOut, Some(Unavailable::Silent)),
            (Error::PoolClosed, Some(Unavailable::Silent)),
            (Error::WorkerCrashed, Some(Unavailable::Silent)),
            (protocol("unexpected response from SSLRequest: 0x48"), Some(Unavailable::Silent)),
            (protocol("unknown message type: '\\0'"), Some(Unavailable::Silent)),
            (protocol("PgConnection::run(): too many arguments for query: 70000"), None),
            (protocol("encoded message size too large"), None),
            (Error::RowNotFound, None),
            (Error::ColumnNotFound("id".into()), None),
        ] {
            assert_eq!(Unavailable::of(&error), expected, "{error}");
        }
    }

    fn protocol(words: &str) -> Error {
        Error::Protocol(words.into())
    }
}
