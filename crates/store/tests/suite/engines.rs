//! An empty database on each engine.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mirasa_app::repository::customers::NewUser;
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::user::{Role, User, UserId};
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio_postgres::NoTls;

pub struct TestDatabase {
    pub db: Database,
    pub url: DatabaseUrl,
    pub folder: Arc<tempfile::TempDir>,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

pub async fn sqlite() -> TestDatabase {
    open(new_sqlite(), PoolSize(4)).await
}

pub async fn postgres() -> TestDatabase {
    open(new_postgres().await, PoolSize(8)).await
}

/// A database without tables.
pub struct NewDatabase {
    pub url: DatabaseUrl,
    pub folder: Arc<tempfile::TempDir>,
}

pub async fn open(new: NewDatabase, size: PoolSize) -> TestDatabase {
    TestDatabase {
        db: mirasa_store::open(&new.url, size).await.unwrap(),
        url: new.url,
        folder: new.folder,
    }
}

pub fn new_sqlite() -> NewDatabase {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    NewDatabase {
        url: DatabaseUrl::Sqlite(folder.path().join("shop.db")),
        folder,
    }
}

pub async fn new_postgres() -> NewDatabase {
    let server = std::env::var("MIRASA_TEST_POSTGRES").expect(
        "MIRASA_TEST_POSTGRES must name a PostgreSQL server: run the tests with `make test`",
    );
    let name = format!(
        "store_{}_{}",
        std::process::id(),
        NUMBER.fetch_add(1, Ordering::Relaxed)
    );
    let create = format!("create database {name}");
    connect_directly(&server)
        .await
        .batch_execute(&create)
        .await
        .unwrap();
    let (base, _) = server.rsplit_once('/').unwrap();
    NewDatabase {
        url: DatabaseUrl::Postgres(format!("{base}/{name}")),
        folder: Arc::new(tempfile::tempdir().unwrap()),
    }
}

/// A connection to PostgreSQL that does not belong to the store.
pub async fn connect_directly(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Executes one statement on a connection of its own.
pub async fn execute_sql(shop: &TestDatabase, text: &str) {
    match &shop.url {
        DatabaseUrl::Sqlite(file) => {
            let connection = rusqlite::Connection::open(file).unwrap();
            connection.execute(text, []).unwrap();
        }
        DatabaseUrl::Postgres(url) => connect_directly(url)
            .await
            .batch_execute(text)
            .await
            .unwrap(),
    }
}

/// Runs one test body on both engines.
pub async fn for_each_engine<F: Future<Output = ()>>(test: impl Fn(TestDatabase) -> F) {
    for fresh in [sqlite().await, postgres().await] {
        // The future of a test captures only the fields that it uses. The folder must outlive it.
        let folder = Arc::clone(&fresh.folder);
        test(fresh).await;
        drop(folder);
    }
}

/// Writes in one transaction. Panics on an error.
macro_rules! write {
    ($db:expr, $tx:ident => $body:expr) => {
        $db.write(async move |$tx| Ok::<_, mirasa_app::repository::StoreError>($body))
            .await
            .unwrap()
    };
}
macro_rules! read {
    ($db:expr, $queries:ident => $body:expr) => {
        $db.read(async move |$queries| Ok::<_, mirasa_app::repository::StoreError>($body))
            .await
            .unwrap()
    };
}
pub(crate) use read;
pub(crate) use write;

pub async fn add_user(db: &Database, name: &str) -> User {
    let user = NewUser {
        id: UserId(format!("user-{name}")),
        issuer: "https://accounts.google.com".into(),
        subject: format!("sub-{name}"),
        email: format!("{name}@mirasa.example"),
        name: name.into(),
        photo: None,
        role: Role::Customer,
    };
    let id = user.id.clone();
    write!(db, tx => tx.insert_user(&user, 1).await?);
    read!(db, db => db.user(&id).await?).unwrap()
}

/// The name of the violated constraint. Panics if none was violated.
pub fn constraint<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Constraint(name)) => name,
        other => panic!("expected a violated constraint, got {other:?}"),
    }
}
