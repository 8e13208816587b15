//! A customer's saved addresses. At most one is the default. The first address becomes the default automatically.

use mirasa_domain::address::{Address, AddressId, AddressInput, SavedAddress};
use mirasa_domain::user::UserId;

use crate::{AppError, ErrorCode, Shop};

const MAX_ADDRESSES: usize = 50;

pub(crate) fn address_not_found() -> AppError {
    AppError::new(ErrorCode::AddressNotFound, "Address not found.")
}

impl Shop {
    pub async fn addresses(&self, user: &UserId) -> Result<Vec<SavedAddress>, AppError> {
        let user = user.clone();
        self.db
            .point_read(async move |db| Ok(db.addresses(&user).await?))
            .await
    }

    pub async fn add_address(
        &self,
        user: &UserId,
        input: &AddressInput,
        is_default: bool,
    ) -> Result<SavedAddress, AppError> {
        let address = Address::parse(input)?;
        let (user, id, now_ms) = (user.clone(), AddressId(self.ids.new_id()), self.now_ms());
        self.db
            .write(async move |tx| {
                tx.lock_user(&user).await?;
                let addresses = tx.addresses(&user).await?;
                if addresses.len() >= MAX_ADDRESSES {
                    return Err(AppError::new(
                        ErrorCode::AddressBookFull,
                        format!("At most {MAX_ADDRESSES} addresses can be saved"),
                    ));
                }
                let saved = SavedAddress {
                    id,
                    address,
                    is_default: is_default || addresses.is_empty(),
                };
                if saved.is_default {
                    tx.clear_default_address(&user).await?;
                }
                tx.insert_address(&user, &saved, now_ms).await?;
                Ok(saved)
            })
            .await
    }

    pub async fn update_address(
        &self,
        user: &UserId,
        id: AddressId,
        input: &AddressInput,
        is_default: bool,
    ) -> Result<SavedAddress, AppError> {
        let address = Address::parse(input)?;
        self.modify_address(user, id, move |was| SavedAddress {
            address,
            is_default,
            ..was
        })
        .await
    }

    pub async fn make_default_address(
        &self,
        user: &UserId,
        id: AddressId,
    ) -> Result<SavedAddress, AppError> {
        self.modify_address(user, id, |was| SavedAddress {
            is_default: true,
            ..was
        })
        .await
    }

    async fn modify_address(
        &self,
        user: &UserId,
        id: AddressId,
        change: impl FnOnce(SavedAddress) -> SavedAddress + Clone + Send + 'static,
    ) -> Result<SavedAddress, AppError> {
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                tx.lock_user(&user).await?;
                let was = tx
                    .address(&user, &id)
                    .await?
                    .ok_or_else(address_not_found)?;
                let saved = change(was);
                if saved.is_default {
                    tx.clear_default_address(&user).await?;
                }
                tx.update_address(&user, &saved, now_ms).await?;
                Ok(saved)
            })
            .await
    }

    pub async fn delete_address(&self, user: &UserId, id: AddressId) -> Result<(), AppError> {
        let (user, now_ms) = (user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                if tx.delete_address(&user, &id, now_ms).await? {
                    Ok(())
                } else {
                    Err(address_not_found())
                }
            })
            .await
    }
}
