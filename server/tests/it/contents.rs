//! What leads to the parts of a long page leads to parts that are there.

use crate::live::agent;
use crate::world::{Endpoint, Program};
use serde_json::{Value, json};

#[tokio::test]
async fn each_line_of_the_contents_of_a_page_leads_to_a_part_of_it() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let (root, ada) = (program.caller("root"), program.caller("ada"));
    let edit = format!("/agents/{}/edit", agent(&ada, &endpoint).await);
    let people: Value = root.get("/api/people/list").await.json().await.unwrap();
    let mut people = people.as_array().unwrap().iter();
    let id = &people.find(|person| person["name"] == "ada").unwrap()["id"];
    let (root, person) = (program.browser("root", "test").await, program.browser("ada", "test").await);
    for (caller, role, path, count) in [
        (&root, "member", "/admin", 9),
        (&root, "member", "/admin/status", 9),
        (&person, "member", "/account", 17),
        (&person, "member", edit.as_str(), 14),
        (&person, "guest", "/account", 15),
        (&person, "guest", edit.as_str(), 13),
    ] {
        root.call("/api/people/set_role", &json!({ "id": id, "role": role })).await;
        let answer = caller.get(path).await;
        assert_eq!(answer.status(), 200, "{path}");
        let page = answer.text().await.unwrap();
        let (_, contents) = page.split_once("contents-list").expect(path);
        let (contents, _) = contents.split_once("</ul>").unwrap();
        let parts: Vec<&str> =
            contents.split("href=\"#").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
        assert_eq!(parts.len(), count, "{path} of a {role}: {parts:?}");
        for part in parts {
            assert!(page.contains(&format!("id=\"{part}\"")), "{path} of a {role} has no {part}");
        }
    }
}
