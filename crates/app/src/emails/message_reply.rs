//! The email that answers a contact message. It quotes the message.

use askama::Template;
use mirasa_domain::message::ContactMessage;
use time::macros::{format_description, offset};
use time::{Duration, OffsetDateTime};

use crate::Settings;
use crate::emails::template::RenderedEmail;

/// The kind of email in the outbox.
pub(crate) const KIND: &str = "message reply";

struct ReplyContext<'a> {
    headline: &'static str,
    shop: &'a Settings,
    customer_name: &'a str,
    lines: Vec<&'a str>,
    quoted_lines: Vec<&'a str>,
    /// `14 Nov 2026`, in India.
    written_on: String,
}

#[derive(Template)]
#[template(path = "emails/message_reply.html")]
struct Html<'a> {
    email: &'a ReplyContext<'a>,
}

#[derive(Template)]
#[template(path = "emails/message_reply.txt")]
struct Text<'a> {
    email: &'a ReplyContext<'a>,
}

pub(crate) fn render(
    shop: &Settings,
    message: &ContactMessage,
    reply: &str,
) -> askama::Result<RenderedEmail> {
    let email = ReplyContext {
        headline: "Our reply to your message",
        shop,
        customer_name: &message.name,
        lines: reply.lines().collect(),
        quoted_lines: message.message.lines().collect(),
        written_on: date_in_india(message.at_ms),
    };
    Ok(RenderedEmail {
        // The same for every reply: some mail programs show emails with different subjects as different threads.
        subject: format!("Re: Your message to {}", shop.shop_name),
        text: Text { email: &email }.render()?,
        html: Html { email: &email }.render()?,
    })
}

fn date_in_india(at_ms: i64) -> String {
    let at = OffsetDateTime::UNIX_EPOCH + Duration::milliseconds(at_ms);
    let format = format_description!("[day padding:none] [month repr:short] [year]");
    let date = at.to_offset(offset!(+5:30)).format(format);
    date.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str) -> ContactMessage {
        ContactMessage::new(
            "m1".into(),
            name.into(),
            "asha@example.in".into(),
            "Is the <b>goda</b> masala vegan?\n\nAsha & Ravi".into(),
            // 2026-11-15, 00:00 in India.
            1_794_681_000_000,
        )
    }

    #[test]
    fn reply_matches_its_snapshot() {
        let text = "Yes, it is.\n\n1 < 2 & \"quotes\"";
        let RenderedEmail {
            subject,
            text,
            html,
        } = render(&Settings::example(), &message("Asha \"A\" <b>"), text).unwrap();
        insta::assert_snapshot!("message_reply.txt", format!("Subject: {subject}\n\n{text}"));
        insta::assert_snapshot!("message_reply.html", html);
        assert!(!html.contains("<b>") && text.contains("> Is the <b>goda</b> masala"));
    }

    #[test]
    fn reply_to_a_message_without_name_or_text_has_no_gaps() {
        let nothing = ContactMessage {
            message: String::new(),
            ..message("")
        };
        let email = render(&Settings::example(), &nothing, "Hello").unwrap();
        assert!(
            email.text.starts_with("Hello,\n\nHello\n"),
            "{}",
            email.text
        );
        assert!(!email.text.contains("you wrote"), "{}", email.text);
        assert!(!email.html.contains("you wrote"), "{}", email.html);
    }
}
