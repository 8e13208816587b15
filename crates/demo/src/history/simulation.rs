//! Runs the steps of the history: orders, payments, workers and accounts.

use std::sync::Arc;

use anyhow::{Context as _, ensure};
use mirasa_app::payments::checkout::CheckoutInput;
use mirasa_app::repository::customers::NewUser;
use mirasa_app::{AppError, ErrorKind, Shop};
use mirasa_domain::address::{AddressId, AddressInput};
use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::pack::Packs;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::problem::ProblemId;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{Role, User, UserId};
use mirasa_sandbox::identity::{self, DEMO_ADMIN, DEMO_SHOPPER};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::clock::DemoClock;
use super::plan::{self, HOUR_MS, MINUTE_MS, Outcome, Step, Timeline};
use super::sandbox_pages::{SandboxCourierPages, SandboxGateway};
use super::written_reviews::WrittenReviews;
use super::{Report, SEED, discounts, people};

pub(super) struct Customer {
    pub(super) user: User,
    address_id: AddressId,
}

pub(super) struct PlacedOrder {
    customer: usize,
    pub(super) outcome: Outcome,
    page: String,
    merchant_order_id: AttemptId,
    /// Known once the customer has returned from the payment page.
    pub(super) id: OrderId,
    pub(super) problem: Option<ProblemId>,
}

pub(super) struct History {
    pub(super) shop: Shop,
    clock: Arc<DemoClock>,
    gateway: SandboxGateway,
    pub(super) courier: SandboxCourierPages,
    issuer: String,
    pub(super) admin: User,
    customers: Vec<Option<Customer>>,
    pub(super) orders: Vec<PlacedOrder>,
    products: Vec<ProductId>,
    pub(super) random: StdRng,
    /// When the history ends.
    pub(super) end_ms: i64,
    /// How many the courier has got.
    pub(super) parcels: usize,
    pub(super) timeline: Timeline,
    pub(super) reviews: WrittenReviews,
}

impl History {
    pub(super) async fn begin(
        shop: Shop,
        clock: Arc<DemoClock>,
        (gateway, courier): (SandboxGateway, SandboxCourierPages),
        issuer: String,
    ) -> anyhow::Result<History> {
        let snapshot = shop.catalogue.snapshot();
        let visible = snapshot.all().iter().filter(|product| product.is_visible);
        let products: Vec<_> = visible.map(|product| product.id.clone()).collect();
        ensure!(!products.is_empty(), "the shop has no products");
        let admin = add_user(&shop, &issuer, DEMO_ADMIN, "Rohan Mirasa", Role::Admin).await?;
        discounts::add_codes(&shop, &admin).await?;
        Ok(History {
            shop,
            clock,
            gateway,
            courier,
            issuer,
            admin,
            customers: (0..people::COUNT).map(|_| None).collect(),
            orders: Vec::new(),
            products,
            random: StdRng::seed_from_u64(SEED),
            end_ms: 0,
            parcels: 0,
            timeline: Timeline::default(),
            reviews: WrittenReviews::default(),
        })
    }

    pub(super) async fn run(&mut self, now_ms: i64, days: i64) -> anyhow::Result<Report> {
        self.end_ms = now_ms;
        self.timeline = plan::timeline(now_ms, days, &mut self.random);
        while let Some((at_ms, step)) = self.timeline.next_before(now_ms) {
            self.clock.set(at_ms);
            let done = self.step(at_ms, step).await;
            done.with_context(|| format!("{step:?} at {at_ms}"))?;
        }
        self.clock.set(now_ms);
        self.run_workers().await?;
        while self.shop.index_new_ids().await? {}
        Ok(Report {
            orders: self.orders.len(),
            customers: self.customers.iter().flatten().count(),
        })
    }

    async fn step(&mut self, now_ms: i64, step: Step) -> anyhow::Result<()> {
        match step {
            Step::CheckOut { customer, outcome } => self.check_out(now_ms, customer, outcome).await,
            Step::Pay(order) => self.pay(now_ms, order).await,
            Step::Decline(order) => self.settle(order, "fail").await.map(drop),
            Step::Cancel(order) => self.cancel(now_ms, order).await,
            Step::Ship(order) => self.ship(now_ms, order).await,
            Step::ScanParcel(order, scan) => self.scan_parcel(now_ms, order, scan).await,
            Step::Deliver(order) => self.deliver(now_ms, order).await,
            Step::ReportProblem(order) => self.report_problem(order).await,
            Step::ResolveProblem(order, how) => self.resolve_problem(now_ms, order, how).await,
            Step::RefundSome(order) => self.refund_some(now_ms, order).await,
            Step::WriteReviews(order) => self.write_reviews(now_ms, order).await,
            Step::ReplyToReview(review) => self.reply_to_review(review).await,
            Step::WriteMessage(number) => self.write_message(number).await,
            Step::ReplyToMessage(number) => self.reply_to_message(number).await,
            Step::ChangeStock(step) => self.change_stock(step).await,
            Step::RunWorkers => self.run_workers().await,
        }
    }

    async fn check_out(
        &mut self,
        now_ms: i64,
        customer: usize,
        outcome: Outcome,
    ) -> anyhow::Result<()> {
        self.add_customer(customer).await?;
        let lines = self.basket();
        if lines.is_empty() {
            return Ok(());
        }
        let Some(Customer { user, address_id }) = &self.customers[customer] else {
            return Ok(());
        };
        self.shop.clear_cart(&user.id).await?;
        for (product, packs) in lines {
            self.shop.add_to_cart(&user.id, product, packs).await?;
        }
        discounts::enter_code(&self.shop, &user.id, self.orders.len()).await?;
        let input = CheckoutInput {
            address_id: address_id.clone(),
            expected_total: None,
            idempotency_key: None,
        };
        let redirect = match self.shop.check_out(&user.id, input).await {
            // Two unpaid orders in a short time: the customer gives up.
            Err(error) if error.kind() == ErrorKind::RateLimited => return Ok(()),
            other => other?,
        };
        let number = self.orders.len();
        self.orders.push(PlacedOrder {
            customer,
            outcome,
            page: redirect.redirect_url,
            merchant_order_id: redirect.merchant_order_id,
            id: OrderId::from(""),
            problem: None,
        });
        let soon = now_ms + self.random.random_range(MINUTE_MS..4 * MINUTE_MS);
        match outcome {
            Outcome::Abandoned => self.timeline.add(now_ms + HOUR_MS, Step::RunWorkers),
            Outcome::Declined => self.timeline.add(soon, Step::Decline(number)),
            _ => self.timeline.add(soon, Step::Pay(number)),
        }
        Ok(())
    }

    /// One to four products, the first ones of the catalogue more often. Only what is in stock.
    fn basket(&mut self) -> Vec<(ProductId, Packs)> {
        let snapshot = self.shop.catalogue.snapshot();
        let mut lines: Vec<(ProductId, Packs)> = Vec::new();
        for _ in 0..self.random.random_range(1..=4) {
            let last = self.random.random_range(0..self.products.len());
            let product = &self.products[self.random.random_range(0..=last)];
            let of_50g = self.random.random_range(0..=2);
            let of_100g = self.random.random_range(u32::from(of_50g == 0)..=1);
            let packs = Packs { of_50g, of_100g };
            let is_in_stock = snapshot
                .find(product)
                .is_some_and(|product| product.stock.check_available(packs).is_ok());
            if is_in_stock && lines.iter().all(|(known, _)| known != product) {
                lines.push((product.clone(), packs));
            }
        }
        lines
    }

    async fn pay(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let order = self.settle(number, "pay").await?;
        self.orders[number].id = order.id;
        if self.orders[number].outcome == Outcome::CancelledByCustomer
            && ist::day(now_ms) == ist::day(now_ms + HOUR_MS)
        {
            self.timeline.add(now_ms + HOUR_MS, Step::Cancel(number));
        } else {
            let at_ms = plan::shipped_at(now_ms, &mut self.random);
            self.timeline.add(at_ms, Step::Ship(number));
        }
        Ok(())
    }

    /// It is shipped like a paid order.
    pub(super) fn add_replacement(&mut self, now_ms: i64, replaced: usize, id: OrderId) {
        let number = self.orders.len();
        self.orders.push(PlacedOrder {
            customer: self.orders[replaced].customer,
            outcome: Outcome::Delivered,
            page: String::new(),
            merchant_order_id: AttemptId::from(""),
            id,
            problem: None,
        });
        let at_ms = plan::shipped_at(now_ms, &mut self.random);
        self.timeline.add(at_ms, Step::Ship(number));
    }

    /// The customer decides on the payment page and returns to the shop.
    async fn settle(&self, number: usize, outcome: &str) -> anyhow::Result<Order> {
        let placed = &self.orders[number];
        self.gateway.submit(&placed.page, outcome).await?;
        let user = &self.customer(placed)?.user;
        let order = self.shop.order_by_payment(user, &placed.merchant_order_id);
        Ok(order.await?)
    }

    async fn run_workers(&self) -> anyhow::Result<()> {
        while self.shop.reconcile_payments().await? > 0 {}
        while self.shop.process_refunds().await? > 0 {}
        while self.shop.request_reviews().await? > 0 {}
        while self.shop.send_emails().await? > 0 {}
        Ok(())
    }

    pub(super) fn customer(&self, placed: &PlacedOrder) -> anyhow::Result<&Customer> {
        let customer = self.customers[placed.customer].as_ref();
        customer.context("the order has no customer")
    }

    async fn add_customer(&mut self, number: usize) -> anyhow::Result<()> {
        if self.customers[number].is_some() {
            return Ok(());
        }
        let person = if number == 0 {
            let name = "Asha Kulkarni".to_owned();
            people::Person {
                address: people::address(0, &name),
                email: DEMO_SHOPPER.into(),
                name,
            }
        } else {
            people::person(number)
        };
        let customer = self
            .new_customer(&person.email, &person.name, &person.address)
            .await?;
        self.customers[number] = Some(customer);
        Ok(())
    }

    async fn new_customer(
        &self,
        email: &str,
        name: &str,
        address: &AddressInput,
    ) -> anyhow::Result<Customer> {
        let user = add_user(&self.shop, &self.issuer, email, name, Role::Customer).await?;
        let saved = self.shop.add_address(&user.id, address, true).await?;
        Ok(Customer {
            user,
            address_id: saved.id,
        })
    }
}

/// The account that the sandbox opens for this email address.
async fn add_user(
    shop: &Shop,
    issuer: &str,
    email: &str,
    name: &str,
    role: Role,
) -> anyhow::Result<User> {
    let new = NewUser {
        id: UserId(shop.ids.new_id()),
        issuer: issuer.to_owned(),
        subject: identity::subject(email),
        email: email.to_owned(),
        name: name.to_owned(),
        photo: None,
        role,
    };
    let now_ms = shop.now_ms();
    let user = shop
        .db
        .write(async move |tx| {
            tx.insert_user(&new, now_ms).await?;
            Ok::<_, AppError>(tx.user_by_identity(&new.issuer, &new.subject).await?)
        })
        .await?;
    user.context("the account was not stored")
}
