//! Deleting the personal data of an account.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::customers::erasure::{
    EarlierAccounts, ErasedFiles, ErasureQueries, ErasureRepository, WaitingNotification,
};
use mirasa_app::repository::reviews::ReviewRepository as _;
use mirasa_domain::message::EmailId;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

/// Personal data that is not needed for orders. Emails repeat the contents of the orders. Those that wait are not sent: there
/// is no longer anybody who wants them.
const DELETE: [&str; 5] = [
    "delete from sessions where user_id = $1",
    "delete from cart_lines where user_id = $1",
    "delete from wishes where user_id = $1",
    "delete from addresses where user_id = $1",
    "delete from idempotency_keys where user_id = $1",
];

const DELETE_EMAILS_OF_ORDERS: &str =
    "delete from mails where order_id in (select id from orders where user_id = $1)";

/// Emails that reply to a message quote it, so they are deleted with it. The replies are deleted by their foreign key. On
/// PostgreSQL a notice of new stock can become an email until its row is deleted, so emails by address come last.
const DELETE_BY_EMAIL: [&str; 5] = [
    "delete from mails where id in (select r.id from message_replies r join contact_queries q on q.id = r.message_id
        where lower(q.email) = lower($1))",
    "delete from contact_queries where lower(email) = lower($1)",
    "delete from stock_notice_stops where stop_token in (select stop_token from stock_notices where email = lower($1))",
    "delete from stock_notices where email = lower($1)",
    "delete from mails where lower(recipient) = lower($1)",
];

/// On PostgreSQL an admin could otherwise reply between two of the statements above.
const LOCK_MESSAGES: &str =
    "select id from contact_queries where lower(email) = lower($1) for update";

/// They quote messages and name customers.
const DELETE_NOTIFICATIONS: &str =
    "delete from mails where kind = 'notification' and sent_at is not null";
/// Those that wait, if they are about this customer: they name orders by their short ids and link to messages.
const WAITING_NOTIFICATIONS: &str = "select id, subject from mails where kind = 'notification' and sent_at is null
    and (exists (select 1 from orders o where o.user_id = $1 and mails.text_body like '%' || upper(substr(o.id, 29)) || '%')
        or exists (select 1 from contact_queries q where lower(q.email) = lower($2)
            and mails.text_body like '%message=' || q.id || '%')) order by id";
const REPLACE_TEXT: &str = "update mails set text_body = $2, html_body = $3 where id = $1";

row! {
    struct WaitingRow {
        id: EmailId,
        subject: String,
    }
}

/// The account may be deleted while somebody signs in.
const SET_EMAIL_HASH: &str = "update users set email_hash = $2 where id = $1 and deleted_at is null
    and (email_hash is null or email_hash <> $2)";
/// What `discount_with_uses` counts for this customer: that they have ordered, and the codes that a customer can use once.
/// Unpaid orders have ended.
const REMEMBER: [&str; 2] = [
    "insert into past_discount_uses (email_hash, discount_id)
        select cast($2 as text), '' where exists (select 1 from orders o where o.user_id = $1 and o.deleted_at is null
            and o.payment_status <> 'failed' and o.order_status <> 'cancelled' and o.replaces_order_id is null)
        on conflict do nothing",
    "insert into past_discount_uses (email_hash, discount_id)
        select distinct cast($2 as text), d.id from orders o join discounts d on d.id = o.discount_id and d.once_per_customer
            where o.user_id = $1 and o.payment_status <> 'failed' and o.order_status <> 'cancelled'
        on conflict do nothing",
];

/// The codes of earlier accounts with the address of this user, and an empty text if they have ordered.
const EARLIER_ACCOUNTS: &str =
    "select coalesce(d.code, '') from users u join past_discount_uses p on p.email_hash = u.email_hash
    left join discounts d on d.id = p.discount_id where u.id = $1 order by 1";

/// Erased customers of whom an instance of an earlier version left something: it does not know the hash, and deletes only
/// emails that were sent.
const INCOMPLETELY_ERASED: &str = "select id from users where email = '' and deleted_at is not null and email_hash is not null
    union
    select u.id from mails m join orders o on o.id = m.order_id join users u on u.id = o.user_id
        where m.created_at > $1 and u.email = '' and u.deleted_at is not null
    union
    select u.id from concerns c join orders o on o.id = c.order_id join users u on u.id = o.user_id
        where c.kind = 'mail not sent' and c.created_at > $1 and c.detail like '%@%' and u.email = '' and u.deleted_at is not null
    order by 1";
const CLEAR_EMAIL_HASH: &str =
    "update users set email_hash = null where id = $1 and email = '' and deleted_at is not null";

/// After the emails are deleted: a failed attempt to send one may be stored at the same time.
const ANONYMISE_ISSUES: &str = "update concerns set detail = 'The customer has deleted the account.', settled_at = coalesce(settled_at, $2)
    where kind = 'mail not sent' and order_id in (select id from orders where user_id = $1)";

/// The audit log keeps the action and the actor, but not the user's name.
const ANONYMISE_AUDIT_LOG: &str = "update audit set detail = '' where about = $1";

const PROBLEM_PHOTOS: &str =
    "select p.images from order_problems p join orders o on o.id = p.order_id
    where o.user_id = $1 and p.images <> '[]'";
/// The packs and the decision stay: they explain refunds and replacements.
const ANONYMISE_PROBLEMS: &str =
    "update order_problems set message = '', response = '', images = '[]'
    where order_id in (select id from orders where user_id = $1)";

/// That it was corrected stays. The order keeps the address to which it was sent.
const ANONYMISE_CORRECTIONS: &str =
    "update order_events set detail = '' where kind = 'address_corrected'
    and order_id in (select id from orders where user_id = $1)";
const DELETE_NOTES: &str =
    "delete from order_notes where order_id in (select id from orders where user_id = $1)";

/// The decision stays: it explains the end of the order.
const ANONYMISE_CANCELLATIONS: &str = "update cancellation_requests set message = ''
    where order_id in (select id from orders where user_id = $1)";

const DELETE_VOTES: &str = "delete from review_votes where user_id = $1 returning review_id";
const COUNT_VOTE_LESS: &str = "update reviews set helpful = helpful - 1 where id = $1";
const REVIEWED_PRODUCTS: &str =
    "select product_id from reviews where user_id = $1 order by product_id";
const LOCK_REVIEWED_PRODUCTS: &str = "select id from products where id in
    (select product_id from reviews where user_id = $1) order by id for update";
const REVIEW_PHOTOS: &str =
    "select p.file from review_photos p join reviews r on r.id = p.review_id
    where r.user_id = $1 order by p.file";
/// What a customer wrote about a product is theirs. The reason for hiding a review may quote it; the audit log keeps the
/// action. Photos, edits and votes are deleted by their foreign keys.
const DELETE_REVIEWS: [&str; 4] = [
    "update audit set detail = '' where about in (select id from reviews where user_id = $1)",
    "delete from reviews where user_id = $1",
    "delete from review_requests where order_id in (select id from orders where user_id = $1)",
    "delete from review_opt_outs where user_id = $1",
];
/// Labels of parcels that have left the shop. The others are still needed; they are deleted when the parcel leaves.
const DELETE_LABELS: &str = "delete from shipment_labels where shipment_id in (select s.id from shipments s
    join orders o on o.id = s.order_id where o.user_id = $1 and s.status not in ('preparing', 'ready'))";

const ANONYMISE: &str =
    "update users set issuer = '', subject = id, email = '', name = '', phone = null,
    date_of_birth = null, gender = null, photo = null, profile_picture = null, cart_discount_id = null, email_hash = null, role = 'customer', updated_at = $2, deleted_at = $2
    where id = $1";

#[async_trait]
impl ErasureQueries for SqlRepository<'_> {
    async fn profile_picture_in_use(&mut self, file: &str) -> StoreResult<bool> {
        const FIND: &str = "select count(*) from users where profile_picture = $1";
        let users = self.fetch_one::<i64>(query(FIND).bind(file)).await?;
        Ok(users > 0)
    }

    async fn earlier_accounts(&mut self, id: &UserId) -> StoreResult<EarlierAccounts> {
        let mut codes: Vec<String> = self.fetch_all(query(EARLIER_ACCOUNTS).bind(&id.0)).await?;
        let count = codes.len();
        codes.retain(|code| !code.is_empty());
        Ok(EarlierAccounts {
            has_ordered: codes.len() < count,
            once_only_codes: codes,
        })
    }

    async fn incompletely_erased(&mut self, since_ms: i64) -> StoreResult<Vec<UserId>> {
        let find = query(INCOMPLETELY_ERASED).bind(since_ms);
        self.fetch_all(find).await
    }
}

#[async_trait]
impl ErasureRepository for SqlRepository<'_> {
    async fn set_email_hash(&mut self, id: &UserId, email_hash: &str) -> StoreResult<()> {
        self.execute_deferred(query(SET_EMAIL_HASH).bind(&id.0).bind(email_hash))
            .await
    }

    async fn remember_discount_uses(&mut self, id: &UserId, email_hash: &str) -> StoreResult<()> {
        for statement in REMEMBER {
            self.execute(query(statement).bind(&id.0).bind(email_hash))
                .await?;
        }
        Ok(())
    }

    async fn waiting_notifications_about(
        &mut self,
        id: &UserId,
        email: &str,
    ) -> StoreResult<Vec<WaitingNotification>> {
        let find = query(WAITING_NOTIFICATIONS).bind(&id.0).bind(email);
        let rows: Vec<WaitingRow> = self.fetch_all(find).await?;
        let found = rows.into_iter().map(|row| WaitingNotification {
            id: row.id,
            subject: row.subject,
        });
        Ok(found.collect())
    }

    async fn replace_email_text(
        &mut self,
        id: &EmailId,
        text: &str,
        html: &str,
    ) -> StoreResult<()> {
        let replace = query(REPLACE_TEXT).bind(id).bind(text).bind(html);
        self.execute_deferred(replace).await
    }

    async fn complete_erasure(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()> {
        self.execute(query(DELETE_EMAILS_OF_ORDERS).bind(&id.0))
            .await?;
        self.execute(query(ANONYMISE_ISSUES).bind(&id.0).bind(now_ms))
            .await?;
        self.execute(query(CLEAR_EMAIL_HASH).bind(&id.0)).await?;
        Ok(())
    }

    async fn erase_user(
        &mut self,
        id: &UserId,
        email: &str,
        now_ms: i64,
    ) -> StoreResult<ErasedFiles> {
        let photos: Vec<String> = self.fetch_all(query(PROBLEM_PHOTOS).bind(&id.0)).await?;
        let problem_photos = photos
            .iter()
            .flat_map(|names| serde_json::from_str::<Vec<String>>(names).unwrap_or_default())
            .collect();
        self.execute(query(ANONYMISE_PROBLEMS).bind(&id.0)).await?;
        self.execute(query(ANONYMISE_CANCELLATIONS).bind(&id.0))
            .await?;
        self.execute(query(ANONYMISE_CORRECTIONS).bind(&id.0))
            .await?;
        self.execute(query(DELETE_NOTES).bind(&id.0)).await?;
        let review_photos = self.erase_reviews(id, now_ms).await?;
        self.execute(query(DELETE_LABELS).bind(&id.0)).await?;
        for statement in DELETE {
            self.execute(query(statement).bind(&id.0)).await?;
        }
        self.execute(query(DELETE_EMAILS_OF_ORDERS).bind(&id.0))
            .await?;
        if self.is_postgres() {
            let lock = query(LOCK_MESSAGES).bind(email);
            self.fetch_all::<String>(lock).await?;
        }
        for statement in DELETE_BY_EMAIL {
            self.execute(query(statement).bind(email)).await?;
        }
        self.execute(query(ANONYMISE_ISSUES).bind(&id.0).bind(now_ms))
            .await?;
        self.execute(query(DELETE_NOTIFICATIONS)).await?;
        self.execute(query(ANONYMISE_AUDIT_LOG).bind(&id.0)).await?;
        self.execute_deferred(query(ANONYMISE).bind(&id.0).bind(now_ms))
            .await?;
        Ok(ErasedFiles {
            problem_photos,
            review_photos,
        })
    }
}

impl SqlRepository<'_> {
    /// Deletes the user's reviews and votes, and counts the ratings again. Returns the names of the photos.
    async fn erase_reviews(&mut self, id: &UserId, now_ms: i64) -> StoreResult<Vec<String>> {
        let voted: Vec<String> = self.fetch_all(query(DELETE_VOTES).bind(&id.0)).await?;
        for review in &voted {
            self.execute_deferred(query(COUNT_VOTE_LESS).bind(review))
                .await?;
        }
        let products: Vec<String> = self.fetch_all(query(REVIEWED_PRODUCTS).bind(&id.0)).await?;
        if self.is_postgres() && !products.is_empty() {
            let lock = query(LOCK_REVIEWED_PRODUCTS).bind(&id.0);
            self.fetch_all::<String>(lock).await?;
        }
        let photos = self.fetch_all(query(REVIEW_PHOTOS).bind(&id.0)).await?;
        for statement in DELETE_REVIEWS {
            self.execute(query(statement).bind(&id.0)).await?;
        }
        for product in products {
            self.update_rating(&ProductId(product), now_ms).await?;
        }
        Ok(photos)
    }
}
