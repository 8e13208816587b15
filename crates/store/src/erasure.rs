//! Deleting the personal data of an account.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::erasure::{ErasureQueries, ErasureRepository};
use mirasa_domain::user::UserId;

use crate::engine::SqlRepository;
use crate::query::query;

/// Personal data that is not needed for orders. Sent emails repeat the contents of the orders and are deleted; emails that
/// wait to be sent stay.
const DELETE: [&str; 5] = [
    "delete from sessions where user_id = $1",
    "delete from cart_lines where user_id = $1",
    "delete from wishes where user_id = $1",
    "delete from addresses where user_id = $1",
    "delete from idempotency_keys where user_id = $1",
];

const DELETE_BY_EMAIL: [&str; 2] = [
    "delete from contact_queries where lower(email) = lower($1)",
    "delete from mails where recipient = $1 and sent_at is not null",
];

/// The audit log keeps the action and the actor, but not the user's name.
const ANONYMISE_AUDIT_LOG: &str = "update audit set detail = '' where about = $1";

const ANONYMISE: &str =
    "update users set issuer = '', subject = id, email = '', name = '', phone = null,
    date_of_birth = null, gender = null, photo = null, profile_picture = null, role = 'customer', updated_at = $2, deleted_at = $2
    where id = $1";

#[async_trait]
impl ErasureQueries for SqlRepository<'_> {
    async fn profile_picture_in_use(&mut self, file: &str) -> StoreResult<bool> {
        const FIND: &str = "select count(*) from users where profile_picture = $1";
        let users = self.fetch_one::<i64>(query(FIND).bind(file)).await?;
        Ok(users > 0)
    }
}

#[async_trait]
impl ErasureRepository for SqlRepository<'_> {
    async fn erase_user(&mut self, id: &UserId, email: &str, now_ms: i64) -> StoreResult<()> {
        for statement in DELETE {
            self.execute(query(statement).bind(&id.0)).await?;
        }
        for statement in DELETE_BY_EMAIL {
            self.execute(query(statement).bind(email)).await?;
        }
        self.execute(query(ANONYMISE_AUDIT_LOG).bind(&id.0)).await?;
        self.execute_deferred(query(ANONYMISE).bind(&id.0).bind(now_ms))
            .await
    }
}
