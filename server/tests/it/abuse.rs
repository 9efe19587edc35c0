//! S11: strangers get as much as one address may have, whatever they claim, and who is signed in does
//! not notice them.

use crate::assets::prefix;
use crate::live::{self, connect, hear, say};
use crate::world::{Caller, PASSWORD, Program, a_moment};
use futures_util::future::join_all;
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

const FEW: (&str, &str) = ("VIVARIUM_ADDRESS_REQUESTS", "1");
/// So that only requests are counted.
const CONNECTED: (&str, &str) = ("VIVARIUM_ADDRESS_CONNECTIONS", "0");

/// One connection, where a client would open another when the first is not free at once.
struct Line(BufReader<TcpStream>);

impl Line {
    fn open(address: &str) -> Self {
        Self(BufReader::new(TcpStream::connect(address).unwrap()))
    }

    /// Waits for its end: closed, or reset.
    fn ends(mut self) -> bool {
        matches!(self.0.read(&mut [0; 1]), Ok(0) | Err(_))
    }

    /// The head of the answer; the body is read to its end.
    fn ask(&mut self, path: &str, token: &str) -> String {
        let host = self.0.get_ref().peer_addr().unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.0.read_line(&mut head).unwrap(), 0, "{head}");
        }
        let lower = head.to_lowercase();
        let length = lower.split("content-length: ").nth(1).unwrap().lines().next().unwrap();
        self.0.read_exact(&mut vec![0; length.parse().unwrap()]).unwrap();
        head
    }
}

/// How many of these requests were let in.
async fn admitted(requests: impl Iterator<Item = RequestBuilder>) -> usize {
    let answers = join_all(requests.map(RequestBuilder::send)).await;
    answers.into_iter().filter(|answer| answer.as_ref().unwrap().status() != 429).count()
}

fn asked(caller: &Caller, address: &str) -> RequestBuilder {
    caller.request(Method::GET, "/healthz").header("x-forwarded-for", address)
}

#[tokio::test]
async fn a_flood_of_strangers_is_held_back_and_the_signed_in_do_not_notice() {
    let program = Program::start_with(&[FEW, CONNECTED]);
    let token = program.caller("ada");
    let browser = program.browser("ada", "test").await;
    let nobody = program.stranger();
    // A second of time brings one more; the burst is sixty.
    let flood = admitted((0..200).map(|number| asked(&nobody, &format!("203.0.113.{number}")))).await;
    assert!((55..=100).contains(&flood), "{flood} of 200");
    for caller in [&token, &browser] {
        let asked = (0..100).map(|_| caller.request(Method::GET, "/api/account/me"));
        assert_eq!(admitted(asked).await, 100);
    }

    // What a slow machine has let come back meanwhile is used up.
    let json = loop {
        let json = nobody.get("/api/account/welcome").await;
        if json.status() == 429 {
            break json;
        }
    };
    let wait: u64 = json.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let failure: Value = json.json().await.unwrap();
    assert_eq!(failure["kind"], "limit");
    let page = nobody.request(Method::GET, "/sign-in").header(ACCEPT, "text/html").send().await.unwrap();
    assert_eq!(page.status(), 429);
    assert!(page.headers()[CONTENT_TYPE].to_str().unwrap().starts_with("text/html"));
    let page = page.text().await.unwrap();
    assert!(page.contains("came from your address") && page.contains("Try again in"), "{page}");
    assert!(page.contains("http-equiv=\"refresh\""), "the page comes by itself: {page}");
    let form = nobody.request(Method::POST, "/api/account/sign_in").header(ACCEPT, "text/html");
    let sent = form.header("origin", &program.url).body("name=ada").send().await.unwrap();
    assert_eq!(sent.status(), 429);
    assert!(!sent.text().await.unwrap().contains("http-equiv"), "nothing is sent again by itself");
}

#[tokio::test]
async fn a_forwarding_header_counts_from_a_trusted_proxy_only() {
    let trusting = Program::start_with(&[FEW, ("VIVARIUM_TRUSTED_PROXIES", "127.0.0.1, ::1")]);
    let nobody = trusting.stranger();
    let from_many = (0..200).map(|number| asked(&nobody, &format!("203.0.113.{number}")));
    assert_eq!(admitted(from_many).await, 200);
    // What a client adds itself stands before what its proxy adds.
    let from_one = (0..200).map(|number| asked(&nobody, &format!("198.51.100.{number}, 192.0.2.7")));
    assert!(admitted(from_one).await <= 100);
}

#[tokio::test]
async fn each_person_and_each_token_has_its_own_allowance() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "1")]);
    let token = program.caller("ada");
    let browser = program.browser("ada", "test").await;
    let other = program.caller("eve");
    let ask = |caller: &Caller| caller.request(Method::GET, "/api/account/me");
    for caller in [&token, &browser, &other] {
        let admitted = admitted((0..60).map(|_| ask(caller))).await;
        assert!((18..=40).contains(&admitted), "{admitted} of 60");
    }
}

#[tokio::test]
async fn a_person_has_so_many_sockets_and_others_have_theirs() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_SOCKETS", "2")]);
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let first = connect(&ada, "one").await;
    let _second = connect(&ada, "two").await;
    let upgrade = || {
        ada.request(Method::GET, "/live")
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
    };
    let refused = upgrade().send().await.unwrap();
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key(RETRY_AFTER));
    let _hers = connect(&eve, "one").await;
    drop(first);
    while upgrade().send().await.unwrap().status() == 429 {
        a_moment().await;
    }
}

#[tokio::test]
async fn what_has_not_come_as_a_whole_has_so_much_room_in_all_sockets_of_a_person() {
    let program = Program::start();
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let part = vec![b' '; 7 * 1024 * 1024];
    let mut sockets = Vec::new();
    let mut kept = 0;
    for tab in 0..8 {
        let mut socket = connect(&ada, &format!("tab-{tab}")).await;
        let part = Frame::message(part.clone(), OpCode::Data(Data::Text), false);
        // Where there is no room it may be cut off while it speaks.
        let _ = socket.send(Message::Frame(part)).await;
        let _ = socket.send(Message::Ping("are you there".into())).await;
        while let Some(Ok(answer)) = socket.next().await {
            match answer {
                Message::Pong(_) => {
                    kept += 1;
                    break;
                }
                Message::Close(close) => assert_eq!(close.unwrap().code, CloseCode::Again),
                _ => {}
            }
        }
        sockets.push(socket);
    }
    assert_eq!(kept, 4, "28 of 32 MB are taken, and there is no room for seven more");
    let mut other = connect(&eve, "tab").await;
    say(&mut other, &json!({ "type": "ping" })).await;
    assert_eq!(hear(&mut other).await["type"], "pong");
}

#[tokio::test]
async fn a_socket_that_says_too_much_is_closed_and_told_to_come_later() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "1")]);
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let browser = program.browser("ada", "test").await;
    // A long frame is as many as it has bytes for.
    for (frame, most) in [(json!({ "type": "ping" }), 400), (json!({ "type": "x".repeat(1_000_000) }), 10)] {
        for caller in [&ada, &browser] {
            let mut socket = connect(caller, "one").await;
            for _ in 0..most {
                if socket.send(Message::text(frame.to_string())).await.is_err() {
                    break;
                }
            }
            let close = loop {
                match socket.next().await.unwrap() {
                    Ok(Message::Close(close)) => break close.unwrap(),
                    Ok(_) => {}
                    Err(error) => panic!("it was cut off: {error}"),
                }
            };
            assert_eq!(close.code, CloseCode::Again, "{close:?}");
        }
    }
    let mut hers = connect(&eve, "one").await;
    say(&mut hers, &json!({ "type": "ping" })).await;
    assert_eq!(hear(&mut hers).await["type"], "pong");
}

#[tokio::test]
async fn whoever_fills_an_address_keeps_nobody_out_and_who_is_signed_in_goes_on() {
    let program = Program::start_with(&[("VIVARIUM_ADDRESS_CONNECTIONS", "5")]);
    let address = program.url.strip_prefix("http://").unwrap().replace("localhost", "127.0.0.1");
    // Before the connection: one that says nothing for a while is given up.
    let token = program.token("ada");
    let mut signed_in = Line::open(&address);
    let is_served = |line: &mut Line| {
        let answer = line.ask("/api/account/me", &token);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    };
    is_served(&mut signed_in);
    let is_let_in = |stranger: &mut Line| stranger.ask("/healthz", "none").starts_with("HTTP/1.1 200");
    let mut strangers = Vec::new();
    for _ in 0..5 {
        // Heard before the next one comes: the hub may take those who come at once in any order.
        let mut stranger = Line::open(&address);
        assert!(is_let_in(&mut stranger));
        strangers.push(stranger);
    }
    // The address is full. Who comes is served, and whoever is there longest has to go.
    let mut anew = Line::open(&address);
    is_served(&mut anew);
    assert!(strangers.remove(0).ends());
    // Who is signed in takes no place, so there is one for the next.
    assert!(is_let_in(&mut strangers[0]));
    let mut silent: Vec<TcpStream> = (0..50).map(|_| TcpStream::connect(&address).unwrap()).collect();
    for _ in 0..20 {
        is_served(&mut signed_in);
        is_served(&mut anew);
    }
    assert!(strangers.into_iter().all(Line::ends));
    // Who says nothing, and who does not come to the end, is given up even when nobody wants the place.
    let _ = silent[49].write_all(b"GET / HTTP/1.1\r\nhost: ");
    let ended = silent.into_iter().map(|mut stream| {
        tokio::task::spawn_blocking(move || matches!(stream.read_to_end(&mut Vec::new()), Ok(_) | Err(_)))
    });
    assert!(join_all(ended).await.into_iter().all(|ended| ended.unwrap()));
    assert_eq!(program.stranger().get("/healthz").await.status(), 200);
}

#[tokio::test]
async fn who_reads_no_answer_makes_room_like_every_other_stranger() {
    let program = Program::start_with(&[("VIVARIUM_ADDRESS_CONNECTIONS", "5")]);
    let address = program.url.strip_prefix("http://").unwrap().replace("localhost", "127.0.0.1");
    let long = format!("{}/sandbox/worker.wasm", prefix(&program.stranger(), "/sign-in").await);
    let whole = MANY * answer_length(&address, &long);
    let deaf: Vec<TcpStream> = (0..5)
        .map(|_| {
            let stream = deaf(&address, &long);
            // The hub may take those who come at once in any order.
            stream.peek(&mut [0; 1]).unwrap();
            stream
        })
        .collect();
    let mut others = Vec::new();
    for _ in 0..5 {
        let mut stranger = Line::open(&address);
        assert!(stranger.ask("/healthz", "none").starts_with("HTTP/1.1 200"));
        others.push(stranger);
    }
    for stream in deaf {
        let taken = taken(stream);
        assert!(taken < whole, "{taken} of {whole} bytes");
    }
}

#[tokio::test]
async fn the_signed_in_have_room_though_strangers_take_every_descriptor() {
    let program = Program::start_under("ulimit -n 512; exec", &[CONNECTED]);
    let address = program.url.strip_prefix("http://").unwrap().replace("localhost", "127.0.0.1");
    let token = program.token("ada");
    let mut before = Line::open(&address);
    let is_served = |line: &mut Line| {
        let answer = line.ask("/api/account/me", &token);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    };
    is_served(&mut before);
    let long = format!("{}/sandbox/worker.wasm", prefix(&program.stranger(), "/sign-in").await);
    let _deaf: Vec<TcpStream> = (0..600).map(|_| deaf(&address, &long)).collect();
    for _ in 0..20 {
        is_served(&mut before);
        is_served(&mut Line::open(&address));
    }
}

#[tokio::test]
async fn who_comes_when_no_descriptor_is_left_is_turned_away_at_once() {
    let program = Program::start_under("ulimit -n 64; exec", &[]);
    let people: Vec<Caller> = (0..10).map(|number| program.caller(&format!("person{number}"))).collect();
    let mut sockets = Vec::new();
    let is_full = 'full: {
        for caller in people.iter().cycle().take(70) {
            match live::try_connect(caller).await {
                Ok(socket) => sockets.push(socket),
                Err(_) => break 'full true,
            }
        }
        false
    };
    assert!(is_full && !sockets.is_empty(), "{} sockets", sockets.len());
    drop(sockets);
    while live::try_connect(&people[0]).await.is_err() {
        a_moment().await;
    }
}

/// Requests of somebody who reads no answer.
const MANY: usize = 20;

/// Asks again and again and never reads.
fn deaf(address: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.repeat(MANY).as_bytes()).unwrap();
    stream
}

/// Bytes of one of its answers, without its head.
fn answer_length(address: &str, path: &str) -> usize {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer.len() - answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap()
}

/// Bytes that come before the end, a good one or not.
fn taken(mut stream: TcpStream) -> usize {
    let (mut taken, mut part) = (0, vec![0; 64 * 1024]);
    while let Ok(bytes @ 1..) = stream.read(&mut part) {
        taken += bytes;
    }
    taken
}

#[tokio::test]
async fn large_headers_are_refused() {
    let program = Program::start();
    let large = program.stranger().request(Method::GET, "/healthz").header("x-large", "x".repeat(200_000));
    // Refused, or hung up on while it was still sending.
    let answer = large.send().await;
    assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status() == 431));
    assert_eq!(program.stranger().get("/healthz").await.status(), 200);
}

#[tokio::test]
async fn a_body_of_many_small_values_is_refused_whoever_sends_it() {
    let program = Program::start();
    for caller in [program.stranger(), program.caller("ada")] {
        let body = json!({ "name": "ada", "password": vec![0; 100_000] });
        let refused = caller.post("/api/account/sign_in", &body).await;
        assert_eq!(refused.status(), 413);
    }
}

#[tokio::test]
async fn too_many_guesses_are_told_when_to_come_back() {
    let program = Program::start();
    program.add_user("ada");
    let browser = program.browser("ada", "test").await;
    let guess = json!({ "name": "ada", "password": "a wrong password" });
    for _ in 0..5 {
        assert_eq!(program.stranger().post("/api/account/sign_in", &guess).await.status(), 422);
    }
    let right = json!({ "name": "ada", "password": PASSWORD });
    let refused = program.stranger().post("/api/account/sign_in", &right).await;
    assert_eq!(refused.status(), 429);
    let wait: u64 = refused.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((25..=30).contains(&wait), "{wait}");
    assert_eq!(browser.get("/api/account/me").await.status(), 200);
}
