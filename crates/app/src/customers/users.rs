//! Users: search, change, delete. The last admin cannot be removed.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::user::{Role, User, UserId};
use mirasa_domain::validation;

use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// A page of users, and whether there are more.
    pub async fn find_users(
        &self,
        search: String,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<User>, bool), AppError> {
        let mut users = self
            .db
            .replica_read(async move |db| db.find_users(search.trim(), offset, limit + 1).await)
            .await?;
        let limit = usize::try_from(limit).unwrap_or_default();
        let more = users.len() > limit;
        users.truncate(limit);
        Ok((users, more))
    }

    pub async fn update_user(
        &self,
        admin: &User,
        id: UserId,
        name: Option<String>,
        phone: Option<String>,
        role: Option<Role>,
    ) -> Result<User, AppError> {
        let name = name
            .map(|name| validation::required("name", &name, 100))
            .transpose()?;
        let phone = phone
            .filter(|phone| !phone.trim().is_empty())
            .map(|phone| mirasa_domain::address::parse_phone(&phone))
            .transpose()?;
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let admins = tx.lock_admins().await?;
                let user = tx.user(&id).await?.ok_or_else(user_not_found)?;
                let role = role.unwrap_or(user.role);
                if role != Role::Admin {
                    ensure_not_last_admin(&admins, &id)?;
                }
                let name = name.unwrap_or(user.name);
                let phone = phone.or(user.phone);
                tx.update_user(&id, &name, phone.as_deref(), role, now_ms)
                    .await?;
                shop.audit(
                    tx,
                    &admin,
                    AdminAction::UserChanged,
                    &id.0,
                    format!("{name}, {}", role.as_str()),
                )
                .await?;
                tx.user(&id).await?.ok_or_else(user_not_found)
            })
            .await
    }

    /// Removes the customer from every list and ends their unpaid orders.
    pub async fn delete_user(&self, admin: &User, id: UserId) -> Result<(), AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let left = self
            .db
            .write(async move |tx| {
                let admins = tx.lock_admins().await?;
                tx.lock_user(&id).await?;
                tx.user(&id).await?.ok_or_else(user_not_found)?;
                ensure_not_last_admin(&admins, &id)?;
                let left = shop.end_orders_of(tx, &id).await?;
                tx.delete_user(&id, now_ms).await?;
                shop.audit(tx, &admin, AdminAction::UserDeleted, &id.0, String::new())
                    .await?;
                Ok::<_, AppError>(left)
            })
            .await?;
        self.show_released(&left);
        Ok(())
    }
}

pub(crate) fn user_not_found() -> AppError {
    AppError::new(ErrorCode::UserNotFound, "User not found.")
}

pub(crate) fn ensure_not_last_admin(admins: &[UserId], id: &UserId) -> Result<(), AppError> {
    if admins == [id.clone()] {
        Err(AppError::new(
            ErrorCode::LastAdmin,
            "The last admin cannot be removed or demoted",
        ))
    } else {
        Ok(())
    }
}
