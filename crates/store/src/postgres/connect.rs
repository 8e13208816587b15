//! Connections to the servers that the URL of PostgreSQL names.

use std::error::Error as _;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use deadpool_postgres::ClientWrapper;
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use mirasa_app::repository::StoreError;
use rand::seq::SliceRandom as _;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{CancelToken, Client, Error, SimpleQueryMessage};

use crate::postgres::server_url::{HostConfig, ServerUrl};
use crate::postgres::tls::{Connector, HandshakeError, TlsMode};
use crate::sql::errors::postgres_error;

/// A host that has not responded for this time does not delay the next one any longer.
const NEXT_HOST_DELAY: Duration = Duration::from_millis(250);
const POOLER_PROBES: usize = 3;

/// Opens connections to the servers of a URL.
pub struct Servers {
    url: ServerUrl,
    tls: Connector,
    /// The host that the last connection was opened to. It is tried first.
    last_used: AtomicUsize,
    has_prepared_statements: AtomicBool,
}

/// A connection.
pub struct Session {
    client: ClientWrapper,
    /// The number of its host.
    host: usize,
    /// Whether the server keeps prepared statements between two transactions.
    pub has_prepared_statements: bool,
}

impl Session {
    /// The first value of the first row as text, without a prepared statement.
    pub async fn first_value(&self, text: &str) -> Result<Option<String>, Error> {
        let messages = self.simple_query(text).await?;
        let value = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok(value.map(str::to_owned))
    }
}

impl Deref for Session {
    type Target = ClientWrapper;

    fn deref(&self) -> &ClientWrapper {
        &self.client
    }
}

/// No server of the URL accepted a connection.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ConnectError {
    /// For each host why.
    message: String,
    is_outage: bool,
}

impl From<ConnectError> for StoreError {
    fn from(error: ConnectError) -> StoreError {
        if error.is_outage {
            StoreError::Unavailable(error.into())
        } else {
            StoreError::Broken(error.into())
        }
    }
}

impl Servers {
    pub fn parse(url: &str) -> anyhow::Result<Servers> {
        Servers::new(ServerUrl::parse(url).map_err(anyhow::Error::msg)?)
    }

    fn new(url: ServerUrl) -> anyhow::Result<Servers> {
        if !url.is_local() && !url.is_verified() {
            tracing::warn!(
                sslmode = url.tls_mode.as_str(),
                "the certificate of the database is not checked; use sslmode=verify-full"
            );
        }
        Ok(Servers {
            tls: Connector::new(url.tls_mode, &url.roots)?,
            last_used: AtomicUsize::new(0),
            has_prepared_statements: AtomicBool::new(url.prepared_statements.unwrap_or(true)),
            url,
        })
    }

    /// Tries the hosts in their order, beginning with the one that was used last. If only a certain kind of server is
    /// accepted, it does not wait for a host that does not respond before it tries the next one.
    pub async fn connect(&self) -> Result<Session, ConnectError> {
        let delay = if self.url.target == TargetSessionAttrs::Any {
            Duration::MAX
        } else {
            NEXT_HOST_DELAY
        };
        let mut waiting = self.order().into_iter();
        let mut opening = FuturesUnordered::new();
        let mut failures = Vec::new();
        loop {
            let delay = if let Some(number) = waiting.next() {
                opening.push(async move { (number, self.connect_to(number).await) });
                delay
            } else {
                Duration::MAX
            };
            match timeout(delay, opening.next()).await {
                Ok(Some((_, Ok(session)))) => {
                    self.last_used.store(session.host, Ordering::Relaxed);
                    return Ok(session);
                }
                Ok(Some((number, Err(error)))) => failures.push((number, error)),
                Ok(None) => return Err(self.error(failures)),
                Err(_) => {}
            }
        }
    }

    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.url.hosts.len()).collect();
        if self.url.is_shuffled {
            order.shuffle(&mut rand::rng());
        } else {
            order.rotate_left(self.last_used.load(Ordering::Relaxed));
        }
        order
    }

    async fn connect_to(&self, number: usize) -> Result<Session, HostError> {
        let opening = self.open_in_modes(&self.url.hosts[number]);
        let (client, task) = timeout(self.url.connect_timeout, opening)
            .await
            .map_err(|_| HostError::Timeout)??;
        Ok(Session {
            client: ClientWrapper::new(client, task),
            host: number,
            has_prepared_statements: self.has_prepared_statements.load(Ordering::Relaxed),
        })
    }

    /// With `prefer` and `allow` a server that refuses the connection is asked again, without TLS or with it.
    async fn open_in_modes(&self, host: &HostConfig) -> Result<Opened, Error> {
        let modes: &[SslMode] = match self.url.tls_mode {
            TlsMode::Disable => &[SslMode::Disable],
            TlsMode::Allow => &[SslMode::Disable, SslMode::Require],
            TlsMode::Prefer => &[SslMode::Prefer, SslMode::Disable],
            _ => &[SslMode::Require],
        };
        let is_socket = matches!(host.config.get_hosts(), [Host::Unix(_)]);
        let (first, second) = match modes {
            _ if is_socket => (SslMode::Disable, None),
            [first, second] => (*first, Some(*second)),
            other => (other[0], None),
        };
        match (self.open(host, first).await, second) {
            (Err(error), Some(second)) if depends_on_tls(&error) => {
                // The first error says more if both fail.
                self.open(host, second).await.map_err(|_| error)
            }
            (result, _) => result,
        }
    }

    async fn open(&self, host: &HostConfig, ssl_mode: SslMode) -> Result<Opened, Error> {
        let mut config = host.config.clone();
        config.ssl_mode(ssl_mode);
        let (client, connection) = config.connect(self.tls.clone()).await?;
        let name = host.name.clone();
        let task = tokio::spawn(async move {
            if let Err(error) = connection.await {
                let error = format!("{:#}", anyhow::Error::from(error));
                tracing::warn!(error, host = name, "a connection to the database failed");
            }
        });
        Ok((client, task))
    }

    fn error(&self, failures: Vec<(usize, HostError)>) -> ConnectError {
        let mut is_outage = false;
        let mut messages = Vec::new();
        for (number, error) in failures {
            let name = &self.url.hosts[number].name;
            messages.push(format!("no connection to {name}: {error}"));
            is_outage |= match error {
                HostError::Timeout => true,
                HostError::Driver(error) => {
                    is_timeout(&error)
                        || matches!(postgres_error(error), StoreError::Unavailable(_))
                }
            };
        }
        ConnectError {
            message: messages.join("; "),
            is_outage,
        }
    }

    /// A pooler that lends a server connection for one transaction (PgBouncer in transaction mode) cannot keep prepared
    /// statements, unless it is a new one. Detects it, unless the URL says whether to use them.
    pub async fn detect_pooler(&self) -> Result<(), ConnectError> {
        if self.url.prepared_statements.is_some() {
            return Ok(());
        }
        let session = self.connect().await?;
        let probe = timeout(self.url.connect_timeout, self.is_shared(&session));
        // A server that cannot be probed, for example because it has no more connections, is used as usual.
        if probe.await.is_ok_and(|result| result.unwrap_or(false)) {
            tracing::info!(
                "the database is behind a pooler in transaction mode: no prepared statements are used"
            );
            self.has_prepared_statements.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether two transactions of one session can run on different server connections, or those of two sessions on
    /// the same one. One probe can miss a pooler that others use at the same time.
    async fn is_shared(&self, session: &Session) -> anyhow::Result<bool> {
        let other = self.connect_to(session.host).await?;
        for _ in 0..POOLER_PROBES {
            let before = server_connection(session).await?;
            other.batch_execute("begin").await?;
            let taken = server_connection(&other).await?;
            if taken == before || server_connection(session).await? != before {
                return Ok(true);
            }
            other.batch_execute("rollback").await?;
        }
        Ok(false)
    }

    /// Ends the query that runs on the connection. The server does not confirm it.
    pub fn cancel_query(&self, token: CancelToken) {
        let (tls, period) = (self.tls.clone(), self.url.connect_timeout);
        tokio::spawn(async move { timeout(period, token.cancel_query(tls)).await });
    }
}

/// Why a host gave no connection.
#[derive(Debug, thiserror::Error)]
enum HostError {
    #[error("timeout waiting for server")]
    Timeout,
    #[error("{}", describe(.0))]
    Driver(#[from] Error),
}

type Opened = (Client, tokio::task::JoinHandle<()>);

/// Whether the same server may accept a connection with TLS but not without it, or the reverse.
fn depends_on_tls(error: &Error) -> bool {
    let is_rejection = |code: &str| code.starts_with("28");
    let code = error.code();
    code.is_some_and(|code| is_rejection(code.code()))
        || error
            .source()
            .is_some_and(|source| source.is::<HandshakeError>())
}

fn is_timeout(error: &Error) -> bool {
    error.source().is_none() && !error.is_closed()
}

/// With the causes, which the driver's error does not name. The message of the server says more than "db error".
fn describe(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Identifies the process of the server. Process ids of two machines can be equal.
async fn server_connection(session: &Session) -> anyhow::Result<String> {
    let identify = "select pg_backend_pid() || ' ' || pg_postmaster_start_time()";
    session.first_value(identify).await?.context("no row")
}

impl managed::Manager for Servers {
    type Type = Session;
    type Error = ConnectError;

    async fn create(&self) -> Result<Session, ConnectError> {
        self.connect().await
    }

    async fn recycle(&self, session: &mut Session, _: &Metrics) -> RecycleResult<ConnectError> {
        if session.is_closed() {
            return Err(RecycleError::message("the connection is closed"));
        }
        Ok(())
    }
}
