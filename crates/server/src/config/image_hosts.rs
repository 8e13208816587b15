//! The hosts of `pictures.image_hosts`. They become part of the content policy, so only plain host names are accepted.

use super::{Config, ConfigError, config_error};

impl Config {
    /// In lower case, with the port if it is not 443, as browsers write them.
    pub fn image_hosts(&self) -> Result<Vec<String>, ConfigError> {
        let hosts = self.pictures.image_hosts.iter();
        hosts
            .map(|text| {
                image_host(text).ok_or_else(|| {
                    let why = format!("{text:?} is not a host name like images.example.com");
                    config_error("pictures.image_hosts", why)
                })
            })
            .collect()
    }
}

fn image_host(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':');
    if !text.chars().all(is_plain) || text.ends_with(':') {
        return None;
    }
    let url = url::Url::parse(&format!("https://{text}/")).ok()?;
    let url::Host::Domain(host) = url.host()? else {
        return None;
    };
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::image_host;

    #[test]
    fn image_host_is_a_plain_host_name() {
        for (text, host) in [
            ("images.example.com", "images.example.com"),
            ("Images.Example.COM", "images.example.com"),
            ("images.example.com:443", "images.example.com"),
            ("images.example.com:8443", "images.example.com:8443"),
            ("bücher.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(image_host(text).as_deref(), Some(host));
        }
        for text in [
            "",
            "https://images.example.com",
            "images.example.com/",
            "images.example.com; script-src *",
            "*.example.com",
            "user@images.example.com",
            "images.example.com 'unsafe-inline'",
            "10.0.0.1",
            "[::1]",
            "images.example.com:",
            "images.example.com:99999",
        ] {
            assert_eq!(image_host(text), None, "{text}");
        }
    }
}
