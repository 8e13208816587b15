//! The ids of entities. Each kind is a type of its own, so that one cannot be taken for another:
//!
//! ```compile_fail,E0308
//! use mirasa_domain::discount::DiscountId;
//! use mirasa_domain::review::ReviewId;
//!
//! fn delete_review(_: &ReviewId) {}
//!
//! delete_review(&DiscountId::from("d1"));
//! ```

/// Defines the ids of one kind of entity.
macro_rules! id_type {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(
            Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> $name {
                $name(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> $name {
                $name(text.to_owned())
            }
        }
    };
}

pub(crate) use id_type;
