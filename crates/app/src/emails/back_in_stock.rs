//! The email that a product can be bought again.

use askama::Template;

use crate::Settings;
use crate::emails::template::RenderedEmail;

pub(crate) struct BackInStockEmail<'a> {
    pub headline: String,
    pub shop: &'a Settings,
    pub product_name: &'a str,
    pub product_url: String,
    /// Where these emails can be stopped.
    pub stop_url: String,
}

#[derive(Template)]
#[template(path = "emails/back_in_stock.html")]
struct Html<'a> {
    email: &'a BackInStockEmail<'a>,
}

#[derive(Template)]
#[template(path = "emails/back_in_stock.txt")]
struct Text<'a> {
    email: &'a BackInStockEmail<'a>,
}

impl BackInStockEmail<'_> {
    /// The kind of email in the outbox; a migration has it in an index.
    pub const KIND: &'static str = "back in stock";

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

    #[test]
    fn back_in_stock_matches_its_snapshot() {
        let email = BackInStockEmail {
            headline: "Goda <Masala> is back".into(),
            shop: &Settings::example(),
            product_name: "Goda <Masala>",
            product_url: "https://shop.example/product/goda-masala".into(),
            stop_url: "https://shop.example/stop-emails?token=abc".into(),
        };
        let rendered = email.render().unwrap();
        insta::assert_snapshot!(
            "back_in_stock",
            format!(
                "{}\n\n{}\n\n{}",
                rendered.subject, rendered.text, rendered.html
            )
        );
    }
}
