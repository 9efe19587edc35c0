//! Sends what any socket says to all sockets.

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::any;
use tokio::sync::broadcast::{Sender, channel};

pub async fn serve() {
    let router = Router::new().route("/live", any(upgrade)).with_state(channel(2048).0);
    super::serve(router, "127.0.0.1:0").await;
}

async fn upgrade(State(all): State<Sender<Message>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(|socket| attend(socket, all))
}

async fn attend(mut socket: WebSocket, all: Sender<Message>) {
    let mut feed = all.subscribe();
    loop {
        tokio::select! {
            Ok(message) = feed.recv() => if socket.send(message).await.is_err() { return },
            said = socket.recv() => match said {
                Some(Ok(message @ Message::Text(_))) => drop(all.send(message)),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            }
        }
    }
}
