//! What somebody signs in with besides the password.

use serde::{Deserialize, Serialize};

/// How far a right password got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignInStep {
    Done,
    /// A code of the second factor comes next.
    CodeNeeded,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// When it was turned on; absent: it is not.
    pub since: Option<i64>,
    /// Recovery codes that were not used yet.
    pub recovery_codes: u32,
}

/// What an authenticator app is given. Shown while it is set up, to the device that does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSecondFactor {
    /// In base32, for whoever types it.
    pub secret: String,
    /// `otpauth://…`, for an app on the same device.
    pub address: String,
    /// The address, for a camera.
    pub picture: QrPicture,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QrPicture {
    /// Squares in a row, margins included.
    pub size: u32,
    /// The dark ones, as the `d` of an SVG path.
    pub path: String,
}

/// Shown once, when they are made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryCodes {
    pub codes: Vec<String>,
}
