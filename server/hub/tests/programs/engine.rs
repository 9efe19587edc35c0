//! One command for the engine, or of an agent, performed in a process of its own.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [how, command] if how == "room" => hub::terminal::enter(command),
        _ => hub::engine::perform_one(),
    }
}
