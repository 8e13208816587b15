//! Servers that are down, frozen or standbys, and several hosts in the URL.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mirasa_app::repository::{Database, StoreError};
use mirasa_store::{DatabaseUrl, PoolSize};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::engines::{TestDatabase, add_user, connect_directly, postgres, read, write};

fn url(shop: &TestDatabase) -> &str {
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    url
}

fn port_and_name(shop: &TestDatabase) -> (&str, &str) {
    let (_, end) = url(shop).rsplit_once(':').unwrap();
    end.split_once('/').unwrap()
}

/// The URL of the test's database on these hosts, each with its port.
fn url_on(shop: &TestDatabase, hosts: &[String], options: &str) -> DatabaseUrl {
    let (_, name) = port_and_name(shop);
    let url = format!("postgres://mirasa@{}/{name}{options}", hosts.join(","));
    url.parse().unwrap()
}

/// A port that no program listens on.
async fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Forwards connections to the server. When it is frozen, those that are open carry no more data and stay open.
struct Proxy {
    address: SocketAddr,
    freezes: watch::Sender<u32>,
}

impl Proxy {
    async fn start(shop: &TestDatabase) -> Proxy {
        let target = format!("127.0.0.1:{}", port_and_name(shop).0);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (freezes, _) = watch::channel(0);
        let freezing = freezes.clone();
        tokio::spawn(async move {
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let (target, mut frozen) = (target.clone(), freezing.subscribe());
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(target).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        _ = frozen.changed() => std::future::pending().await,
                    }
                });
            }
        });
        Proxy { address, freezes }
    }

    fn freeze_open_connections(&self) {
        self.freezes.send_modify(|count| *count += 1);
    }
}

/// Opens as many connections as there are in the pool.
async fn open_connections(db: &Database, count: usize) {
    let barrier = std::sync::Arc::new(tokio::sync::Barrier::new(count));
    let reads = (0..count).map(|_| {
        let barrier = barrier.clone();
        db.read::<_, StoreError>(async move |db| {
            barrier.wait().await;
            db.recent_emails(1).await
        })
    });
    for result in futures::future::join_all(reads).await {
        result.unwrap();
    }
}

fn is_unavailable<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Unavailable(_)))
}

#[tokio::test]
async fn frozen_server_holds_no_connection() {
    let shop = postgres().await;
    let user = add_user(&shop.db, "asha").await.id;
    let proxy = Proxy::start(&shop).await;
    let url = url_on(&shop, &[proxy.address.to_string()], "");
    let db = mirasa_store::open(&url, PoolSize(6)).await.unwrap();
    open_connections(&db, 6).await;
    proxy.freeze_open_connections();

    let began = Instant::now();
    let (list, ()) = tokio::join!(
        db.read::<_, StoreError>(async move |db| db.recent_emails(1).await),
        async {
            let (reader, writer) = (user.clone(), user.clone());
            let failed = tokio::join!(
                db.ping(),
                db.point_read::<_, StoreError>(async move |db| db.cart(&reader).await),
                db.write::<_, StoreError>(async move |tx| tx
                    .increment_cart_version(&writer, 2)
                    .await),
                // A request that is cancelled leaves no frozen connection behind either.
                tokio::time::timeout(
                    Duration::from_millis(100),
                    db.read::<_, StoreError>(async move |db| db.recent_emails(1).await)
                ),
            );
            assert!(is_unavailable(&failed.0) && is_unavailable(&failed.1));
            assert!(is_unavailable(&failed.2) && failed.3.is_err());
            let failed_after = began.elapsed();
            assert!(failed_after < Duration::from_secs(8), "{failed_after:?}");
            // All idle connections were frozen. New ones are used.
            open_connections(&db, 5).await;
            let recovered_after = began.elapsed() - failed_after;
            assert!(
                recovered_after < Duration::from_secs(2),
                "{recovered_after:?}"
            );
        }
    );
    assert!(is_unavailable(&list), "a list has a timeout too");
    open_connections(&db, 6).await;
    let version = read!(shop.db, db => db.cart(&user).await?).version;
    assert_eq!(version, 0, "the write was not applied");
}

#[tokio::test]
async fn hosts_that_do_not_respond_are_passed_over() {
    let (shop, empty) = (postgres().await, postgres().await);
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hosts = [
        silent.local_addr().unwrap().to_string(),
        closed_port().await,
        format!("127.0.0.1:{}", port_and_name(&shop).0),
    ];
    add_user(&shop.db, "asha").await;
    let began = Instant::now();
    let url = url_on(&shop, &hosts, "?target_session_attrs=read-write");
    let db = mirasa_store::open(&url, PoolSize(2)).await.unwrap();
    db.ping().await.unwrap();
    let file = shop.folder.path().join("several.jsonl");
    let saved = mirasa_store::maintenance::backup::backup(&url, &file)
        .await
        .unwrap();
    let target = url_on(&empty, &hosts, "?target_session_attrs=read-write");
    let restored = mirasa_store::maintenance::backup::restore(&target, &file)
        .await
        .unwrap();
    assert_eq!((saved, restored.rows), (1, 1));
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );

    let down = [
        closed_port().await,
        silent.local_addr().unwrap().to_string(),
    ];
    let result = mirasa_store::open(&url_on(&shop, &down, ""), PoolSize(1)).await;
    let error = format!("{:#}", anyhow::Error::from(result.err().unwrap()));
    assert!(
        error.contains(&down[0]) && error.contains(&down[1]),
        "{error}"
    );
}

#[tokio::test]
async fn connection_to_a_standby_is_replaced() {
    let shop = postgres().await;
    let user = add_user(&shop.db, "asha").await.id;
    let client = connect_directly(url(&shop)).await;
    let (_, name) = port_and_name(&shop);
    let set = format!("alter database {name} set default_transaction_read_only = on");
    client.batch_execute(&set).await.unwrap();
    let standby = mirasa_store::open(&shop.url, PoolSize(4)).await.unwrap();
    open_connections(&standby, 4).await;

    let required = format!("{}?target_session_attrs=read-write", url(&shop));
    let result = mirasa_store::open(&required.parse().unwrap(), PoolSize(1)).await;
    let error = format!("{:#}", anyhow::Error::from(result.err().unwrap()));
    assert!(error.contains("does not allow writes"), "{error}");

    let reset = format!("alter database {name} reset default_transaction_read_only");
    client.batch_execute(&reset).await.unwrap();
    // The session of the pool is still read-only. The first write finds it out, and no other one.
    let id = user.clone();
    let refused: Result<(), StoreError> = standby
        .write(async move |tx| tx.increment_cart_version(&id, 2).await)
        .await;
    assert!(is_unavailable(&refused), "{refused:?}");
    for _ in 0..4 {
        let id = user.clone();
        write!(standby, tx => tx.increment_cart_version(&id, 3).await?);
    }
}
