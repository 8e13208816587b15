//! Saved delivery addresses.

use async_trait::async_trait;
use mirasa_domain::address::{AddressId, SavedAddress};
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

#[async_trait]
pub trait AddressQueries: Send {
    async fn addresses(&mut self, user: &UserId) -> StoreResult<Vec<SavedAddress>>;
    async fn address(&mut self, user: &UserId, id: &AddressId)
    -> StoreResult<Option<SavedAddress>>;
}

#[async_trait]
pub trait AddressRepository: Send {
    async fn insert_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn update_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn clear_default_address(&mut self, user: &UserId) -> StoreResult<()>;
    async fn delete_address(
        &mut self,
        user: &UserId,
        id: &AddressId,
        now_ms: i64,
    ) -> StoreResult<bool>;
}
