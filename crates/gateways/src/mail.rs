//! Letters by SMTP; without a server configured they are kept, to be read on the sandbox's mailbox page.

use anyhow::Context as _;
use async_trait::async_trait;
use lettre::message::{Mailbox, MultiPart};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use mirasa_app::ports::mail::{Email, Mailer};

pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// The part of a message id behind the @.
    host: String,
}

impl Smtp {
    /// `smtps://user:password@host:465`, `smtp://host:587?tls=required`, `smtp://127.0.0.1:1025`.
    pub fn new(url: &str, from: &str) -> anyhow::Result<Smtp> {
        let from: Mailbox = from.parse().context("mail.from is not an address")?;
        let timeout = Some(std::time::Duration::from_secs(20));
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .context("mail.smtp_url is not usable")?
            .timeout(timeout)
            .build();
        Ok(Smtp {
            transport,
            host: from.email.domain().to_owned(),
            from,
        })
    }
}

#[async_trait]
impl Mailer for Smtp {
    async fn send(&self, letter: Email) -> anyhow::Result<()> {
        // The builder encodes whatever stands in a name or subject: no line of it can become a header.
        let message = Message::builder()
            .from(self.from.clone())
            .to(letter
                .to
                .parse()
                .context("the recipient is not an address")?)
            .subject(letter.subject)
            .message_id(Some(format!("<{}@{}>", letter.message_id, self.host)))
            .multipart(MultiPart::alternative_plain_html(letter.text, letter.html))?;
        self.transport.send(message).await?;
        Ok(())
    }
}

/// Where no mail server is configured: the letter stays in the shop's own mailbox.
pub struct Kept;

#[async_trait]
impl Mailer for Kept {
    async fn send(&self, _: Email) -> anyhow::Result<()> {
        Ok(())
    }
}
