//! Starts the server on SQLite and on PostgreSQL. Most tests share one server per engine and use their own
//! customers and products. A test that depends on global state starts fresh servers. All servers run in one
//! runtime, because a shared server must outlive the test that started it.

mod browser;
mod checkout;
mod collector;
pub mod crash;
mod description;
mod files;
mod held_calls;
mod html;
mod parcels;
mod products;
mod raw_http;
mod refund_desk;
mod smtp;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

pub use browser::{TestClient, TestResponse, client};
pub(crate) use checkout::read_db;
pub use checkout::{GATEWAY, PendingPayment, eventually, saved};
pub use collector::Collector;
pub use files::{jpeg, png};
pub use held_calls::HeldCalls;
pub use html::{Tag, tags};
use metrics_exporter_prometheus::PrometheusHandle;
use mirasa_app::repository::Database;
use mirasa_server::cli::Flags;
use mirasa_server::config::{Config, OnOff, Secret};
use mirasa_server::serve::{self, Server};
use mirasa_store::{DatabaseUrl, PoolSize};
pub use parcels::{COURIER, ship, shipment, show_order};
pub use products::{ProductFixture, default_products, insert_product, now_ms, paise};
pub use refund_desk::{RefundDesk, amount, packs, patiently};
pub use smtp::MailServer;
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use tokio_postgres::NoTls;

pub const METRICS_TOKEN: &str = "it-metrics-token";
/// An admin by configuration. `admin@mirasa.example` is also an admin while sign-in uses the sandbox.
pub const ADMIN: &str = "owner@it.example";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static METRICS: LazyLock<PrometheusHandle> =
    LazyLock::new(|| mirasa_server::metrics::install().unwrap());
static SHARED: [OnceCell<TestShop>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
static NUMBER: AtomicU32 = AtomicU32::new(0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

pub const BOTH: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// A running server with its configuration and a second connection to its database.
pub struct TestShop {
    pub running: Server,
    pub base: String,
    pub config: Config,
    /// A second connection pool to the same database, as a second instance has it.
    pub second_instance: Database,
    pub client: reqwest::Client,
    _folder: Arc<tempfile::TempDir>,
}

/// Writes to the database as a second instance would.
macro_rules! write_db {
    ($shop:expr, $tx:ident => $body:expr) => {
        $shop
            .second_instance
            .write(async move |$tx| Ok::<_, mirasa_app::repository::StoreError>($body))
            .await
            .unwrap()
    };
}
pub(crate) use write_db;

/// Runs the test on the shared server of each engine.
pub fn for_each_engine(test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        for (engine, cell) in BOTH.into_iter().zip(&SHARED) {
            let shop = cell.get_or_init(|| TestShop::start(engine, |_| {})).await;
            eprintln!("on {engine:?}");
            test(shop).await;
        }
    });
}

/// Runs the test on a fresh server of each engine with its own configuration.
pub fn for_each_engine_fresh(configure: impl Fn(&mut Config), test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        for engine in BOTH {
            let shop = TestShop::start(engine, &configure).await;
            eprintln!("on {engine:?}");
            test(&shop).await;
        }
    });
}

/// For tests that do not depend on the database engine.
pub fn on_sqlite_fresh(configure: impl Fn(&mut Config), test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        let shop = TestShop::start(Engine::Sqlite, &configure).await;
        test(&shop).await;
    });
}

/// For tests that start the server themselves.
pub fn in_runtime(test: impl Future<Output = ()>) {
    RUNTIME.block_on(test);
}

/// For tests that need PostgreSQL.
pub fn on_postgres_fresh(configure: impl Fn(&mut Config), test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        let shop = TestShop::start(Engine::Postgres, &configure).await;
        test(&shop).await;
    });
}

impl TestShop {
    async fn start(engine: Engine, configure: impl Fn(&mut Config)) -> TestShop {
        assert_web_app_is_built();
        let folder = temporary_folder();
        let flags = Flags {
            listen: Some("127.0.0.1:0".into()),
            data: Some(folder.path().to_owned()),
            database_url: Some(Secret::from(match engine {
                Engine::Sqlite => format!("sqlite:{}", folder.path().join("shop.db").display()),
                Engine::Postgres => new_postgres_database().await,
            })),
            ..Flags::default()
        };
        let mut config = Config::load(&flags).unwrap();
        config.rate_limit = OnOff::Off;
        config.database_connections = 4;
        config.metrics_token = METRICS_TOKEN.into();
        config.admin_emails = vec![ADMIN.into()];
        // With one secret for all servers the sandbox generates its signing key only once.
        config.sandbox.secret = "it".into();
        configure(&mut config);
        let database = config.database().unwrap();
        let second_instance = mirasa_store::open(&database, PoolSize(2)).await.unwrap();
        for fixture in default_products() {
            insert_product(&second_instance, fixture).await;
        }
        let running = serve::start(&config, Some(METRICS.clone())).await.unwrap();
        TestShop {
            base: format!("http://{}", running.address),
            client: client(None),
            running,
            config,
            second_instance,
            _folder: folder,
        }
    }

    pub fn visitor(&self) -> TestClient {
        TestClient::new(self.client.clone(), &self.base)
    }

    pub fn email(name: &str) -> String {
        format!("{name}@it.example")
    }

    /// A new customer, signed in through the sandbox Google.
    pub async fn customer(&self, name: &str) -> TestClient {
        let browser = self.visitor();
        browser.sign_in(&TestShop::email(name)).await;
        browser
    }

    pub async fn admin(&self) -> TestClient {
        let browser = self.visitor();
        browser.sign_in(ADMIN).await;
        browser
    }

    /// Adds a product that is visible immediately.
    pub async fn add_product(&self, fixture: ProductFixture) -> &'static str {
        let id = fixture.id;
        insert_product(&self.second_instance, fixture).await;
        self.refresh_catalogue().await;
        id
    }

    /// Loads changes of other instances without waiting for the next catalogue refresh.
    pub async fn refresh_catalogue(&self) {
        let shop = &self.running.shop;
        let now = shop.now_ms();
        shop.catalogue.refresh(&shop.db, now).await.unwrap();
    }

    /// Executes SQL directly. Returns the number of affected rows.
    pub async fn sql(&self, text: &str) -> u64 {
        match self.config.database().unwrap() {
            DatabaseUrl::Sqlite(file) => {
                let connection = rusqlite::Connection::open(file).unwrap();
                connection.execute(text, []).unwrap() as u64
            }
            DatabaseUrl::Postgres(url) => postgres(&url).await.execute(text, &[]).await.unwrap(),
        }
    }

    /// Sets a column of a product's stock, and the ledger with it.
    pub async fn set_stock(&self, product: &str, column: &str, amount: i64) {
        // The ledger calls grams by another name.
        let ledger = column.trim_start_matches("stock_");
        self.sql(&format!(
            "update stock_ledger set {ledger} = {ledger} + {amount} - (select {column} from products where id = '{product}')
             where id = (select min(id) from stock_ledger where product_id = '{product}' and order_id is null)"
        ))
        .await;
        let now = self.running.shop.now_ms();
        self.sql(&format!(
            "update products set {column} = {amount}, touched_at = {now} where id = '{product}'"
        ))
        .await;
        self.refresh_catalogue().await;
    }

    /// Drops the database while the server runs. Only possible with PostgreSQL.
    pub async fn drop_database(&self) {
        let (_, name) = self.config.database_url.expose().rsplit_once('/').unwrap();
        let drop = format!("drop database {name} with (force)");
        let admin = postgres(&postgres_server()).await;
        admin.batch_execute(&drop).await.unwrap();
    }
}

/// A separate PostgreSQL connection.
pub async fn postgres(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn postgres_server() -> String {
    std::env::var("MIRASA_TEST_POSTGRES").expect(
        "MIRASA_TEST_POSTGRES must name a PostgreSQL server: run the tests with `make test`",
    )
}

pub async fn new_postgres_database() -> String {
    let server = postgres_server();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("it_{}_{number}", std::process::id());
    let create = format!("create database {name}");
    let admin = postgres(&server).await;
    admin.batch_execute(&create).await.unwrap();
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}

/// The repository's root: tests run in the folder of their package. (`env!` would name the checkout that the tests were
/// compiled in, and checkouts share their build folder.)
pub fn repository() -> PathBuf {
    Path::new("../..").canonicalize().unwrap()
}

fn assert_web_app_is_built() {
    let bundle = repository().join("web/dist/server/pages.json");
    assert!(
        bundle.exists(),
        "{} is missing: build the web app with `make build` or run the tests with `make test`",
        bundle.display()
    );
}

/// The folders of the shared servers are never dropped, so the next run deletes those of finished processes.
pub fn temporary_folder() -> Arc<tempfile::TempDir> {
    static OURS: LazyLock<PathBuf> = LazyLock::new(|| {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
        for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let pid = name.to_str().and_then(|name| name.strip_prefix("it-"));
            if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let ours = all.join(format!("it-{}", std::process::id()));
        std::fs::create_dir_all(&ours).unwrap();
        ours
    });
    Arc::new(tempfile::tempdir_in(&*OURS).unwrap())
}
