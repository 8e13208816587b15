//! Customers with the sums of their orders.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::customers::list::{
    Customer, CustomerFilter, CustomerQueries, CustomerSort,
};
use mirasa_domain::money::Paise;
use mirasa_domain::user::UserId;

use crate::sql::engine::{SqlRepository, pad_list, placeholders};
use crate::sql::query::{Param, Query, query};
use crate::sql::row::row;

row! {
    struct CustomerRow {
        id: UserId,
        email: String,
        name: String,
        phone: Option<String>,
        created_at: i64,
        deleted_at: Option<i64>,
        address_phone: Option<String>,
        orders: i64,
        last_order_at: Option<i64>,
        spent: i64,
    }
}

impl From<CustomerRow> for Customer {
    fn from(row: CustomerRow) -> Customer {
        let is_deleted = row.deleted_at.is_some();
        Customer {
            id: row.id,
            // An account that an admin has deleted still has them.
            name: if is_deleted { String::new() } else { row.name },
            email: if is_deleted { String::new() } else { row.email },
            phone: row.phone.or(row.address_phone).filter(|_| !is_deleted),
            created_at_ms: row.created_at,
            deleted_at_ms: row.deleted_at,
            orders: row.orders,
            spent: Paise::new(row.spent),
            last_order_at_ms: row.last_order_at,
        }
    }
}

const PAID: &str = "o.payment_status = 'completed' and o.deleted_at is null";
/// Of the payment that completed the order. A second payment is not part of what was spent.
const REFUNDED: &str = "r.state <> 'failed' and r.merchant_order_id = o.paid_by";

/// The customers with one of these ids.
fn with_sums(ids: &str) -> String {
    format!(
        "select u.id, u.email, u.name, u.phone, u.created_at, u.deleted_at,
         (select a.phone from addresses a where a.user_id = u.id and a.deleted_at is null
            order by a.is_default desc, a.created_at desc limit 1) as address_phone,
         (select count(*) from orders o where o.user_id = u.id and o.deleted_at is null) as orders,
         (select max(o.created_at) from orders o where o.user_id = u.id and o.deleted_at is null) as last_order_at,
         cast((select coalesce(sum(o.total), 0) from orders o where o.user_id = u.id and {PAID})
            - (select coalesce(sum(r.amount), 0) from orders o join refunds r on r.order_id = o.id
                where o.user_id = u.id and {PAID} and {REFUNDED}) as bigint) as spent
         from users u where u.id in ({ids})"
    )
}

/// The sums of all customers, to sort by: one pass over an index is faster than a look at each customer.
fn sort_join(sort: CustomerSort) -> String {
    match sort {
        CustomerSort::LastOrder => {
            "left join (select user_id, max(created_at) as sort_key from orders where deleted_at is null
                group by user_id) k on k.user_id = users.id"
                .into()
        }
        CustomerSort::Spent => format!(
            "left join (select p.user_id, p.paid - coalesce(b.refunded, 0) as sort_key
                from (select o.user_id, sum(o.total) as paid from orders o where {PAID} group by o.user_id) p
                left join (select o.user_id, sum(r.amount) as refunded from refunds r join orders o on o.id = r.order_id
                    where {PAID} and {REFUNDED} group by o.user_id) b on b.user_id = p.user_id) k on k.user_id = users.id"
        ),
    }
}

/// A condition on `users`, and the values of its placeholders, which begin with $1.
struct Matches {
    text: String,
    values: Vec<Param<'static>>,
}

impl SqlRepository<'_> {
    async fn customer_matches(&mut self, filter: &CustomerFilter) -> StoreResult<Matches> {
        let search = filter.search.as_str();
        let mut text = "users.deleted_at is null".to_owned();
        let mut values = Vec::new();
        if search.is_empty() {
            return Ok(Matches { text, values });
        }
        let words = match self.trigram_phrase(search).await? {
            Some(phrase) => {
                values.push(phrase.into());
                "users.rowid in (select rowid from people_words where people_words match $1)".into()
            }
            None => {
                let pattern = self.search_pattern(&search.to_lowercase());
                values.push(pattern.into());
                let contains = |column| self.contains(column, "$1");
                let (name, email) = (
                    contains("lower(users.name)"),
                    contains("lower(users.email)"),
                );
                format!("{name} or {email}")
            }
        };
        let phone = filter.phone.as_ref().map(|digits| {
            values.push(self.search_pattern(digits).into());
            let contains = |column| self.contains(column, "$2");
            let (own, of_address) = (contains("phone"), contains("a.phone"));
            format!(
                " or users.id in (select id from users where phone is not null and deleted_at is null and {own}
                    union select a.user_id from addresses a where a.deleted_at is null and {of_address})"
            )
        });
        text.push_str(&format!(" and ({words}{})", phone.unwrap_or_default()));
        Ok(Matches { text, values })
    }

    /// In the order of the ids.
    async fn customers_by_id(&mut self, ids: &[String]) -> StoreResult<Vec<Customer>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let padded = pad_list(ids);
        let text = with_sums(&placeholders(1, padded.len()));
        let find = padded.into_iter().fold(query(text), Query::bind);
        let rows: Vec<CustomerRow> = self.fetch_all(find).await?;
        let mut customers: Vec<_> = rows.into_iter().map(Customer::from).collect();
        customers.sort_by_key(|customer| ids.iter().position(|id| *id == customer.id.0));
        Ok(customers)
    }
}

#[async_trait]
impl CustomerQueries for SqlRepository<'_> {
    async fn count_customers(&mut self, filter: &CustomerFilter) -> StoreResult<i64> {
        let Matches { text, values } = self.customer_matches(filter).await?;
        let count = query(format!("select count(*) from users where {text}"));
        let is_search = !values.is_empty();
        self.fetch_one(count.planned_each_time(is_search).bind_each(values))
            .await
    }

    async fn customers_page(
        &mut self,
        filter: &CustomerFilter,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Customer>> {
        let Matches { text, mut values } = self.customer_matches(filter).await?;
        let is_search = !values.is_empty();
        values.extend([limit.into(), offset.into()]);
        let (limit, offset) = (values.len() - 1, values.len());
        let text = format!(
            "select users.id from users {} where {text}
             order by coalesce(k.sort_key, 0) desc, users.created_at desc, users.id desc limit ${limit} offset ${offset}",
            sort_join(filter.sort)
        );
        let find = query(text).planned_each_time(is_search).bind_each(values);
        let ids: Vec<String> = self.fetch_all(find).await?;
        self.customers_by_id(&ids).await
    }

    async fn customer(&mut self, id: &UserId) -> StoreResult<Option<Customer>> {
        let ids = [id.0.clone()];
        Ok(self.customers_by_id(&ids).await?.pop())
    }

    async fn customer_by_email(&mut self, email: &str) -> StoreResult<Option<Customer>> {
        const FIND: &str =
            "select id from users where email in ($1, lower($1)) and deleted_at is null
            order by created_at desc, id desc limit 1";
        let ids: Vec<String> = self.fetch_all(query(FIND).bind(email)).await?;
        Ok(self.customers_by_id(&ids).await?.pop())
    }
}
