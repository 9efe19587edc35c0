//! How the hub comes to the socket on which a room's proxy listens. The room's network is its own, so the socket is made
//! within, by the program's last step before the command, and goes to the hub over what is the errors' until then.

use super::{HOST, PORT};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::TcpListener as Listener;
use std::os::fd::{AsFd, OwnedFd};
use tokio::io::Interest;
use tokio::net::{TcpListener, UnixStream};

/// Listens within the room, and hands that over.
pub(in crate::terminal) fn listen_within(hub: impl AsFd) -> io::Result<()> {
    let listener = Listener::bind((HOST, PORT))?;
    let sockets = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&sockets));
    // An ancillary message goes with at least one byte.
    sendmsg(hub, &[IoSlice::new(&[0])], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// The socket on which the room listens. None: something went wrong there, which `complaint` tells of.
pub(in crate::terminal) async fn received(room: &UnixStream, complaint: &mut Vec<u8>) -> Option<TcpListener> {
    let mut bytes = [0; 256];
    let receive = || {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::CMSG_CLOEXEC;
        let got = recvmsg(room, &mut [IoSliceMut::new(&mut bytes)], &mut ancillary, flags)?;
        let mut sockets = ancillary.drain().flat_map(|message| match message {
            RecvAncillaryMessage::ScmRights(sockets) => sockets.collect::<Vec<OwnedFd>>(),
            _ => Vec::new(),
        });
        Ok((got.bytes, sockets.next()))
    };
    match room.async_io(Interest::READABLE, receive).await.ok()? {
        (_, Some(socket)) => {
            let listener = Listener::from(socket);
            listener.set_nonblocking(true).ok()?;
            TcpListener::from_std(listener).ok()
        }
        (read, None) => {
            complaint.extend_from_slice(bytes.get(..read).unwrap_or_default());
            None
        }
    }
}
