//! Starts the program on SQLite and on PostgreSQL. Most tests share one started shop of each engine and
//! keep apart by using people and products of their own; a test that needs the whole shop starts fresh
//! ones. Everything runs in one runtime, because a shared shop must outlive the test that started it.

mod browser;
mod checkout;
mod files;
mod html;
mod products;
mod raw_http;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use mirasa_app::repository::Database;
use mirasa_server::cli::Flags;
use mirasa_server::config::{Config, OnOff, Secret};
use mirasa_server::serve::{self, Server};
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use tokio_postgres::NoTls;

pub use browser::{TestClient, TestResponse, client};
pub(crate) use checkout::read_db;
pub use checkout::{GATEWAY, PendingPayment, eventually};
pub use files::{jpeg, png};
pub use html::{Tag, tags};
pub use products::{ProductFixture, insert_product, now_ms};

pub const METRICS_TOKEN: &str = "let-me-look";
/// An admin by configuration; `admin@mirasa.example` is one because sign-in is the sandbox.
pub const ADMIN: &str = "owner@it.example";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static METRICS: LazyLock<PrometheusHandle> =
    LazyLock::new(|| PrometheusBuilder::new().install_recorder().unwrap());
static SHARED: [OnceCell<TestShop>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
static NUMBER: AtomicU32 = AtomicU32::new(0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

const BOTH: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// A started shop and what a test needs around it.
pub struct TestShop {
    pub running: Server,
    pub base: String,
    pub config: Config,
    /// The same database through another door, as a second instance of the program has it.
    pub second_instance: Database,
    pub client: reqwest::Client,
    _folder: Arc<tempfile::TempDir>,
}

/// Writes into the shop's database as a second instance of the program would.
macro_rules! write_db {
    ($shop:expr, $tx:ident => $body:expr) => {
        $shop
            .second_instance
            .write(move |$tx| {
                Box::pin(async move { Ok::<_, mirasa_app::repository::StoreError>($body) })
            })
            .await
            .unwrap()
    };
}
pub(crate) use write_db;

/// Runs the test on the shared shop of each engine.
pub fn for_each_engine(test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        for (engine, cell) in BOTH.into_iter().zip(&SHARED) {
            let shop = cell.get_or_init(|| TestShop::start(engine, |_| {})).await;
            eprintln!("on {engine:?}");
            test(shop).await;
        }
    });
}

/// Runs the test on a fresh shop of each engine, configured as it likes.
pub fn for_each_engine_fresh(configure: impl Fn(&mut Config), test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        for engine in BOTH {
            let shop = TestShop::start(engine, &configure).await;
            eprintln!("on {engine:?}");
            test(&shop).await;
        }
    });
}

/// For tests that are about the program around the shop, where one engine says all.
pub fn on_sqlite_fresh(configure: impl Fn(&mut Config), test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        let shop = TestShop::start(Engine::Sqlite, &configure).await;
        test(&shop).await;
    });
}

/// For tests that start the program themselves.
pub fn in_runtime(test: impl Future<Output = ()>) {
    RUNTIME.block_on(test);
}

/// For tests of what only PostgreSQL can do, or have done to it.
pub fn on_postgres_fresh(configure: impl Fn(&mut Config), test: impl AsyncFn(&TestShop)) {
    RUNTIME.block_on(async {
        let shop = TestShop::start(Engine::Postgres, &configure).await;
        test(&shop).await;
    });
}

impl TestShop {
    async fn start(engine: Engine, configure: impl Fn(&mut Config)) -> TestShop {
        web_app_is_built();
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
        // One secret, one signing key to make for all shops.
        config.sandbox.secret = "it".into();
        configure(&mut config);
        let database = config.database().unwrap();
        let elsewhere = mirasa_store::open(&database, PoolSize(2)).await.unwrap();
        for fixture in products::default_products() {
            insert_product(&elsewhere, fixture).await;
        }
        let running = serve::start(&config, Some(METRICS.clone())).await.unwrap();
        TestShop {
            base: format!("http://{}", running.address),
            client: client(None),
            running,
            config,
            second_instance: elsewhere,
            _folder: folder,
        }
    }

    pub fn visitor(&self) -> TestClient {
        TestClient::new(self.client.clone(), &self.base)
    }

    pub fn email(name: &str) -> String {
        format!("{name}@it.example")
    }

    /// Somebody new, signed in through the sandbox Google.
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

    /// A product of the test's own, on sale at once.
    pub async fn add_product(&self, fixture: ProductFixture) -> &'static str {
        let id = fixture.id;
        insert_product(&self.second_instance, fixture).await;
        self.refresh_catalogue().await;
        id
    }

    /// Takes in what was changed elsewhere, without waiting for the next regular look.
    pub async fn refresh_catalogue(&self) {
        let shop = &self.running.shop;
        let now = shop.now_ms();
        shop.catalogue.refresh(&shop.db, now).await.unwrap();
    }

    /// Changes rows behind the program's back.
    pub async fn sql(&self, text: &str) -> u64 {
        match self.config.database().unwrap() {
            DatabaseUrl::Sqlite(file) => {
                let connection = rusqlite::Connection::open(file).unwrap();
                connection.execute(text, []).unwrap() as u64
            }
            DatabaseUrl::Postgres(url) => postgres(&url).await.execute(text, &[]).await.unwrap(),
        }
    }

    /// Takes the database from under the running shop. PostgreSQL alone can.
    pub async fn drop_database(&self) {
        let (_, name) = self.config.database_url.expose().rsplit_once('/').unwrap();
        let drop = format!("drop database {name} with (force)");
        let admin = postgres(&postgres_server()).await;
        admin.batch_execute(&drop).await.unwrap();
    }
}

/// A connection of our own, beside the shop's.
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

async fn new_postgres_database() -> String {
    let server = postgres_server();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("it_{}_{number}", std::process::id());
    let create = format!("create database {name}");
    let admin = postgres(&server).await;
    admin.batch_execute(&create).await.unwrap();
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}

/// The repository's root.
pub fn repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

fn web_app_is_built() {
    let bundle = repository().join("web/dist/server/render.js");
    assert!(
        bundle.exists(),
        "{} is missing: build the web app with `make build` or run the tests with `make test`",
        bundle.display()
    );
}

/// The shared shops' folders are never dropped, so the next run clears away what the last one left.
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
