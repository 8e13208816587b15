//! Enums whose values have a text, in the database or in the API.

/// What `text_enum!` gives an enum, for code that works with any of them.
pub trait TextEnum: Sized + 'static {
    /// Of all values, in the order of the declaration.
    const TEXTS: &'static [&'static str];

    fn text(&self) -> &'static str;

    fn from_text(text: &str) -> Option<Self>;
}

/// Gives an enum `ALL`, `as_str`, `parse` and `TextEnum`. Two variants with the same text do not compile without a warning.
///
/// ```
/// mirasa_domain::text_enum! {
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Light {
///         Red = "red",
///         /// The next one is red.
///         Amber = "amber",
///     }
/// }
///
/// assert_eq!(Light::ALL, [Light::Red, Light::Amber]);
/// assert_eq!(Light::Amber.as_str(), "amber");
/// assert_eq!(Light::parse("red"), Some(Light::Red));
/// assert_eq!(Light::parse("Red"), None);
/// ```
#[macro_export]
macro_rules! text_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            pub const ALL: [$name; [$($text),+].len()] = [$($name::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            pub fn parse(text: &str) -> Option<$name> {
                match text {
                    $($text => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        impl $crate::text_enum::TextEnum for $name {
            const TEXTS: &'static [&'static str] = &[$($text),+];

            fn text(&self) -> &'static str {
                self.as_str()
            }

            fn from_text(text: &str) -> Option<$name> {
                $name::parse(text)
            }
        }
    };
}
