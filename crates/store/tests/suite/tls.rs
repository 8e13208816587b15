//! TLS to PostgreSQL, with the certificate that scripts/with-postgres.sh has made for it.

use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{beside, postgres};

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
async fn a_connection_is_encrypted_where_the_url_requires_it() {
    let shop = postgres().await;
    let DatabaseUrl::Postgres(plain) = &shop.url else {
        unreachable!()
    };
    let client = beside(plain).await;
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
        // The server takes a moment to notice that it is gone.
        while encrypted().await > 0 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_server_that_cannot_prove_who_it_is_gets_nothing() {
    let shop = postgres().await;
    let stranger = with(&shop.url, "sslmode=require");
    let refused = mirasa_store::open(&stranger, PoolSize(1)).await;
    let said = format!("{:?}", refused.err().expect("no authority knows it"));
    assert!(said.contains("certificate"), "{said}");

    let DatabaseUrl::Postgres(plain) = &shop.url else {
        unreachable!()
    };
    // The certificate is for 127.0.0.1; the name that is asked for is another one.
    let port = plain.rsplit_once(':').unwrap().1.to_owned();
    let (port, name) = port.split_once('/').unwrap();
    let elsewhere = format!(
        "postgres://mirasa@db.mirasa.example:{port}/{name}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={}",
        ca()
    );
    let refused = mirasa_store::open(&elsewhere.parse().unwrap(), PoolSize(1)).await;
    let said = format!("{:?}", refused.err().expect("its name is another one"));
    assert!(said.contains("certificate"), "{said}");

    let nowhere = with(&shop.url, "sslmode=require&sslrootcert=/nowhere.pem");
    let refused = mirasa_store::open(&nowhere, PoolSize(1)).await;
    let said = format!("{:?}", refused.err().expect("there is no such file"));
    assert!(said.contains("/nowhere.pem"), "{said}");
}
