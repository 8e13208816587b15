//! TLS to PostgreSQL, with the certificate of scripts/with-postgres.sh. It is for 127.0.0.1 and localhost.

use mirasa_app::repository::StoreError;
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio_postgres::Client;

use crate::engines::{TestDatabase, connect_directly, postgres};

const OTHER_NAME: &str = "db.mirasa.example";

fn ca() -> String {
    let file = std::env::var("MIRASA_TEST_POSTGRES_CA");
    file.expect("MIRASA_TEST_POSTGRES_CA must name a file: run the tests with `make test`")
}

/// Port and database name.
fn port_and_name(shop: &TestDatabase) -> (&str, &str) {
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    let (_, end) = url.rsplit_once(':').unwrap();
    end.split_once('/').unwrap()
}

/// The test server under this name.
fn url(shop: &TestDatabase, host: &str, options: &str) -> DatabaseUrl {
    let (port, name) = port_and_name(shop);
    format!("postgres://mirasa@{host}:{port}/{name}?hostaddr=127.0.0.1&{options}")
        .parse()
        .unwrap()
}

/// The encrypted connections of a test's database.
async fn encrypted(client: &Client) -> i64 {
    let count = "select count(*) from pg_stat_ssl s join pg_stat_activity a using (pid)
        where s.ssl and a.datname = current_database()";
    client.query_one(count, &[]).await.unwrap().get(0)
}

async fn direct(shop: &TestDatabase) -> Client {
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    connect_directly(url).await
}

async fn refused(url: &DatabaseUrl) -> String {
    let result = mirasa_store::open(url, PoolSize(1)).await;
    format!("{:#}", anyhow(result.err().expect("it is refused")))
}

fn anyhow(error: StoreError) -> anyhow::Error {
    anyhow::Error::from(error)
}

#[tokio::test]
async fn sslmode_decides_whether_a_connection_is_encrypted() {
    let shop = postgres().await;
    let client = direct(&shop).await;
    let authority = format!("&sslrootcert={}", ca());
    for (host, mode, roots, count) in [
        // Without a mode: the host is this machine.
        ("127.0.0.1", "", "", 0),
        ("127.0.0.1", "sslmode=disable", "", 0),
        // The server accepts a connection without TLS.
        ("127.0.0.1", "sslmode=allow", "", 0),
        ("127.0.0.1", "sslmode=prefer", "", 1),
        // Without a root certificate any certificate is accepted.
        (OTHER_NAME, "sslmode=require", "", 1),
        // With one it is checked, but not the name.
        (OTHER_NAME, "sslmode=require", &authority, 1),
        (OTHER_NAME, "sslmode=verify-ca", &authority, 1),
        ("127.0.0.1", "sslmode=verify-full", &authority, 1),
        ("localhost", "sslmode=verify-full", &authority, 1),
    ] {
        let url = url(&shop, host, &format!("{mode}{roots}"));
        let db = mirasa_store::open(&url, PoolSize(1)).await.unwrap();
        db.ping().await.unwrap();
        assert_eq!(encrypted(&client).await, count, "{mode}{roots}");
        let file = shop.folder.path().join("encrypted.jsonl");
        mirasa_store::maintenance::backup::backup(&url, &file)
            .await
            .unwrap();
        drop(db);
        // The server closes the connection asynchronously.
        while encrypted(&client).await > 0 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn certificate_that_does_not_fit_is_refused_with_the_host_and_the_reason() {
    let shop = postgres().await;
    let (port, name) = port_and_name(&shop);
    let authority = format!("sslrootcert={}", ca());

    // The CA is not one of the system's.
    for mode in ["verify-ca", "verify-full"] {
        let error = refused(&url(&shop, "localhost", &format!("sslmode={mode}"))).await;
        assert!(error.contains(&format!("localhost:{port}")), "{error}");
        assert!(error.contains("certificate"), "{mode}: {error}");
    }

    let wrong_host = url(
        &shop,
        OTHER_NAME,
        &format!("sslmode=verify-full&{authority}"),
    );
    let error = refused(&wrong_host).await;
    assert!(error.contains(&format!("{OTHER_NAME}:{port}")), "{error}");
    assert!(error.contains("not valid for name"), "{error}");
    let file = shop.folder.path().join("wrong-host.jsonl");
    let error = mirasa_store::maintenance::backup::backup(&wrong_host, &file).await;
    let error = format!("{:#}", error.unwrap_err());
    assert!(error.contains("not valid for name"), "{error}");

    let missing = "sslmode=verify-full&sslrootcert=/nowhere.pem";
    let error = refused(&url(&shop, "localhost", missing)).await;
    assert!(error.contains("/nowhere.pem"), "{error}");

    // Each host is checked by its own name.
    let two = |first: &str, second: &str| -> DatabaseUrl {
        let url = format!(
            "postgres://mirasa@{first}:{port},{second}:{port}/{name}?hostaddr=127.0.0.1,127.0.0.1&sslmode=verify-full&{authority}"
        );
        url.parse().unwrap()
    };
    let error = refused(&two(OTHER_NAME, "db2.mirasa.example")).await;
    assert!(error.contains(OTHER_NAME), "{error}");
    assert!(error.contains("db2.mirasa.example"), "{error}");
    let one_fits = two(OTHER_NAME, "localhost");
    let db = mirasa_store::open(&one_fits, PoolSize(1)).await.unwrap();
    db.ping().await.unwrap();
    assert_eq!(encrypted(&direct(&shop).await).await, 1);
}
