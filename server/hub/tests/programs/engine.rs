//! One command for the engine, performed in a process of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    hub::engine::perform_one()
}
