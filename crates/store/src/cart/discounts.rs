//! Discount codes and their uses, which are counted from the orders.

use async_trait::async_trait;
use mirasa_app::repository::cart::discounts::{
    CountedOrders, DiscountQueries, DiscountReport, DiscountRepository,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::discount::{
    Discount, DiscountCode, DiscountId, DiscountTerms, DiscountUses, Reduction,
};
use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct DiscountRow {
        id: DiscountId,
        code: String,
        kind: String,
        value: i64,
        categories: String,
        products: String,
        min_total: i64,
        first_order_only: bool,
        once_per_customer: bool,
        max_uses: Option<i64>,
        starts_at: Option<i64>,
        ends_at: Option<i64>,
        active: bool,
        created_at: i64,
        updated_at: i64,
    }
}

row! {
    struct DiscountWithUses {
        ..discount: DiscountRow,
        uses_by_all: i64,
        uses_by_customer: i64,
        other_orders: i64,
    }
}

row! {
    struct ReportRow {
        ..discount: DiscountRow,
        uses_paid: i64,
        uses_held: i64,
        turnover: i64,
        cost: i64,
    }
}

impl DiscountRow {
    fn into_discount(self) -> StoreResult<Discount> {
        let broken =
            |what: &str| StoreError::Broken(anyhow::anyhow!("discount {}: {what}", self.id));
        let reduction = match self.kind.as_str() {
            "percent" => Reduction::Percent(self.value),
            "amount" => Reduction::Amount(Paise::new(self.value)),
            _ => return Err(broken("kind")),
        };
        let categories =
            serde_json::from_str(&self.categories).map_err(|_| broken("categories"))?;
        let products: Vec<String> =
            serde_json::from_str(&self.products).map_err(|_| broken("products"))?;
        Ok(Discount {
            code: DiscountCode::parse(&self.code).map_err(|_| broken("code"))?,
            terms: DiscountTerms {
                reduction,
                categories,
                products: products.into_iter().map(ProductId).collect(),
                min_total: Paise::new(self.min_total),
                first_order_only: self.first_order_only,
                once_per_customer: self.once_per_customer,
                max_uses: self.max_uses,
                starts_at_ms: self.starts_at,
                ends_at_ms: self.ends_at,
                is_active: self.active,
            },
            id: self.id,
            created_at_ms: self.created_at,
            updated_at_ms: self.updated_at,
        })
    }
}

/// In the words of the partial index `orders_discount_uses`.
const IS_USE: &str =
    "o.discount_id is not null and o.payment_status <> 'failed' and o.order_status <> 'cancelled'";

/// `$3`: whether the customer's own unpaid orders count. A new checkout replaces them.
const IS_COUNTED: &str = "($3 or o.user_id <> $2 or o.payment_status <> 'pending')";

/// What a report says of the code's orders. A cancelled order brings no turnover and costs nothing.
const REPORT: &str = "select d.*, coalesce(u.paid, 0) as uses_paid, coalesce(u.held, 0) as uses_held,
    coalesce(u.turnover, 0) as turnover, coalesce(u.cost, 0) as cost from discounts d
    left join (select o.discount_id,
            cast(sum(case when o.payment_status = 'completed' then 1 else 0 end) as bigint) as paid,
            cast(sum(case when o.payment_status = 'pending' then 1 else 0 end) as bigint) as held,
            cast(sum(case when o.payment_status = 'completed' then o.total - coalesce(r.amount, 0) else 0 end) as bigint) as turnover,
            cast(sum(case when o.payment_status = 'completed' then o.discount_amount else 0 end) as bigint) as cost
        from orders o
        left join (select merchant_order_id, sum(amount) as amount from refunds where state <> 'failed' group by merchant_order_id) r
            on r.merchant_order_id = o.paid_by
        where o.discount_id is not null and o.payment_status <> 'failed' and o.order_status <> 'cancelled'
        group by o.discount_id) u on u.discount_id = d.id";

fn bind_terms<'q>(query: Query<'q>, terms: &DiscountTerms) -> StoreResult<Query<'q>> {
    let json = |error: serde_json::Error| StoreError::Broken(error.into());
    let (kind, value) = match terms.reduction {
        Reduction::Percent(hundredths) => ("percent", hundredths),
        Reduction::Amount(amount) => ("amount", amount.get()),
    };
    let products: Vec<_> = terms.products.iter().map(|product| &product.0).collect();
    Ok(query
        .bind(kind)
        .bind(value)
        .bind(serde_json::to_string(&terms.categories).map_err(json)?)
        .bind(serde_json::to_string(&products).map_err(json)?)
        .bind(terms.min_total.get())
        .bind(terms.first_order_only)
        .bind(terms.once_per_customer)
        .bind(terms.max_uses)
        .bind(terms.starts_at_ms)
        .bind(terms.ends_at_ms)
        .bind(terms.is_active))
}

#[async_trait]
impl DiscountQueries for SqlRepository<'_> {
    async fn discount(&mut self, id: &DiscountId) -> StoreResult<Option<Discount>> {
        let find = query("select * from discounts where id = $1").bind(id);
        let row: Option<DiscountRow> = self.fetch_optional(find).await?;
        row.map(DiscountRow::into_discount).transpose()
    }

    async fn discount_by_code(&mut self, code: &DiscountCode) -> StoreResult<Option<Discount>> {
        let find = query("select * from discounts where code = $1").bind(code.as_str());
        let row: Option<DiscountRow> = self.fetch_optional(find).await?;
        row.map(DiscountRow::into_discount).transpose()
    }

    async fn discount_with_uses(
        &mut self,
        id: &DiscountId,
        user: &UserId,
        counted: CountedOrders,
    ) -> StoreResult<Option<(Discount, DiscountUses)>> {
        let text = format!(
            "select d.*,
             case when d.max_uses is null then 0 else
                (select count(*) from orders o where o.discount_id = d.id and {IS_USE} and {IS_COUNTED}) end as uses_by_all,
             (select count(*) from orders o where o.discount_id = d.id and o.user_id = $2 and {IS_USE} and {IS_COUNTED})
                + (select count(*) from past_discount_uses p join users u on u.email_hash = p.email_hash
                    where u.id = $2 and p.discount_id = d.id) as uses_by_customer,
             (select count(*) from (select 1 from orders o where o.user_id = $2 and o.deleted_at is null
                and o.payment_status <> 'failed' and o.order_status <> 'cancelled' and o.replaces_order_id is null
                and {IS_COUNTED} limit 1) found)
                + (select count(*) from past_discount_uses p join users u on u.email_hash = p.email_hash
                    where u.id = $2 and p.discount_id = '') as other_orders
             from discounts d where d.id = $1"
        );
        let counts_pending = counted == CountedOrders::All;
        let find = query(text).bind(id).bind(&user.0).bind(counts_pending);
        let row: Option<DiscountWithUses> = self.fetch_optional(find).await?;
        row.map(|row| {
            let uses = DiscountUses {
                by_all: row.uses_by_all,
                by_customer: row.uses_by_customer,
                customer_has_ordered: row.other_orders > 0,
            };
            Ok((row.discount.into_discount()?, uses))
        })
        .transpose()
    }

    async fn discount_reports(&mut self) -> StoreResult<Vec<DiscountReport>> {
        let text = format!("{REPORT} order by d.created_at desc, d.id desc");
        let rows: Vec<ReportRow> = self.fetch_all(query(text)).await?;
        rows.into_iter().map(into_report).collect()
    }

    async fn discount_report(&mut self, id: &DiscountId) -> StoreResult<Option<DiscountReport>> {
        let find = query(format!("{REPORT} where d.id = $1")).bind(id);
        let row: Option<ReportRow> = self.fetch_optional(find).await?;
        row.map(into_report).transpose()
    }
}

fn into_report(row: ReportRow) -> StoreResult<DiscountReport> {
    Ok(DiscountReport {
        discount: row.discount.into_discount()?,
        uses_paid: row.uses_paid,
        uses_held: row.uses_held,
        turnover: Paise::new(row.turnover),
        cost: Paise::new(row.cost),
    })
}

#[async_trait]
impl DiscountRepository for SqlRepository<'_> {
    /// Orders with a code without a limit of uses do not wait for each other on PostgreSQL.
    async fn lock_discount_for_use(&mut self, id: &DiscountId) -> StoreResult<()> {
        if !self.is_postgres() {
            return Ok(());
        }
        const MAX_USES: &str = "select coalesce(max_uses, 0) from discounts where id = $1";
        const SHARE: &str = "select coalesce(max_uses, 0) from discounts where id = $1 for share";
        // Two transactions that first share the lock and then want it alone would wait for each other.
        for read in [MAX_USES, SHARE] {
            let max_uses: Option<i64> = self.fetch_optional(query(read).bind(id)).await?;
            if max_uses.is_some_and(|max_uses| max_uses > 0) {
                return self.lock_discount(id).await;
            }
        }
        Ok(())
    }

    async fn lock_discount(&mut self, id: &DiscountId) -> StoreResult<()> {
        const LOCK: &str = "select id from discounts where id = $1 for no key update";
        if self.is_postgres() {
            self.fetch_optional::<DiscountId>(query(LOCK).bind(id))
                .await?;
        }
        Ok(())
    }

    async fn insert_discount(&mut self, discount: &Discount) -> StoreResult<()> {
        const INSERT: &str = "insert into discounts (id, code, created_at, updated_at, kind, value, categories, products, min_total,
            first_order_only, once_per_customer, max_uses, starts_at, ends_at, active)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
        let insert = query(INSERT)
            .bind(&discount.id)
            .bind(discount.code.as_str())
            .bind(discount.created_at_ms)
            .bind(discount.updated_at_ms);
        self.execute(bind_terms(insert, &discount.terms)?).await?;
        Ok(())
    }

    async fn update_discount(
        &mut self,
        id: &DiscountId,
        terms: &DiscountTerms,
        now_ms: i64,
    ) -> StoreResult<()> {
        const UPDATE: &str = "update discounts set updated_at = $2, kind = $3, value = $4, categories = $5, products = $6, min_total = $7,
            first_order_only = $8, once_per_customer = $9, max_uses = $10, starts_at = $11, ends_at = $12, active = $13 where id = $1";
        let update = query(UPDATE).bind(id).bind(now_ms);
        self.execute(bind_terms(update, terms)?).await?;
        Ok(())
    }

    async fn set_cart_discount(
        &mut self,
        user: &UserId,
        discount_id: Option<&DiscountId>,
    ) -> StoreResult<()> {
        const SET: &str = "update users set cart_discount_id = $2 where id = $1";
        self.execute_deferred(query(SET).bind(&user.0).bind(discount_id))
            .await
    }

    async fn clear_used_cart_discount(
        &mut self,
        user: &UserId,
        discount_id: &DiscountId,
    ) -> StoreResult<()> {
        const CLEAR: &str =
            "update users set cart_discount_id = null where id = $1 and cart_discount_id = $2";
        self.execute_deferred(query(CLEAR).bind(&user.0).bind(discount_id))
            .await
    }
}
