//! The hub's use cases, each story on SQLite and on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so")]

mod accounts;
mod agents;
mod approvals;
mod archives;
mod attachments;
mod audit;
mod branches;
mod carried;
mod clock;
mod closing;
#[cfg(target_os = "linux")]
mod confined;
mod conversations;
mod documents;
mod fanout;
mod file_tools;
mod files;
mod guests;
mod guide;
mod history;
mod hostile;
mod imports;
mod instructions;
mod lockout;
mod long;
mod made_tools;
mod mcp_servers;
mod memories;
mod money;
mod network;
mod passkeys;
mod people;
mod permissions;
mod programs;
mod providers;
mod questions;
mod readings;
mod reserve;
mod rest;
mod results;
mod runs;
mod schedules;
mod schema;
mod search;
mod second_factor;
mod settings;
mod shares;
mod skills;
mod space;
mod talk;
mod terminal;
mod todo;
mod web_search;
mod world;
