//! The hub's use cases, each story on SQLite and on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so")]

mod accounts;
mod agents;
mod approvals;
mod archives;
mod audit;
mod fanout;
mod files;
mod guide;
mod lockout;
mod long;
mod made_tools;
mod money;
mod network;
mod passkeys;
mod people;
mod permissions;
mod programs;
mod providers;
mod reserve;
mod rest;
mod results;
mod runs;
mod schedules;
mod second_factor;
mod settings;
mod world;
