//! The URL of PostgreSQL: one or more hosts, and settings, some of which the driver does not know.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, TargetSessionAttrs};

use crate::postgres::tls::{Roots, TlsMode};

/// For everything that opening a connection takes: a frozen server accepts connections but does not respond.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The same if there are other hosts to try.
const CONNECT_TIMEOUT_PER_HOST: Duration = Duration::from_secs(2);
/// A connection to a machine that has vanished is closed after about this time.
const TCP_TIMEOUT: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(1);
const KEEPALIVE_RETRIES: u32 = 5;
/// The driver's default.
const DEFAULT_PORT: u16 = 5432;

/// A URL of PostgreSQL. It names one or more servers.
pub struct ServerUrl {
    pub hosts: Vec<HostConfig>,
    pub tls_mode: TlsMode,
    pub roots: Roots,
    pub is_shuffled: bool,
    pub target: TargetSessionAttrs,
    /// For each host.
    pub connect_timeout: Duration,
    /// None: detected.
    pub prepared_statements: Option<bool>,
}

pub struct HostConfig {
    /// With the port, for messages.
    pub name: String,
    is_local: bool,
    pub config: Config,
}

impl ServerUrl {
    /// The driver does not support all values of `sslmode`, no `sslrootcert` and no `prepared_statements`, so they are
    /// removed first.
    pub fn parse(url: &str) -> Result<ServerUrl, String> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut tls_mode, mut roots, mut prepared_statements) = (None, None, None);
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (key, value) {
                ("sslmode", text) => {
                    let mode = TlsMode::parse(text);
                    tls_mode = Some(mode.ok_or_else(|| format!("sslmode {text} is not known"))?);
                }
                ("sslrootcert", "") => roots = None,
                ("sslrootcert", "system") => roots = Some(Roots::System),
                ("sslrootcert", file) => {
                    let file = percent_decode_str(file).decode_utf8_lossy();
                    roots = Some(Roots::File(PathBuf::from(file.as_ref())));
                }
                ("prepared_statements", "true") => prepared_statements = Some(true),
                ("prepared_statements", "false") => prepared_statements = Some(false),
                ("prepared_statements", other) => {
                    return Err(format!("prepared_statements is true or false, not {other}"));
                }
                _ => rest.push(pair),
            }
        }
        let is_given = |key: &str| {
            let prefix = format!("{key}=");
            rest.iter().any(|pair| pair.starts_with(&prefix))
        };
        let separator = if rest.is_empty() { "" } else { "?" };
        let plain = format!("{base}{separator}{}", rest.join("&"));
        let mut config: Config = plain.parse().map_err(|error| {
            let error = anyhow::Error::from(error);
            format!("{error:#}")
        })?;
        if !is_given("tcp_user_timeout") {
            config.tcp_user_timeout(TCP_TIMEOUT);
        }
        if !is_given("keepalives_idle") {
            config.keepalives_idle(TCP_TIMEOUT);
        }
        if !is_given("keepalives_interval") {
            config.keepalives_interval(KEEPALIVE_INTERVAL);
        }
        if !is_given("keepalives_retries") {
            config.keepalives_retries(KEEPALIVE_RETRIES);
        }
        let host_count = config.get_hosts().len().max(config.get_hostaddrs().len());
        // Of several servers only one accepts writes. The shop cannot work with another one.
        if host_count > 1 && !is_given("target_session_attrs") {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let default_timeout = if host_count > 1 {
            CONNECT_TIMEOUT_PER_HOST
        } else {
            CONNECT_TIMEOUT
        };
        let connect_timeout = config.get_connect_timeout().copied();
        let hosts = split_hosts(&config, host_count)?;
        let tls_mode = TlsMode::with_roots(tls_mode, roots.as_ref(), is_all_local(&hosts))?;
        Ok(ServerUrl {
            hosts,
            tls_mode,
            roots: roots.unwrap_or(Roots::System),
            is_shuffled: config.get_load_balance_hosts() == LoadBalanceHosts::Random,
            target: config.get_target_session_attrs(),
            connect_timeout: connect_timeout.unwrap_or(default_timeout),
            prepared_statements,
        })
    }

    pub fn requires_tls(&self) -> bool {
        self.tls_mode >= TlsMode::Require
    }

    /// Whether the certificate of the server is checked.
    pub fn is_verified(&self) -> bool {
        self.tls_mode >= TlsMode::VerifyCa
    }

    /// Whether all hosts are on this machine.
    pub fn is_local(&self) -> bool {
        is_all_local(&self.hosts)
    }
}

fn is_all_local(hosts: &[HostConfig]) -> bool {
    hosts.iter().all(|host| host.is_local)
}

/// One configuration for each host, with the same settings.
fn split_hosts(config: &Config, host_count: usize) -> Result<Vec<HostConfig>, String> {
    let (hosts, addresses, ports) = (
        config.get_hosts(),
        config.get_hostaddrs(),
        config.get_ports(),
    );
    if host_count == 0 {
        return Err("it names no host".into());
    }
    if !hosts.is_empty() && !addresses.is_empty() && hosts.len() != addresses.len() {
        return Err("host and hostaddr must have as many entries".into());
    }
    if ports.len() > 1 && ports.len() != host_count {
        return Err("there must be one port, or one for each host".into());
    }
    let host = |number: usize| {
        let (host, address) = (hosts.get(number), addresses.get(number));
        let port = ports.get(number).or_else(|| ports.first());
        let port = port.copied().unwrap_or(DEFAULT_PORT);
        let mut config = without_hosts(config);
        config.port(port);
        let mut name = String::new();
        match host {
            Some(Host::Tcp(host)) => {
                name.clone_from(host);
                config.host(host);
            }
            Some(Host::Unix(folder)) => {
                name = folder.display().to_string();
                config.host_path(folder);
            }
            None => {}
        }
        if let Some(address) = address {
            config.hostaddr(*address);
            if host.is_none() {
                // The certificate is checked against the address.
                name = address.to_string();
                config.host(&name);
            }
        }
        let is_loopback = |address: IpAddr| address.is_loopback();
        let is_local = match (address, host) {
            (Some(address), _) => address.is_loopback(),
            (None, Some(Host::Unix(_))) => true,
            (None, _) => {
                name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_loopback)
            }
        };
        HostConfig {
            name: format!("{name}:{port}"),
            is_local,
            config,
        }
    };
    Ok((0..host_count).map(host).collect())
}

fn without_hosts(config: &Config) -> Config {
    let mut copy = Config::new();
    if let Some(user) = config.get_user() {
        copy.user(user);
    }
    if let Some(password) = config.get_password() {
        copy.password(password);
    }
    if let Some(name) = config.get_dbname() {
        copy.dbname(name);
    }
    if let Some(options) = config.get_options() {
        copy.options(options);
    }
    if let Some(period) = config.get_tcp_user_timeout() {
        copy.tcp_user_timeout(*period);
    }
    if let Some(period) = config.get_keepalives_interval() {
        copy.keepalives_interval(period);
    }
    if let Some(count) = config.get_keepalives_retries() {
        copy.keepalives_retries(count);
    }
    copy.application_name(config.get_application_name().unwrap_or("mirasa"))
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding())
        .load_balance_hosts(config.get_load_balance_hosts());
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(options: &str) -> Result<TlsMode, String> {
        let url = ServerUrl::parse(&format!("postgres://shop@db.mirasa.example/shop?{options}"));
        url.map(|url| url.tls_mode)
    }

    #[test]
    fn sslmode_and_sslrootcert_have_the_meaning_of_libpq() {
        for (options, expected) in [
            ("", TlsMode::Prefer),
            ("sslmode=disable", TlsMode::Disable),
            ("sslmode=allow", TlsMode::Allow),
            ("sslmode=require", TlsMode::Require),
            ("sslmode=require&sslrootcert=/ca.pem", TlsMode::VerifyCa),
            ("sslmode=verify-ca", TlsMode::VerifyCa),
            ("sslmode=verify-full", TlsMode::VerifyFull),
            ("sslrootcert=system", TlsMode::VerifyFull),
        ] {
            assert_eq!(mode(options), Ok(expected), "{options}");
        }
        for options in [
            "sslmode=maybe",
            "sslmode=require&sslrootcert=system",
            "prepared_statements=never",
        ] {
            assert!(mode(options).is_err(), "{options}");
        }
        let local = ServerUrl::parse("postgres://shop@127.0.0.1/shop").unwrap();
        assert_eq!(local.tls_mode, TlsMode::Disable);
    }

    #[test]
    fn each_host_has_its_own_name_address_and_port() {
        let url = "postgres://u:hush@db1.example,db2.example:5433/d?hostaddr=10.0.0.1,127.0.0.1";
        let url = ServerUrl::parse(url).unwrap();
        let names: Vec<_> = url.hosts.iter().map(|host| host.name.as_str()).collect();
        assert_eq!(names, ["db1.example:5432", "db2.example:5433"]);
        let second = &url.hosts[1].config;
        assert_eq!(second.get_hosts(), [Host::Tcp("db2.example".into())]);
        assert_eq!(second.get_hostaddrs(), [IpAddr::from([127, 0, 0, 1])]);
        assert_eq!(second.get_ports(), [5433]);
        assert_eq!(second.get_password(), Some(&b"hush"[..]));
        assert!(!url.is_local(), "one of them is not");
        assert_eq!(url.target, TargetSessionAttrs::ReadWrite);
        assert_eq!(url.connect_timeout, CONNECT_TIMEOUT_PER_HOST);

        let one = ServerUrl::parse("postgres://u@db1.example/d?connect_timeout=9").unwrap();
        assert_eq!(one.target, TargetSessionAttrs::Any);
        assert_eq!(one.connect_timeout, Duration::from_secs(9));
        for bad in [
            "postgres:///d",
            "postgres://a,b/d?hostaddr=10.0.0.1",
            "postgres://a:1,b:2,c/d?port=5432,5433",
        ] {
            assert!(ServerUrl::parse(bad).is_err(), "{bad}");
        }
    }
}
