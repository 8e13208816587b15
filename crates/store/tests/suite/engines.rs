//! A fresh, empty shop on each engine.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mirasa_app::repository::users::NewUser;
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::user::{Role, User, UserId};
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio_postgres::NoTls;

pub struct Fresh {
    pub db: Database,
    pub url: DatabaseUrl,
    pub folder: Arc<tempfile::TempDir>,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

pub async fn sqlite() -> Fresh {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let url = DatabaseUrl::Sqlite(folder.path().join("shop.db"));
    Fresh {
        db: mirasa_store::open(&url, PoolSize(4)).await.unwrap(),
        url,
        folder,
    }
}

pub async fn postgres() -> Fresh {
    let server = std::env::var("MIRASA_TEST_POSTGRES").expect(
        "MIRASA_TEST_POSTGRES must name a PostgreSQL server: run the tests with `make test`",
    );
    let name = format!(
        "store_{}_{}",
        std::process::id(),
        NUMBER.fetch_add(1, Ordering::Relaxed)
    );
    let create = format!("create database {name}");
    beside(&server).await.batch_execute(&create).await.unwrap();
    let (base, _) = server.rsplit_once('/').unwrap();
    let url = DatabaseUrl::Postgres(format!("{base}/{name}"));
    Fresh {
        db: mirasa_store::open(&url, PoolSize(8)).await.unwrap(),
        url,
        folder: Arc::new(tempfile::tempdir().unwrap()),
    }
}

/// A connection of our own, beside the shop's.
pub async fn beside(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Executes one statement on a connection of its own.
pub async fn execute_sql(shop: &Fresh, text: &str) {
    match &shop.url {
        DatabaseUrl::Sqlite(file) => {
            let connection = rusqlite::Connection::open(file).unwrap();
            connection.execute(text, []).unwrap();
        }
        DatabaseUrl::Postgres(url) => beside(url).await.batch_execute(text).await.unwrap(),
    }
}

/// Runs one test body on both engines.
pub async fn for_each_engine<F: Future<Output = ()>>(test: impl Fn(Fresh) -> F) {
    for fresh in [sqlite().await, postgres().await] {
        // A test's future captures only what it uses of the shop; the folder must outlive it.
        let folder = Arc::clone(&fresh.folder);
        test(fresh).await;
        drop(folder);
    }
}

/// Writes in one transaction; panics where the store refuses.
macro_rules! write {
    ($db:expr, $tx:ident => $body:expr) => {
        $db.write(move |$tx| {
            Box::pin(async move { Ok::<_, mirasa_app::repository::StoreError>($body) })
        })
        .await
        .unwrap()
    };
}
macro_rules! read {
    ($db:expr, $queries:ident => $body:expr) => {
        $db.read(move |$queries| {
            Box::pin(async move { Ok::<_, mirasa_app::repository::StoreError>($body) })
        })
        .await
        .unwrap()
    };
}
pub(crate) use {read, write};

pub async fn a_user(db: &Database, name: &str) -> User {
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

/// Which constraint said no; panics if none did.
pub fn constraint<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Constraint(name)) => name,
        other => panic!("expected a violated constraint, got {other:?}"),
    }
}
