//! Raw HTTP requests that a normal client cannot send.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::TestShop;

/// Long, because the machine may be busy. After the first byte, a pause means that the response is complete.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(20);
const IDLE_TIMEOUT: Duration = Duration::from_millis(1500);

impl TestShop {
    /// Sends the bytes unchanged and reads until the server closes the connection or pauses.
    pub async fn send_raw(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut stream = TcpStream::connect(self.running.address).await.unwrap();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(bytes.as_ref()).await;
        let mut response = Vec::new();
        let mut part = [0; 16 * 1024];
        let mut read_timeout = FIRST_BYTE_TIMEOUT;
        while let Ok(Ok(size)) = timeout(read_timeout, stream.read(&mut part)).await {
            if size == 0 {
                break;
            }
            response.extend_from_slice(&part[..size]);
            read_timeout = IDLE_TIMEOUT;
        }
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Sends a GET request for a path that a normal client would normalise. Returns the status and the response.
    pub async fn raw_get(&self, path: &str) -> (u16, String) {
        let host = self.running.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let response = self.send_raw(request).await;
        (status_of(&response), response)
    }
}

fn status_of(response: &str) -> u16 {
    let status = response
        .split(' ')
        .nth(1)
        .and_then(|text| text.parse().ok());
    status.unwrap_or_else(|| panic!("no response: {response:?}"))
}
