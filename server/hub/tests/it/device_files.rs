//! Files on devices, where they are and what is copied there: asked of the device that shows the agent's page.

use crate::runs::driven::Browser;
use crate::runs::open;
use crate::runs::page::Page;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Viewer;
use protocol::agent::Ability;
use protocol::approval::Decision;
use protocol::device::DeviceMount;
use protocol::log::EntryBody;
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};

const TOOLS: [&str; 8] = ["read", "write", "edit", "glob", "grep", "files", "location", "clipboard"];

/// A page of the agent in a tab of this name.
async fn page(world: &World, viewer: &Viewer, agent: &AgentId, tab: &str) -> Browser {
    let mut browser = Browser::new(open(world, viewer, tab), Page::default());
    browser.show(agent).await;
    browser.tab.set_able(vec![Ability::Screen, Ability::Location], true);
    browser
}

/// Has the model make these calls while the devices answer and their person says yes to all that they are asked.
/// Gives the results and how many questions there were.
async fn with_devices(
    world: &World,
    viewer: &Viewer,
    agent: &AgentId,
    talk: &ConversationId,
    devices: &mut [&mut Browser],
    made: &[(&str, Value)],
) -> (Vec<(bool, String)>, usize) {
    let scoped = world.hub.for_viewer(viewer);
    let mut asked = 0;
    let results = {
        let asked = &mut asked;
        let (first, others) = devices.split_first_mut().unwrap();
        let rest = async {
            match others {
                [] => std::future::pending().await,
                [other] => loop {
                    other.step().await;
                },
                _ => panic!("two devices at most"),
            }
        };
        let answer = async {
            loop {
                let Some(entry) = first.step().await else { continue };
                if let EntryBody::ApprovalAsked { approval } = entry.body {
                    // A page that comes later hears of what was asked before.
                    let approvals = scoped.approvals();
                    let said = approvals.answer(&approval.id, &approval.hash, Decision::Once, "").await;
                    *asked += usize::from(said.is_ok());
                }
            }
        };
        tokio::select! {
            results = calls(&scoped, agent, talk, made) => results,
            () = answer => unreachable!(),
            () = rest => unreachable!(),
        }
    };
    (results, asked)
}

#[track_caller]
fn said(result: &(bool, String), is_error: bool, part: &str) {
    assert!(result.0 == is_error && result.1.contains(part), "{result:?} does not say {part:?}");
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("write", json!({ "path": path, "content": content }))
}

fn read(path: &str) -> (&'static str, Value) {
    ("read", json!({ "path": path }))
}

fn files(action: &str, path: &str, to: &str) -> (&'static str, Value) {
    let mut input = json!({ "action": action, "path": path });
    if !to.is_empty() {
        input["to"] = to.into();
    }
    ("files", input)
}

#[tokio::test]
async fn files_of_a_device_are_handled_like_others_and_a_person_s_own_are_asked_about() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&view).tools(TOOLS).replace(&scoped, &view.id).await;
        let talk = scoped.conversations().create(&view.id).await.unwrap().id;
        let id = &view.id;

        let results =
            calls(&scoped, id, &talk, &[read("/opfs/a"), ("files", json!({ "action": "list" }))]).await;
        said(&results[0], true, "No device shows your page");
        assert!(!results[1].1.contains("/opfs"), "{}", results[1].1);

        let mut laptop = page(&world, &viewer, id, "laptop").await;
        let notes = DeviceMount::Local("notes".to_owned());
        laptop.device.folders.insert("notes".to_owned());
        laptop.device.files.insert((notes.clone(), "plan.md".to_owned()), b"water the moss\n".to_vec());
        let edit = json!({ "path": "/local/notes/plan.md", "old_string": "moss", "new_string": "fern" });
        let (results, asked) = with_devices(
            &world,
            &viewer,
            id,
            &talk,
            &mut [&mut laptop],
            &[
                ("files", json!({ "action": "list" })),
                files("list", "/local", ""),
                write("/opfs/a/b.md", "one\n"),
                write("/local/notes/plan.md", "anything"),
                read("/local/notes/plan.md"),
                ("edit", edit.clone()),
                files("list", "/local/notes", ""),
                ("grep", json!({ "pattern": "fern|one", "path": "/local/notes", "output_mode": "content" })),
                ("glob", json!({ "pattern": "**", "path": "/opfs" })),
                files("copy", "/local/notes/plan.md", "/agent/plan.md"),
                files("move", "/agent/plan.md", "/opfs/plan.md"),
                files("copy", "/opfs/plan.md", "/opfs/a/b.md"),
                files("delete", "/opfs/plan.md", ""),
                files("versions", "/opfs/a/b.md", ""),
                read("/local/other/plan.md"),
                write("/local/notes", "a"),
            ],
        )
        .await;
        for (nth, part) in [(0, "/opfs"), (1, "/local/notes"), (2, "\"created\":true")] {
            said(&results[nth], false, part);
        }
        said(&results[3], true, "has not been read");
        said(&results[4], false, "water the moss");
        said(&results[4], false, "\"by\"");
        said(&results[5], false, "+water the fern");
        said(&results[6], false, "plan.md");
        said(&results[7], false, "/local/notes/plan.md:1:water the fern");
        assert!(!results[7].1.contains("one"), "{}", results[7].1);
        said(&results[8], false, "/opfs/a/b.md");
        for nth in [9, 10] {
            said(&results[nth], false, "\"ok\":true");
        }
        said(&results[11], true, "already");
        assert!(!results[12].1.contains("bin"), "{}", results[12].1);
        said(&results[13], true, "nothing keeps versions");
        said(&results[14], true, "No device that shows your page has the folder");
        said(&results[15], true, "is a folder");
        assert_eq!(asked, 3, "whatever would change the person's own folder");
        assert_eq!(laptop.device.files[&(notes.clone(), "plan.md".to_owned())], b"water the fern\n");
        assert!(scoped.files().read(id, "plan.md").await.is_err(), "it was moved");

        // Somebody else changes it on the device.
        laptop.device.files.insert((notes.clone(), "plan.md".to_owned()), b"water the moss again\n".to_vec());
        let again = [("edit", edit)];
        let (results, _) = with_devices(&world, &viewer, id, &talk, &mut [&mut laptop], &again).await;
        said(&results[0], true, "has changed since you read it");

        // A folder is found on whichever device has it.
        let mut phone = page(&world, &viewer, id, "phone").await;
        let on_both = [read("/local/notes/plan.md")];
        let (results, _) =
            with_devices(&world, &viewer, id, &talk, &mut [&mut phone, &mut laptop], &on_both).await;
        said(&results[0], false, "moss again");
    })
    .await;
}

#[tokio::test]
async fn a_place_and_a_clipboard_are_told_once_the_person_says_so() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&view).tools(TOOLS).replace(&scoped, &view.id).await;
        let talk = scoped.conversations().create(&view.id).await.unwrap().id;
        let id = &view.id;
        let mut laptop = page(&world, &viewer, id, "laptop").await;
        laptop.device.clipboard = "copied".to_owned();
        let made = [
            ("get_location", json!({})),
            ("clipboard_read", json!({})),
            ("clipboard_write", json!({ "text": "moss" })),
            ("clipboard_write", json!({})),
        ];
        let (results, asked) = with_devices(&world, &viewer, id, &talk, &mut [&mut laptop], &made).await;
        said(&results[0], false, "\"latitude\":52.52");
        said(&results[1], false, "\"text\":\"copied\"");
        said(&results[2], false, "\"ok\":true");
        said(&results[3], true, "write needs a text");
        assert_eq!((asked, laptop.device.clipboard.as_str()), (4, "moss"));

        scoped.permissions().set(id, protocol::Permission::Location, None, false).await.unwrap();
        let before = laptop.device.asked;
        let (results, _) =
            with_devices(&world, &viewer, id, &talk, &mut [&mut laptop], &[("location", json!({}))]).await;
        said(&results[0], true, "has decided");
        assert_eq!(laptop.device.asked, before);
    })
    .await;
}
