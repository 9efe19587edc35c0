//! The program as others meet it: a process with an address, spoken to over HTTP.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so")]

mod abuse;
mod api_document;
mod archives;
mod assets;
mod attachments;
mod audited;
mod backup;
mod bodies;
mod bucket;
mod canary;
mod decisions;
mod deployed;
mod endpoints;
mod headers;
mod imports;
mod killed;
mod killed_anywhere;
mod killed_call;
mod killed_message;
mod killed_money;
mod killed_pipeline;
mod killed_schedule;
mod layering;
mod live;
mod long_pages;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod mailbox;
mod mailed;
mod memory;
mod modules;
mod named_tests;
mod nodes;
mod notified;
mod oauth;
mod operating;
mod origin;
mod own_words;
mod packaged;
mod parked;
mod peers;
#[cfg(target_os = "linux")]
mod private;
mod remote;
mod repaired;
mod returned;
mod rotation;
mod routes;
mod sealed;
mod second_factor;
mod served;
mod sessions;
mod spans;
mod startup;
mod stopping;
mod storage;
mod styles;
mod takeout;
mod tenancy;
mod things;
mod updated;
mod upgrade;
mod usage;
mod webhooks;
mod world;
