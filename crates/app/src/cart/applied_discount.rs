//! The discount code of a cart: entering and removing it.

use mirasa_domain::discount::{DiscountCode, DiscountUses};
use mirasa_domain::user::UserId;

use crate::cart::discounts::discount_not_found;
use crate::cart::{Cart, LockedCart};
use crate::repository::cart::discounts::CountedOrders;
use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// Puts a code into the cart. A code that only needs other items stays in it, with the reason; a code that the
    /// customer cannot use is rejected.
    pub async fn enter_discount(&self, user: &UserId, code: &str) -> Result<Cart, AppError> {
        // What is no code at all is reported like an unknown one.
        let code = DiscountCode::parse(code).map_err(|_| discount_not_found())?;
        self.modify_cart(
            user,
            None,
            async move |tx,
                        LockedCart {
                            user,
                            mut cart,
                            now_ms,
                            ..
                        }| {
                let found = tx.discount_by_code(&code).await?;
                let discount = found.ok_or_else(discount_not_found)?;
                let counted = CountedOrders::WithoutOwnPending;
                let uses = tx.discount_with_uses(&discount.id, &user, counted).await?;
                let uses = uses.map_or_else(DiscountUses::default, |(_, uses)| uses);
                let terms = &discount.terms;
                terms
                    .check_time(now_ms)
                    .and_then(|()| terms.check_uses(uses))
                    .map_err(|reason| {
                        AppError::new(ErrorCode::DiscountNotApplicable, reason.to_string())
                            .with_field("code")
                    })?;
                tx.set_cart_discount(&user, Some(&discount.id)).await?;
                cart.discount_id = Some(discount.id);
                Ok(cart)
            },
        )
        .await
    }

    pub async fn remove_discount(&self, user: &UserId) -> Result<Cart, AppError> {
        self.modify_cart(
            user,
            None,
            async move |tx, LockedCart { user, mut cart, .. }| {
                tx.set_cart_discount(&user, None).await?;
                cart.discount_id = None;
                Ok(cart)
            },
        )
        .await
    }
}
