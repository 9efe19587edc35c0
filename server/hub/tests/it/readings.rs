//! What the engine reads and reckons for tools, as a model that calls them gets it.

use crate::approvals::add_rule;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, Sink, World, on_sqlite_with_a_web};
use protocol::ConversationId;
use protocol::view::Network;
use serde_json::{Value, json};

#[tokio::test]
async fn a_page_is_read_as_what_it_says_and_one_that_ends_its_reader_as_it_is() {
    let endpoint = Endpoint::start();
    let words = "Moss grows where it is damp, and where nobody walks on it for a while. ".repeat(20);
    let article = format!(
        "<html><head><title>On moss</title></head><body><nav><a href='/'>Home</a></nav>\
         <article><h2>Where</h2><p>{words}</p></article><script>steal()</script></body></html>"
    );
    let hostile = format!("<p>deep</p>{}", "<b><i>".repeat(100_000));
    on_sqlite_with_a_web(async |world: World| {
        let (page, deep) = (Sink::page(&article), Sink::page(&hostile));
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["calc"]).replace(&scoped, &agent.id).await;
        let network = Network::AllowList { hosts: vec![page.host(), deep.host()] };
        scoped.networks().set(&agent.id, network).await.unwrap();
        for host in [page.host(), deep.host()] {
            add_rule(&world.hub, &viewer, "allow", "fetch", &host).await;
        }
        let conversation: ConversationId = scoped.conversations().create(&agent.id).await.unwrap().id;
        let results = calls(
            &scoped,
            &agent.id,
            &conversation,
            &[
                ("read_page", json!({ "url": page.url("/") })),
                ("fetch", json!({ "url": page.url("/"), "format": "source" })),
                ("fetch", json!({ "url": deep.url("/") })),
                ("extract_links", json!({ "url": page.url("/") })),
                ("page_metadata", json!({ "url": page.url("/") })),
                ("calc", json!({ "expression": "0.1 + 0.2" })),
                ("calc", json!({ "expression": "(x: x x) (x: x x)" })),
                ("calc", json!({ "expression": "9^9^9^9" })),
            ],
        )
        .await;
        let told = |at: usize| -> Value { serde_json::from_str(&results[at].1).unwrap() };
        let (read, source, deep) = (told(0), told(1), told(2));
        let text = read["text"].as_str().unwrap();
        assert_eq!(read["title"], "On moss");
        assert!(text.starts_with("## Where") && text.contains("damp"), "{text}");
        assert!(!text.contains("Home") && !text.contains("steal"), "{text}");
        assert!(source["text"].as_str().unwrap().contains("<nav>"), "{source}");
        assert!(deep["text"].as_str().unwrap().contains("deep"), "{}", deep["status"]);
        assert_eq!(told(3)["links"], json!([{ "url": page.url("/"), "text": "Home" }]));
        assert_eq!(told(4)["metadata"], json!({ "title": "On moss" }));
        assert_eq!(told(5)["result"], "0.3");
        for endless in &results[6..] {
            assert!(endless.0 && endless.1.contains("reckoned"), "{endless:?}");
        }
    })
    .await;
}
