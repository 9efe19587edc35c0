//! Every page, route and function of the program, as its own lists have them: a new one is in every test that
//! goes over all of them.

use leptos::server_fn::axum::server_fn_paths;
use reqwest::Method;

const ROUTER: &str = include_str!("../../src/router.rs");

/// Paths of pages, with `{id}` or `:id` where they name something.
pub fn pages() -> Vec<String> {
    let _ = app::status_of;
    let pages: Vec<String> =
        leptos_axum::generate_route_list(app::App).iter().map(|page| page.path().to_owned()).collect();
    assert!(pages.len() > 20, "{pages:?}");
    pages
}

/// Paths of everything that is no page, with the method in lower case.
pub fn routes() -> Vec<(&'static str, &'static str)> {
    let found: Vec<_> = ROUTER
        .split(".route(\"")
        .skip(1)
        .filter_map(|rest| {
            let (path, rest) = rest.split_once("\", ")?;
            Some((rest.split_once('(')?.0, path))
        })
        .collect();
    assert!(found.len() > 15, "{found:?}");
    found
}

/// Every function that changes something, and every route that takes what is posted.
pub fn changing() -> Vec<(String, Method)> {
    let _ = app::status_of;
    let functions = server_fn_paths().filter(|(_, method)| *method == Method::POST);
    let routes = routes().into_iter().filter(|(method, _)| *method == "post");
    let functions = functions.map(|(path, _)| path.to_owned());
    functions.chain(routes.map(|(_, path)| path.to_owned())).map(|path| (path, Method::POST)).collect()
}

/// The path with this in place of each part that it leaves open.
pub fn filled(path: &str, with: &str) -> String {
    let fill = |part: &str| {
        let is_open = part.starts_with(':') || part.starts_with('{');
        if is_open { with.to_owned() } else { part.to_owned() }
    };
    path.split('/').map(fill).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn the_lists_are_those_of_the_program() {
    assert!(pages().iter().any(|page| page == "/account"));
    for route in [
        ("any", "/live"),
        ("post", "/archives"),
        ("post", "/attachments"),
        ("get", "/files/{folder}/{*path}"),
    ] {
        assert!(routes().contains(&route), "{route:?}");
    }
    assert_eq!(filled("/files/{folder}/{*path}", "x"), "/files/x/x");
    assert_eq!(filled("/agents/:id/edit", "x"), "/agents/x/edit");
}
