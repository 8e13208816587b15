//! The product feed for Google Merchant Center, which Meta reads as well: one item for each pack size that is sold. Made
//! from the catalogue snapshot, like the pages, so that prices and availability are those of the product page.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use mirasa_app::catalogue::Snapshot;
use mirasa_domain::money::Paise;
use mirasa_domain::pack::PackSize;
use mirasa_domain::product::Product;
use sha2::{Digest, Sha256};

use crate::assets::product_images::ImageUrls;
use crate::guard::security_headers::add_security_headers;
use crate::pages::escape;
use crate::settings::shop::ShopIdentity;
use crate::state::AppState;

const XML: &str = "application/xml; charset=utf-8";
const NO_CACHE: &str = "no-cache";

const CATEGORY: &str = "Food, Beverages & Tobacco > Food Items > Seasonings & Spices";

/// As on the page Shipping & Delivery: delivery is included in the price.
const SHIPPING: &str = "<g:shipping><g:country>IN</g:country><g:price>0.00 INR</g:price>\
    <g:min_handling_time>0</g:min_handling_time><g:max_handling_time>7</g:max_handling_time>\
    <g:min_transit_time>3</g:min_transit_time><g:max_transit_time>5</g:max_transit_time></g:shipping>";

/// Limits of Merchant Center.
const MAX_ID_BYTES: usize = 50;
const MAX_ADDITIONAL_IMAGES: usize = 10;

pub async fn google(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let snapshot = state.shop.catalogue.snapshot();
    let settings = &state.settings;
    let feed = state.response_cache.google_feed(&snapshot, || {
        google_feed(&snapshot, &settings.identity, &settings.public_url).into_bytes()
    });
    feed.respond(&headers, StatusCode::OK, XML, NO_CACHE, |head| {
        add_security_headers(settings, head);
    })
}

fn google_feed(snapshot: &Snapshot, shop: &ShopIdentity, base: &str) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\">\n<channel>\n\
         <title>{}</title>\n<link>{}/</link>\n<description>{}</description>\n",
        escape(&shop.name),
        escape(base),
        escape(&shop.tagline),
    );
    let images = ImageUrls::new(base, &shop.image_hosts);
    for product in snapshot.visible() {
        let sizes: Vec<_> = [PackSize::G50, PackSize::G100]
            .into_iter()
            .filter_map(|size| Some((size, product.details.prices().of(size)?)))
            .collect();
        let images = images.of(product);
        // An item without an image is rejected.
        let Some((main_image, others)) = images.split_first() else {
            continue;
        };
        for (size, price) in &sizes {
            let item = Item {
                product,
                size: *size,
                price: *price,
                has_other_sizes: sizes.len() > 1,
            };
            item.write(&mut xml, shop, base, main_image, others);
        }
    }
    xml.push_str("</channel>\n</rss>\n");
    xml
}

struct Item<'a> {
    product: &'a Product,
    size: PackSize,
    price: Paise,
    has_other_sizes: bool,
}

impl Item<'_> {
    fn write(
        &self,
        xml: &mut String,
        shop: &ShopIdentity,
        base: &str,
        main_image: &str,
        other_images: &[String],
    ) {
        let details = &self.product.details;
        let grams = self.size.grams();
        let description = [
            &details.description,
            &details.generic_name,
            &details.product_name,
        ]
        .into_iter()
        .find(|text| !text.is_empty());
        let availability = match self.product.sellable().max_packs(self.size) {
            0 => "out_of_stock",
            _ => "in_stock",
        };
        let id = &self.product.id.0;
        xml.push_str("<item>\n");
        let mut tag = |name: &str, value: &str| {
            let _ = writeln!(xml, "<g:{name}>{}</g:{name}>", escape(value));
        };
        tag("id", &short_id(id, &format!("-{grams}g")));
        tag("title", &format!("{} {grams} g", details.product_name));
        tag("description", description.map_or("", String::as_str));
        tag("link", &format!("{base}/product/{id}"));
        tag("image_link", main_image);
        for image in other_images.iter().take(MAX_ADDITIONAL_IMAGES) {
            tag("additional_image_link", image);
        }
        tag("availability", availability);
        tag("price", &amount(self.price));
        tag("brand", &shop.name);
        // The packs have no GTIN and no part number.
        tag("identifier_exists", "no");
        tag("condition", "new");
        if self.has_other_sizes {
            tag("item_group_id", &short_id(id, ""));
        }
        tag("size", &format!("{grams} g"));
        tag("unit_pricing_measure", &format!("{grams} g"));
        tag("unit_pricing_base_measure", "100 g");
        tag("google_product_category", CATEGORY);
        if let Some(category) = details.category.first() {
            tag("product_type", category);
        }
        xml.push_str(SHIPPING);
        xml.push_str("\n</item>\n");
    }
}

/// `58.00 INR`, with tax, as prices in India are.
fn amount(price: Paise) -> String {
    let paise = price.get();
    format!("{}.{:02} INR", paise / 100, paise % 100)
}

/// An id of at most 50 characters. A longer one is cut and ends with a part of its hash, so that it stays unique.
fn short_id(id: &str, suffix: &str) -> String {
    if id.len() + suffix.len() <= MAX_ID_BYTES {
        return format!("{id}{suffix}");
    }
    let hash = base16ct::lower::encode_string(&Sha256::digest(id.as_bytes())[..5]);
    let start: String = id
        .chars()
        .take(MAX_ID_BYTES - suffix.len() - hash.len() - 1)
        .collect();
    format!("{start}-{hash}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_ids_are_cut_and_stay_different() {
        assert_eq!(short_id("goda-masala", "-50g"), "goda-masala-50g");
        let (one, other) = ("a".repeat(79) + "b", "a".repeat(79) + "c");
        let ids = [
            short_id(&one, "-50g"),
            short_id(&one, "-100g"),
            short_id(&other, "-50g"),
            short_id(&one, ""),
        ];
        assert!(ids.iter().all(|id| id.len() <= 50), "{ids:?}");
        assert_eq!(std::collections::HashSet::from(ids).len(), 4);
    }

    #[test]
    fn amounts_have_two_decimals() {
        assert_eq!(amount(Paise::new(5805)), "58.05 INR");
        assert_eq!(amount(Paise::new(120_000)), "1200.00 INR");
    }

    /// The feed, the structured data of the product page and the policy page say the same.
    #[test]
    fn shipping_is_what_the_policy_page_says() {
        let page =
            std::fs::read_to_string("../../web/src/app/pages/policies/shipping-page.tsx").unwrap();
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in [
            "<b>0-7 business days</b>",
            "delivery takes <b>3-5 days</b>",
            "with delivery within India included",
        ] {
            assert!(page.contains(text), "{text}");
        }
        for text in [
            "<g:price>0.00 INR<",
            "min_handling_time>0<",
            "max_handling_time>7<",
            "min_transit_time>3<",
            "max_transit_time>5<",
        ] {
            assert!(SHIPPING.contains(text), "{text}");
        }
    }
}
