//! Our page in a browser, but for what it shows: the live socket, the frames of agents with the loops in
//! them, what their pages want of the person, models and keys on this device, and settings that move. Pages
//! and server functions are the application's, which gives what the shell needs of them once, in [`begin`].
//!
//! The frames stand under one element outside the routed view and are never moved. What a frame says is
//! hostile input; no token and nothing of another agent ever goes into one.

mod application;
pub mod artifact;
mod asks;
mod boot;
pub mod clipboard;
pub mod clock;
mod database;
pub mod device;
mod device_asks;
mod driven_run;
mod drops;
mod fetch;
mod flow;
pub mod folder_uploads;
mod frames;
mod guard;
mod keyboard;
pub mod keys;
mod language;
mod layout_observer;
pub mod live;
mod loops;
mod lost_focus;
pub mod mcp_app;
pub mod mounts;
mod offers;
pub mod open_tabs;
mod pulse;
mod save;
pub mod screen;
mod scripts;
mod sealing;
pub mod selection;
mod serve;
pub mod services;
pub mod shared_files;
pub mod skin;
mod state;
pub mod storage;
pub mod transfer;
pub mod uploads;
pub mod whereabouts;
mod writes;

pub use application::{Application, HubFuture, begin};
pub use frames::{presses, set_dragging};
pub use language::speak;
pub use sealing::is_sealed;
pub use serve::{hear_entry, serve};
