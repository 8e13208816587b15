//! Discount codes: in the cart, in a checkout, and what an admin does with them.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::cart::PricedCartLine;
use mirasa_domain::discount::{
    Discount, DiscountCode, DiscountId, DiscountTerms, DiscountUses, DiscountableLine,
    NotApplicable, TermsInput,
};
use mirasa_domain::money::Paise;
use mirasa_domain::order::Order;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{User, UserId};

use crate::catalogue::Snapshot;
use crate::repository::cart::discounts::{CountedOrders, DiscountReport};
use crate::repository::{Queries, StoreError, Transaction};
use crate::{AppError, ErrorCode, Shop};

/// The code in a cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartDiscount {
    pub code: String,
    /// What it saves, or why it does not apply.
    pub outcome: Result<Paise, NotApplicable>,
}

impl CartDiscount {
    pub fn saving(&self) -> Paise {
        *self.outcome.as_ref().unwrap_or(&Paise::ZERO)
    }
}

/// What the code saves in this cart. For display only: a checkout counts the uses again, under a lock.
pub(crate) async fn cart_discount(
    db: &mut dyn Queries,
    user: &UserId,
    discount_id: &DiscountId,
    lines: &[PricedCartLine],
    snapshot: &Snapshot,
    now_ms: i64,
) -> Result<Option<CartDiscount>, AppError> {
    let found = db
        .discount_with_uses(discount_id, user, CountedOrders::WithoutOwnPending)
        .await?;
    let Some((discount, uses)) = found else {
        return Ok(None);
    };
    let lines: Vec<_> = lines
        .iter()
        .map(|line| {
            let product = snapshot.find(&line.line.product);
            DiscountableLine {
                product: &line.line.product,
                categories: product.map_or(&[], |product| &product.details.category),
                total: line.total,
            }
        })
        .collect();
    let savings = discount.terms.savings(&lines, uses, now_ms);
    Ok(Some(CartDiscount {
        code: discount.code.as_str().to_owned(),
        outcome: savings.map(|savings| savings.into_iter().sum()),
    }))
}

/// Counts the uses of a code for a new order, which replaces the customer's unpaid orders. The caller has locked the
/// customer, and locks products afterwards.
pub(crate) async fn lock_for_checkout(
    tx: &mut dyn Transaction,
    user: &UserId,
    discount_id: &DiscountId,
) -> Result<Option<(Discount, DiscountUses)>, AppError> {
    tx.lock_discount_for_use(discount_id).await?;
    Ok(tx
        .discount_with_uses(discount_id, user, CountedOrders::WithoutOwnPending)
        .await?)
}

/// Whether an order that does not count as a use can count again: it is paid late, or is no longer cancelled. The terms
/// other than the limits held when it was placed. The caller has locked the customer and the order, and locks products
/// afterwards.
pub(crate) async fn can_use_again(
    tx: &mut dyn Transaction,
    order: &Order,
) -> Result<Result<(), NotApplicable>, AppError> {
    let Some(discount) = &order.discount else {
        return Ok(Ok(()));
    };
    tx.lock_discount_for_use(&discount.discount_id).await?;
    let found = tx
        .discount_with_uses(&discount.discount_id, &order.user, CountedOrders::All)
        .await?;
    Ok(found.map_or(Ok(()), |(discount, uses)| discount.terms.check_uses(uses)))
}

impl Shop {
    pub async fn discounts(&self) -> Result<Vec<DiscountReport>, AppError> {
        self.db
            .replica_read(async move |db| Ok(db.discount_reports().await?))
            .await
    }

    pub async fn add_discount(
        &self,
        admin: &User,
        code: &str,
        terms: TermsInput,
    ) -> Result<DiscountReport, AppError> {
        let code = DiscountCode::parse(code)?;
        let terms = terms.validate()?;
        check_known(&self.catalogue.snapshot(), &terms, None)?;
        let discount = Discount {
            id: self.ids.new_id().into(),
            code,
            terms,
            created_at_ms: self.now_ms(),
            updated_at_ms: self.now_ms(),
        };
        let (shop, admin) = (self.clone(), admin.clone());
        self.db
            .write(async move |tx| {
                if tx.discount_by_code(&discount.code).await?.is_some() {
                    return Err(code_taken());
                }
                match tx.insert_discount(&discount).await {
                    // Another admin has added it meanwhile.
                    Err(StoreError::Constraint(_)) => return Err(code_taken()),
                    inserted => inserted?,
                }
                let action = AdminAction::DiscountAdded;
                let detail = discount.code.as_str().to_owned();
                shop.audit(tx, &admin, action, &discount.id, detail).await?;
                read_report(tx, &discount.id).await
            })
            .await
    }

    /// Changes the terms. Orders that were placed before keep their discount. The code itself stays: customers have
    /// written it down, and orders name it.
    pub async fn change_discount(
        &self,
        admin: &User,
        id: DiscountId,
        code: &str,
        terms: TermsInput,
    ) -> Result<DiscountReport, AppError> {
        let code = DiscountCode::parse(code)?;
        let (terms, snapshot) = (terms.validate()?, self.catalogue.snapshot());
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                    tx.lock_discount(&id).await?;
                    let before = read_report(tx, &id).await?;
                    if before.discount.code != code {
                        let message = "A code cannot be renamed. Add another one instead.";
                        return Err(AppError::invalid(message).with_field("code"));
                    }
                    check_known(&snapshot, &terms, Some(&before.discount.terms))?;
                    let uses = before.uses();
                    if terms.max_uses.is_some_and(|max_uses| max_uses < uses) {
                        let message = format!(
                            "The code has been used {uses} times already. Pause it to stop further uses."
                        );
                        return Err(AppError::invalid(message).with_field("maxUses"));
                    }
                    tx.update_discount(&id, &terms, now_ms).await?;
                    let (action, detail) = (AdminAction::DiscountChanged, describe(&before, &terms));
                    shop.audit(tx, &admin, action, &id, detail).await?;
                    read_report(tx, &id).await
                })
            .await
    }
}

/// A code for a product or category that does not exist would never apply. Those that the code had `before` may have been
/// deleted since.
fn check_known(
    snapshot: &Snapshot,
    terms: &DiscountTerms,
    before: Option<&DiscountTerms>,
) -> Result<(), AppError> {
    let had_product = |id: &ProductId| before.is_some_and(|before| before.products.contains(id));
    let is_unknown = |id: &&ProductId| snapshot.find(id).is_none() && !had_product(id);
    if let Some(unknown) = terms.products.iter().find(is_unknown) {
        let message = format!("There is no product {}", unknown.0);
        return Err(AppError::invalid(message).with_field("products"));
    }
    let had_category = |one: &String| before.is_some_and(|before| before.categories.contains(one));
    let is_known = |name: &String| {
        let name = name.to_lowercase();
        let mut all = snapshot.all().iter().flat_map(|one| &one.details.category);
        all.any(|category| category.to_lowercase() == name)
    };
    let is_unknown = |name: &&String| !had_category(name) && !is_known(name);
    if let Some(unknown) = terms.categories.iter().find(is_unknown) {
        let message = format!("There is no category {unknown}");
        return Err(AppError::invalid(message).with_field("categories"));
    }
    Ok(())
}

async fn read_report(
    tx: &mut dyn Transaction,
    id: &DiscountId,
) -> Result<DiscountReport, AppError> {
    tx.discount_report(id).await?.ok_or_else(discount_not_found)
}

/// For the audit log: `DIWALI20 paused`.
fn describe(before: &DiscountReport, after: &DiscountTerms) -> String {
    let code = before.discount.code.as_str();
    match (before.discount.terms.is_active, after.is_active) {
        (true, false) => format!("{code} paused"),
        (false, true) => format!("{code} resumed"),
        _ => code.to_owned(),
    }
}

/// For an admin who takes back the cancellation of an order.
pub(crate) fn no_use_left(order: &Order, reason: &NotApplicable) -> AppError {
    let code = order
        .discount
        .as_ref()
        .map_or("", |discount| &discount.code);
    let message = format!(
        "The discount code {code} of this order has no use left for it ({reason}). Raise its limit first."
    );
    AppError::new(ErrorCode::DiscountNotApplicable, message)
}

pub(crate) fn discount_not_found() -> AppError {
    let message = "There is no such code. Please check the spelling.";
    AppError::new(ErrorCode::DiscountNotFound, message).with_field("code")
}

fn code_taken() -> AppError {
    AppError::new(
        ErrorCode::DiscountCodeTaken,
        "There is a discount with this code already",
    )
    .with_field("code")
}
