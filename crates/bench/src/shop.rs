//! What the load generators do at the shop besides their measurement.

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::http_client::HttpClient;

#[expect(
    clippy::print_stdout,
    reason = "the figures are the output of the load generators"
)]
pub fn println_json(value: &Value) -> anyhow::Result<()> {
    println!("{value}");
    Ok(())
}

/// Restocks as an admin, so that nothing sells out during the measurement. Returns the product ids.
pub async fn restock(shop: &str) -> anyhow::Result<Vec<String>> {
    let mut admin = HttpClient::new(shop);
    admin.sign_in("admin@mirasa.example").await?;
    let list = admin.get("/api/products/api/productInfo").await?.json()?;
    let products = list["products"].as_array().context("no products")?;
    let mut ids = Vec::new();
    for product in products.iter().take(24) {
        let id = product["_id"].as_str().context("a product without _id")?;
        let mut body = product.clone();
        body["stock_change"] = json!(50_000_000);
        body["packaging_50gms_change"] = json!(500_000);
        body["packaging_100gms_change"] = json!(500_000);
        let changed = admin
            .put(&format!("/api/admin/updateProduct/{id}"), &body)
            .await?;
        changed.json().with_context(|| format!("stocking {id}"))?;
        ids.push(id.to_owned());
    }
    Ok(ids)
}

/// Signs a customer in and saves an address. Returns its id.
pub async fn create_customer(shop: &str, number: u64) -> anyhow::Result<(HttpClient, String)> {
    let mut client = HttpClient::new(shop);
    client
        .sign_in(&format!("customer{number}@mirasa.example"))
        .await?;
    let address = json!({
        "addressName": "Home", "name": "Asha Rao", "phone": "9876543210", "addressLine1": "12 MG Road",
        "city": "Pune", "state": "Maharashtra", "pincode": "411001", "isDefault": true,
    });
    let saved = client.post("/api/addresses", &address).await?.json()?;
    let id = saved["address"]["_id"].as_str().context("no address id")?;
    Ok((client, id.to_owned()))
}

/// The text of the server's /metrics.
pub async fn read_metrics(shop: &str, token: &str) -> anyhow::Result<String> {
    let mut client = HttpClient::new(shop);
    let bearer = format!("Bearer {token}");
    let response = client
        .send(
            http::Method::GET,
            "/metrics",
            "",
            bytes::Bytes::new(),
            &[("authorization", &bearer)],
        )
        .await?;
    Ok(String::from_utf8_lossy(&response.body).into_owned())
}

/// The sum of the metrics whose lines begin so.
pub fn sum_metric(metrics: &str, name: &str) -> f64 {
    metrics
        .lines()
        .filter(|line| line.starts_with(name))
        .filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok())
        .sum()
}

/// The upper bound of the bucket in which this quantile of a histogram is. None: above the last bound, or no values.
pub fn histogram_quantile(metrics: &str, name: &str, quantile: f64) -> Option<f64> {
    let prefix = format!("{name}_bucket{{le=\"");
    let buckets = metrics
        .lines()
        .filter_map(|line| line.strip_prefix(&prefix)?.split_once("\"} "))
        .filter_map(|(bound, count)| {
            Some((bound.parse::<f64>().ok()?, count.parse::<f64>().ok()?))
        });
    let total = sum_metric(metrics, &format!("{name}_count"));
    let mut reached = buckets.filter(|(_, count)| total > 0.0 && *count >= total * quantile);
    reached
        .next()
        .map(|(bound, _)| bound)
        .filter(|bound| bound.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_quantile_is_the_bound_of_its_bucket() {
        let text = "lag_bucket{le=\"0.5\"} 50\nlag_bucket{le=\"1\"} 98\nlag_bucket{le=\"+Inf\"} 100\nlag_sum 40\nlag_count 100\n";
        let at = |quantile| histogram_quantile(text, "lag", quantile);
        assert_eq!((at(0.5), at(0.9), at(0.99)), (Some(0.5), Some(1.0), None));
        assert_eq!(histogram_quantile("lag_count 0", "lag", 0.5), None);
    }
}
