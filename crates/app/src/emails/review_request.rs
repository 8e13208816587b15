//! The email that asks for reviews. A star is a link, so that one tap is enough to begin.

use askama::Template;

use crate::Settings;
use crate::emails::template::RenderedEmail;

pub(crate) struct ReviewRequestEmail<'a> {
    pub headline: String,
    pub shop: &'a Settings,
    pub customer_name: &'a str,
    pub order_number: String,
    pub order_url: String,
    pub lines: Vec<RequestedLine>,
    /// Stops these emails.
    pub stop_url: String,
}

pub(crate) struct RequestedLine {
    pub product_name: String,
    /// `&stars=4` is added to it.
    pub url: String,
}

#[derive(Template)]
#[template(path = "emails/review_request.html")]
struct Html<'a> {
    email: &'a ReviewRequestEmail<'a>,
}

#[derive(Template)]
#[template(path = "emails/review_request.txt")]
struct Text<'a> {
    email: &'a ReviewRequestEmail<'a>,
}

impl ReviewRequestEmail<'_> {
    /// The kind of email in the outbox.
    pub const KIND: &'static str = "review request";

    pub fn headline(lines: &[RequestedLine]) -> String {
        match lines {
            [only] => format!("How do you like {}?", only.product_name),
            _ => "How do you like your masalas?".into(),
        }
    }

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

    fn line(product_name: &str, id: &str) -> RequestedLine {
        RequestedLine {
            product_name: product_name.into(),
            url: format!("https://shop.example/review?token=T&product={id}"),
        }
    }

    #[test]
    fn review_request_matches_its_snapshot() {
        let email = ReviewRequestEmail {
            headline: "How do you like your masalas?".into(),
            shop: &Settings::example(),
            customer_name: "Asha <b>",
            order_number: "9F3C21AB".into(),
            order_url: "https://shop.example/orders?order=O1".into(),
            lines: vec![
                line("Goda Masala", "goda-masala"),
                line("Chai \"Special\"", "chai"),
            ],
            stop_url: "https://shop.example/review?token=T&stop=1".into(),
        };
        let RenderedEmail {
            subject,
            text,
            html,
        } = email.render().unwrap();
        insta::assert_snapshot!(
            "review_request.txt",
            format!("Subject: {subject}\n\n{text}")
        );
        insta::assert_snapshot!("review_request.html", html);
        assert!(!html.contains("Asha <b>"));
        assert_eq!(html.matches("&#38;stars=").count(), 10);
        // A row of a table does not wrap, however narrow the screen is.
        let rows = html
            .split("<tr>")
            .filter(|row| row.contains("&#38;stars=1\""));
        let stars: Vec<_> = rows
            .map(|row| row.matches("<td width=\"20%\"").count())
            .collect();
        assert_eq!(stars, [5, 5]);
    }
}
