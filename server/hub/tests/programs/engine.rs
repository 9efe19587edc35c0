//! One command for the engine, or of an agent, performed in a process of its own.

use hub::terminal::Entrance;
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [how, options @ .., command] if how == "room" => {
            let has = |option: &str| options.iter().any(|given| given == option);
            let entrance =
                Entrance { command: command.clone(), session: has("--session"), way_out: has("--way-out") };
            hub::terminal::enter(&entrance)
        }
        _ => hub::engine::perform_one(),
    }
}
