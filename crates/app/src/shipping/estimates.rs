//! Whether the delivery partner serves a pincode, and by which day. A shop must go on selling if the partner does not
//! respond, so every failure means "unknown".

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mirasa_domain::address::Pincode;
use mirasa_domain::shipment::CourierRule;
use tracing::Instrument as _;

use crate::Shop;
use crate::ports::courier::{CourierError, CourierQuote};

/// A customer waits for the response.
const TIMEOUT: Duration = Duration::from_secs(4);
/// The same in a checkout, which needs no answer.
const CHECKOUT_TIMEOUT: Duration = Duration::from_millis(1500);
/// How long a response is used again.
const SERVED_TTL_MS: i64 = 5 * 60_000;
/// A pincode that is not served, or a partner that does not respond. Short, because either may be an error of the partner.
const OTHER_TTL_MS: i64 = 30_000;
/// The smallest weight that partners charge for.
const QUOTED_GRAMS: i64 = 500;
const MAX_CACHED: usize = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryEstimate {
    pub serviceable: bool,
    /// The end of a day in India.
    pub by_ms: Option<i64>,
}

/// None: unknown.
type Entry = (Option<DeliveryEstimate>, i64);

/// The latest responses, in memory. Requests for the same pincode share one request to the partner.
#[derive(Default)]
pub struct EstimateCache(Mutex<HashMap<u32, Arc<tokio::sync::Mutex<Option<Entry>>>>>);

impl EstimateCache {
    /// What is known, without a request and without waiting. The outer None: nothing, or a request is under way.
    fn peek(&self, pincode: Pincode, now_ms: i64) -> Option<Option<DeliveryEstimate>> {
        let cell = {
            let cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.get(&pincode.get())?)
        };
        let entry = *cell.try_lock().ok()?;
        entry
            .filter(|(_, until_ms)| now_ms < *until_ms)
            .map(|(estimate, _)| estimate)
    }

    async fn get(
        &self,
        pincode: Pincode,
        now_ms: i64,
        fetch: impl Future<Output = Option<DeliveryEstimate>>,
    ) -> Option<DeliveryEstimate> {
        let cell = {
            let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if cells.len() >= MAX_CACHED {
                cells.clear();
            }
            Arc::clone(cells.entry(pincode.get()).or_default())
        };
        let mut entry = cell.lock().await;
        match *entry {
            Some((estimate, until_ms)) if now_ms < until_ms => estimate,
            _ => {
                let estimate = fetch.await;
                let ttl_ms = match estimate {
                    Some(estimate) if estimate.serviceable => SERVED_TTL_MS,
                    _ => OTHER_TTL_MS,
                };
                *entry = Some((estimate, now_ms + ttl_ms));
                estimate
            }
        }
    }
}

/// Whether a checkout knows if the pincode is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PincodeService {
    NotServed,
    /// Served, or the partner does not say: the shop sells.
    ServedOrUnknown,
    /// The partner can be asked.
    NotAsked,
}

impl Shop {
    /// From memory, so that it can be used inside a transaction.
    pub(crate) fn pincode_service(&self, pincode: Pincode) -> PincodeService {
        if self.courier.is_none() {
            return PincodeService::ServedOrUnknown;
        }
        match self.estimates.peek(pincode, self.now_ms()) {
            None => PincodeService::NotAsked,
            Some(Some(estimate)) if !estimate.serviceable => PincodeService::NotServed,
            Some(_) => PincodeService::ServedOrUnknown,
        }
    }

    /// Asks the partner before a checkout. A slow partner delays it by this time at most, and its response, or that there is
    /// none, is still stored for the next one.
    pub(crate) async fn ask_about_pincode(&self, pincode: Pincode) {
        let shop = self.clone();
        let asking = async move { shop.delivery_estimate(pincode).await };
        let asking = tokio::spawn(asking.in_current_span());
        let _ = tokio::time::timeout(CHECKOUT_TIMEOUT, asking).await;
    }

    /// None if there is no partner, or if it does not respond in time.
    pub async fn delivery_estimate(&self, pincode: Pincode) -> Option<DeliveryEstimate> {
        let courier = self.courier.clone()?;
        let rule = self.settings.shipping.rule;
        let fetch = async move {
            let quotes = tokio::time::timeout(TIMEOUT, courier.quotes(pincode, QUOTED_GRAMS)).await;
            match quotes {
                Ok(Ok(quotes)) => Some(DeliveryEstimate {
                    serviceable: !quotes.is_empty(),
                    by_ms: choose(&quotes, rule).and_then(|quote| quote.expected_at_ms),
                }),
                Ok(Err(error)) => {
                    log_failure(&error);
                    None
                }
                Err(_) => None,
            }
        };
        let cached = self.estimates.get(pincode, self.now_ms(), fetch);
        // Also for those who wait for another one's request.
        tokio::time::timeout(TIMEOUT, cached).await.ok().flatten()
    }
}

fn log_failure(error: &CourierError) {
    tracing::warn!(%error, "the delivery partner did not say whether it serves a pincode");
}

/// The offer that the rule selects. None if there is none.
pub(super) fn choose(quotes: &[CourierQuote], rule: CourierRule) -> Option<&CourierQuote> {
    let days = |quote: &CourierQuote| quote.days.unwrap_or(i64::MAX);
    match rule {
        CourierRule::Cheapest => quotes
            .iter()
            .min_by_key(|quote| (quote.cost, days(quote), quote.courier_id)),
        CourierRule::Fastest => quotes
            .iter()
            .min_by_key(|quote| (days(quote), quote.cost, quote.courier_id)),
        CourierRule::Chosen(id) => quotes
            .iter()
            .find(|quote| quote.courier_id == id)
            .or_else(|| choose(quotes, CourierRule::Cheapest)),
    }
}

#[cfg(test)]
mod tests {
    use mirasa_domain::money::Paise;

    use super::*;

    fn quote(courier_id: i64, paise: i64, days: Option<i64>) -> CourierQuote {
        CourierQuote {
            courier_id,
            name: format!("Courier {courier_id}"),
            cost: Paise::new(paise),
            return_cost: None,
            days,
            expected_at_ms: None,
            is_surface: true,
        }
    }

    #[test]
    fn rule_selects_the_courier() {
        let quotes = [
            quote(1, 90_00, Some(2)),
            quote(2, 54_00, Some(5)),
            quote(3, 54_00, Some(4)),
            quote(4, 40_00 + 20_00, None),
        ];
        let chosen = |rule| choose(&quotes, rule).unwrap().courier_id;
        assert_eq!(chosen(CourierRule::Cheapest), 3);
        assert_eq!(chosen(CourierRule::Fastest), 1);
        assert_eq!(chosen(CourierRule::Chosen(2)), 2);
        assert_eq!(chosen(CourierRule::Chosen(99)), 3, "it no longer offers");
        assert_eq!(choose(&[], CourierRule::Fastest), None);
    }

    #[tokio::test]
    async fn requests_for_one_pincode_share_a_response_for_its_lifetime() {
        let cache = EstimateCache::default();
        let pincode = Pincode::parse("411030").unwrap();
        let served = DeliveryEstimate {
            serviceable: true,
            by_ms: None,
        };
        let calls = std::sync::atomic::AtomicU32::new(0);
        let calls = &calls;
        let ask = |now_ms: i64, response: Option<DeliveryEstimate>| {
            cache.get(pincode, now_ms, async move {
                calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                tokio::task::yield_now().await;
                response
            })
        };
        let both = tokio::join!(ask(0, Some(served)), ask(0, Some(served)));
        assert_eq!(both, (Some(served), Some(served)));
        assert_eq!(cache.peek(pincode, SERVED_TTL_MS - 1), Some(Some(served)));
        assert_eq!(cache.peek(pincode, SERVED_TTL_MS), None, "too old");
        assert_eq!(ask(SERVED_TTL_MS - 1, None).await, Some(served));
        assert_eq!(calls.load(std::sync::atomic::Ordering::Relaxed), 1);
        let now = SERVED_TTL_MS;
        assert_eq!(ask(now, None).await, None, "the partner is down");
        assert_eq!(ask(now + OTHER_TTL_MS - 1, Some(served)).await, None);
        assert_eq!(ask(now + OTHER_TTL_MS, Some(served)).await, Some(served));
    }
}
