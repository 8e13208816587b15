//! The reviews of the demo history: some customers write one about a week after the delivery, vote for another one, and the
//! owner replies to some. Who writes what follows from the number of the order, so that other steps stay as they are.

use mirasa_app::ErrorCode;
use mirasa_app::reviews::{ReviewChange, ReviewInput};
use mirasa_domain::ist::DAY_MS;
use mirasa_domain::order::OrderStatus;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use super::plan::{HOUR_MS, MINUTE_MS, Step};
use super::review_texts::{ANSWERS, TEXTS, THANKS};
use super::simulation::History;
use super::written_reviews::WrittenReview;

/// A number that looks random and is the same every time.
fn shuffled(seed: usize) -> usize {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as usize
}

/// Most are content, as most customers of a shop that still exists.
fn stars(seed: usize) -> i64 {
    match shuffled(seed) % 100 {
        0..58 => 5,
        58..82 => 4,
        82..92 => 3,
        92..97 => 2,
        _ => 1,
    }
}

impl History {
    /// After the email that asks, or a little later.
    pub(super) fn expect_review(&mut self, delivered_ms: i64, order: usize) {
        if shuffled(order) % 100 < 55 {
            let days = 7 + (shuffled(order + 7) % 5) as i64;
            let minutes = (shuffled(order + 13) % 600) as i64 * MINUTE_MS;
            let at_ms = delivered_ms + days * DAY_MS + minutes;
            self.timeline.add(at_ms, Step::WriteReviews(order));
        }
    }

    pub(super) async fn write_reviews(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let placed = &self.orders[number];
        let user = self.customer(placed)?.user.clone();
        let order = self.shop.order_visible_to(&user, placed.id.clone()).await?;
        if order.state.order_status != OrderStatus::Delivered {
            return Ok(());
        }
        for (at, line) in order.lines.iter().enumerate() {
            let seed = number * 8 + at;
            // Not everyone writes about everything.
            if at > 0 && shuffled(seed + 3).is_multiple_of(3) {
                continue;
            }
            let stars = stars(seed);
            let input = ReviewInput {
                stars,
                text: self.review_text(&line.product, &line.product_name, stars, seed),
                ..ReviewInput::default()
            };
            let product = line.product.clone();
            let published = self.shop.publish_review(&user.id, product, input).await;
            let review = match published {
                // A customer who buys it again has reviewed it.
                Err(error) if error.code == ErrorCode::AlreadyReviewed => continue,
                Err(error) if error.code == ErrorCode::ProductNotReceived => continue,
                other => other?,
            };
            self.vote_for_another(&user.id, &line.product, seed).await?;
            let index = self.reviews.written.len();
            if stars <= 2 || shuffled(seed + 5).is_multiple_of(9) {
                let at_ms = now_ms + 20 * HOUR_MS;
                self.timeline.add(at_ms, Step::ReplyToReview(index));
            }
            self.reviews.written.push(WrittenReview {
                id: review.id,
                product: line.product.clone(),
                author: user.id.clone(),
                stars,
            });
        }
        Ok(())
    }

    /// Empty for some: stars are enough.
    fn review_text(&mut self, product: &ProductId, name: &str, stars: i64, seed: usize) -> String {
        if shuffled(seed + 1).is_multiple_of(6) {
            return String::new();
        }
        let texts = TEXTS[usize::try_from(stars).unwrap_or(5) - 1];
        let first = shuffled(seed + 2);
        let unused = (0..texts.len())
            .map(|step| texts[(first + step) % texts.len()])
            .find(|text| self.reviews.used_texts.insert((product.clone(), *text)));
        unused.unwrap_or_default().replace("{name}", name)
    }

    async fn vote_for_another(
        &self,
        user: &UserId,
        product: &ProductId,
        seed: usize,
    ) -> anyhow::Result<()> {
        let others: Vec<_> = self
            .reviews
            .written
            .iter()
            .filter(|review| review.product == *product && review.author != *user)
            .collect();
        if others.is_empty() || shuffled(seed + 4).is_multiple_of(2) {
            return Ok(());
        }
        // The first ones get more votes.
        let range = shuffled(seed + 6) % others.len() + 1;
        let review = others[shuffled(seed + 8) % range];
        self.shop
            .vote_for_review(user, review.id.clone(), true)
            .await?;
        Ok(())
    }

    pub(super) async fn reply_to_review(&self, index: usize) -> anyhow::Result<()> {
        let review = &self.reviews.written[index];
        let texts = if review.stars <= 2 { ANSWERS } else { THANKS };
        let change = ReviewChange {
            reply: Some(texts[index % texts.len()].to_owned()),
            ..ReviewChange::default()
        };
        let id = review.id.clone();
        self.shop.moderate_review(&self.admin, id, change).await?;
        Ok(())
    }
}
