//! A NATS of its own, as a process of its own.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub struct Nats {
    process: Child,
    pub url: url::Url,
}

impl Nats {
    pub fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        // Where Debian puts it is not in the path of everybody.
        let installed = Path::new("/usr/sbin/nats-server");
        let program = if installed.exists() { installed } else { Path::new("nats-server") };
        let process = Command::new(program)
            .args(["-a", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server is there: `make test` installs it");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        Self { process, url: format!("nats://127.0.0.1:{port}").parse().unwrap() }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
