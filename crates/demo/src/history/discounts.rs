//! The discount codes of the demo shop, and who uses them.

use anyhow::Context as _;
use mirasa_app::{ErrorCode, Shop};
use mirasa_domain::discount::{Reduction, TermsInput};
use mirasa_domain::money::Paise;
use mirasa_domain::user::{User, UserId};

const WELCOME: &str = "WELCOME10";
const FEAST: &str = "FEAST75";
const MONSOON: &str = "MONSOON20";

/// The last one is paused.
pub async fn add_codes(shop: &Shop, admin: &User) -> anyhow::Result<()> {
    let whole_order = TermsInput {
        reduction: Reduction::Percent(1_000),
        categories: Vec::new(),
        products: Vec::new(),
        min_total: Paise::ZERO,
        first_order_only: false,
        once_per_customer: false,
        max_uses: None,
        from: None,
        to: None,
        is_active: true,
    };
    let welcome = TermsInput {
        first_order_only: true,
        ..whole_order.clone()
    };
    let feast = TermsInput {
        reduction: Reduction::Amount(Paise::new(7_500)),
        min_total: Paise::new(60_000),
        once_per_customer: true,
        max_uses: Some(250),
        ..whole_order.clone()
    };
    let monsoon = TermsInput {
        reduction: Reduction::Percent(2_000),
        is_active: false,
        ..whole_order
    };
    for (code, terms) in [(MONSOON, monsoon), (FEAST, feast), (WELCOME, welcome)] {
        match shop.add_discount(admin, code, terms).await {
            // From an earlier run that was stopped.
            Err(error) if error.code == ErrorCode::DiscountCodeTaken => {}
            added => drop(added.with_context(|| format!("the code {code}"))?),
        }
    }
    Ok(())
}

/// Every third order has a code, if it applies.
pub async fn enter_code(shop: &Shop, user: &UserId, order: usize) -> anyhow::Result<()> {
    let code = match order % 6 {
        0 => WELCOME,
        3 => FEAST,
        _ => return Ok(()),
    };
    match shop.enter_discount(user, code).await {
        Err(error) if error.code == ErrorCode::DiscountNotApplicable => Ok(()),
        Err(error) => Err(error.into()),
        Ok(cart) => {
            if cart.discount.is_some_and(|code| code.outcome.is_err()) {
                shop.remove_discount(user).await?;
            }
            Ok(())
        }
    }
}
