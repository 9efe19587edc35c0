//! The first words in a tunnel. They say in the clear whom a sealed connection is for, which has to be the host for which
//! the tunnel was opened: behind one address there may be many.

use super::TO_SPEAK;
use crate::outbound::Target;
use rustls::server::Acceptor;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;
use url::Host;

/// Bytes of a greeting.
const LONGEST: usize = 64 * 1024;

/// What was read of a connection that is for the host of the address; otherwise why it goes no further.
pub(super) async fn heard(
    stream: &mut (impl AsyncRead + Unpin),
    target: &Target,
) -> Result<Vec<u8>, &'static str> {
    let hearing = timeout(TO_SPEAK, hear(stream)).await;
    let (bytes, name) = hearing.map_err(|_| "nothing was said in the tunnel")??;
    let is_meant = match (target.url().host(), name.as_deref()) {
        (Some(Host::Domain(host)), Some(name)) => {
            host.trim_end_matches('.').eq_ignore_ascii_case(name.trim_end_matches('.'))
        }
        // An address that is no name is not named.
        (Some(Host::Ipv4(_) | Host::Ipv6(_)), None) => true,
        _ => false,
    };
    if is_meant { Ok(bytes) } else { Err("the tunnel was used for another host than it was opened for") }
}

async fn hear(stream: &mut (impl AsyncRead + Unpin)) -> Result<(Vec<u8>, Option<String>), &'static str> {
    const NO_TLS: &str = "a tunnel is for TLS, and something else was said in it";
    let (mut acceptor, mut bytes) = (Acceptor::default(), Vec::new());
    loop {
        let mut part = vec![0; 4096];
        let read = stream.read(&mut part).await.map_err(|_| NO_TLS)?;
        let part = part.get(..read).filter(|part| !part.is_empty()).ok_or(NO_TLS)?;
        bytes.extend_from_slice(part);
        if bytes.len() > LONGEST {
            return Err(NO_TLS);
        }
        let mut unread = part;
        // It takes as much at a time as it has room for.
        while !unread.is_empty() {
            if acceptor.read_tls(&mut unread).map_err(|_| NO_TLS)? == 0 {
                return Err(NO_TLS);
            }
            if let Some(accepted) = acceptor.accept().map_err(|_| NO_TLS)? {
                let name = accepted.client_hello().server_name().map(str::to_owned);
                return Ok((bytes, name));
            }
        }
    }
}
