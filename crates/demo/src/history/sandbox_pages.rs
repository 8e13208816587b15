//! The pages of the sandboxes, as a browser uses them.

use anyhow::ensure;
use reqwest::StatusCode;

/// The payment page of the sandbox gateway.
pub struct SandboxGateway {
    pub base: String,
    pub http: reqwest::Client,
}

/// The page that moves the parcels of the sandbox courier.
pub struct SandboxCourierPages {
    pub base: String,
    pub http: reqwest::Client,
}

/// The history polls each payment and parcel itself. A webhook would come at a later time of the demo clock.
pub async fn stop_webhooks(http: &reqwest::Client, base: &str, fault: &str) -> anyhow::Result<()> {
    let settings = serde_json::json!({ "webhook": fault });
    let url = format!("{base}/faults");
    let response = http.post(url).json(&settings).send().await?;
    response.error_for_status()?;
    Ok(())
}

impl SandboxGateway {
    pub async fn submit(&self, page: &str, outcome: &str) -> anyhow::Result<()> {
        // The page's URL is public. The listener of the seed is elsewhere.
        let id = page.rsplit('/').next().unwrap_or_default();
        let url = format!("{}/pay/{id}", self.base);
        submit(&self.http, url, ("outcome", outcome)).await
    }
}

impl SandboxCourierPages {
    pub async fn move_parcel(&self, tracking_number: &str, to: &str) -> anyhow::Result<()> {
        let url = format!("{}/parcels/{tracking_number}", self.base);
        submit(&self.http, url, ("to", to)).await
    }
}

async fn submit(http: &reqwest::Client, url: String, field: (&str, &str)) -> anyhow::Result<()> {
    let response = http.post(url).form(&[field]).send().await?;
    let status = response.status();
    ensure!(
        status == StatusCode::SEE_OTHER,
        "the sandbox responded with {status}"
    );
    Ok(())
}
