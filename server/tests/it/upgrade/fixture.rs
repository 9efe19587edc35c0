//! The database that an earlier program made, and what that program showed of it: see the README beside the
//! files.

use super::moment::Moment;
use crate::world;
use flate2::read::GzDecoder;
use serde_json::{Map, Value};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

pub const MASTER_KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";

#[derive(Clone, Copy)]
pub enum Database {
    Sqlite,
    Postgresql,
}

pub struct Fixture {
    /// Where the copy is that this test may change.
    pub place: Place,
    /// When the earlier program was killed.
    pub moment: Moment,
    /// What it answered after its next start, by who asked and for what.
    pub shown: Map<String, Value>,
    about: Value,
}

pub enum Place {
    Folder(TempDir),
    Url(String),
}

impl Fixture {
    pub fn unpack(database: Database) -> Self {
        let (place, about) = match database {
            Database::Sqlite => {
                let folder = TempDir::new().unwrap();
                fs::write(folder.path().join("vivarium.db"), unpacked("sqlite.db.gz")).unwrap();
                (Place::Folder(folder), unpacked("sqlite.json.gz"))
            }
            Database::Postgresql => {
                let url = world::database();
                load(&url, &unpacked("postgresql.sql.gz"));
                (Place::Url(url), unpacked("postgresql.json.gz"))
            }
        };
        let mut about: Value = serde_json::from_slice(&about).unwrap();
        let Value::Object(shown) = about["shown"].take() else { panic!("what was shown is an object") };
        Self { place, moment: Moment(about["killed_at"].as_i64().unwrap()), shown, about }
    }

    /// How far the migrations of the database have come. No program has it open.
    pub fn schema(&self) -> String {
        const NEWEST: &str = "SELECT MAX(version) FROM _sqlx_migrations";
        let mut command = match &self.place {
            Place::Folder(folder) => {
                let script = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())";
                let mut command = Command::new("python3");
                command.args(["-c", script]).arg(folder.path().join("vivarium.db")).arg(NEWEST);
                command
            }
            Place::Url(url) => {
                let mut command = Command::new("psql");
                command.args([url.as_str(), "-Atc", NEWEST]);
                command
            }
        };
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Changes what stands in the database, while no program has it open.
    pub fn change(&self, sql: &str) {
        match &self.place {
            Place::Folder(folder) => {
                let script = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()";
                let file = folder.path().join("vivarium.db");
                let mut command = Command::new("python3");
                assert!(command.args(["-c", script]).arg(file).arg(sql).status().unwrap().success());
            }
            Place::Url(url) => load(url, sql.as_bytes()),
        }
    }

    /// As `DATABASE_URL` names it.
    pub fn url(&self) -> String {
        match &self.place {
            Place::Folder(folder) => format!("sqlite://{}", folder.path().join("vivarium.db").display()),
            Place::Url(url) => url.clone(),
        }
    }

    /// The address at which people reached the earlier program.
    pub fn hub(&self) -> String {
        self.text("/hub")
    }

    pub fn token(&self, name: &str) -> String {
        self.text(&format!("/secrets/{name}"))
    }

    /// What ben's authenticator app has.
    pub fn second_factor(&self) -> String {
        self.text("/secrets/second_factor")
    }

    pub fn recovery_code(&self) -> String {
        self.text("/secrets/recovery_code")
    }

    pub fn agent(&self, name: &str) -> String {
        self.text(&format!("/agents/{name}"))
    }

    pub fn provider(&self) -> String {
        self.text("/provider")
    }

    fn text(&self, pointer: &str) -> String {
        self.about.pointer(pointer).and_then(Value::as_str).unwrap().to_owned()
    }
}

fn unpacked(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/upgrade");
    let mut bytes = Vec::new();
    GzDecoder::new(&*fs::read(folder.join(name)).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn load(url: &str, dump: &[u8]) {
    let mut command = Command::new("psql");
    command.args([url, "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null"]).stdin(Stdio::piped());
    let mut process = command.spawn().expect("psql comes with PostgreSQL");
    process.stdin.take().unwrap().write_all(dump).unwrap();
    assert!(process.wait().unwrap().success());
}
