//! One command for the engine, or of an agent, performed in a process of its own.

use hub::terminal::Entrance;
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [how, rest @ ..] if how == "room" => {
            let end = rest.iter().position(|word| word == "--").expect("it is called as a room is");
            let (options, words) = (&rest[..end], rest[end + 1..].to_vec());
            let has = |option: &str| options.iter().any(|given| given == option);
            let (program, session, way_out) = (has("--program"), has("--session"), has("--way-out"));
            let most = options.iter().find_map(|option| option.strip_prefix("--most="));
            let most = most.map(|most| most.parse().expect("the hub writes what it reads"));
            let shared_user = has("--shared-user");
            hub::terminal::enter(&Entrance { words, program, session, way_out, shared_user, most })
        }
        _ => hub::engine::perform_one(),
    }
}
