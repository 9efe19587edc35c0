//! The names of the shell.

pub use shell::{
    artifact, clipboard, clock, device, folder_uploads, hear_entry, is_sealed, keys, live, mcp_app, mounts,
    open_tabs, presses, screen, selection, serve, services, set_dragging, shared_files, skin, storage,
    transfer, uploads, whereabouts,
};
