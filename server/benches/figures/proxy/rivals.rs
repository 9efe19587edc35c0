//! What the hub is measured beside: a bare proxy of axum and reqwest, nginx where it is installed, and
//! LiteLLM where `LITELLM` names its program.

use super::upstream::Upstream;
use super::world::Door;
use crate::process::{Process, bare};
use std::env;
use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::sleep;

pub struct Rival {
    pub name: &'static str,
    pub process: Process,
    pub door: Door,
    pub is_slow: bool,
    _folder: TempDir,
}

impl Rival {
    pub async fn all(upstream: &Upstream) -> Vec<Self> {
        let mut all = vec![Self::bare(upstream)];
        all.extend(Self::nginx(upstream).await);
        all.extend(Self::litellm(upstream).await);
        all
    }

    fn bare(upstream: &Upstream) -> Self {
        let process = Process::greeted(bare("proxy").arg(&upstream.url));
        let address =
            process.greeting.strip_prefix("listening ").expect("it says where it listens").to_owned();
        let door = Door::new(&format!("http://{address}"), "", "gpt-5-mini");
        Self {
            name: "bare axum and reqwest",
            process,
            door,
            is_slow: false,
            _folder: TempDir::new().unwrap(),
        }
    }

    async fn nginx(upstream: &Upstream) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let (place, port) = (folder.path().display(), free_port());
        let server = upstream.url.trim_start_matches("http://");
        let file = folder.path().join("nginx.conf");
        let text = format!(
            "daemon off; master_process off; pid {place}/pid; error_log stderr;
             events {{ worker_connections 4096; }}
             http {{
               access_log {place}/access.log; client_body_temp_path {place}; proxy_temp_path {place};
               upstream model {{ server {server}; keepalive 1024; }}
               server {{
                 listen 127.0.0.1:{port}; tcp_nodelay on;
                 location / {{
                   proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection \"\";
                   proxy_buffering off;
                 }}
               }}
             }}"
        );
        fs::write(&file, text).unwrap();
        let mut command = Command::new("nginx");
        command.args(["-e", "stderr", "-p"]).arg(folder.path()).arg("-c").arg(&file);
        let is_there = Command::new("nginx").arg("-v").output().is_ok();
        if !is_there {
            println!("nginx is not installed: it is left out.");
            return None;
        }
        let process = Process::spawned(&mut command);
        Some(Self::at(port, "nginx", process, false, folder).await)
    }

    async fn litellm(upstream: &Upstream) -> Option<Self> {
        let Ok(program) = env::var("LITELLM") else {
            println!("LITELLM does not name LiteLLM's program: it is left out.");
            return None;
        };
        let folder = TempDir::new().unwrap();
        let (file, port) = (folder.path().join("config.yaml"), free_port());
        let text = format!(
            "model_list:\n  - model_name: gpt-5-mini\n    litellm_params:\n      model: openai/gpt-5-mini\n      api_base: {}/v1\n      api_key: key\n",
            upstream.url
        );
        fs::write(&file, text).unwrap();
        let mut command = Command::new(program);
        command.arg("--config").arg(&file).args(["--host", "127.0.0.1", "--port", &port.to_string()]);
        let process = Process::spawned(&mut command);
        Some(Self::at(port, "LiteLLM", process, true, folder).await)
    }

    async fn at(port: u16, name: &'static str, process: Process, is_slow: bool, folder: TempDir) -> Self {
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            sleep(Duration::from_millis(100)).await;
        }
        let door = Door::new(&format!("http://127.0.0.1:{port}"), "", "gpt-5-mini");
        Self { name, process, door, is_slow, _folder: folder }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
