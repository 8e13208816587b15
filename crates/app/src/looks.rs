//! Asking the gateway what became of a payment: when it calls, and for a shopper who waits.
//!
//! It calls in the very moment in which the shopper comes back from its page. Whoever waits then waits for what
//! the call has set going, so that a payment is asked about and settled once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mirasa_domain::order::PaymentStatus;
use tokio::sync::watch;

use crate::checkout::no_such_order;
use crate::fault_points::point;
use crate::orders::may_see;
use crate::ports::orders::{Order, Settling};
use crate::ports::storage::User;
use crate::{Fault, Shop};

/// A shopper's page asks every few seconds; the gateway need not be asked each time.
const LOOK_AGAIN_MS: i64 = 1_500;
/// A shopper who waits for a page does not wait longer than this for a gateway that hangs.
const PATIENCE: Duration = Duration::from_secs(4);

/// What the gateway's calls have set going, by the number of the payment, and what they find: the order, where
/// it is paid.
pub struct Looks<T = Order>(Mutex<HashMap<String, watch::Receiver<Option<T>>>>);

/// One of them. It is over when this is dropped.
struct Look<T> {
    looks: Arc<Looks<T>>,
    id: String,
    seen: watch::Sender<Option<T>>,
}

impl<T> Default for Looks<T> {
    fn default() -> Looks<T> {
        Looks(Mutex::default())
    }
}

impl<T: Clone> Looks<T> {
    /// None where the gateway has called about the same payment just before.
    fn begin(self: &Arc<Looks<T>>, id: &str) -> Option<Look<T>> {
        let mut under_way = self.under_way();
        if under_way.contains_key(id) {
            return None;
        }
        let (seen, waiting) = watch::channel(None);
        under_way.insert(id.to_owned(), waiting);
        Some(Look {
            looks: self.clone(),
            id: id.to_owned(),
            seen,
        })
    }

    /// Waits for what is under way; None where nothing is, or nothing came of it.
    async fn join(&self, id: &str) -> Option<T> {
        let mut waiting = self.under_way().get(id)?.clone();
        let seen = waiting.wait_for(Option::is_some).await.ok()?;
        seen.clone()
    }
}

impl<T> Looks<T> {
    fn under_way(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<Option<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Look<T> {
    fn drop(&mut self) {
        self.looks.under_way().remove(&self.id);
    }
}

impl Shop {
    /// Asks the gateway about an attempt and settles what it says. Called without a transaction. Answers
    /// the order, where it is paid.
    async fn look_and_settle(&self, merchant_order_id: &str) -> Result<Option<Order>, Fault> {
        let report = self
            .gateway
            .status(merchant_order_id)
            .await
            .map_err(Fault::unavailable)?;
        point("status heard");
        self.settle(merchant_order_id, report.into()).await
    }

    /// The same because the gateway has called: there is news.
    pub async fn look_at_news(&self, merchant_order_id: &str) -> Result<(), Fault> {
        let look = self.looks.begin(merchant_order_id);
        let paid = self.look_and_settle(merchant_order_id).await?;
        if let Some(look) = look {
            look.seen.send_replace(paid);
        }
        Ok(())
    }

    /// The same for somebody who waits: it goes on behind their back if it takes too long.
    pub(crate) async fn look_soon(&self, merchant_order_id: &str) -> Option<Order> {
        let (shop, id) = (self.clone(), merchant_order_id.to_owned());
        let looking = tokio::spawn(async move {
            if let Some(paid) = shop.looks.join(&id).await {
                return Some(paid);
            }
            shop.look_and_settle(&id).await.unwrap_or_else(|fault| {
                tracing::warn!(error = ?fault.source, "could not ask the gateway for a waiting shopper");
                None
            })
        });
        let looked = tokio::time::timeout(PATIENCE, looking).await;
        looked.ok()?.ok()?
    }

    /// The shopper is back and looks at the order: they should not wait for the reconciler.
    pub async fn order_for_payer(
        &self,
        user: &User,
        merchant_order_id: &str,
    ) -> Result<Order, Fault> {
        let Settling { order, attempt, .. } = self.settling_for(user, merchant_order_id).await?;
        let asked_lately = attempt.looked_at_ms + LOOK_AGAIN_MS > self.now_ms();
        if order.settlement.payment != PaymentStatus::Pending || asked_lately {
            return Ok(order);
        }
        match self.look_soon(merchant_order_id).await {
            Some(paid) => Ok(paid),
            None => Ok(self.settling_for(user, merchant_order_id).await?.order),
        }
    }

    async fn settling_for(&self, user: &User, merchant_order_id: &str) -> Result<Settling, Fault> {
        let id = merchant_order_id.to_owned();
        let found: Option<Settling> = self
            .db
            .glance(move |reads| {
                Box::pin(async move { Ok::<_, Fault>(reads.settling(&id).await?) })
            })
            .await?;
        found
            .filter(|found| may_see(user, &found.order))
            .ok_or_else(no_such_order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    #[test]
    fn who_waits_hears_what_the_call_has_found() {
        let looks = Arc::new(Looks::<&str>::default());
        assert_eq!(
            looks.join("M1").now_or_never(),
            Some(None),
            "nothing to wait for"
        );
        let look = looks.begin("M1").unwrap();
        assert!(looks.begin("M1").is_none());
        let mut waiting = Box::pin(looks.join("M1"));
        assert_eq!((&mut waiting).now_or_never(), None);
        assert_eq!(
            looks.join("M2").now_or_never(),
            Some(None),
            "another payment"
        );
        look.seen.send_replace(Some("paid"));
        assert_eq!(waiting.now_or_never(), Some(Some("paid")));
        drop(look);
        assert!(looks.begin("M1").is_some());
    }

    #[test]
    fn who_waits_in_vain_is_not_kept_waiting() {
        let looks = Arc::new(Looks::<&str>::default());
        let look = looks.begin("M1").unwrap();
        let mut waiting = Box::pin(looks.join("M1"));
        assert_eq!((&mut waiting).now_or_never(), None);
        drop(look);
        assert_eq!(waiting.now_or_never(), Some(None));
    }
}
