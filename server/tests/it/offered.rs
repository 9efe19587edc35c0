//! Pages offer a person nothing that the hub refuses them.

use crate::live::agent;
use crate::world::{Caller, Endpoint, Program};
use serde_json::{Value, json};

#[tokio::test]
async fn a_guest_reads_who_can_in_place_of_each_form_that_is_refused_them() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let (root, ada) = (program.caller("root"), program.caller("ada"));
    let agent = agent(&ada, &endpoint).await;
    let browser = program.browser("ada", "test").await;
    // A control of the form, and whether words stand in its place.
    let forms = [
        ("/providers".to_owned(), "provider-name", true),
        ("/providers".to_owned(), "find-at", true),
        ("/web-search".to_owned(), "source-url", true),
        ("/peers".to_owned(), "peer-url", true),
        ("/external-jobs".to_owned(), "service-name", true),
        ("/skills".to_owned(), "skill-url", true),
        ("/mcp-servers".to_owned(), "server-url", true),
        ("/notifications/settings".to_owned(), "channel-address", true),
        (format!("/agents/{agent}/share"), "share-name", true),
        (format!("/agents/{agent}/edit"), "programs", false),
        (format!("/agents/{agent}/schedules"), "schedule-mail-server", false),
    ];
    for (path, control, _) in &forms {
        assert!(page(&browser, path).await.contains(&format!("id=\"{control}\"")), "{path}");
    }
    let people: Value = root.get("/api/people/list").await.json().await.unwrap();
    let mut people = people.as_array().unwrap().iter();
    let id = &people.find(|person| person["name"] == "ada").unwrap()["id"];
    root.call("/api/people/set_role", &json!({ "id": id, "role": "guest" })).await;
    for (path, control, has_words) in &forms {
        let page = page(&browser, path).await;
        assert!(!page.contains(&format!("id=\"{control}\"")), "{path}");
        assert_eq!(page.contains("Members and administrators can"), *has_words, "{path}");
    }
}

async fn page(caller: &Caller, path: &str) -> String {
    let answer = caller.get(path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}
