//! Property tests with random webhooks: nothing is parsed without the correct header, and only
//! valid ids are returned.

use mirasa_app::ports::payment::{PaymentGateway as _, WebhookError, WebhookEvent};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ManualClock, PhonePe, PhonePeSettings, adapter};

/// For `username:password`.
const AUTHORIZATION: &str = "bc842c31a9e54efe320d30d948be61291f3ceee4766e36ab25fa65243cd76e0e";

/// Sends no requests.
fn phonepe() -> PhonePe {
    let settings = PhonePeSettings {
        payment_base: "http://127.0.0.1:1".into(),
        token_base: "http://127.0.0.1:1".into(),
        client_id: "id".into(),
        client_version: "1".into(),
        client_secret: "secret".into(),
        webhook_username: "username".into(),
        webhook_password: "password".into(),
        timeout: PhonePeSettings::TIMEOUT,
    };
    adapter(settings, &ManualClock::new())
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[A-Za-z0-9_/. -]{0,70}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec(
                (
                    "event|payload|merchantOrderId|merchantRefundId|state|x",
                    inner
                ),
                0..6
            )
            .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn is_valid_id(id: &str) -> bool {
    (1..=63).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

proptest! {
    #[test]
    fn wrong_header_is_unauthenticated(
        header in prop_oneof![
            any::<String>(),
            (0..64_usize, any::<u8>()).prop_map(|(at, byte)| {
                let mut near = AUTHORIZATION.as_bytes().to_vec();
                near[at] = byte;
                String::from_utf8_lossy(&near).into_owned()
            }),
            (0..64_usize).prop_map(|end| AUTHORIZATION[..end].to_owned()),
        ],
        body in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        prop_assume!(header != AUTHORIZATION);
        let parsed = phonepe().parse_webhook(Some(&header), &body);
        prop_assert_eq!(parsed, Err(WebhookError::Unauthenticated));
    }

    #[test]
    fn random_body_is_malformed_or_ignored(body in proptest::collection::vec(any::<u8>(), 0..300)) {
        let parsed = phonepe().parse_webhook(Some(AUTHORIZATION), &body);
        prop_assert!(matches!(parsed, Err(WebhookError::Malformed) | Ok(WebhookEvent::Other)));
    }

    #[test]
    fn only_valid_ids_are_returned(
        event in prop_oneof![
            prop::sample::select(vec!["checkout.order.completed", "checkout.order.failed", "pg.refund.completed"])
                .prop_map(str::to_owned),
            any::<String>(),
        ],
        payload in prop_oneof![
            any_json(),
            any::<String>().prop_map(|id| json!({ "merchantOrderId": id, "merchantRefundId": id })),
            "[A-Za-z0-9_-]{1,63}".prop_map(|id| json!({ "merchantOrderId": id, "merchantRefundId": id })),
        ],
        any_body in any_json(),
    ) {
        let adapter = phonepe();
        let _ = adapter.parse_webhook(Some(AUTHORIZATION), any_body.to_string().as_bytes());
        let body = json!({ "event": event, "payload": payload }).to_string();
        match adapter.parse_webhook(Some(AUTHORIZATION), body.as_bytes()) {
            Ok(WebhookEvent::Payment { merchant_order_id }) => prop_assert!(is_valid_id(merchant_order_id.as_str())),
            Ok(WebhookEvent::Refund { merchant_refund_id }) => prop_assert!(is_valid_id(merchant_refund_id.as_str())),
            Ok(WebhookEvent::Other) | Err(_) => {}
        }
    }
}
