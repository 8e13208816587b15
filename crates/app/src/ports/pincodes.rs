//! Which district a pincode belongs to.

use async_trait::async_trait;
use mirasa_domain::address::Pincode;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PincodeArea {
    pub district: String,
    pub state: String,
}

#[async_trait]
pub trait PincodeDirectory: Send + Sync {
    async fn find(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>>;
}
