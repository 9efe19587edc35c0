//! S4, in total: secrets go in by every way there is, providers give keys back in every way they can, and
//! then every way out is searched, down to the bytes of the database and the log of everything.

mod doors;
mod echo;
mod hunt;
mod people;
mod plant;

use crate::world::{self, Program, run};
use doors::{Things, ask_models, call_all, call_as_program, listen, mistake_all, read_all};
use echo::{Echo, WAYS};
use hunt::Hunt;
use people::People;
use plant::{plant_keys, talk_to_all};
use std::fs;
use std::process::Command;
use tempfile::TempDir;
use url::Url;

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_comes_out_anywhere_on_sqlite() {
    tell(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_comes_out_anywhere_on_postgresql() {
    tell(Some(world::database())).await;
}

async fn tell(database: Option<String>) {
    // The functions register themselves when the crate is linked.
    let _ = app::status_of;
    let mut hunt = Hunt::default();
    let logs = TempDir::new().unwrap();
    let log = logs.path().join("log");
    let master = hunt.plant("the master key").bytes().map(|byte| format!("{byte:02x}")).collect::<String>()
        [..64]
        .to_owned();
    hunt.watch("the master key as it is entered", &master);
    let database_url = database.as_deref().map(|url| {
        let mut url = Url::parse(url).unwrap();
        url.set_password(Some(&hunt.plant("the password of the database"))).unwrap();
        url.to_string()
    });
    let mut environment = vec![
        ("RUST_LOG", "trace"),
        ("VIVARIUM_MASTER_KEY", master.as_str()),
        ("VIVARIUM_PERSON_REQUESTS", "0"),
        ("VIVARIUM_ADDRESS_REQUESTS", "0"),
        ("VIVARIUM_PERSON_SOCKETS", "0"),
        ("VIVARIUM_ADDRESS_CONNECTIONS", "0"),
    ];
    environment.extend(database_url.as_deref().map(|url| ("DATABASE_URL", url)));
    let mut program = Program::start_logged(&environment, log.clone());

    let people = People::make(&program, &mut hunt).await;
    let echo = Echo::start().await;
    let (things, sent) = plant_keys(&mut hunt, &people, &echo).await;
    for key in &sent {
        assert!(echo.heard().contains(key.as_str()), "a key was not sent at all");
    }
    assert!(!echo.heard().contains("/talk/led"), "a redirect was followed");

    let callers = people.callers(database.is_some());
    let few = Things {
        agents: things.agents[..1].to_vec(),
        conversations: things.conversations[..1].to_vec(),
        ..things.clone()
    };
    let mut listening = Vec::new();
    for (who, caller) in [("ada", &people.ada), ("her browser", &people.ada_browser)] {
        listening.push((who, listen(caller, &format!("tab of {who}"), &things.agents).await));
    }
    talk_to_all(&mut hunt, &people.ada, &things.agents).await;
    for way in WAYS {
        call_as_program(&mut hunt, &people.ada, &format!("{}/gpt-5-mini", way.replace('/', "-"))).await;
    }
    call_as_program(&mut hunt, &people.ada, "agent/talk").await;
    let owner = [("their owner", &people.ada_browser)];
    read_all(&mut hunt, &things, &owner).await;
    for (who, caller) in &callers {
        ask_models(&mut hunt, who, caller).await;
    }
    let typed = hunt.plant("what was typed in the wrong place");
    for (who, caller) in &callers {
        mistake_all(&mut hunt, who, caller, &typed).await;
    }
    let (last, others) = callers.split_first().unwrap();
    for (who, caller) in others.iter().chain([last]) {
        call_all(&mut hunt, &few, who, caller, false).await;
    }
    read_all(&mut hunt, &few, &callers).await;
    for (who, caller) in others.iter().chain([last]) {
        call_all(&mut hunt, &few, who, caller, true).await;
    }
    read_all(&mut hunt, &few, &owner).await;

    for command in [&["doctor"][..], &["user", "add", "ada", "--password-stdin"], &["key", "rotate"]] {
        let output = program.command(command, &typed);
        hunt.search(&format!("what {command:?} prints"), &[output.stdout, output.stderr].concat());
    }
    misconfigured(&mut hunt, &logs);
    // The next start takes the link of the first one away.
    program.restart();
    program.kill();
    for (who, listening) in listening {
        let heard = listening.await.unwrap();
        assert!(heard.contains("run_finished"), "{who} heard nothing");
        hunt.search(&format!("what the socket of {who} was told"), heard.as_bytes());
    }
    if let Some(database) = &database {
        let dump = Command::new("pg_dump").args(["--inserts", database]).output().unwrap();
        assert!(
            dump.status.success() && dump.stdout.len() > 10_000,
            "{}",
            String::from_utf8_lossy(&dump.stderr)
        );
        hunt.search("the dump of the database", &dump.stdout);
    }
    for file in files(program.folder.path()).into_iter().chain([log]) {
        let bytes = fs::read(&file).unwrap();
        hunt.search(&format!("the file {}", file.display()), &bytes);
    }
    hunt.end(2000);
}

/// What the program says about secrets that it cannot use.
fn misconfigured(hunt: &mut Hunt, folder: &TempDir) {
    let (password, key) = (hunt.plant("a password for nothing"), hunt.plant("no master key"));
    let password = password.replace('/', "%2F").replace('+', "%2B");
    let nowhere = format!("postgres://vivarium:{password}@127.0.0.1:1/none");
    let odd = format!("postgres://vivarium:{password}@[nonsense/none");
    for (name, value) in [
        ("DATABASE_URL", &nowhere),
        ("DATABASE_URL", &odd),
        ("VIVARIUM_MASTER_KEY", &key),
        ("VIVARIUM_ADDR", &"nowhere".to_owned()),
    ] {
        for command in ["doctor", "serve"] {
            let output = run(folder.path(), &[("RUST_LOG", "trace"), (name, value)], &[command], "");
            assert!(!output.status.success(), "{command} with {name}: {output:?}");
            hunt.search(&format!("what {command} says of {name}"), &[output.stdout, output.stderr].concat());
        }
    }
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
