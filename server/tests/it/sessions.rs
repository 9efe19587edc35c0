//! S9: sessions rotate, are listed, and end: pages and sockets too.

use crate::world::Program;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn revoking_a_device_ends_its_pages_and_its_socket() {
    let program = Program::start();
    program.add_user("ada");
    let laptop = program.browser("ada", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Firefox/153.0").await;
    let phone =
        program.browser("ada", "Mozilla/5.0 (Linux; Android 14) Chrome/156.0 Mobile Safari/537.36").await;
    let mut socket = crate::live::connect(&phone, "phone-tab").await;

    let devices: Value = laptop.get("/api/account/devices").await.json().await.unwrap();
    let devices = devices.as_array().unwrap();
    assert_eq!(devices.len(), 2);
    let other = devices.iter().find(|device| device["current"] == json!(false)).unwrap();
    assert_eq!(other["name"], "Chrome on Android");
    laptop.call("/api/account/revoke_device", &json!({ "id": other["id"] })).await;

    let closed = tokio::time::timeout(Duration::from_secs(2), async {
        let mut told = false;
        while let Some(Ok(message)) = socket.next().await {
            told |= matches!(&message, Message::Text(text) if text.contains("signed_out"));
        }
        told
    });
    assert!(closed.await.expect("the socket closes within two seconds"));
    assert_eq!(phone.get("/api/account/devices").await.status(), 401);
    assert_eq!(laptop.get("/api/account/devices").await.status(), 200);
    socket.close(None).await.ok();
    let _ = socket.flush().await;
}

#[tokio::test]
async fn who_is_disabled_is_out_within_two_seconds() {
    let program = Program::start();
    let admin = program.caller("root");
    program.add_user("ada");
    let laptop = program.browser("ada", "test").await;
    let mut socket = crate::live::connect(&laptop, "tab").await;
    let people: Value = admin.get("/api/people/list").await.json().await.unwrap();
    let ada = people.as_array().unwrap().iter().find(|person| person["name"] == "ada").unwrap();
    let out = tokio::time::timeout(Duration::from_secs(2), async {
        admin.call("/api/people/disable", &json!({ "id": ada["id"] })).await;
        while let Some(Ok(_)) = socket.next().await {}
    });
    out.await.expect("the socket closes within two seconds");
    assert_eq!(laptop.get("/api/account/me").await.status(), 401);
}

#[tokio::test]
async fn each_sign_in_has_a_session_of_its_own() {
    let program = Program::start();
    program.add_user("ada");
    let first = program.browser("ada", "test").await;
    let second = program.browser("ada", "test").await;
    let cookie = |caller: &crate::world::Caller| match &caller.who {
        crate::world::Who::Cookie(cookie) => cookie.clone(),
        crate::world::Who::Nobody | crate::world::Who::Token(_) => panic!("a browser has a cookie"),
    };
    assert_ne!(cookie(&first), cookie(&second));
    first.call("/api/account/sign_out", &json!({})).await;
    assert_eq!(first.get("/api/account/me").await.status(), 401);
    assert_eq!(second.get("/api/account/me").await.status(), 200);
}
