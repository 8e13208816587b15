//! Pictures in a bucket: a real S3 server that checks every signature, and two shops that share it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{Method, header};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use mirasa_server::config::Config;
use mirasa_server::serve;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use serde_json::json;
use tokio::sync::oneshot;

use crate::harness::{
    TestClient, client, for_each_engine_fresh, on_sqlite_fresh, png, temporary_folder,
};

const BUCKET: &str = "mirasa-pictures";
const ACCESS_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET_KEY: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// The server, on a thread of its own, with one bucket.
struct S3 {
    address: SocketAddr,
    folder: Arc<tempfile::TempDir>,
    stop: Mutex<Option<oneshot::Sender<()>>>,
}

impl S3 {
    fn start() -> S3 {
        let folder = temporary_folder();
        std::fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let files = FileSystem::new(folder.path()).unwrap();
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = builder.build();
        let (stop, mut told) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            // Whatever is still connected when it is told to stop is cut off with the runtime.
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                loop {
                    let (socket, _) = tokio::select! {
                        _ = &mut told => return,
                        accepted = listener.accept() => accepted.unwrap(),
                    };
                    let service = service.clone();
                    tokio::spawn(async move {
                        let connections = auto::Builder::new(TokioExecutor::new());
                        let _ = connections
                            .serve_connection(TokioIo::new(socket), service)
                            .await;
                    });
                }
            });
        });
        S3 {
            address,
            folder,
            stop: Mutex::new(Some(stop)),
        }
    }

    fn use_it(&self, config: &mut Config) {
        config.pictures.bucket = BUCKET.into();
        config.pictures.endpoint = format!("http://{}", self.address);
        config.pictures.access_key = ACCESS_KEY.into();
        config.pictures.secret_key = SECRET_KEY.into();
    }

    fn has(&self, object: &str) -> bool {
        self.folder.path().join(BUCKET).join(object).exists()
    }

    fn stop(&self) {
        let stop = self.stop.lock().unwrap().take().unwrap();
        stop.send(()).unwrap();
    }
}

/// Asks for a size that nobody has made yet, in a format that everybody reads.
async fn see(browser: &TestClient, address: &str) -> image::DynamicImage {
    let ask = browser
        .request(Method::GET, address)
        .header(header::ACCEPT, "*/*");
    let served = browser.send(ask).await;
    assert_eq!(served.status, 200, "{address}: {served:?}");
    assert!(served.header("content-type").starts_with("image/"));
    image::load_from_memory(&served.body).unwrap()
}

#[test]
fn a_second_shop_with_an_empty_folder_serves_what_the_first_took_in() {
    let s3 = S3::start();
    for_each_engine_fresh(
        |config| s3.use_it(config),
        async |shop| {
            let admin = shop.admin().await;
            let picture = png(900, 600, 7);
            let file = admin.upload(&[("pack.png", &picture)]).await.expect_ok()["files"][0]
                .as_str()
                .unwrap()
                .to_owned();
            let customer = shop.customer("bucket-picture").await;
            let me = format!(
                "data:image/png;base64,{}",
                STANDARD.encode(png(300, 300, 8))
            );
            let user = customer
                .put("/api/user/profile-picture", json!({ "profilePicture": me }))
                .await
                .expect_ok();
            let mine = user["user"]["profilePicture"].as_str().unwrap().to_owned();
            let (mine_path, _) = mine.split_once('?').unwrap_or((&mine, ""));

            assert!(s3.has(&format!("products/{file}")), "the picture itself");
            assert!(s3.has(&format!("index/products/{file}.json")), "its card");
            assert!(s3.has(mine_path.trim_start_matches("/images/")));
            let on_disk = shop.config.data.join("pictures");
            assert!(
                !on_disk.join("products").exists() && !on_disk.join("people").exists(),
                "nothing that could be lost is on the disk"
            );

            let folder = temporary_folder();
            let mut config = shop.config.clone();
            config.data = folder.path().to_owned();
            config.listen = "127.0.0.1:0".parse().unwrap();
            let second = serve::start(&config, None).await.unwrap();
            let visitors = [
                shop.visitor(),
                TestClient::new(client(None), &format!("http://{}", second.address)),
            ];
            for visitor in &visitors {
                let whole = see(visitor, &format!("/images/products/{file}")).await;
                assert_eq!((whole.width(), whole.height()), (900, 600));
                let small = see(visitor, &format!("/images/products/{file}?w=160")).await;
                assert_eq!(small.width(), 160);
                see(visitor, &mine).await;
                see(visitor, &format!("{mine_path}?w=64")).await;
            }
            assert!(
                !s3.has("renditions"),
                "sizes are made where they are shown, not stored for all"
            );
            second.stop().await;
        },
    );
}

#[test]
fn a_key_or_bucket_that_is_wrong_is_said_at_the_start() {
    let s3 = S3::start();
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            type Wrong = fn(&mut Config);
            let wrong: [(Wrong, &str); 3] = [
                (
                    |config| config.pictures.secret_key = "not-the-secret".into(),
                    "refuses pictures.access_key",
                ),
                (
                    |config| config.pictures.access_key = "AKIANOBODY".into(),
                    "refuses pictures.access_key",
                ),
                (
                    |config| config.pictures.bucket = "no-such-bucket".into(),
                    "there is no bucket \"no-such-bucket\"",
                ),
            ];
            for (make_wrong, says) in wrong {
                let mut config = shop.config.clone();
                config.listen = "127.0.0.1:0".parse().unwrap();
                s3.use_it(&mut config);
                make_wrong(&mut config);
                let began = Instant::now();
                let Err(refusal) = serve::start(&config, None).await else {
                    panic!("it started: {:?}", config.pictures)
                };
                let said = format!("{refusal:#}");
                assert!(said.contains(says), "{said}");
                assert!(!said.contains("not-the-secret"), "{said}");
                assert!(began.elapsed() < Duration::from_secs(10), "{said}");
            }
        },
    );
}

#[test]
fn while_the_bucket_is_away_the_shop_shows_what_it_knows_and_says_what_it_cannot() {
    let s3 = S3::start();
    on_sqlite_fresh(
        |config| s3.use_it(config),
        async |shop| {
            let admin = shop.admin().await;
            let response = admin
                .upload(&[("a.png", &png(400, 300, 9))])
                .await
                .expect_ok();
            let file = response["files"][0].as_str().unwrap();
            let address = format!("/images/products/{file}");
            see(&admin, &address).await;

            s3.stop();
            let began = Instant::now();
            admin
                .upload(&[("b.png", &png(400, 300, 10))])
                .await
                .expect_error(
                    503,
                    "The shop cannot save this right now. Please try again in a moment.",
                );
            assert!(began.elapsed() < Duration::from_secs(20));
            see(&admin, &address).await;
            assert_eq!(admin.get("/api/products").await.status, 200);

            // A shop that starts now opens, too; its pictures come when the bucket does.
            let mut config = shop.config.clone();
            config.listen = "127.0.0.1:0".parse().unwrap();
            let folder = temporary_folder();
            config.data = folder.path().to_owned();
            serve::start(&config, None).await.unwrap().stop().await;
        },
    );
}
