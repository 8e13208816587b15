//! The email that tells the owner what is new.

use askama::Template;

use crate::Settings;
use crate::emails::template::RenderedEmail;

pub(crate) struct NotificationEmail<'a> {
    pub headline: String,
    pub shop: &'a Settings,
    pub entries: Vec<Entry>,
    /// How many are not among the entries.
    pub more: i64,
    pub console_url: String,
}

pub(crate) struct Entry {
    pub title: String,
    pub detail: String,
    pub url: String,
}

#[derive(Template)]
#[template(path = "emails/notification.html")]
struct Html<'a> {
    email: &'a NotificationEmail<'a>,
}

#[derive(Template)]
#[template(path = "emails/notification.txt")]
struct Text<'a> {
    email: &'a NotificationEmail<'a>,
}

impl NotificationEmail<'_> {
    /// The kind of email in the outbox, for all kinds of notifications.
    pub const KIND: &'static str = "notification";

    pub fn render(&self) -> askama::Result<RenderedEmail> {
        Ok(RenderedEmail {
            subject: format!("{} ({})", self.headline, self.shop.shop_name),
            text: Text { email: self }.render()?,
            html: Html { email: self }.render()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(title: &str, detail: &str) -> Entry {
        Entry {
            title: title.into(),
            detail: detail.into(),
            url: "https://shop.example/admins?section=messages&message=m1".into(),
        }
    }

    #[test]
    fn notification_matches_its_snapshot() {
        let email = NotificationEmail {
            headline: "13 new messages".into(),
            shop: &Settings::example(),
            entries: vec![
                entry("Asha <b>", "Where is my \"parcel\"?"),
                entry("Ravi", ""),
            ],
            more: 11,
            console_url: "https://shop.example/admins?section=messages".into(),
        };
        let RenderedEmail {
            subject,
            text,
            html,
        } = email.render().unwrap();
        insta::assert_snapshot!("notification.txt", format!("Subject: {subject}\n\n{text}"));
        insta::assert_snapshot!("notification.html", html);
        assert!(!html.contains("<b>") && text.contains("Asha <b>"));
    }
}
