//! What the shell in a browser tells the pages around it. None of this crosses a wire, and a server shows
//! how each begins.

mod app;
mod connection;
mod keys;
mod not_sent;
mod parcel;
mod stage;
mod wishes;

pub use app::{AppStart, AppWish};
pub use connection::Connection;
pub use keys::{DeviceKeys, Lock, Unable};
pub use not_sent::NotSent;
pub use parcel::{Item, ItemStatus, Part};
pub use stage::Stage;
pub use wishes::{ActiveUse, Card, Notice, PromptAnswer, PromptSubject, UseKind};
