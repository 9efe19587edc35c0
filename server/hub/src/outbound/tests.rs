#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const HERE: Reach = Reach { private: false, loopback: true };

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let address = serve(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n",
    )
    .await;
    let answer = get(HERE, &format!("http://{address}/")).await.expect("an answer");
    assert_eq!(answer.status(), 307);
}

#[tokio::test]
async fn a_name_that_leads_here_is_refused_when_loopback_is_closed() {
    let address = serve("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let url = format!("http://localhost:{}/", address.port());
    let refused = get(Reach { private: true, loopback: false }, &url).await;
    assert!(matches!(refused, Err(OutboundError::NotAllowed { .. })), "{refused:?}");
    let answer = get(HERE, &url).await.expect("an answer");
    assert!(answer.is_success());
}

#[tokio::test]
async fn each_way_to_fail_has_its_sentence() {
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("its number");
    let plain = serve("HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let silent = serve("").await;
    let short = serve("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf").await;
    // No label of a name is that long, so this fails without asking anyone.
    let unknown = format!("{}.invalid", "x".repeat(64));
    let table = [
        (
            format!("http://{closed}/?key=canary"),
            format!("Nothing answers at http://{closed}. Is it running?"),
        ),
        (format!("https://{plain}/"), format!("No secure connection to https://{plain} can be made.")),
        (format!("http://{silent}/"), format!("http://{silent} closed the connection before")),
        (format!("http://{short}/"), format!("http://{short} closed the connection before")),
        (format!("http://{unknown}/"), format!("There is no server named in http://{unknown}.")),
    ];
    for (url, expected) in table {
        let error = match get(HERE, &url).await {
            Ok(mut answer) => loop {
                match answer.next().await {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("{url} answered in full"),
                    Err(error) => break error,
                }
            },
            Err(error) => error,
        };
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
    }
}

async fn get(reach: Reach, url: &str) -> Result<Answer, OutboundError> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Outbound::new(reach).send(Method::GET, &Target::parse(url)?, HeaderMap::new(), Vec::new()).await
}

/// A server that gives every connection the same bytes and closes it.
async fn serve(answer: &'static str) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its number");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    address
}
