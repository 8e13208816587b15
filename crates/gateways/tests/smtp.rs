//! Email through a real mail server: aiosmtpd on a free port, which prints each email.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mirasa_app::ports::mail::{Email, Mailer as _};
use mirasa_gateways::mail::SmtpMailer;
use serde_json::Value;

/// Rejects recipients that start with "refused". Prints its port first, then each email as a line
/// of JSON.
const SERVER: &str = r#"
import asyncio, email, email.policy, json, sys
from aiosmtpd.smtp import SMTP

class Box:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused"):
            return "550 unknown recipient"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        print(json.dumps({
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "headers": [[name, str(value)] for name, value in message.items()],
            "parts": [[part.get_content_type(), part.get_content()] for part in message.iter_parts()],
        }), flush=True)
        return "250 OK"

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Box()), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"#;

struct MailServer {
    child: Child,
    port: u16,
    lines: Receiver<String>,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl MailServer {
    fn start() -> MailServer {
        let mut child = Command::new("/usr/bin/python3")
            .args(["-c", SERVER])
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 with aiosmtpd is needed: run scripts/setup.sh test");
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let port = lines.recv_timeout(Duration::from_secs(20));
        let port = port.expect("aiosmtpd does not start: run scripts/setup.sh test");
        MailServer {
            child,
            port: port.parse().unwrap(),
            lines,
        }
    }

    fn mailer(&self) -> SmtpMailer {
        let url = format!("smtp://127.0.0.1:{}", self.port);
        SmtpMailer::new(&url, "Mirasa <orders@mirasa.example>").unwrap()
    }

    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(10)).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

fn email(to: &str, subject: &str) -> Email {
    Email {
        to: to.into(),
        subject: subject.into(),
        text: "Dear Asha,\n.\nTotal: ₹250\n".into(),
        html: "<p>Total: <b>₹250</b></p>".into(),
        message_id: "0198-abc".into(),
        in_reply_to: None,
        reply_to: None,
    }
}

fn header<'l>(email: &'l Value, name: &str) -> Vec<&'l str> {
    let all = email["headers"].as_array().unwrap().iter();
    all.filter(|pair| pair[0].as_str().unwrap().eq_ignore_ascii_case(name))
        .map(|pair| pair[1].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn email_has_all_parts_and_stable_message_id() {
    let server = MailServer::start();
    let mailer = server.mailer();
    for _ in 0..2 {
        mailer
            .send(email("asha@it.example", "Your order is confirmed · ₹250"))
            .await
            .unwrap();
        let received = server.next();
        assert_eq!(received["from"], "orders@mirasa.example");
        assert_eq!(received["to"], serde_json::json!(["asha@it.example"]));
        assert_eq!(
            header(&received, "subject"),
            ["Your order is confirmed · ₹250"]
        );
        assert_eq!(
            header(&received, "from"),
            ["Mirasa <orders@mirasa.example>"]
        );
        assert_eq!(
            header(&received, "message-id"),
            ["<0198-abc@mirasa.example>"]
        );
        assert_eq!(header(&received, "date").len(), 1);
        let parts = received["parts"].as_array().unwrap();
        assert_eq!(parts[0][0], "text/plain");
        let text = parts[0][1].as_str().unwrap().replace("\r\n", "\n");
        assert_eq!(text.trim_end(), "Dear Asha,\n.\nTotal: ₹250");
        assert_eq!(parts[1][0], "text/html");
        let html = parts[1][1].as_str().unwrap();
        assert_eq!(html.trim_end(), "<p>Total: <b>₹250</b></p>");
    }
}

#[tokio::test]
async fn reply_belongs_to_the_thread_of_the_first_email() {
    let server = MailServer::start();
    let mailer = server.mailer();
    let mut reply = email("asha@it.example", "Re: Your message");
    reply.reply_to = Some("care@mirasa.example".into());
    mailer.send(reply.clone()).await.unwrap();
    let first = server.next();
    assert_eq!(header(&first, "reply-to"), ["care@mirasa.example"]);
    assert!(header(&first, "in-reply-to").is_empty(), "{first}");
    assert!(header(&first, "references").is_empty(), "{first}");

    reply.message_id = "0198-def".into();
    reply.in_reply_to = Some("0198-abc".into());
    mailer.send(reply).await.unwrap();
    let second = server.next();
    assert_eq!(header(&second, "message-id"), ["<0198-def@mirasa.example>"]);
    for name in ["in-reply-to", "references"] {
        assert_eq!(
            header(&second, name),
            header(&first, "message-id"),
            "{name}"
        );
    }
}

/// The rule of the domain must not accept what the mail library rejects: such an email would never be sent.
#[tokio::test]
async fn every_address_that_the_shop_accepts_can_be_sent_to() {
    let server = MailServer::start();
    let mailer = server.mailer();
    for to in [
        "asha@it.example",
        "asha.kulkarni+shop@mail.it.example",
        "o'neil@it.example",
        "!#$%&'*+-/=?^_`{|}~@it.example",
        "a@xn--11b4c3d.in",
    ] {
        assert!(mirasa_domain::validation::is_email_address(to), "{to}");
        mailer.send(email(to, "Order")).await.unwrap();
        assert_eq!(server.next()["to"], serde_json::json!([to]));
    }
}

#[tokio::test]
async fn subject_and_recipient_cannot_inject_headers() {
    let server = MailServer::start();
    let mailer = server.mailer();
    let subject = "Order\r\nBcc: thief@it.example\r\n\r\n<script>";
    mailer
        .send(email("asha@it.example", subject))
        .await
        .unwrap();
    let received = server.next();
    assert_eq!(received["to"], serde_json::json!(["asha@it.example"]));
    assert!(header(&received, "bcc").is_empty(), "{received}");
    assert_eq!(header(&received, "subject").len(), 1);
    assert_eq!(received["parts"].as_array().unwrap().len(), 2);
    for to in [
        "asha@it.example\r\nRCPT TO:<thief@it.example>",
        "asha@it.example, thief@it.example",
        "no address",
        "",
    ] {
        assert!(mailer.send(email(to, "Order")).await.is_err(), "{to:?}");
    }
    let named = "Asha\r\nBcc: thief@it.example <asha@it.example>";
    if mailer.send(email(named, "Order")).await.is_ok() {
        let received = server.next();
        assert!(header(&received, "bcc").is_empty(), "{received}");
        assert_eq!(received["to"], serde_json::json!(["asha@it.example"]));
    }
}

#[tokio::test]
async fn rejected_or_unreachable_server_is_an_error() {
    let server = MailServer::start();
    let mailer = server.mailer();
    let rejected = mailer.send(email("refused@it.example", "Order")).await;
    let text = format!("{:#}", rejected.unwrap_err());
    assert!(text.contains("unknown recipient"), "{text}");
    mailer
        .send(email("asha@it.example", "Order"))
        .await
        .unwrap();
    server.next();

    let unreachable = SmtpMailer::new("smtp://127.0.0.1:1", "orders@mirasa.example").unwrap();
    assert!(
        unreachable
            .send(email("asha@it.example", "Order"))
            .await
            .is_err()
    );
    assert!(SmtpMailer::new("http://mail", "orders@mirasa.example").is_err());
    assert!(SmtpMailer::new("smtp://mail", "no address").is_err());
}
