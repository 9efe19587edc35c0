#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::*;
use crate::network::has_usual_port;
use crate::outbound::Reach;
use agent::model_endpoints::Api;
use protocol::model::ModelMessage;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::LazyLock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A client that may connect to this machine, and one that may not: the one that programs have.
const HERE: Reach = Reach { private: false, loopback: true };
const WEB: Reach = Reach { private: false, loopback: false };

const ANYWHERE: Permits = |_| true;

static ROOM: AtomicUsize = AtomicUsize::new(ALTOGETHER);

fn turn(queue: &FairQueue<UserId>) -> FetchQueue<'_> {
    static ADA: LazyLock<UserId> = LazyLock::new(|| UserId::from("ada"));
    FetchQueue { person: &ADA, queue }
}

const PNG: &str = "HTTP/1.1 200 OK\r\ncontent-type: image/png; x=y\r\n\r\nPNG";

#[tokio::test]
async fn a_file_is_fetched_from_its_address_whichever_api_names_it() {
    let address = serve(PNG.to_owned()).await;
    let url = format!("http://{address}/a/look.png?at=1#part");
    for (api, body) in naming(&url) {
        let asked = read(
            &client(HERE),
            ANYWHERE,
            turn(&Fetching::default().0),
            api.ask(body.to_string().as_bytes()).unwrap(),
        )
        .await
        .unwrap();
        let messages: Vec<&ModelMessage> = asked.request.messages.iter().collect();
        let [ModelMessage::User { media, .. }] = messages.as_slice() else { panic!("{messages:?}") };
        let [file] = media.as_slice() else { panic!("{media:?}") };
        assert_eq!((file.mime.as_str(), file.data.as_str()), ("image/png", "UE5H"), "{api:?}");
        assert_eq!(file.name.as_deref(), Some("look.png"));
    }
}

#[tokio::test]
async fn what_is_not_public_is_not_fetched() {
    let address = serve(PNG.to_owned()).await;
    for url in [
        format!("http://{address}/a.png"),
        "http://localhost/a.png".to_owned(),
        "http://169.254.169.254/latest".to_owned(),
        "http://[::1]/a.png".to_owned(),
        "http://2130706433/a.png".to_owned(),
        "http://10.0.0.1/a.png".to_owned(),
    ] {
        let said = refused(WEB, &url).await;
        assert!(
            said.ends_with("is not a public address: send the file itself as a data: address."),
            "{said}"
        );
    }
    let unusual =
        fetch(&client(WEB), has_usual_port, "http://example.org:22/a.png", &ROOM).await.unwrap_err();
    assert!(unusual.message.starts_with("http://example.org:22 has an unusual port"), "{}", unusual.message);
    let said = refused(WEB, "http://user:pw@example.org/a.png").await;
    assert!(said.contains("leave out the user name"), "{said}");
}

#[tokio::test]
async fn what_is_no_file_for_models_is_refused_in_words() {
    let answer = |head: &str, body: &str| format!("HTTP/1.1 {head}\r\n\r\n{body}");
    for (answer, expected) in [
        (answer("404 Not Found", ""), "answered with the status 404 and no file."),
        (answer("200 OK\r\ncontent-type: text/html", "<p>"), "has the type text/html"),
        (answer("200 OK", "x"), "has no type"),
        (answer("200 OK\r\ncontent-type: image/svg+xml", "<svg/>"), "has the type image/svg+xml"),
        (
            answer("200 OK\r\ncontent-type: image/png", &"x".repeat(MAX_FILE_BYTES + 1)),
            "is larger than 10 MB.",
        ),
        (answer("302 Found\r\nlocation: /again", ""), "leads on more than 3 times."),
        (
            answer("302 Found\r\nlocation: http://10.0.0.1/a.png", ""),
            "http://10.0.0.1 is not a public address",
        ),
        (answer("302 Found\r\nlocation: file:///etc/passwd", ""), "A file could not be fetched."),
    ] {
        let said = refused(HERE, &format!("http://{}/", serve(answer).await)).await;
        assert!(said.contains(expected), "{said}");
    }
}

#[tokio::test]
async fn a_redirect_is_followed() {
    let there = serve(PNG.to_owned()).await;
    let here = serve(format!("HTTP/1.1 301 Moved\r\nlocation: http://{there}/b.png\r\n\r\n")).await;
    let file = fetch(&client(HERE), ANYWHERE, &format!("http://{here}/a"), &ROOM).await.unwrap();
    assert_eq!((file.data.as_str(), file.name.as_deref()), ("UE5H", Some("b.png")));
}

#[tokio::test]
async fn files_are_not_larger_altogether_than_a_body() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n".to_owned();
    let address = serve(head + &"x".repeat(9 * MB)).await;
    for (count, is_good) in [(3, true), (4, false)] {
        let parts: Vec<Value> = (0..count)
            .map(
                |at| json!({ "type": "image_url", "image_url": { "url": format!("http://{address}/{at}") } }),
            )
            .collect();
        let body = json!({ "model": "m", "messages": [{ "role": "user", "content": parts }] });
        let read = read(
            &client(HERE),
            ANYWHERE,
            turn(&Fetching::default().0),
            Api::Chat.ask(body.to_string().as_bytes()).unwrap(),
        )
        .await;
        let said = read.map(|_| ()).map_err(|trouble| trouble.message);
        let expected = Err("The files are larger than 32 MB altogether.".to_owned());
        assert_eq!(said, if is_good { Ok(()) } else { expected });
    }
}

#[tokio::test]
async fn a_request_names_a_few_files_only() {
    let parts: Vec<Value> = (0..=MAX_FILES_PER_REQUEST)
        .map(|at| json!({ "type": "image_url", "image_url": { "url": format!("https://example.org/{at}") } }))
        .collect();
    let body = json!({ "model": "m", "messages": [{ "role": "user", "content": parts }] });
    let asking = Api::Chat.ask(body.to_string().as_bytes()).unwrap();
    let trouble = read(&client(WEB), ANYWHERE, turn(&Fetching::default().0), asking).await.unwrap_err();
    assert_eq!(trouble.message, "A request names at most 20 files by their addresses.");
}

/// A request with this file, in the words of each API.
fn naming(url: &str) -> [(Api, Value); 3] {
    let user = |part: Value| json!([{ "role": "user", "content": [part] }]);
    let chat = user(json!({ "type": "image_url", "image_url": { "url": url, "detail": "low" } }));
    let response = user(json!({ "type": "input_image", "image_url": url }));
    let message = user(json!({ "type": "image", "source": { "type": "url", "url": url } }));
    [
        (Api::Chat, json!({ "model": "m", "messages": chat })),
        (Api::Responses, json!({ "model": "m", "input": response })),
        (Api::Messages, json!({ "model": "m", "max_tokens": 1, "messages": message })),
    ]
}

async fn refused(reach: Reach, url: &str) -> String {
    let [(api, body), ..] = naming(url);
    let asking = api.ask(body.to_string().as_bytes()).unwrap();
    read(&client(reach), ANYWHERE, turn(&Fetching::default().0), asking).await.unwrap_err().message
}

fn client(reach: Reach) -> Outbound {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Outbound::new(reach)
}

/// A server that gives every connection this answer, and closes it.
async fn serve(answer: String) -> SocketAddr {
    let listening = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listening.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listening.accept().await {
            let mut head = [0; 4096];
            let _ = stream.read(&mut head).await;
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    address
}
