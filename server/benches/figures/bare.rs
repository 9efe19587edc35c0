//! The bare limits: what the framework alone can do, each about twenty lines, as a process of its own.

mod broadcast;
mod page;
mod proxy;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

pub async fn play(role: &str, arguments: &[String]) {
    match (role, arguments) {
        ("broadcast", []) => broadcast::serve().await,
        ("proxy", [upstream]) => proxy::serve(upstream).await,
        ("page", [folder, address]) => page::serve(folder, address).await,
        _ => panic!("{role} is no bare limit"),
    }
}

/// Serves on an address and prints which it became.
async fn serve(router: Router, address: &str) {
    let listener = TcpListener::bind(address).await.unwrap();
    println!("listening {}", listener.local_addr().unwrap());
    let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
    axum::serve(listener, router).await.unwrap();
}
