//! The page of one agent: what was said and done in one of its conversations, the composer, and the place of the agent's skin.
//! It can be read and written to without script.

pub mod api;
mod approval;
mod artifact;
mod asked_agents;
mod attached;
mod attaching;
mod bar;
mod branches;
mod command_run;
mod composer;
mod context;
mod device_wait;
mod divider;
mod earlier;
mod file_change;
mod head;
mod homes;
mod instructions_change;
mod latest;
mod layout;
mod model_menu;
mod note;
mod notice;
mod outbox;
mod outgoing;
mod page;
mod paused;
mod reading;
mod repair;
mod rows;
mod seal;
mod services;
mod session;
mod skin;
mod storage;
mod thread;
mod title;
mod todo;
mod tool;
mod transcript;
mod views;
mod web_results;

pub use earlier::EarlierPage;
pub use page::AgentPage;
