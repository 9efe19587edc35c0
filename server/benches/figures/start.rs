//! P8: from `exec` to the first page that needs the database, with a database and without one.

use crate::figure::{Figure, title};
use crate::process::{self, Process};
use crate::program::{self, token};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub fn measure() {
    let (ours, theirs) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    token(ours.path(), "ada");
    first_page(bare, theirs.path());
    title("P8 start with a database");
    compare(|| first_page(hub, ours.path()), || first_page(bare, theirs.path()));

    title("P8 start without a database");
    let nothing = || TempDir::new().unwrap();
    compare(|| first_page(hub, nothing().path()), || first_page(bare, nothing().path()));
}

/// Ten times each.
fn compare(ours: impl Fn() -> f64, theirs: impl Fn() -> f64) {
    let (mut hub, mut bare) =
        (Figure::new("hub, /sign-in", "ms"), Figure::new("bare axum with the same store", "ms"));
    for _ in 0..5 {
        hub.raw.push(ours());
        bare.raw.push(theirs());
        bare.raw.push(theirs());
        hub.raw.push(ours());
    }
    hub.print_beside(&bare);
}

fn hub(folder: &Path, address: &str) -> Command {
    let mut command = program::command(folder);
    command.env("VIVARIUM_ADDR", address);
    command
}

fn bare(folder: &Path, address: &str) -> Command {
    let mut command = process::bare("page");
    command.arg(folder).arg(address);
    command
}

/// Milliseconds until the whole page is here.
fn first_page(start: fn(&Path, &str) -> Command, folder: &Path) -> f64 {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut command = start(folder, &address);
    let began = Instant::now();
    let process = Process::spawned(&mut command);
    let mut stream = loop {
        match TcpStream::connect(&address) {
            Ok(stream) => break stream,
            Err(_) => sleep(Duration::from_micros(200)),
        }
    };
    let request = format!("GET /sign-in HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    let millis = began.elapsed().as_secs_f64() * 1e3;
    drop(process);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    millis
}
