//! The program as somebody runs it: its commands, its last words, how it starts and ends.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::harness::temporary_folder;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_mirasa");

/// The program in a folder of its own, with nothing of this process's settings.
pub fn mirasa(folder: &Path, arguments: &[&str]) -> Command {
    started_by(PROGRAM, folder, arguments)
}

/// The same by way of another program.
pub fn started_by(program: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if name.starts_with("MIRASA_") || name == "DATABASE_URL" {
            command.env_remove(name);
        }
    }
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    mirasa(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
pub fn fine(output: &Output) -> &str {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_configuration_that_is_wrong_is_refused_by_key() {
    let folder = temporary_folder();
    let file = folder.path().join("shop.toml");
    for (content, says) in [
        ("listen = \"nowhere\"", "configuration key listen"),
        ("listne = \"127.0.0.1:1\"", "listne"),
        ("session_days = 0", "configuration key session_days"),
        (
            "[google]\nclient_id = \"x\"",
            "configuration key google.client_secret",
        ),
        ("rate_limit = \"maybe\"", "configuration key rate_limit"),
        (
            "trusted_proxies = [\"proxy\"]",
            "configuration key trusted_proxies",
        ),
        (
            "public_url = \"mirasa.example\"",
            "configuration key public_url",
        ),
        (
            "[sandbox]\npublic_demo = true\n[google]\nclient_id = \"x\"\nclient_secret = \"x\"",
            "configuration key sandbox.public_demo",
        ),
        ("listen = ", "shop.toml"),
    ] {
        std::fs::write(&file, content).unwrap();
        for command in ["check-config", "serve", "migrate"] {
            let output = run(folder.path(), &[command, "--config", "shop.toml"]);
            assert!(!output.status.success(), "{command} with {content}");
            assert!(
                text(&output.stderr).contains(says),
                "{content}: {}",
                text(&output.stderr)
            );
        }
    }
    let output = run(folder.path(), &["check-config", "--config", "nowhere.toml"]);
    assert!(!output.status.success() && text(&output.stderr).contains("nowhere.toml"));
    let output = run(folder.path(), &["check-config"]);
    assert!(fine(&output).starts_with("the configuration is fine"));
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["shop.toml"], "nothing was made on the way");
}

#[test]
fn a_variable_that_is_no_setting_is_refused_by_name() {
    let folder = temporary_folder();
    for command in ["check-config", "serve"] {
        let output = mirasa(folder.path(), &[command])
            .env("MIRASA_RATE_LIMITS", "on")
            .output()
            .unwrap();
        assert!(!output.status.success(), "{command}");
        let said = text(&output.stderr);
        assert!(said.contains("MIRASA_RATE_LIMITS"), "{said}");
    }
}

/// A umask that hides nothing, as some services have it.
#[test]
fn nothing_that_the_program_writes_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    let careless = "umask 000 && \"$0\" seed catalogue --data data && exec \"$0\" backup shop.backup --data data";
    let output = started_by("sh", folder, &["-c", careless, PROGRAM]).output();
    fine(&output.unwrap());
    let mode = |name: &str| {
        let found = std::fs::metadata(folder.join(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!(mode("data"), 0o700);
    for file in ["data/mirasa.db", "data/gateway.jsonl", "shop.backup"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[test]
fn production_refuses_to_start_with_a_sandbox() {
    let folder = temporary_folder();
    let output = run(folder.path(), &["serve", "--production"]);
    assert!(!output.status.success());
    assert!(
        text(&output.stderr).contains("sandbox Google"),
        "{}",
        text(&output.stderr)
    );
    let output = mirasa(folder.path(), &["serve"])
        .env("MIRASA_PRODUCTION", "1")
        .output()
        .unwrap();
    assert!(!output.status.success());
}

#[test]
fn the_description_of_all_calls_is_printed_as_json() {
    let folder = temporary_folder();
    let output = run(folder.path(), &["openapi"]);
    let printed: serde_json::Value = serde_json::from_str(fine(&output)).unwrap();
    assert!(printed["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(printed["paths"]["/api/cart/add-to-cart"]["post"].is_object());
}

/// A served shop that ends with the test.
pub struct Served {
    pub child: Child,
    pub base: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    pub fn start(folder: &Path, more: &[&str]) -> Served {
        Served::start_with(folder, more, &[])
    }

    pub fn start_with(folder: &Path, more: &[&str], environment: &[(&str, &str)]) -> Served {
        let mut command = mirasa(folder, &["serve"]);
        command.envs(environment.iter().copied());
        Served::start_command(folder, command, more)
    }

    /// The command is the program, or a wrapper around it, told to serve.
    pub fn start_command(folder: &Path, mut command: Command, more: &[&str]) -> Served {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let listen = format!("127.0.0.1:{port}");
        let log = std::fs::File::create(folder.join("log")).unwrap();
        command
            .args(["--data", "data", "--listen", &listen])
            .args(more)
            .stderr(log);
        let child = command.spawn().unwrap();
        let mut served = Served {
            child,
            base: listen,
        };
        let began = Instant::now();
        while served.get("/readyz").is_none() {
            let ended = served.child.try_wait().unwrap();
            assert!(
                ended.is_none() && began.elapsed() < Duration::from_secs(20),
                "it does not start: {ended:?} {}",
                std::fs::read_to_string(folder.join("log")).unwrap()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        served
    }

    /// The status and text of an answer, or nothing where nobody listens.
    pub fn get(&self, path: &str) -> Option<(u16, String)> {
        self.get_with(path, "")
    }

    /// With lines of its own in the request's head.
    pub fn get_with(&self, path: &str, lines: &str) -> Option<(u16, String)> {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(&self.base).ok()?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\n{lines}Connection: close\r\n\r\n",
            self.base
        )
        .ok()?;
        let mut response = Vec::new();
        stream.read_to_end(&mut response).ok()?;
        let response = String::from_utf8_lossy(&response);
        let status = response.split(' ').nth(1)?.parse().ok()?;
        let (_, body) = response.split_once("\r\n\r\n")?;
        Some((status, body.to_owned()))
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }
}

/// A catalogue of two products with one small picture each.
pub fn small_catalogue(folder: &Path) {
    let products = folder.join("catalogue/products");
    let pictures = folder.join("catalogue/pictures");
    std::fs::create_dir_all(&products).unwrap();
    std::fs::create_dir_all(pictures.join("site")).unwrap();
    let source = crate::harness::repository().join("catalogue/products");
    let mut picture = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(64, 64, image::Rgb([180, 60, 20]))
        .write_to(&mut picture, image::ImageFormat::Png)
        .unwrap();
    for id in ["goda-masala", "chai-masala"] {
        let text = std::fs::read_to_string(source.join(format!("{id}.toml"))).unwrap();
        let file: toml::Table = text.parse().unwrap();
        for image in file["images"].as_array().unwrap() {
            std::fs::write(
                pictures.join(image["file"].as_str().unwrap()),
                picture.get_ref(),
            )
            .unwrap();
        }
        std::fs::write(products.join(format!("{id}.toml")), text).unwrap();
    }
}

#[test]
fn a_shop_is_seeded_once_backed_up_while_it_serves_and_restored() {
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    let seed = || run(folder, &["seed", "catalogue", "--data", "data"]);
    assert!(fine(&seed()).starts_with("2 products added, 0 not changed"));
    let again = seed();
    assert!(
        fine(&again).starts_with("0 products added, 2 not changed"),
        "{}",
        text(&again.stdout)
    );

    let served = Served::start(folder, &[]);
    let (status, products) = served.get("/api/products").unwrap();
    assert_eq!(status, 200);
    assert!(products.contains("goda-masala") && products.contains("chai-masala"));
    let (status, _) = served
        .get("/images/products/goda-masala%20pouch.webp?w=32")
        .unwrap();
    assert_eq!(status, 200);

    let output = run(folder, &["backup", "shop.backup", "--data", "data"]);
    assert!(fine(&output).contains("rows are in shop.backup"));
    assert_eq!(served.get("/readyz").unwrap().0, 200, "it served on");
    drop(served);

    let output = run(folder, &["restore", "shop.backup", "--data", "data"]);
    assert!(
        !output.status.success(),
        "a shop that has something is not written over"
    );
    let output = run(folder, &["restore", "shop.backup", "--data", "restored"]);
    assert!(fine(&output).contains("rows were restored"));
    let output = run(folder, &["seed", "catalogue", "--data", "restored"]);
    assert!(fine(&output).starts_with("0 products added, 2 not changed"));
}

#[test]
fn a_request_under_way_is_answered_before_the_program_ends() {
    use std::io::{Read as _, Write as _};
    let folder = temporary_folder();
    let mut served = Served::start(folder.path(), &[]);
    let body = r#"{"name":"Asha","email":"asha@it.example","message":"Still here?"}"#;
    let (first, rest) = body.split_at(10);
    let mut stream = std::net::TcpStream::connect(&served.base).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    write!(
        stream,
        "POST /api/api/queries HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{first}",
        served.base,
        body.len()
    )
    .unwrap();
    // A browser that keeps its connection open but asks for nothing holds nobody up.
    let mut idle = std::net::TcpStream::connect(&served.base).unwrap();
    write!(idle, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let told = Instant::now();
    served.signal("-TERM");
    while served.get("/healthz").is_some() {
        let since = told.elapsed();
        assert!(since < Duration::from_secs(5), "it still takes requests");
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = served.child.try_wait().unwrap();
    assert!(ended.is_none(), "it did not wait for the request");
    stream.write_all(rest.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 201"), "{response}");
    let status = served.child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(
        told.elapsed() < Duration::from_secs(8),
        "{:?}",
        told.elapsed()
    );
}

#[test]
fn a_request_that_never_ends_does_not_keep_the_program() {
    use std::io::Write as _;
    let folder = temporary_folder();
    let mut served = Served::start(folder.path(), &[]);
    let mut stream = std::net::TcpStream::connect(&served.base).unwrap();
    write!(stream, "POST /api/api/queries HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{").unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let told = Instant::now();
    served.signal("-TERM");
    assert!(served.child.wait().unwrap().success());
    assert!(
        told.elapsed() < Duration::from_secs(10),
        "{:?}",
        told.elapsed()
    );
}

#[test]
fn nobody_is_let_in_before_the_database_is_there() {
    use std::net::{TcpListener, TcpStream};

    let folder = temporary_folder();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let database = format!("postgres://shop@{}/shop", silent.local_addr().unwrap());
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let mut program = mirasa(folder.path(), &["serve", "--listen", &address.to_string()])
        .env("DATABASE_URL", database)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // It has come as far as its database, which says nothing.
    let (_connection, _) = silent.accept().unwrap();
    let refused = TcpStream::connect(address).unwrap_err();
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[test]
fn it_starts_though_the_database_can_only_be_read() {
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    fine(&run(folder, &["seed", "catalogue", "--data", "data"]));
    let other = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    other.execute_batch("begin immediate").unwrap();
    let served = Served::start(folder, &[]);
    let (status, page) = served.get("/product/goda-masala").unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("Goda Masala"));
}
