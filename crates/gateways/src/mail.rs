//! Email by SMTP. Without a configured server, emails are not sent and the sandbox mailbox shows
//! them.

use anyhow::Context as _;
use async_trait::async_trait;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, MultiPart};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use mirasa_app::ports::mail::{Attachment, Email, Mailer};
use tracing::instrument;

pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// The part of a message id after the @.
    host: String,
}

impl SmtpMailer {
    /// `smtps://user:password@host:465`, `smtp://host:587?tls=required`, `smtp://127.0.0.1:1025`.
    pub fn new(url: &str, from: &str) -> anyhow::Result<SmtpMailer> {
        let from: Mailbox = from.parse().context("mail.from is not an address")?;
        let timeout = Some(std::time::Duration::from_secs(20));
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .context("mail.smtp_url is not usable")?
            .timeout(timeout)
            .build();
        Ok(SmtpMailer {
            transport,
            host: from.email.domain().to_owned(),
            from,
        })
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    #[instrument(target = "telemetry", name = "smtp send", skip_all, err, fields(otel.kind = "client"))]
    async fn send(&self, email: Email) -> anyhow::Result<()> {
        let message_id = |id: &str| format!("<{id}@{}>", self.host);
        // The builder encodes names and subjects, so that no text of them can become a header.
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(email
                .to
                .parse()
                .context("the recipient is not an address")?)
            .subject(email.subject)
            .message_id(Some(message_id(email.message_id.as_str())));
        if let Some(first) = &email.in_reply_to {
            message = message
                .in_reply_to(message_id(first.as_str()))
                .references(message_id(first.as_str()));
        }
        if let Some(address) = email.reply_to {
            let address = address.parse().context("reply_to is not an address")?;
            message = message.reply_to(address);
        }
        let text = MultiPart::alternative_plain_html(email.text, email.html);
        let body = if email.attachments.is_empty() {
            text
        } else {
            let mut parts = MultiPart::mixed().multipart(text);
            for Attachment { name, bytes } in email.attachments {
                let part = lettre::message::Attachment::new(name);
                parts = parts.singlepart(part.body(bytes, ContentType::parse("application/pdf")?));
            }
            parts
        };
        let message = message.multipart(body)?;
        self.transport.send(message).await?;
        Ok(())
    }
}

/// For a shop without a mail server: the email stays in the outbox table, where the sandbox mailbox
/// reads it.
pub struct NoopMailer;

#[async_trait]
impl Mailer for NoopMailer {
    async fn send(&self, _: Email) -> anyhow::Result<()> {
        Ok(())
    }

    fn discards(&self) -> bool {
        true
    }
}
