//! The `mirasa` binary: commands, error messages and start.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::harness::temporary_folder;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_mirasa");

/// The binary in its own folder, without the settings in this process's environment.
pub fn mirasa(folder: &Path, arguments: &[&str]) -> Command {
    started_by(PROGRAM, folder, arguments)
}

/// The same, started by another program.
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
pub fn expect_success(output: &Output) -> &str {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn invalid_configuration_error_names_the_key() {
    let folder = temporary_folder();
    let file = folder.path().join("shop.toml");
    for (content, message) in [
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
        (
            "[mail]\nnotify_emails = [\"owner@example.in, partner@example.in\"]",
            "configuration key mail.notify_emails",
        ),
        ("listen = ", "shop.toml"),
    ] {
        std::fs::write(&file, content).unwrap();
        for command in ["check-config", "serve", "migrate"] {
            let output = run(folder.path(), &[command, "--config", "shop.toml"]);
            assert!(!output.status.success(), "{command} with {content}");
            assert!(
                text(&output.stderr).contains(message),
                "{content}: {}",
                text(&output.stderr)
            );
        }
    }
    let output = run(folder.path(), &["check-config", "--config", "nowhere.toml"]);
    assert!(!output.status.success() && text(&output.stderr).contains("nowhere.toml"));
    let output = run(folder.path(), &["check-config"]);
    assert!(expect_success(&output).starts_with("the configuration is fine"));
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["shop.toml"], "check-config writes no files");
}

#[test]
fn unknown_environment_variable_is_rejected_by_name() {
    let folder = temporary_folder();
    for command in ["check-config", "serve"] {
        let output = mirasa(folder.path(), &[command])
            .env("MIRASA_RATE_LIMITS", "on")
            .output()
            .unwrap();
        assert!(!output.status.success(), "{command}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains("MIRASA_RATE_LIMITS"), "{stderr}");
    }
}

/// With umask 000, as some services have it.
#[test]
fn written_files_are_not_readable_by_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    let script = "umask 000 && \"$0\" seed catalogue --data data && exec \"$0\" backup shop.backup --data data";
    let output = started_by("sh", folder, &["-c", script, PROGRAM]).output();
    expect_success(&output.unwrap());
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
fn openapi_command_prints_json() {
    let folder = temporary_folder();
    let output = run(folder.path(), &["openapi"]);
    let printed: serde_json::Value = serde_json::from_str(expect_success(&output)).unwrap();
    assert!(printed["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(printed["paths"]["/api/cart/add-to-cart"]["post"].is_object());
}

/// A server process that is killed at the end of the test.
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

    /// The command is `mirasa serve` or a wrapper around it.
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
                "the server did not start: {ended:?} {}",
                std::fs::read_to_string(folder.join("log")).unwrap()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        served
    }

    /// The status and body of a response; `None` if the connection is refused.
    pub fn get(&self, path: &str) -> Option<(u16, String)> {
        self.get_with(path, "")
    }

    /// The same with additional header lines.
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

    /// Asks the server to stop and waits until it has ended.
    pub fn stop(&mut self) {
        self.signal("-TERM");
        self.child.wait().unwrap();
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }
}

/// A catalogue of two products with small images.
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
fn seed_is_idempotent_and_a_live_backup_can_be_restored() {
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    let seed = || run(folder, &["seed", "catalogue", "--data", "data"]);
    assert!(expect_success(&seed()).starts_with("2 products added, 0 not changed"));
    let again = seed();
    assert!(
        expect_success(&again).starts_with("0 products added, 2 not changed"),
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
    assert!(expect_success(&output).contains("rows are in shop.backup"));
    assert_eq!(
        served.get("/readyz").unwrap().0,
        200,
        "the server stays available"
    );
    drop(served);

    let output = run(folder, &["restore", "shop.backup", "--data", "data"]);
    assert!(
        !output.status.success(),
        "restore does not overwrite existing data"
    );
    let whole = std::fs::read_to_string(folder.join("shop.backup")).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let half = lines[..lines.len() / 2].concat();
    let changed = whole.replacen("Goda Masala", "Goda Masalb", 1);
    assert_ne!(changed, whole);
    for (damaged, message) in [
        (&half, "the file is not complete"),
        (&changed, "the file is damaged"),
    ] {
        std::fs::write(folder.join("damaged.backup"), damaged).unwrap();
        let output = run(folder, &["restore", "damaged.backup", "--data", "restored"]);
        assert!(!output.status.success(), "{message}");
        let error = text(&output.stderr);
        assert!(error.contains(message), "{error}");
        assert!(!folder.join("restored/mirasa.db").exists());
    }
    // A file is read twice, which a pipe does not allow.
    let script = "cat shop.backup | \"$0\" restore /dev/stdin --data piped";
    let output = started_by("sh", folder, &["-c", script, PROGRAM]).output();
    let output = output.unwrap();
    assert!(!output.status.success());
    let error = text(&output.stderr);
    assert!(error.contains("cannot come through a pipe"), "{error}");
    assert!(!folder.join("piped/mirasa.db").exists());
    let without_end = lines[..lines.len() - 1].concat();
    let old = without_end.replacen("mirasa-backup-2", "mirasa-backup-1", 1);
    std::fs::write(folder.join("old.backup"), old).unwrap();
    let output = run(folder, &["restore", "old.backup", "--data", "old"]);
    assert!(expect_success(&output).contains("rows were restored"));
    let warning = text(&output.stderr);
    assert!(warning.contains("without a checksum"), "{warning}");
    let output = run(folder, &["restore", "shop.backup", "--data", "restored"]);
    assert!(expect_success(&output).contains("rows were restored"));
    assert!(!text(&output.stderr).contains("checksum"));
    let output = run(folder, &["seed", "catalogue", "--data", "restored"]);
    assert!(expect_success(&output).starts_with("0 products added, 2 not changed"));
}

#[test]
fn port_is_closed_until_the_database_responds() {
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
    // The server has connected to its database, which does not respond.
    let (_connection, _) = silent.accept().unwrap();
    let rejected = TcpStream::connect(address).unwrap_err();
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(rejected.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[test]
fn certificate_that_does_not_fit_stops_every_command() {
    let folder = temporary_folder();
    let server = std::env::var("MIRASA_TEST_POSTGRES").unwrap();
    let authority = std::env::var("MIRASA_TEST_POSTGRES_CA").unwrap();
    let (_, port) = server.rsplit_once(':').unwrap();
    let (port, name) = port.split_once('/').unwrap();
    // The certificate is for 127.0.0.1 and localhost.
    let database = format!(
        "postgres://mirasa@db.mirasa.example:{port}/{name}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={authority}"
    );
    let backup = folder.path().join("shop.jsonl");
    let file = backup.to_str().unwrap();
    let serve = &["serve", "--listen", "127.0.0.1:0"][..];
    for arguments in [serve, &["migrate"], &["backup", file]] {
        let output = mirasa(folder.path(), arguments)
            .env("DATABASE_URL", &database)
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            error.contains(&format!("db.mirasa.example:{port}")),
            "{error}"
        );
        assert!(error.contains("not valid for name"), "{error}");
    }
}

#[test]
fn server_starts_while_the_database_is_locked_for_writing() {
    let folder = temporary_folder();
    let folder = folder.path();
    small_catalogue(folder);
    expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
    let other = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    other.execute_batch("begin immediate").unwrap();
    let served = Served::start(folder, &[]);
    let (status, page) = served.get("/product/goda-masala").unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("Goda Masala"));
}
