//! What happens to connections and requests when the server is asked to stop.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::cli::Served;
use crate::harness::temporary_folder;

/// The server asks for the body of a request with `Expect: 100-continue` when its handler begins to read it.
fn wait_until_body_is_read(stream: &mut TcpStream) {
    let expected = b"HTTP/1.1 100 Continue\r\n\r\n";
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, expected);
}

#[test]
fn shutdown_waits_for_a_running_request() {
    let folder = temporary_folder();
    let mut served = Served::start(folder.path(), &[]);
    let body = r#"{"name":"Asha","email":"asha@it.example","message":"Still here?"}"#;
    let (first, rest) = body.split_at(10);
    let mut stream = TcpStream::connect(&served.base).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    write!(
        stream,
        "POST /api/api/queries HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        served.base,
        body.len()
    )
    .unwrap();
    wait_until_body_is_read(&mut stream);
    stream.write_all(first.as_bytes()).unwrap();
    // An idle keep-alive connection must not delay the shutdown.
    let mut idle = TcpStream::connect(&served.base).unwrap();
    write!(idle, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut status = [0; 12];
    idle.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
    let signalled_at = Instant::now();
    served.signal("-TERM");
    while served.get("/healthz").is_some() {
        let elapsed = signalled_at.elapsed();
        assert!(
            elapsed < Duration::from_secs(5),
            "the server still accepts requests"
        );
        sleep(Duration::from_millis(20));
    }
    let ended = served.child.try_wait().unwrap();
    assert!(ended.is_none(), "the server did not wait for the request");
    stream.write_all(rest.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 201"), "{response}");
    let status = served.child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(
        signalled_at.elapsed() < Duration::from_secs(8),
        "{:?}",
        signalled_at.elapsed()
    );
}

/// A proxy may send a request on an idle connection when the server is about to stop.
#[test]
fn shutdown_announces_that_idle_connections_are_closed() {
    let folder = temporary_folder();
    let served = Served::start(folder.path(), &[]);
    let mut stream = TcpStream::connect(&served.base).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    for number in 0.. {
        assert!(number < 500, "the server ignores the signal");
        if number == 2 {
            served.signal("-TERM");
        }
        sleep(Duration::from_millis(20));
        write!(stream, "HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = reader.read_line(&mut head).unwrap();
            assert!(read > 0, "closed without an announcement: {head}");
        }
        if head.to_lowercase().contains("connection: close") {
            assert!(number >= 2, "closed before the signal: {head}");
            break;
        }
    }
}

#[test]
fn unfinished_request_does_not_block_shutdown() {
    let folder = temporary_folder();
    let mut served = Served::start(folder.path(), &[]);
    let mut stream = TcpStream::connect(&served.base).unwrap();
    write!(stream, "POST /api/api/queries HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n").unwrap();
    wait_until_body_is_read(&mut stream);
    stream.write_all(b"{").unwrap();
    let signalled_at = Instant::now();
    served.signal("-TERM");
    assert!(served.child.wait().unwrap().success());
    assert!(
        signalled_at.elapsed() < Duration::from_secs(10),
        "{:?}",
        signalled_at.elapsed()
    );
}
