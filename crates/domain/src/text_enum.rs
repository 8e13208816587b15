//! Enums whose values have a text, in the database or in the API.

/// Gives an enum `ALL`, `as_str` and `parse`. Two variants with the same text do not compile without a warning.
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
    };
}
