//! Names in the code of an agent's files, as its tool finds them.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use serde_json::{Value, json};

#[tokio::test]
async fn names_in_code_are_found_where_they_are_defined_and_used_and_not_where_they_are_talked_of() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["symbols"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        for (path, text) in [
            ("p/moss.rs", "struct Moss;\nimpl Moss {\n    fn water(&self) {\n        // water\n    }\n}\n"),
            ("p/use.rs", "fn main() {\n    Moss.water(\"water\");\n}\n"),
            ("p/fern.py", "class Fern:\n    def water(self):\n        pass\n"),
            ("p/node_modules/a.js", "function water() {}\n"),
            ("p/water.md", "water\n"),
        ] {
            scoped.files().write(&agent.id, path, text.as_bytes()).await.unwrap();
        }
        let of =
            |action: &str, name: &str| ("symbols", json!({ "action": action, "path": "p", "name": name }));
        let asked = [
            ("symbols", json!({ "action": "outline", "path": "p/moss.rs" })),
            of("definitions", "water"),
            of("definitions", "Moss::water"),
            of("references", "water"),
            (
                "symbols",
                json!({ "action": "references", "path": "p", "name": "water", "limit": 1, "offset": 1 }),
            ),
            ("symbols", json!({ "action": "definitions", "path": "p" })),
            ("symbols", json!({ "action": "outline", "path": "p/water.md" })),
            ("symbols", json!({ "action": "outline", "path": "none" })),
        ];
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        let told: Vec<Value> =
            results[..5].iter().map(|(_, told)| serde_json::from_str(told).unwrap()).collect();
        let python = "/agent/p/fern.py:2-3: method Fern.water: def water(self):";
        let rust = "/agent/p/moss.rs:3-5: function Moss.water: fn water(&self) {";
        let outline = [
            "/agent/p/moss.rs:1-1: struct Moss: struct Moss;",
            "/agent/p/moss.rs:2-6: impl Moss: impl Moss {",
            rust,
        ];
        assert_eq!(told[0], json!({ "files": 1, "places": outline }));
        assert_eq!(told[1], json!({ "files": 3, "places": [python, rust] }));
        assert_eq!(told[2], json!({ "files": 3, "places": [rust] }));
        let used = "/agent/p/use.rs:2:10: Moss.water(\"water\");";
        assert_eq!(told[3], json!({ "files": 3, "places": [python, rust, used] }));
        assert_eq!(told[4]["places"], json!([rust]));
        assert!(told[4]["more"].as_str().unwrap().contains("offset 2"), "{}", told[4]);
        for (result, why) in results[5..].iter().zip([
            "needs `name`",
            "in no language whose names",
            "There is nothing at /agent/none",
        ]) {
            assert!(result.0 && result.1.contains(why), "{result:?}");
        }
    })
    .await;
}
