//! Settings on their way from one device or hub to another: sealed and opened by the browser, so that
//! no server reads a parcel on its way.

mod envelope;
mod incoming;
mod outgoing;
mod parcel;
mod seal;

pub use incoming::{File, chosen, chosen_keys, file_in, forget, from_address, look, open_file, open_link};
pub use outgoing::{Contents, to_file, to_link};
