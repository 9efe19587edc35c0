//! The program: reads its configuration, opens the hub, and serves it or does one thing beside it.

// A page is one nested type in release builds.
#![recursion_limit = "512"]

mod agent_files;
mod archives;
mod assets;
mod attachments;
mod backup;
mod between_nodes;
mod cli;
mod config;
mod conversations;
mod data_folder;
mod doctor;
mod encoding;
mod event_stream;
mod events;
mod files;
mod forms;
mod imports;
mod installable;
mod limits;
mod made_tools;
mod mcp_calls;
mod mcp_sign_in;
mod memories;
mod memory;
mod middleware;
mod model_endpoints;
mod oauth;
mod open;
mod operating;
mod owner;
mod pages;
mod readiness;
mod remote;
mod repair;
mod router;
mod sandbox;
mod serve;
mod served;
mod service_worker;
mod site;
mod skills;
mod socket;
mod speech;
mod startup_error;
mod state;
mod takeout;
mod teams;
mod telemetry;
mod unsubscribe;
mod update;
mod usage;
mod webhooks;

use clap::Parser;
use config::{Config, LogFormat};
use hub::nodes;
use startup_error::StartupError;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = cli::Cli::parse().command.unwrap_or(cli::Command::Serve);
    // What becomes a command of an agent has no secret, and what the kernel says of it is its own.
    if !matches!(command, cli::Command::Room { .. }) {
        data_folder::keep_private();
        memory::keep_private();
        memory::give_back();
    }
    match command {
        cli::Command::Serve => perform(serve::serve),
        cli::Command::User { command } => perform(async |config| cli::user(&config, command).await),
        cli::Command::Account { command } => perform(async |config| cli::account(&config, command).await),
        cli::Command::Token { command } => perform(async |config| cli::token(&config, command).await),
        cli::Command::Key { command } => perform(async |config| cli::key(&config, command).await),
        cli::Command::Backup { to, passphrase_file } => {
            perform(async |config| backup::take(&config, &to, passphrase_file.as_deref()).await)
        }
        cli::Command::Restore { file, check: true, .. } => {
            perform(async |config| backup::check(&config, &file).await)
        }
        cli::Command::Restore { file, check: false, passphrase_file } => {
            perform(async |config| backup::restore(&config, &file, passphrase_file.as_deref()).await)
        }
        cli::Command::Move { to } => perform(async |config| backup::move_to(&config, &to).await),
        cli::Command::Doctor { repair } => perform(async |config| {
            if repair {
                repair::repair(&config).await?;
            }
            doctor::examine(&config).await
        }),
        cli::Command::Config => perform(async |_| cli::config()),
        cli::Command::Update(asked) => perform(async |config| update::update(&config, &asked).await),
        cli::Command::Pack { to, site } => perform(async |_| cli::pack(&site, &to)),
        cli::Command::Ask(asked) => remote::ask(asked),
        cli::Command::Run(asked) => remote::run(asked),
        // Before there are threads, and without a look at the configuration: it holds keys.
        cli::Command::Engine => hub::engine::perform_one(),
        cli::Command::Room { words, program, session, way_out, shared_user, most } => {
            let entrance = hub::terminal::Entrance { words, program, session, way_out, shared_user, most };
            hub::terminal::enter(&entrance)
        }
    }
}

#[tokio::main]
async fn perform(task: impl AsyncFnOnce(Config) -> Result<(), StartupError>) -> ExitCode {
    let config = Config::read();
    match &config {
        Ok(config) => telemetry::start(config.log_format, config.log_filter.as_deref()),
        Err(_) => telemetry::start(LogFormat::Text, None),
    }
    rustls::crypto::ring::default_provider().install_default().expect("nothing else has chosen a provider");
    let done = match config {
        Ok(config) => {
            let done = task(config.clone()).await;
            done.and(owner::hand_over(&config))
        }
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            problem.0.lines().for_each(|line| eprintln!("vivarium: {line}"));
            ExitCode::FAILURE
        }
    }
}
