//! PgBouncer in transaction mode, as Debian packages it, between the server and PostgreSQL. It has two connections to
//! PostgreSQL for all of the server's.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use mirasa_app::repository::{Database, StoreError};
use mirasa_server::config::{Config, Secret};
use mirasa_store::{DatabaseUrl, PoolSize};

use crate::harness::{
    PendingPayment, TestShop, eventually, in_runtime, new_postgres_database, on_postgres_fresh,
    postgres, temporary_folder,
};

const CUSTOMERS: usize = 30;

struct PgBouncer {
    process: Child,
    port: u16,
    _folder: Arc<tempfile::TempDir>,
}

impl PgBouncer {
    /// In front of the server of the tests.
    fn start() -> PgBouncer {
        let folder = temporary_folder();
        let server = std::env::var("MIRASA_TEST_POSTGRES").unwrap();
        let (_, server) = server.rsplit_once(':').unwrap();
        let (server_port, _) = server.split_once('/').unwrap();
        let port = {
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            free.local_addr().unwrap().port()
        };
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={server_port} user=mirasa\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 200\n"
        );
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).unwrap();
        let mut command = Command::new("/usr/sbin/pgbouncer");
        // It does not run as root.
        if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.args(["--user", "nobody"]);
        }
        let mut process = command
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("pgbouncer is missing: run scripts/setup.sh test");
        let mut log = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut seen = Vec::new();
        loop {
            let line = log.next().unwrap_or_else(|| panic!("{seen:#?}")).unwrap();
            let is_ready = line.contains("process up");
            seen.push(line);
            if is_ready {
                break;
            }
        }
        // Until it ends, so that its log has a reader.
        std::thread::spawn(move || log.for_each(drop));
        PgBouncer {
            process,
            port,
            _folder: folder,
        }
    }

    /// The same database through PgBouncer.
    fn url(&self, direct: &str, options: &str) -> String {
        let (_, name) = direct.rsplit_once('/').unwrap();
        format!("postgres://mirasa@127.0.0.1:{}/{name}{options}", self.port)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn buy(shop: &TestShop, number: usize) {
    let browser = shop.customer(&format!("pooled-{number}")).await;
    browser.add("goda-masala", 1, 1).await;
    let home = browser.home().await;
    let payment = PendingPayment::from_response(&browser.check_out(&home).await);
    browser.submit_payment(&payment, "pay").await;
    let result = browser.settled_result(&payment).await;
    assert_eq!(result["order"]["paymentStatus"], "completed", "{result}");
}

/// The processes of PostgreSQL that serve this database, without the one that counts them.
async fn server_connections(direct: &str) -> i64 {
    let client = postgres(direct).await;
    let count = "select count(*) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and backend_type = 'client backend'";
    client.query_one(count, &[]).await.unwrap().get(0)
}

#[test]
fn many_customers_buy_through_a_pooler_in_transaction_mode() {
    let pooler = PgBouncer::start();
    for options in ["", "?prepared_statements=false"] {
        on_postgres_fresh(
            |config: &mut Config| {
                let direct = config.database_url.expose().to_owned();
                config.database_url = Secret::from(pooler.url(&direct, options));
                config.database_connections = 8;
            },
            async |shop| {
                let buying = (0..CUSTOMERS).map(|number| buy(shop, number));
                futures::future::join_all(buying).await;
                let emails = async || {
                    let sent = (0..CUSTOMERS).map(async |number| {
                        let emails = shop.emails_to(&format!("pooled-{number}")).await;
                        emails.len() == 1 && emails[0].sent_at_ms.is_some()
                    });
                    let sent = futures::future::join_all(sent).await;
                    sent.into_iter().all(|is_sent| is_sent)
                };
                eventually("each customer got one email", emails).await;
                shop.assert_consistent().await;
                let DatabaseUrl::Postgres(url) = shop.config.database().unwrap() else {
                    unreachable!()
                };
                let (url, _) = url.split_once('?').unwrap_or((&url, ""));
                let (_, name) = url.rsplit_once('/').unwrap();
                let server = std::env::var("MIRASA_TEST_POSTGRES").unwrap();
                let (base, _) = server.rsplit_once('/').unwrap();
                let used = server_connections(&format!("{base}/{name}")).await;
                assert!((1..=2).contains(&used), "{used} connections");
            },
        );
    }
}

/// Reads on all connections of the pool at the same time. Returns the first failure.
async fn read_often(db: &Database) -> Result<(), StoreError> {
    let reads = (0..200).map(|number: u32| {
        db.read::<_, StoreError>(async move |db| {
            // Different statements, so that the connections prepare at different times.
            match number % 3 {
                0 => db.recent_emails(1).await.map(drop),
                1 => db.open_issues().await.map(drop),
                _ => db.products_with_stock_notices().await.map(drop),
            }
        })
    });
    futures::future::try_join_all(reads).await.map(drop)
}

#[test]
fn lost_prepared_statement_is_reported_with_the_setting() {
    in_runtime(async {
        let pooler = PgBouncer::start();
        let direct = new_postgres_database().await;
        drop(
            mirasa_store::open(&direct.parse().unwrap(), PoolSize(1))
                .await
                .unwrap(),
        );
        let open = async |options: &str| {
            let url = pooler.url(&direct, options).parse().unwrap();
            mirasa_store::open(&url, PoolSize(6)).await.unwrap()
        };
        let forced = open("?prepared_statements=true").await;
        let error = read_often(&forced).await.expect_err("PgBouncer loses them");
        let error = format!("{:#}", anyhow::Error::from(error));
        assert!(error.contains("prepared_statements=false"), "{error}");
        for options in ["", "?prepared_statements=false"] {
            read_often(&open(options).await).await.unwrap();
        }
    });
}

#[test]
fn backups_pass_through_a_pooler_in_transaction_mode() {
    in_runtime(async {
        let pooler = PgBouncer::start();
        let (full, empty) = (new_postgres_database().await, new_postgres_database().await);
        let through = |direct: &str| -> DatabaseUrl { pooler.url(direct, "").parse().unwrap() };
        let db = mirasa_store::open(&through(&full), PoolSize(2))
            .await
            .unwrap();
        for fixture in crate::harness::default_products() {
            crate::harness::insert_product(&db, fixture).await;
        }
        let folder = temporary_folder();
        let file = folder.path().join("pooled.jsonl");
        let saved = mirasa_store::maintenance::backup::backup(&through(&full), &file)
            .await
            .unwrap();
        assert!(saved > 0);
        let restored = mirasa_store::maintenance::backup::restore(&through(&empty), &file)
            .await
            .unwrap();
        assert_eq!(saved, restored.rows);
    });
}
