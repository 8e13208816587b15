//! Images in an S3 bucket: a local S3 server that checks every signature, shared by two instances.

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

/// An S3 server with one bucket, on its own thread.
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
        let (stop, mut stopped) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            // Dropping the runtime closes all open connections.
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                loop {
                    let (socket, _) = tokio::select! {
                        _ = &mut stopped => return,
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

    fn configure(&self, config: &mut Config) {
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

/// Fetches and decodes an image. `Accept: */*` gets a format that every client can decode.
async fn fetch_image(browser: &TestClient, path: &str) -> image::DynamicImage {
    let request = browser
        .request(Method::GET, path)
        .header(header::ACCEPT, "*/*");
    let served = browser.send(request).await;
    assert_eq!(served.status, 200, "{path}: {served:?}");
    assert!(served.header("content-type").starts_with("image/"));
    image::load_from_memory(&served.body).unwrap()
}

#[test]
fn second_instance_serves_images_of_the_first_from_the_bucket() {
    let s3 = S3::start();
    for_each_engine_fresh(
        |config| s3.configure(config),
        async |shop| {
            let admin = shop.admin().await;
            let picture = png(900, 600, 7);
            let file = admin.upload(&[("pack.png", &picture)]).await.expect_ok()["files"][0]
                .as_str()
                .unwrap()
                .to_owned();
            let customer = shop.customer("bucket-picture").await;
            let profile_picture = format!(
                "data:image/png;base64,{}",
                STANDARD.encode(png(300, 300, 8))
            );
            let user = customer
                .put(
                    "/api/user/profile-picture",
                    json!({ "profilePicture": profile_picture }),
                )
                .await
                .expect_ok();
            let profile_picture_url = user["user"]["profilePicture"].as_str().unwrap().to_owned();
            let (profile_picture_path, _) = profile_picture_url
                .split_once('?')
                .unwrap_or((&profile_picture_url, ""));

            assert!(s3.has(&format!("products/{file}")), "the image");
            assert!(
                s3.has(&format!("index/products/{file}.json")),
                "its metadata"
            );
            assert!(s3.has(profile_picture_path.trim_start_matches("/images/")));
            let on_disk = shop.config.data.join("pictures");
            assert!(
                !on_disk.join("products").exists() && !on_disk.join("people").exists(),
                "originals are only in the bucket"
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
                let whole = fetch_image(visitor, &format!("/images/products/{file}")).await;
                assert_eq!((whole.width(), whole.height()), (900, 600));
                let small = fetch_image(visitor, &format!("/images/products/{file}?w=160")).await;
                assert_eq!(small.width(), 160);
                fetch_image(visitor, &profile_picture_url).await;
                fetch_image(visitor, &format!("{profile_picture_path}?w=64")).await;
            }
            assert!(
                !s3.has("renditions"),
                "renditions are not stored in the bucket"
            );
            second.stop().await;
        },
    );
}

#[test]
fn wrong_key_or_bucket_stops_the_start_with_a_message() {
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
            for (break_config, message) in wrong {
                let mut config = shop.config.clone();
                config.listen = "127.0.0.1:0".parse().unwrap();
                s3.configure(&mut config);
                break_config(&mut config);
                let began = Instant::now();
                let Err(error) = serve::start(&config, None).await else {
                    panic!("the server started: {:?}", config.pictures)
                };
                let text = format!("{error:#}");
                assert!(text.contains(message), "{text}");
                assert!(!text.contains("not-the-secret"), "{text}");
                assert!(began.elapsed() < Duration::from_secs(10), "{text}");
            }
        },
    );
}

#[test]
fn without_the_bucket_cached_images_are_served_and_uploads_fail() {
    let s3 = S3::start();
    on_sqlite_fresh(
        |config| s3.configure(config),
        async |shop| {
            let admin = shop.admin().await;
            let response = admin
                .upload(&[("a.png", &png(400, 300, 9))])
                .await
                .expect_ok();
            let file = response["files"][0].as_str().unwrap();
            let path = format!("/images/products/{file}");
            fetch_image(&admin, &path).await;

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
            fetch_image(&admin, &path).await;
            assert_eq!(admin.get("/api/products").await.status, 200);

            // The server also starts while the bucket is unavailable.
            let mut config = shop.config.clone();
            config.listen = "127.0.0.1:0".parse().unwrap();
            let folder = temporary_folder();
            config.data = folder.path().to_owned();
            serve::start(&config, None).await.unwrap().stop().await;
        },
    );
}
