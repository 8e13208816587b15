//! Saved delivery addresses.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::customers::addresses::{AddressQueries, AddressRepository};
use mirasa_domain::address::{Address, AddressId, SavedAddress};
use mirasa_domain::user::UserId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    pub(crate) struct AddressRow {
        id: AddressId,
        address_name: String,
        name: String,
        phone: String,
        line1: String,
        line2: String,
        city: String,
        state: String,
        pincode: String,
        is_default: bool,
    }
}

impl From<AddressRow> for SavedAddress {
    fn from(row: AddressRow) -> SavedAddress {
        SavedAddress {
            id: row.id,
            is_default: row.is_default,
            address: Address {
                address_name: row.address_name,
                name: row.name,
                phone: row.phone,
                line1: row.line1,
                line2: row.line2,
                city: row.city,
                state: row.state,
                pincode: row.pincode,
            },
        }
    }
}

const ADDRESSES: &str = "select * from addresses where user_id = $1 and deleted_at is null order by is_default desc, created_at, id";

const ADDRESS: &str =
    "select * from addresses where user_id = $1 and id = $2 and deleted_at is null";

const INSERT_ADDRESS: &str = "insert into addresses
    (id, user_id, address_name, name, phone, line1, line2, city, state, pincode, is_default, created_at, updated_at)
    values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";

const UPDATE_ADDRESS: &str = "update addresses set address_name = $3, name = $4, phone = $5, line1 = $6, line2 = $7, city = $8, state = $9,
    pincode = $10, is_default = $11, updated_at = $12 where user_id = $1 and id = $2 and deleted_at is null";

const DELETE_ADDRESS: &str =
    "update addresses set deleted_at = $3 where user_id = $1 and id = $2 and deleted_at is null";

#[async_trait]
impl AddressQueries for SqlRepository<'_> {
    async fn addresses(&mut self, user: &UserId) -> StoreResult<Vec<SavedAddress>> {
        let rows = self
            .fetch_all::<AddressRow>(query(ADDRESSES).bind(&user.0))
            .await?;
        Ok(rows.into_iter().map(SavedAddress::from).collect())
    }

    async fn address(
        &mut self,
        user: &UserId,
        id: &AddressId,
    ) -> StoreResult<Option<SavedAddress>> {
        let row = self.fetch_optional::<AddressRow>(query(ADDRESS).bind(&user.0).bind(id));
        Ok(row.await?.map(SavedAddress::from))
    }
}

#[async_trait]
impl AddressRepository for SqlRepository<'_> {
    async fn insert_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.write_address(INSERT_ADDRESS, user, address, now_ms)
            .await
    }

    async fn update_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.write_address(UPDATE_ADDRESS, user, address, now_ms)
            .await
    }

    async fn clear_default_address(&mut self, user: &UserId) -> StoreResult<()> {
        self.execute_deferred(
            query("update addresses set is_default = $2 where user_id = $1 and is_default")
                .bind(&user.0)
                .bind(false),
        )
        .await
    }

    async fn delete_address(
        &mut self,
        user: &UserId,
        id: &AddressId,
        now_ms: i64,
    ) -> StoreResult<bool> {
        let done = self
            .execute(query(DELETE_ADDRESS).bind(&user.0).bind(id).bind(now_ms))
            .await?;
        Ok(done > 0)
    }
}

impl SqlRepository<'_> {
    /// Insert and update bind the same columns in the same order.
    async fn write_address(
        &mut self,
        statement: &'static str,
        user: &UserId,
        saved: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()> {
        let address = &saved.address;
        self.execute_deferred(
            query(statement)
                .bind(&user.0)
                .bind(&saved.id)
                .bind(&address.address_name)
                .bind(&address.name)
                .bind(&address.phone)
                .bind(&address.line1)
                .bind(&address.line2)
                .bind(&address.city)
                .bind(&address.state)
                .bind(&address.pincode)
                .bind(saved.is_default)
                .bind(now_ms),
        )
        .await
    }
}
