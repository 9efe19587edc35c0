//! A tunnel: what a program in the room and a server elsewhere seal between them.

use super::hello;
use super::traffic::{Counted, Traffic};
use crate::outbound::Target;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

/// One that was agreed to.
pub(super) struct Tunnel {
    pub(super) upgrade: OnUpgrade,
    pub(super) target: Target,
    pub(super) server: TcpStream,
}

/// Until either side has had enough.
pub(super) async fn carry(tunnel: Tunnel, traffic: &Arc<Traffic>) {
    let Tunnel { upgrade, target, server } = tunnel;
    let place = target.place();
    let Ok(program) = upgrade.await else { return };
    let mut program = TokioIo::new(program);
    let greeting = match hello::heard(&mut program, &target).await {
        Ok(greeting) => greeting,
        Err(why) => return traffic.note_refused(&place, why),
    };
    // What ends a connection is told to both sides by its end.
    if let Ok(mut server) = Counted::new(server, place, traffic)
        && server.write_all(&greeting).await.is_ok()
    {
        let _ = copy_bidirectional(&mut program, &mut server).await;
    }
}
