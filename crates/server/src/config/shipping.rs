//! The settings of parcels, and which delivery partner they select.

use mirasa_app::shipping::ShippingSettings;
use mirasa_domain::address::Pincode;
use mirasa_domain::shipment::CourierRule as Rule;

use super::{Config, ConfigError, CourierRule, PartnerChoice, config_error};

const MAX_TARE_GRAMS: u32 = 20_000;
const BOX_CM: std::ops::RangeInclusive<u32> = 1..=200;
/// Shiprocket's own limit.
const MAX_PICKUP_LOCATION_CHARS: usize = 36;

impl Config {
    pub(super) fn check_shipping(&self) -> Result<(), ConfigError> {
        let (shipping, shiprocket) = (&self.shipping, &self.shiprocket);
        if shipping.tare_grams > MAX_TARE_GRAMS {
            return Err(config_error("shipping.tare_grams", "must be up to 20000"));
        }
        if !(1..=60).contains(&shipping.unscanned_days) {
            let why = "must be from 1 to 60";
            return Err(config_error("shipping.unscanned_days", why));
        }
        if !(1..=365).contains(&self.stock.low_days) {
            return Err(config_error("stock.low_days", "must be from 1 to 365"));
        }
        for (key, size) in [
            ("shipping.box_length_cm", shipping.box_length_cm),
            ("shipping.box_breadth_cm", shipping.box_breadth_cm),
            ("shipping.box_height_cm", shipping.box_height_cm),
        ] {
            if !BOX_CM.contains(&size) {
                return Err(config_error(key, "must be from 1 to 200"));
            }
        }
        if !(1..=12).contains(&shiprocket.timeout_s) {
            return Err(config_error("shiprocket.timeout_s", "must be from 1 to 12"));
        }
        if Pincode::parse(&shiprocket.pickup_pincode).is_err() {
            let why = "must be 6 digits";
            return Err(config_error("shiprocket.pickup_pincode", why));
        }
        let location = &shiprocket.pickup_location;
        if location.is_empty() || location.chars().count() > MAX_PICKUP_LOCATION_CHARS {
            let why = "must have 1 to 36 characters";
            return Err(config_error("shiprocket.pickup_location", why));
        }
        let lacks_a_secret = shiprocket.password.is_empty() || shiprocket.webhook_token.is_empty();
        if !shiprocket.email.is_empty() && lacks_a_secret {
            return Err(config_error(
                "shiprocket.password",
                "password and webhook_token must be set with email",
            ));
        }
        Ok(())
    }

    pub fn uses_shiprocket(&self) -> bool {
        self.shipping.partner == PartnerChoice::Auto && !self.shiprocket.email.is_empty()
    }

    /// Never in production: there a shop without credentials has no delivery partner.
    pub fn uses_sandbox_courier(&self) -> bool {
        self.shipping.partner == PartnerChoice::Auto
            && self.shiprocket.email.is_empty()
            && !self.production
    }

    pub fn shipping_settings(&self) -> ShippingSettings {
        ShippingSettings {
            tare_grams: self.shipping.tare_grams,
            unscanned_days: self.shipping.unscanned_days,
            rule: match self.shipping.courier_rule {
                CourierRule::Cheapest => Rule::Cheapest,
                CourierRule::Fastest => Rule::Fastest,
            },
        }
    }
}
