//! The history of the demo shop: 90 days of orders, refunds, problems and messages of made-up people.
//!
//! It runs the use cases of the shop on a clock of its own, against the sandbox gateway, so that every rule of the shop
//! holds for the result. An owner can refund these orders: the sandbox gateway knows their payments.

mod clock;
mod discounts;
mod people;
mod plan;

use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use mirasa_app::admin::CancelOptions;
use mirasa_app::orders::{ProblemReport, ProblemResolution, RefundInput};
use mirasa_app::payments::checkout::CheckoutInput;
use mirasa_app::repository::users::NewUser;
use mirasa_app::{AppError, Shop};
use mirasa_domain::address::AddressInput;
use mirasa_domain::ist::{self, DAY_MS};
use mirasa_domain::message::MessageState;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::pack::Packs;
use mirasa_domain::problem::ProblemLine;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund_plan::RefundSelection;
use mirasa_domain::user::{Role, User, UserId};
use mirasa_http::HttpService;
use mirasa_sandbox::{identity as sandbox_google, payment as sandbox_phonepe};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::listener;
use crate::wiring::{DEMO_ADMIN, TimeAndIds, build};
use clock::{DemoClock, DemoIds};
use plan::{HOUR_MS, MINUTE_MS, Outcome, Resolution, Step, Timeline};

const SEED: u64 = 0x6d69_7261_7361;
const DEMO_SHOPPER: &str = "shopper@mirasa.example";

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub orders: usize,
    pub customers: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} demo orders of {} demo customers",
            self.orders, self.customers
        )
    }
}

/// How many days `mirasa seed --history` makes.
pub const DAYS: i64 = 90;

/// The history of so many days before `now_ms`. A shop that has orders is not changed.
pub async fn seed_history(config: &Config, now_ms: i64, days: i64) -> anyhow::Result<Report> {
    ensure!(
        !config.production && config.uses_sandbox_google() && config.uses_sandbox_phonepe(),
        "a demo history is only for a shop with sandbox providers"
    );
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let mut config = config.clone();
    if config.public_url.is_empty() {
        // Accounts and links belong to the address at which the shop will be served.
        config.public_url = format!("http://{}", config.listen);
    }
    let clock = Arc::new(DemoClock::new(now_ms - (days + 1) * DAY_MS));
    let time_and_ids = TimeAndIds {
        clock: clock.clone(),
        ids: Arc::new(DemoIds::new(clock.clone(), SEED)),
    };
    let app = build(&config, address, None, time_and_ids).await?;
    if has_orders(&app.shop).await? {
        return Ok(Report::default());
    }
    let stop = CancellationToken::new();
    let service = HttpService::new(app.site, app.sandbox);
    let serving = tokio::spawn(listener::serve(listener, service, |_| true, stop.clone()));
    let gateway = SandboxPages {
        base: format!("http://{address}{}", sandbox_phonepe::PATH),
        http: reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?,
    };
    gateway.stop_webhooks().await?;
    let issuer = format!("{}{}", config.public_url, sandbox_google::PATH);
    let mut history = History::begin(app.shop, clock, gateway, issuer).await?;
    let report = history.run(now_ms, days).await;
    stop.cancel();
    serving.await?;
    report
}

async fn has_orders(shop: &Shop) -> anyhow::Result<bool> {
    let (_, count) = shop.search_orders(Default::default(), 0, 1).await?;
    Ok(count > 0)
}

/// The payment page of the sandbox gateway, as a browser uses it.
struct SandboxPages {
    base: String,
    http: reqwest::Client,
}

impl SandboxPages {
    /// The history polls each payment itself. A webhook would come at a later time of the demo clock.
    async fn stop_webhooks(&self) -> anyhow::Result<()> {
        let url = format!("{}/faults", self.base);
        let settings = serde_json::json!({ "webhook": "never" });
        let response = self.http.post(url).json(&settings).send().await?;
        response.error_for_status()?;
        Ok(())
    }

    async fn submit(&self, page: &str, outcome: &str) -> anyhow::Result<()> {
        // The page's URL is public. The listener of the seed is elsewhere.
        let id = page.rsplit('/').next().unwrap_or_default();
        let url = format!("{}/pay/{id}", self.base);
        let form = [("outcome", outcome)];
        let response = self.http.post(url).form(&form).send().await?;
        ensure!(
            response.status() == reqwest::StatusCode::SEE_OTHER,
            "the sandbox gateway responded with {}",
            response.status()
        );
        Ok(())
    }
}

struct Customer {
    user: User,
    address_id: String,
}

struct PlacedOrder {
    customer: usize,
    outcome: Outcome,
    page: String,
    merchant_order_id: String,
    /// Known once the customer has returned from the payment page.
    id: String,
    problem: Option<String>,
}

struct History {
    shop: Shop,
    clock: Arc<DemoClock>,
    gateway: SandboxPages,
    issuer: String,
    admin: User,
    customers: Vec<Option<Customer>>,
    orders: Vec<PlacedOrder>,
    products: Vec<ProductId>,
    random: StdRng,
    timeline: Timeline,
}

impl History {
    async fn begin(
        shop: Shop,
        clock: Arc<DemoClock>,
        gateway: SandboxPages,
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
            issuer,
            admin,
            customers: (0..people::COUNT).map(|_| None).collect(),
            orders: Vec::new(),
            products,
            random: StdRng::seed_from_u64(SEED),
            timeline: Timeline::default(),
        })
    }

    async fn run(&mut self, now_ms: i64, days: i64) -> anyhow::Result<Report> {
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
            Step::Ship(order) => {
                let at_ms = plan::delivered_at(now_ms, &mut self.random);
                self.timeline.add(at_ms, Step::Deliver(order));
                self.set_status(order, OrderStatus::Shipped).await
            }
            Step::Deliver(order) => self.deliver(now_ms, order).await,
            Step::ReportProblem(order) => self.report_problem(order).await,
            Step::ResolveProblem(order, how) => self.resolve_problem(now_ms, order, how).await,
            Step::RefundSome(order) => self.refund_some(now_ms, order).await,
            Step::WriteMessage(number) => self.write_message(number).await,
            Step::ReplyToMessage(number) => self.reply_to_message(number).await,
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
            Err(error) if error.kind() == mirasa_app::ErrorKind::RateLimited => return Ok(()),
            other => other?,
        };
        let number = self.orders.len();
        self.orders.push(PlacedOrder {
            customer,
            outcome,
            page: redirect.redirect_url,
            merchant_order_id: redirect.merchant_order_id,
            id: String::new(),
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

    /// The customer decides on the payment page and returns to the shop.
    async fn settle(&self, number: usize, outcome: &str) -> anyhow::Result<Order> {
        let placed = &self.orders[number];
        self.gateway.submit(&placed.page, outcome).await?;
        let user = &self.customer(placed)?.user;
        let order = self.shop.order_by_payment(user, &placed.merchant_order_id);
        Ok(order.await?)
    }

    async fn cancel(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let placed = &self.orders[number];
        let user = &self.customer(placed)?.user;
        self.shop.cancel_order(&user.id, placed.id.clone()).await?;
        self.expect_refund(now_ms);
        Ok(())
    }

    /// The gateway takes some seconds for a refund.
    fn expect_refund(&mut self, now_ms: i64) {
        for after_ms in [1_000, MINUTE_MS, 10 * MINUTE_MS] {
            self.timeline.add(now_ms + after_ms, Step::RunWorkers);
        }
    }

    async fn set_status(&self, number: usize, status: OrderStatus) -> anyhow::Result<()> {
        let id = self.orders[number].id.clone();
        self.shop
            .set_order_status(&self.admin, id, status, CancelOptions::default())
            .await?;
        Ok(())
    }

    async fn deliver(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        self.set_status(number, OrderStatus::Delivered).await?;
        match self.orders[number].outcome {
            Outcome::Problem(how) => {
                let reported_ms = now_ms + 2 * HOUR_MS;
                self.timeline.add(reported_ms, Step::ReportProblem(number));
                let resolved_ms = now_ms + 26 * HOUR_MS;
                self.timeline
                    .add(resolved_ms, Step::ResolveProblem(number, how));
            }
            Outcome::PartialRefund => {
                self.timeline
                    .add(now_ms + 20 * HOUR_MS, Step::RefundSome(number));
            }
            _ => {}
        }
        Ok(())
    }

    async fn report_problem(&mut self, number: usize) -> anyhow::Result<()> {
        let placed = &self.orders[number];
        let user = &self.customer(placed)?.user;
        let order = self.shop.order_visible_to(user, placed.id.clone()).await?;
        let Some(line) = order.lines.first() else {
            return Ok(());
        };
        let report = ProblemReport {
            message: "One pouch was torn, and the masala had spilled into the box.".into(),
            lines: vec![ProblemLine {
                product: line.product.clone(),
                packs: line.packs,
            }],
            images: Vec::new(),
        };
        let problem = self.shop.report_problem(user, order.id, report).await?;
        self.orders[number].problem = Some(problem.id);
        Ok(())
    }

    async fn resolve_problem(
        &mut self,
        now_ms: i64,
        number: usize,
        how: Resolution,
    ) -> anyhow::Result<()> {
        let Some(problem) = self.orders[number].problem.clone() else {
            return Ok(());
        };
        let (resolution, message) = match how {
            Resolution::Replace => (
                ProblemResolution::Replace,
                "We are sorry. A new pack is on its way.",
            ),
            Resolution::Refund => (
                ProblemResolution::Refund(None),
                "We are sorry. The money is on its way.",
            ),
            Resolution::Decline => (
                ProblemResolution::Decline,
                "The photo of our packing table shows the pouch closed. Please call us.",
            ),
        };
        self.shop
            .resolve_problem(&self.admin, problem, resolution, message.into())
            .await?;
        self.expect_refund(now_ms);
        Ok(())
    }

    async fn refund_some(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let input = RefundInput {
            selection: RefundSelection::Amount(Paise::new(4_000)),
            reason: "The parcel was late.".into(),
            restock: false,
            idempotency_key: None,
        };
        let id = self.orders[number].id.clone();
        self.shop.refund_order(&self.admin, id, input).await?;
        self.expect_refund(now_ms);
        Ok(())
    }

    async fn write_message(&self, number: usize) -> anyhow::Result<()> {
        let people::Message { person, text, .. } = people::MESSAGES[number];
        let person = people::person(person);
        let sent = self
            .shop
            .submit_contact_message(&person.name, &person.email, text);
        Ok(sent.await?)
    }

    async fn reply_to_message(&self, number: usize) -> anyhow::Result<()> {
        let people::Message { text, reply, .. } = people::MESSAGES[number];
        let page = self.shop.messages(MessageState::Open, 0, 20).await?;
        let message = page
            .messages
            .into_iter()
            .find(|message| message.message == text);
        if let (Some(message), Some(reply)) = (message, reply) {
            self.shop
                .reply_to_message(&self.admin, message.id, reply, true)
                .await?;
        }
        Ok(())
    }

    async fn run_workers(&self) -> anyhow::Result<()> {
        while self.shop.reconcile_payments().await? > 0 {}
        while self.shop.process_refunds().await? > 0 {}
        while self.shop.send_emails().await? > 0 {}
        Ok(())
    }

    fn customer(&self, placed: &PlacedOrder) -> anyhow::Result<&Customer> {
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
        subject: sandbox_google::subject(email),
        email: email.to_owned(),
        name: name.to_owned(),
        photo: None,
        role,
    };
    let now_ms = shop.now_ms();
    let user = shop
        .db
        .write(move |tx| {
            Box::pin(async move {
                tx.insert_user(&new, now_ms).await?;
                Ok::<_, AppError>(tx.user_by_identity(&new.issuer, &new.subject).await?)
            })
        })
        .await?;
    user.context("the account was not stored")
}
