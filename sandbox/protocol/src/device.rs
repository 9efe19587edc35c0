//! What the hub asks of a device itself, beside the agent's page: the shell does it, and no frame hears of it.

use serde::{Deserialize, Serialize};

/// Bytes of a file that goes to a device or comes from one, at most. Twice the JSON around it, and in
/// base64, it fits a frame of the socket.
pub const LONGEST_FILE: u64 = 5 * 1024 * 1024;
/// Files that a device names at once, at most.
pub const MOST_FILES: usize = 5_000;
/// Folders of a path, at most, the file's own name included.
pub const DEEPEST: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DeviceAsk {
    /// Where it is.
    Location {
        #[serde(default, skip_serializing_if = "crate::is_false")]
        precise: bool,
    },
    ReadClipboard,
    WriteClipboard {
        text: String,
    },
    /// The folders that the person opened for the agent.
    Folders,
    /// The files at and below a path.
    List {
        at: DevicePath,
    },
    Read {
        at: DevicePath,
    },
    Write {
        at: DevicePath,
        /// In base64.
        content: String,
        /// Of what the new content is made: nothing is written over anything else.
        was: Option<FileDigest>,
    },
    Delete {
        at: DevicePath,
        was: FileDigest,
    },
}

/// SHA-256 of what is in a file, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileDigest(pub String);

/// A file or folder on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DevicePath {
    pub mount: DeviceMount,
    /// From the mount on, with `/` between its parts. Empty: the mount itself.
    pub path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceMount {
    /// What the browser keeps for the agent, where no other program looks (the origin private file system).
    Opfs,
    /// A folder that the person picked, by the name that it has for the agent.
    Local(String),
}

/// A file on a device, without what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceFile {
    /// From the mount on.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// When it was written, in milliseconds since 1970.
    pub at: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DeviceAnswer {
    Location(DeviceLocation),
    Clipboard {
        text: String,
    },
    Folders {
        names: Vec<String>,
    },
    Files {
        files: Vec<DeviceFile>,
        /// There are more, or some whose names no path here can have.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        more: bool,
    },
    Content {
        /// In base64.
        content: String,
    },
    Done,
    Failed {
        why: DeviceProblem,
        /// The browser's words, where there are some.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
    },
}

/// As browsers tell it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceLocation {
    /// In degrees.
    pub latitude: f64,
    pub longitude: f64,
    /// In metres.
    pub accuracy: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub altitude: Option<f64>,
    /// In degrees, clockwise from north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// In metres a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// In milliseconds since 1970.
    pub at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceProblem {
    /// The device has no folder of that name for the agent.
    NoFolder,
    /// There is no such file.
    Missing,
    /// Something is there where nothing was to be.
    Exists,
    /// Something else is in the file by now.
    Changed,
    TooLarge,
    /// The person, or the browser for them, said no.
    NotAllowed,
    /// The browser cannot do it.
    Unsupported,
    /// It did not work out.
    Other,
}
