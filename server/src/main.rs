//! The program: reads its configuration, opens the hub, and serves it or does one thing beside it.

// A page is one nested type in release builds.
#![recursion_limit = "512"]

mod archives;
mod cli;
mod config;
mod doctor;
mod events;
mod files;
mod middleware;
mod open;
mod pages;
mod router;
mod sandbox;
mod serve;
mod site;
mod socket;
mod telemetry;

use clap::Parser;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::start();
    rustls::crypto::ring::default_provider().install_default().expect("nothing else has chosen a provider");
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("vivarium: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), open::Problem> {
    let asked = cli::Cli::parse();
    let config = config::Config::from_env()?;
    match asked.command.unwrap_or(cli::Command::Serve) {
        cli::Command::Serve => serve::serve(config).await,
        cli::Command::User { command } => cli::user(&config, command).await,
        cli::Command::Token { command } => cli::token(&config, command).await,
        cli::Command::Doctor => doctor::examine(&config).await,
    }
}
