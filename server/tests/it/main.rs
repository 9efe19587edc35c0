//! The program as others meet it: a process with an address, spoken to over HTTP.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so")]

mod abuse;
mod api_document;
mod archives;
mod audited;
mod bodies;
mod canary;
mod endpoints;
mod headers;
mod killed;
mod killed_money;
mod killed_schedule;
mod layering;
mod live;
mod origin;
mod parked;
mod rotation;
mod routes;
mod second_factor;
mod sessions;
mod startup;
mod tenancy;
mod usage;
mod world;
