//! A connection by itself, for what is no request of the web. The same rules hold: it goes to an address that was
//! checked, and to no other.

use super::trust::trusted;
use super::{CONNECT_TIMEOUT, Outbound, OutboundError, Reach};
use rustls::pki_types::ServerName;
use std::net::{IpAddr, SocketAddr};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// Both ways of one connection.
pub(crate) trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

impl Outbound {
    /// Connects to a name or an IP address. Not sealed.
    pub(crate) async fn dial(&self, host: &str, port: u16) -> Result<TcpStream, OutboundError> {
        let place = || format!("{host}:{port}");
        let connecting = async {
            let addresses = addresses(host, port, self.reach).await?;
            TcpStream::connect(&addresses[..]).await.map_err(|_| OutboundError::NoAnswer { place: place() })
        };
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
        connected.map_err(|_| OutboundError::Timeout { place: place() })?
    }
}

/// Seals a connection, if the server shows that it is the one of this name.
pub(crate) async fn seal(
    host: &str,
    port: u16,
    connection: Box<dyn Connection>,
) -> Result<Box<dyn Connection>, OutboundError> {
    let insecure = || OutboundError::Insecure { place: format!("{host}:{port}") };
    let name = ServerName::try_from(bare(host).to_owned()).map_err(|_| insecure())?;
    let config = trusted().ok_or_else(insecure)?;
    let sealing = TlsConnector::from(config).connect(name, connection);
    let sealed = tokio::time::timeout(CONNECT_TIMEOUT, sealing).await;
    let sealed = sealed
        .map_err(|_| OutboundError::Timeout { place: format!("{host}:{port}") })?
        .map_err(|_| insecure())?;
    Ok(Box::new(sealed))
}

/// Those that may be connected to.
async fn addresses(host: &str, port: u16, reach: Reach) -> Result<Vec<SocketAddr>, OutboundError> {
    let place = || format!("{host}:{port}");
    let found: Vec<SocketAddr> = match bare(host).parse::<IpAddr>() {
        Ok(ip) => vec![SocketAddr::new(ip, port)],
        Err(_) => tokio::net::lookup_host((host, port))
            .await
            .map_err(|_| OutboundError::NoSuchName { place: place() })?
            .collect(),
    };
    let allowed: Vec<_> = found.into_iter().filter(|address| reach.allows(address.ip())).collect();
    if allowed.is_empty() { Err(OutboundError::NotAllowed { place: place() }) } else { Ok(allowed) }
}

/// An IPv6 address without its brackets.
fn bare(host: &str) -> &str {
    host.trim_matches(['[', ']'])
}
