//! What is wrong with code and data in an agent's files, as its tool tells it.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use serde_json::{Value, json};

#[tokio::test]
async fn faults_are_listed_with_their_places_and_what_was_not_checked_is_named() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["diagnostics"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        for (path, text) in [
            ("p/good.py", "print('moss')\n"),
            ("p/it's bad $(x).py", "def moss(:\n    pass\n"),
            ("p/good.sh", "echo moss\n"),
            ("p/bad.sh", "if true; then\n"),
            ("p/bad.js", "import a from 'b';\nexport const x = ;\n"),
            ("p/bad.c", "int main(void) { return moss; }\n"),
            ("p/data/bad.json", "{\"a\": 1,\n \"b\" 2}"),
            ("p/data/good.yaml", "a: 1\n---\nb: 2\n"),
            ("p/data/bad.toml", "a = 1\nb = = 2\n"),
            ("p/node_modules/bad.json", "{"),
            ("p/main.rs", "fn main() {}\n"),
            ("notes.md", "# Moss\n"),
        ] {
            scoped.files().write(&agent.id, path, text.as_bytes()).await.unwrap();
        }
        let check = |path: &str| ("diagnostics", json!({ "path": path }));
        let asked = [check("p"), check("p/good.py"), check("notes.md"), check("none"), check("/opfs/a.py")];
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        let told: Vec<Value> =
            results[..3].iter().map(|(_, told)| serde_json::from_str(told).unwrap()).collect();
        let lines: Vec<&str> =
            told[0]["diagnostics"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        for begins in [
            "/agent/p/bad.c:1:25: error: ",
            "/agent/p/bad.js:2:18: error: Unexpected token",
            "/agent/p/bad.sh:",
            "/agent/p/data/bad.json:2:6: error: expected `:`",
            "/agent/p/data/bad.toml:2:5: error: ",
            "/agent/p/it's bad $(x).py:1:10: error: ",
        ] {
            assert!(lines.iter().any(|line| line.starts_with(begins)), "{begins}: {}", told[0]);
        }
        assert!(
            lines.iter().all(|line| !line.contains("good") && !line.contains("node_modules")),
            "{lines:?}"
        );
        assert!(
            told[0]["checked_by"]["python"].as_array().unwrap().contains(&json!("python3")),
            "{}",
            told[0]
        );
        let rust = told[0]["not_checked"]["rust"].as_str();
        assert!(rust.is_some_and(|why| why.contains("with the terminal")), "{}", told[0]);
        assert_eq!((&told[1]["files"], &told[1]["found"]), (&json!(1), &json!(0)));
        assert_eq!(told[2], json!({ "files": 0, "found": 0, "diagnostics": [] }));
        assert!(results[3].0 && results[3].1.contains("There is no file /agent/none"), "{:?}", results[3]);
        assert!(results[4].0 && results[4].1.contains("Copy it to /agent first"), "{:?}", results[4]);
    })
    .await;
}
