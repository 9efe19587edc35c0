//! A data folder as it is when a hub was opened in it once and nobody has come yet. Each program that is started
//! anew begins with a copy: bringing an empty database up to date is most of a start.

use hub::store::Store;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::LazyLock;
use std::thread;
use tempfile::TempDir;

const DATABASE: &str = "vivarium.db";

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    // Whoever asks may be in a runtime, where nothing may wait.
    thread::spawn(make).join().expect("a fresh store opens")
});

pub fn fresh_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut file = OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(folder.path().join(DATABASE))
        .unwrap();
    file.write_all(&FILE).unwrap();
    folder
}

fn make() -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        Store::open_folder(folder.path()).await.expect("a fresh store opens").close().await
    });
    // What was written last goes into the file itself when the last connection is closed.
    fs::read(folder.path().join(DATABASE)).unwrap()
}
