//! What the program says when it cannot go on.

use hub::backups::BackupError;
use hub::store::OpenError;
use std::fmt;

/// Why the program cannot go on: one line that says what to do.
#[derive(Debug)]
pub struct StartupError(pub String);

impl fmt::Display for StartupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<hub::Error> for StartupError {
    fn from(error: hub::Error) -> Self {
        Self(error.into_failure().to_string())
    }
}

impl From<BackupError> for StartupError {
    fn from(error: BackupError) -> Self {
        Self(error.to_string())
    }
}

impl From<OpenError> for StartupError {
    fn from(error: OpenError) -> Self {
        Self(error.to_string())
    }
}
