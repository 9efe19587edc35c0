//! P17: the bytes that a browser is sent before a page is ready, over the wire from the released program:
//! as they are, for a browser that takes gzip, and for one that takes brotli.

use crate::caller::Caller;
use crate::program::Program;
use std::collections::BTreeSet;

const ENCODINGS: [&str; 3] = ["identity", "gzip", "br"];

pub async fn measure() {
    let program = Program::start();
    let signed_in = Caller::new(&program.url, &program.token("ada"));
    let stranger = Caller::new(&program.url, "");
    let agent = signed_in.agent("Ada", "http://127.0.0.1:9").await;
    println!(
        "\n### P17 bytes to a ready page\n\n| page | part | raw | gzip | brotli |\n|---|---|---|---|---|"
    );
    let sign_in = print(&stranger, "/sign-in").await;
    assert!(!sign_in.iter().any(|path| path.ends_with(".wasm")), "{sign_in:?}");
    print(&signed_in, "/").await;
    print(&signed_in, &format!("/agents/{agent}")).await;
    let html = stranger.get("/sign-in", "identity").await.text().await.unwrap();
    let prefix = html.split("data-assets=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let css = stranger.get(&format!("{prefix}/pkg/vivarium.css"), "identity").await.text().await.unwrap();
    for font in quoted(&css, "\"../fonts/", '"').union(&quoted(&css, "(../fonts/", ')')) {
        let path = font.replace("../", &format!("{prefix}/"));
        row("where it is used", font, sizes(&stranger, &path).await);
    }
    row("any agent", "skin frame", sizes(&stranger, "/sandbox/skin").await);
    let mut home = sizes(&stranger, "/sandbox/loop").await;
    for path in ["sandbox/worker.js", "sandbox/worker.wasm"] {
        add(&mut home, sizes(&stranger, &format!("{prefix}/{path}")).await);
    }
    row("agent at home in the browser", "loop frame and worker", home);
}

/// The rows of a page, and the paths of what it loads.
async fn print(caller: &Caller, page: &str) -> BTreeSet<String> {
    let html = caller.get(page, "identity").await.text().await.unwrap();
    let paths = quoted(&html, "\"/b/", '"')
        .into_iter()
        .map(|path| path.split('#').next().unwrap_or_default().to_owned());
    let paths: BTreeSet<String> =
        paths.filter(|path| path.rsplit('/').next().is_some_and(|name| name.contains('.'))).collect();
    let mut sum = sizes(caller, page).await;
    let name = if page.starts_with("/agents/") { "/agents/{id}" } else { page };
    row(name, "HTML", sum);
    for path in &paths {
        let part = sizes(caller, path).await;
        row(name, path, part);
        add(&mut sum, part);
    }
    row(name, "**all**", sum);
    paths
}

/// The paths that begin behind a delimiter of `opening` and end before `closing`.
fn quoted(text: &str, opening: &str, closing: char) -> BTreeSet<String> {
    let rest = text.split(opening).skip(1).filter_map(|rest| rest.split(closing).next());
    rest.map(|rest| format!("{}{rest}", &opening[1..])).collect()
}

async fn sizes(caller: &Caller, path: &str) -> [usize; 3] {
    let mut sizes = [0; 3];
    for (size, encoding) in sizes.iter_mut().zip(ENCODINGS) {
        *size = caller.get(path, encoding).await.bytes().await.unwrap().len();
    }
    sizes
}

fn add(sum: &mut [usize; 3], part: [usize; 3]) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += part;
    }
}

fn row(page: &str, part: &str, [raw, gzip, brotli]: [usize; 3]) {
    println!("| {page} | {part} | {raw} | {gzip} | {brotli} |");
}
