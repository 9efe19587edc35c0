//! What a command does to the marks of a file: its time, and the rights of whoever runs it.

use super::super::Scene;
use crate::world::{World, on_sqlite};
use serde_json::json;
use std::env::temp_dir;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[tokio::test]
async fn a_change_of_a_file_is_seen_whatever_time_the_file_says() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        scoped.files().write(&scene.agent.id, "f", b"aaaa").await.unwrap();
        let forged =
            "touch -r f /tmp/time; printf bbbb > f; touch -r /tmp/time f; [ f -nt /tmp/time ] || echo same";
        let [told] = scene.run(&scoped, [forged]).await;
        assert_eq!(told["output"], "same\n", "{told}");
        assert_eq!(told["changed"], json!([{ "path": "/agent/f", "version": 2 }]));
        assert_eq!(scoped.files().read(&scene.agent.id, "f").await.unwrap(), b"bbbb");
    })
    .await;
}

#[tokio::test]
async fn a_program_that_gives_its_owner_s_rights_is_out_of_reach_and_keeps_none() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let name = format!("rights-{}", std::process::id());
        let command = format!("cp /usr/bin/id {name}; chmod 6755 {name}; stat -c %a {name}; sleep 600");
        let job = scene.begin_job(&scoped, &command).await;
        let look = json!({ "action": "output", "job": job, "wait_s": 60 });
        assert_eq!(scene.told(&scoped, look).await["output"], "6755\n");
        let rooms = fs::read_dir(temp_dir()).unwrap().flatten().map(|entry| entry.path());
        let rooms = rooms.filter(|path| path.to_string_lossy().contains("vivarium-rooms"));
        let found: Vec<PathBuf> = rooms.filter_map(|rooms| below(&rooms, &name)).collect();
        assert!(!found.is_empty(), "it is nowhere in {}", temp_dir().display());
        for path in found {
            let mut around = path.ancestors().skip(1).take_while(|folder| *folder != temp_dir());
            assert!(around.any(is_closed), "others of the machine reach {}", path.display());
        }
        scene.told(&scoped, json!({ "action": "stop", "job": job })).await;
        let [later] = scene.run(&scoped, ["find /agent /tmp -perm /6000 | wc -l"]).await;
        assert_eq!(later["output"], "0\n", "{later}");
    })
    .await;
}

/// Whether nobody but its owner gets into it.
fn is_closed(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|about| about.mode() & 0o077 == 0)
}

/// Rooms of other tests come and go meanwhile.
fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy() == name {
                return Some(entry.path());
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
    None
}
