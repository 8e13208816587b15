//! TLS to PostgreSQL, with the certificate of scripts/with-postgres.sh.

use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{connect_directly, postgres};

fn with(url: &DatabaseUrl, options: &str) -> DatabaseUrl {
    let DatabaseUrl::Postgres(url) = url else {
        unreachable!()
    };
    format!("{url}?{options}").parse().unwrap()
}

fn ca() -> String {
    let file = std::env::var("MIRASA_TEST_POSTGRES_CA");
    file.expect("MIRASA_TEST_POSTGRES_CA must name a file: run the tests with `make test`")
}

#[tokio::test]
async fn tls_is_used_if_the_url_requires_it() {
    let shop = postgres().await;
    let DatabaseUrl::Postgres(plain) = &shop.url else {
        unreachable!()
    };
    let client = connect_directly(plain).await;
    // Only the connections that were opened last: those of the shop above have no TLS.
    let encrypted = async || -> i64 {
        let count = "select count(*) from pg_stat_ssl s join pg_stat_activity a using (pid)
            where s.ssl and a.datname = current_database()";
        client.query_one(count, &[]).await.unwrap().get(0)
    };
    assert_eq!(encrypted().await, 0);
    for mode in ["require", "verify-full"] {
        let url = with(&shop.url, &format!("sslmode={mode}&sslrootcert={}", ca()));
        let db = mirasa_store::open(&url, PoolSize(1)).await.unwrap();
        db.ping().await.unwrap();
        assert_eq!(encrypted().await, 1, "{mode}");
        let file = shop.folder.path().join("encrypted.jsonl");
        mirasa_store::backup::backup(&url, &file).await.unwrap();
        drop(db);
        // The server closes the connection asynchronously.
        while encrypted().await > 0 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn tls_rejects_an_unverified_server() {
    let shop = postgres().await;
    let untrusted = with(&shop.url, "sslmode=require");
    let result = mirasa_store::open(&untrusted, PoolSize(1)).await;
    let error = format!("{:?}", result.err().expect("its CA is not trusted"));
    assert!(error.contains("certificate"), "{error}");

    let DatabaseUrl::Postgres(plain) = &shop.url else {
        unreachable!()
    };
    // The certificate is for 127.0.0.1, the URL has another host name.
    let port = plain.rsplit_once(':').unwrap().1.to_owned();
    let (port, name) = port.split_once('/').unwrap();
    let wrong_host = format!(
        "postgres://mirasa@db.mirasa.example:{port}/{name}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={}",
        ca()
    );
    let result = mirasa_store::open(&wrong_host.parse().unwrap(), PoolSize(1)).await;
    let error = format!("{:?}", result.err().expect("the host name does not match"));
    assert!(error.contains("certificate"), "{error}");

    let missing_file = with(&shop.url, "sslmode=require&sslrootcert=/nowhere.pem");
    let result = mirasa_store::open(&missing_file, PoolSize(1)).await;
    let error = format!("{:?}", result.err().expect("the file does not exist"));
    assert!(error.contains("/nowhere.pem"), "{error}");
}
