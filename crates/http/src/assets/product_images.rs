//! The URLs of product images for other sites: search engines and product feeds. The web app builds the same URLs
//! (web/src/shared/product/images/image-url.ts).

use mirasa_domain::product::{Image, Product};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// What JavaScript's encodeURIComponent leaves as it is.
const UNSAFE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// One of the widths in which images are made; more than search engines ask for.
const WIDTH: u32 = 1280;

pub struct ImageUrls<'a> {
    base: &'a str,
    /// The other hosts whose images pages may show.
    hosts: &'a [String],
}

impl<'a> ImageUrls<'a> {
    pub fn new(base: &'a str, hosts: &'a [String]) -> ImageUrls<'a> {
        ImageUrls { base, hosts }
    }

    /// The images that the product page can show.
    pub fn of(&self, product: &Product) -> Vec<String> {
        let images = product.details.images.iter();
        images.filter_map(|image| self.url(image)).collect()
    }

    fn url(&self, image: &Image) -> Option<String> {
        let file = &image.file;
        if file.contains("//") || file.contains("\\\\") {
            let url = Url::parse(file)
                .ok()
                .filter(|url| url.scheme() == "https")?;
            let host = match url.port() {
                Some(port) => format!("{}:{port}", url.host_str()?),
                None => url.host_str()?.to_owned(),
            };
            return self.hosts.contains(&host).then(|| file.clone());
        }
        if file.is_empty() {
            return None;
        }
        let name = utf8_percent_encode(file, UNSAFE);
        let version = utf8_percent_encode(&image.version, UNSAFE);
        let version = match image.version.as_str() {
            "" => String::new(),
            _ => format!("&v={version}"),
        };
        Some(format!(
            "{}/images/products/{name}?w={WIDTH}{version}",
            self.base
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_images_that_pages_show_have_a_url() {
        let hosts = ["cdn.example".to_owned(), "cdn.example:8443".to_owned()];
        let urls = ImageUrls::new("https://shop.example", &hosts);
        let url = |file: &str, version: &str| {
            let (file, version) = (file.into(), version.into());
            urls.url(&Image {
                file,
                version,
                ..Image::default()
            })
        };
        assert_eq!(
            url("goda pouch.webp", "a1").unwrap(),
            "https://shop.example/images/products/goda%20pouch.webp?w=1280&v=a1"
        );
        assert_eq!(
            url("https://cdn.example/x.jpg", "").unwrap(),
            "https://cdn.example/x.jpg"
        );
        assert_eq!(
            url("https://cdn.example:8443/x.jpg", "").unwrap(),
            "https://cdn.example:8443/x.jpg"
        );
        for other in [
            "https://evil.example/x.jpg",
            "http://cdn.example/x.jpg",
            "//cdn.example/x.jpg",
            "javascript://x",
            "",
        ] {
            assert_eq!(url(other, ""), None, "{other}");
        }
    }
}
