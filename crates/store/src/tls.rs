//! The URL of a PostgreSQL server, and TLS connections to it. `sslmode` and `sslrootcert` work as in other clients of
//! PostgreSQL, but required TLS always verifies the certificate and the host name.

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use anyhow::{Context as _, ensure};
use futures::future::BoxFuture;
use percent_encoding::percent_decode_str;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Encrypted;

pub struct Server {
    pub config: Config,
    /// A file with the certificates to trust instead of the system's.
    root_certificates: Option<PathBuf>,
}

impl Server {
    /// The driver does not support all values of `sslmode` and no `sslrootcert`, so both are removed first.
    pub fn parse(url: &str) -> Result<Server, String> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut ssl_mode, mut root_certificates) = (SslMode::Disable, None);
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=').unwrap_or((pair, "")) {
                // `prefer` does not protect from an attacker who responds in place of the server.
                ("sslmode", "disable" | "allow" | "prefer") => ssl_mode = SslMode::Disable,
                ("sslmode", "require" | "verify-ca" | "verify-full") => ssl_mode = SslMode::Require,
                ("sslmode", other) => return Err(format!("sslmode {other} is not known")),
                ("sslrootcert", "" | "system") => root_certificates = None,
                ("sslrootcert", file) => {
                    let file = percent_decode_str(file).decode_utf8_lossy();
                    root_certificates = Some(PathBuf::from(file.as_ref()));
                }
                _ => rest.push(pair),
            }
        }
        let separator = if rest.is_empty() { "" } else { "?" };
        let plain = format!("{base}{separator}{}", rest.join("&"));
        let mut config: Config = plain.parse().map_err(|error| {
            let error = anyhow::Error::from(error);
            format!("{error:#}")
        })?;
        if config.get_hosts().iter().all(is_socket) {
            ssl_mode = SslMode::Disable;
        }
        config.ssl_mode(ssl_mode);
        Ok(Server {
            config,
            root_certificates,
        })
    }

    pub fn requires_tls(&self) -> bool {
        self.config.get_ssl_mode() == SslMode::Require
    }

    /// Whether all hosts are on this machine.
    pub fn is_local(&self) -> bool {
        let addresses = self.config.get_hostaddrs();
        if !addresses.is_empty() {
            return addresses.iter().all(IpAddr::is_loopback);
        }
        self.config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => {
                let address = name.parse::<IpAddr>();
                name.eq_ignore_ascii_case("localhost")
                    || address.is_ok_and(|address| address.is_loopback())
            }
            socket => is_socket(socket),
        })
    }

    pub fn connector(&self) -> anyhow::Result<Connector> {
        if !self.requires_tls() {
            return Ok(Connector(None));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(self.roots()?)
            .with_no_client_auth();
        Ok(Connector(Some(Arc::new(config).into())))
    }

    fn roots(&self) -> anyhow::Result<RootCertStore> {
        let mut roots = RootCertStore::empty();
        if let Some(file) = &self.root_certificates {
            let unreadable = || format!("cannot read sslrootcert {}", file.display());
            for certificate in CertificateDer::pem_file_iter(file).with_context(unreadable)? {
                roots.add(certificate.with_context(unreadable)?)?;
            }
        } else {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        ensure!(
            !roots.is_empty(),
            "there is no certificate to check PostgreSQL's with; name a file with sslrootcert"
        );
        Ok(roots)
    }
}

fn is_socket(host: &Host) -> bool {
    matches!(host, Host::Unix(_))
}

/// Encrypts connections if TLS is required.
#[derive(Clone)]
pub struct Connector(Option<TlsConnector>);

/// The certificate of the server is not valid, or the connection was closed.
#[derive(Debug, thiserror::Error)]
#[error("no TLS with the database")]
pub struct HandshakeError(#[source] io::Error);

impl<S> MakeTlsConnect<S> for Connector
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Stream<S>;
    type TlsConnect = Handshake;
    type Error = HandshakeError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, HandshakeError> {
        let Some(connector) = self.0.clone() else {
            return Ok(Handshake(None));
        };
        let no_name = |error| HandshakeError(io::Error::new(io::ErrorKind::InvalidInput, error));
        let name = ServerName::try_from(host.to_owned()).map_err(no_name)?;
        Ok(Handshake(Some((connector, name))))
    }
}

pub struct Handshake(Option<(TlsConnector, ServerName<'static>)>);

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Stream<S>;
    type Error = HandshakeError;
    type Future = BoxFuture<'static, Result<Stream<S>, HandshakeError>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let not_required = || HandshakeError(io::ErrorKind::Unsupported.into());
            let (connector, name) = self.0.ok_or_else(not_required)?;
            let connected = connector.connect(name, stream).await;
            connected.map(Stream).map_err(HandshakeError)
        })
    }
}

/// An encrypted connection with the traits that the driver requires.
pub struct Stream<S>(Encrypted<S>);

impl<S> TlsStream for Stream<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Not needed: the certificate is verified.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
