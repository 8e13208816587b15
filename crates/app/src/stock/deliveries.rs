//! A delivery of several products, received in one step: all of it or nothing.

use std::collections::HashSet;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_domain::user::User;

use crate::catalogue::product_not_found;
use crate::repository::stock::NewMovement;
use crate::request_key::{KeyUse, RequestKey, claim_key};
use crate::stock::movements::{describe, validate_amounts, validate_note};
use crate::{AppError, Shop};

/// More than a person enters in one table.
const MAX_DELIVERY_LINES: usize = 1_000;

/// What came of one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryLine {
    pub product: ProductId,
    pub amount: Stock,
}

fn validate_lines(lines: &[DeliveryLine]) -> Result<(), AppError> {
    let invalid = |text: String| Err(AppError::invalid(text).with_field("lines"));
    if lines.is_empty() {
        return invalid("Enter what was delivered".to_owned());
    }
    if lines.len() > MAX_DELIVERY_LINES {
        return invalid(format!(
            "A delivery has at most {MAX_DELIVERY_LINES} products"
        ));
    }
    let mut products = HashSet::new();
    for (at, line) in lines.iter().enumerate() {
        if line.amount == Stock::default() {
            let text = format!("Enter how much of {} was delivered", line.product.0);
            return Err(AppError::invalid(text).with_field(format!("lines.{at}")));
        }
        validate_amounts(line.amount).map_err(|error| error.with_field(format!("lines.{at}")))?;
        if !products.insert(&line.product) {
            return invalid(format!("{} is in the delivery twice", line.product.0));
        }
    }
    Ok(())
}

impl Shop {
    /// A repetition with the same key has no effect.
    pub async fn receive_delivery(
        &self,
        admin: &User,
        lines: Vec<DeliveryLine>,
        note: &str,
        key: Option<&str>,
    ) -> Result<(), AppError> {
        validate_lines(&lines)?;
        let note = validate_note(note)?;
        let key = key.map(|key| RequestKey::new("delivery".to_owned(), key, &(&lines, &note)));
        let key = key.transpose()?;
        let (shop, admin) = (self.clone(), admin.clone());
        self.db
            .write(async move |tx| {
                let mut ids: Vec<_> = lines.iter().map(|line| line.product.clone()).collect();
                // In one order, so that two deliveries do not wait for each other.
                ids.sort();
                tx.lock_products(&ids).await?;
                if let Some(key) = &key
                    && claim_key(tx, key, None, shop.now_ms()).await? != KeyUse::First
                {
                    return Ok(());
                }
                if tx.products_by_id(&ids).await?.len() < ids.len() {
                    return Err(product_not_found().with_field("lines"));
                }
                for DeliveryLine { product, amount } in &lines {
                    let movement = NewMovement {
                        id: shop.ids.new_id(),
                        product: product.clone(),
                        reason: StockAdjustment::Received,
                        change: *amount,
                        note: note.clone(),
                        actor: admin.email.clone(),
                        batch_id: None,
                        at_ms: shop.now_ms(),
                    };
                    tx.move_stock(&movement).await?;
                    let detail = describe(*amount, &note);
                    shop.audit(tx, &admin, AdminAction::StockReceived, &product.0, detail)
                        .await?;
                }
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(self.catalogue.refresh(&self.db, self.now_ms()).await?)
    }
}
