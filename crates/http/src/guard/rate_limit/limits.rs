//! The limits, and which of them a route has.

use std::time::Duration;

/// A token bucket of `burst` requests. One token comes back after each `refill_interval`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RateLimit {
    pub key: RateLimitKey,
    pub name: &'static str,
    pub burst: u32,
    pub refill_interval: Duration,
    /// All instances count together.
    pub shared: bool,
}

/// What a bucket belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateLimitKey {
    IpPrefix,
    /// The IP prefix where there is no session.
    Session,
    /// Checked after authentication. A new sign-in does not give a new bucket.
    User,
}

const fn rate_limit(
    key: RateLimitKey,
    name: &'static str,
    burst: u32,
    refill_ms: u64,
) -> RateLimit {
    RateLimit {
        key,
        name,
        burst,
        refill_interval: Duration::from_millis(refill_ms),
        shared: false,
    }
}

impl RateLimit {
    const fn shared(self) -> RateLimit {
        RateLimit {
            shared: true,
            ..self
        }
    }
}

// Many people may share one address: a college, a mobile network.
const PAGE: RateLimit = rate_limit(RateLimitKey::IpPrefix, "pages", 600, 10);
const READ: RateLimit = rate_limit(RateLimitKey::IpPrefix, "calls", 300, 20);
const WRITE: RateLimit = rate_limit(RateLimitKey::Session, "changes", 100, 50);
const SIGN_IN: RateLimit = rate_limit(RateLimitKey::IpPrefix, "sign-ins", 120, 500).shared();
const CONTACT: RateLimit = rate_limit(RateLimitKey::IpPrefix, "messages", 20, 10_000).shared();
/// Each may cause an email to an address that is not the visitor's.
const STOCK_NOTICE: RateLimit =
    rate_limit(RateLimitKey::IpPrefix, "stock notices", 20, 30_000).shared();
/// Not shared: a customer can have one unpaid order on all instances together, and sharing would cost each checkout a
/// statement.
const CHECKOUT: RateLimit = rate_limit(RateLimitKey::User, "checkouts", 20, 2_000);
const UPLOAD: RateLimit = rate_limit(RateLimitKey::Session, "pictures", 20, 2_000).shared();
/// Six an hour: decoding one takes a second of processor time, and every customer may send some.
const PROFILE_PICTURE: RateLimit =
    rate_limit(RateLimitKey::Session, "profile pictures", 6, 600_000).shared();
/// A customer reviews what an order had, and corrects some of it.
const REVIEW: RateLimit = rate_limit(RateLimitKey::User, "reviews", 20, 60_000);
/// A customer enters one or two codes; a program guesses thousands.
const DISCOUNT_CODE: RateLimit =
    rate_limit(RateLimitKey::Session, "discount codes", 10, 30_000).shared();
/// The page of a typed search is rendered for one visitor only. Beyond this limit the browser renders it.
pub const SEARCH_PAGE: RateLimit = rate_limit(RateLimitKey::IpPrefix, "search pages", 10, 3_000);

/// The limits of a route, as its line in the route table states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateClass {
    Unlimited,
    Page,
    Read,
    Write,
    SignIn,
    Contact,
    StockNotice,
    Checkout,
    DiscountCode,
    ProfilePicture,
    Upload,
    Review,
}

impl RateClass {
    pub const fn limits(self) -> &'static [RateLimit] {
        match self {
            RateClass::Unlimited => &[],
            RateClass::Page => &[PAGE],
            RateClass::Read => &[READ],
            RateClass::Write => &[READ, WRITE],
            RateClass::SignIn => &[READ, SIGN_IN],
            RateClass::Contact => &[READ, CONTACT],
            RateClass::StockNotice => &[READ, STOCK_NOTICE],
            RateClass::Checkout => &[READ, WRITE, CHECKOUT],
            RateClass::DiscountCode => &[READ, WRITE, DISCOUNT_CODE],
            RateClass::ProfilePicture => &[READ, WRITE, PROFILE_PICTURE],
            RateClass::Upload => &[READ, WRITE, UPLOAD],
            RateClass::Review => &[READ, WRITE, REVIEW],
        }
    }
}
