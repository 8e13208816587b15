//! Bytes on the wire, as no well-behaved client sends them.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::TestShop;

/// A busy machine may take its time for the first word; after it, silence means that the shop has finished.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(20);
const IDLE_TIMEOUT: Duration = Duration::from_millis(1500);

impl TestShop {
    /// Sends the bytes as they are and reads until the shop hangs up, or has been silent for a moment.
    pub async fn send_raw(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut stream = TcpStream::connect(self.running.address).await.unwrap();
        // It may hang up before everything was said.
        let _ = stream.write_all(bytes.as_ref()).await;
        let mut response = Vec::new();
        let mut part = [0; 16 * 1024];
        let mut patience = FIRST_BYTE_TIMEOUT;
        while let Ok(Ok(size)) = timeout(patience, stream.read(&mut part)).await {
            if size == 0 {
                break;
            }
            response.extend_from_slice(&part[..size]);
            patience = IDLE_TIMEOUT;
        }
        String::from_utf8_lossy(&response).into_owned()
    }

    /// One request for a path that a client would have tidied up; its status and everything else.
    pub async fn raw_get(&self, path: &str) -> (u16, String) {
        let host = self.running.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let response = self.send_raw(request).await;
        (status_of(&response), response)
    }
}

fn status_of(response: &str) -> u16 {
    let status = response.split(' ').nth(1).and_then(|text| text.parse().ok());
    status.unwrap_or_else(|| panic!("no answer: {response:?}"))
}
