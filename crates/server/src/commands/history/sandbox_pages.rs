//! The payment page of the sandbox gateway.

use anyhow::ensure;

/// The payment page of the sandbox gateway, as a browser uses it.
pub struct SandboxPages {
    pub base: String,
    pub http: reqwest::Client,
}

impl SandboxPages {
    /// The history polls each payment itself. A webhook would come at a later time of the demo clock.
    pub async fn stop_webhooks(&self) -> anyhow::Result<()> {
        let url = format!("{}/faults", self.base);
        let settings = serde_json::json!({ "webhook": "never" });
        let response = self.http.post(url).json(&settings).send().await?;
        response.error_for_status()?;
        Ok(())
    }

    pub async fn submit(&self, page: &str, outcome: &str) -> anyhow::Result<()> {
        // The page's URL is public. The listener of the seed is elsewhere.
        let id = page.rsplit('/').next().unwrap_or_default();
        let url = format!("{}/pay/{id}", self.base);
        let form = [("outcome", outcome)];
        let response = self.http.post(url).form(&form).send().await?;
        ensure!(
            response.status() == reqwest::StatusCode::SEE_OTHER,
            "the sandbox gateway responded with {}",
            response.status()
        );
        Ok(())
    }
}
