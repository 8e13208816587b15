//! TLS connections to PostgreSQL. `sslmode` and `sslrootcert` work as in libpq, with two differences: without `sslmode`
//! TLS is not used on this machine, and certificates are checked with the system's authorities if no file is named.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use anyhow::{Context as _, ensure};
use futures::future::BoxFuture;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_cert_signed_by_trust_anchor};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Encrypted;

mirasa_domain::text_enum! {
    /// `sslmode`, from the weakest to the strongest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum TlsMode {
        Disable = "disable",
        /// TLS only if the server refuses a connection without it.
        Allow = "allow",
        /// TLS if the server has it. It does not protect from an attacker who responds in place of the server.
        Prefer = "prefer",
        /// TLS with any certificate. The same limit applies.
        Require = "require",
        /// The certificate must be issued by a trusted authority.
        VerifyCa = "verify-ca",
        /// The certificate must also be for the host name in the URL.
        VerifyFull = "verify-full",
    }
}

impl TlsMode {
    /// The mode that applies. libpq verifies with `require` if there is a root certificate, and allows the system's
    /// authorities only with `verify-full`, because anybody can get a certificate of theirs for another host name.
    pub fn with_roots(
        mode: Option<TlsMode>,
        roots: Option<&Roots>,
        is_local: bool,
    ) -> Result<TlsMode, String> {
        match (mode, roots) {
            (Some(TlsMode::Require), Some(Roots::File(_))) => Ok(TlsMode::VerifyCa),
            (None | Some(TlsMode::VerifyFull), Some(Roots::System)) => Ok(TlsMode::VerifyFull),
            (Some(mode), Some(Roots::System)) => Err(format!(
                "sslrootcert=system needs sslmode=verify-full, not {}",
                mode.as_str()
            )),
            (Some(mode), _) => Ok(mode),
            // On one machine TLS protects nothing and costs processor time.
            (None, _) if is_local => Ok(TlsMode::Disable),
            (None, _) => Ok(TlsMode::Prefer),
        }
    }
}

/// The certificates that are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots {
    System,
    File(PathBuf),
}

impl Roots {
    fn load(&self) -> anyhow::Result<RootCertStore> {
        let mut roots = RootCertStore::empty();
        match self {
            Roots::File(file) => {
                let unreadable = || format!("cannot read sslrootcert {}", file.display());
                for certificate in CertificateDer::pem_file_iter(file).with_context(unreadable)? {
                    roots.add(certificate.with_context(unreadable)?)?;
                }
            }
            Roots::System => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
        }
        ensure!(
            !roots.is_empty(),
            "there is no certificate to check PostgreSQL's with; name a file with sslrootcert"
        );
        Ok(roots)
    }
}

/// Checks that the certificate's key is the server's, and the chain if there are roots. It does not check the name.
#[derive(Debug)]
struct ChainVerifier {
    roots: Option<RootCertStore>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for ChainVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            verify_server_cert_signed_by_trust_anchor(
                &ParsedCertificate::try_from(certificate)?,
                roots,
                intermediates,
                now,
                self.provider.signature_verification_algorithms.all,
            )?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// Encrypts connections, unless TLS is disabled.
#[derive(Clone)]
pub struct Connector(Option<TlsConnector>);

impl Connector {
    pub fn new(mode: TlsMode, roots: &Roots) -> anyhow::Result<Connector> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier: Arc<dyn ServerCertVerifier> = match mode {
            TlsMode::Disable => return Ok(Connector(None)),
            TlsMode::VerifyFull => {
                let roots = Arc::new(roots.load()?);
                WebPkiServerVerifier::builder_with_provider(roots, provider.clone()).build()?
            }
            TlsMode::Allow | TlsMode::Prefer | TlsMode::Require | TlsMode::VerifyCa => {
                let roots = (mode == TlsMode::VerifyCa)
                    .then(|| roots.load())
                    .transpose()?;
                let provider = provider.clone();
                Arc::new(ChainVerifier { roots, provider })
            }
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        Ok(Connector(Some(Arc::new(config).into())))
    }
}
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
    /// It would need the hash of the certificate. `verify-full` protects from the same attacks.
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
