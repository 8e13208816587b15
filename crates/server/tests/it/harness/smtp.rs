//! A mail server that accepts every email and keeps it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct MailServer {
    pub url: String,
    emails: Arc<Mutex<Vec<ReceivedEmail>>>,
}

#[derive(Debug, Clone)]
pub struct ReceivedEmail {
    pub recipients: Vec<String>,
    pub source: String,
}

impl MailServer {
    pub fn start() -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let emails = Arc::<Mutex<Vec<_>>>::default();
        let received = Arc::clone(&emails);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let received = Arc::clone(&received);
                // A client that closes the connection ends it with an error.
                std::thread::spawn(move || drop(serve(&stream, &received)));
            }
        });
        MailServer { url, emails }
    }

    pub fn emails_to(&self, recipient: &str) -> Vec<ReceivedEmail> {
        let emails = self.emails.lock().unwrap();
        let is_to = |email: &&ReceivedEmail| email.recipients == [recipient];
        emails.iter().filter(is_to).cloned().collect()
    }
}

fn serve(stream: &TcpStream, received: &Mutex<Vec<ReceivedEmail>>) -> std::io::Result<()> {
    let mut out = stream;
    let mut lines = BufReader::new(stream).lines();
    let mut recipients = Vec::new();
    out.write_all(b"220 it\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let response = match line.get(..4).unwrap_or_default() {
            "RCPT" => {
                let (_, address) = line.split_once('<').unwrap();
                recipients.push(address.split('>').next().unwrap().to_owned());
                "250 ok"
            }
            "DATA" => {
                out.write_all(b"354 go on\r\n")?;
                let mut source = String::new();
                while let Some(line) = lines.next().transpose()? {
                    if line == "." {
                        break;
                    }
                    source.push_str(line.strip_prefix('.').unwrap_or(&line));
                    source.push('\n');
                }
                received.lock().unwrap().push(ReceivedEmail {
                    recipients: std::mem::take(&mut recipients),
                    source,
                });
                "250 ok"
            }
            "QUIT" => return out.write_all(b"221 bye\r\n"),
            _ => "250 ok",
        };
        out.write_all(format!("{response}\r\n").as_bytes())?;
    }
    Ok(())
}

impl ReceivedEmail {
    /// The values of a header. Long ones are folded into several lines.
    pub fn header(&self, name: &str) -> Vec<String> {
        let (head, _) = self.source.split_once("\n\n").unwrap();
        let unfolded = head.replace("\n ", " ").replace("\n\t", " ");
        let pairs = unfolded.lines().filter_map(|line| line.split_once(':'));
        pairs
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
            .collect()
    }
}
