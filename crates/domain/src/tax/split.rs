//! The tax inside a price that includes it, in whole paise.
//!
//! Both halves of a tax within one state must be equal, so one half is computed and rounded, and what remains is the
//! taxable value. The parts always add up to the price.

use super::TaxRate;
use crate::money::Paise;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaxKind {
    /// Within one state: two equal halves.
    WithinState,
    BetweenStates,
    /// A bill of supply has no tax.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaxAmounts {
    pub taxable: Paise,
    pub cgst: Paise,
    /// Also of a union territory.
    pub sgst: Paise,
    pub igst: Paise,
}

impl TaxAmounts {
    pub fn tax(self) -> Paise {
        self.cgst + self.sgst + self.igst
    }

    pub fn total(self) -> Paise {
        self.taxable + self.tax()
    }
}

impl std::ops::Add for TaxAmounts {
    type Output = TaxAmounts;
    fn add(self, other: TaxAmounts) -> TaxAmounts {
        TaxAmounts {
            taxable: self.taxable + other.taxable,
            cgst: self.cgst + other.cgst,
            sgst: self.sgst + other.sgst,
            igst: self.igst + other.igst,
        }
    }
}

impl std::ops::Sub for TaxAmounts {
    type Output = TaxAmounts;
    fn sub(self, other: TaxAmounts) -> TaxAmounts {
        TaxAmounts {
            taxable: self.taxable - other.taxable,
            cgst: self.cgst - other.cgst,
            sgst: self.sgst - other.sgst,
            igst: self.igst - other.igst,
        }
    }
}

impl std::iter::Sum for TaxAmounts {
    fn sum<I: Iterator<Item = TaxAmounts>>(amounts: I) -> TaxAmounts {
        amounts.fold(TaxAmounts::default(), std::ops::Add::add)
    }
}

pub fn split(gross: Paise, rate: TaxRate, kind: TaxKind) -> TaxAmounts {
    let (gross_paise, points) = (i128::from(gross.get()), i128::from(rate.basis_points()));
    // Rounded half up: gross × share ÷ (100 % + rate), with the share as share ÷ divisor of the rate.
    let part = |divisor: i128| {
        let (numerator, denominator) = (gross_paise * points, (10_000 + points) * divisor);
        let rounded = (2 * numerator + denominator) / (2 * denominator);
        Paise::new(i64::try_from(rounded).unwrap_or(i64::MAX))
    };
    let (cgst, sgst, igst) = match kind {
        TaxKind::WithinState => (part(2), part(2), Paise::ZERO),
        TaxKind::BetweenStates => (Paise::ZERO, Paise::ZERO, part(1)),
        TaxKind::None => (Paise::ZERO, Paise::ZERO, Paise::ZERO),
    };
    TaxAmounts {
        taxable: gross - cgst - sgst - igst,
        cgst,
        sgst,
        igst,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amounts(gross: i64, points: u32, kind: TaxKind) -> [i64; 4] {
        let rate = TaxRate::from_basis_points(points);
        let split = split(Paise::new(gross), rate, kind);
        [split.taxable, split.cgst, split.sgst, split.igst].map(Paise::get)
    }

    #[test]
    fn example_of_the_rules() {
        assert_eq!(
            amounts(11_000, 500, TaxKind::WithinState),
            [10_476, 262, 262, 0]
        );
        assert_eq!(
            amounts(11_000, 500, TaxKind::BetweenStates),
            [10_476, 0, 0, 524]
        );
        assert_eq!(amounts(11_000, 500, TaxKind::None), [11_000, 0, 0, 0]);
        assert_eq!(amounts(0, 500, TaxKind::WithinState), [0, 0, 0, 0]);
        assert_eq!(amounts(1, 500, TaxKind::WithinState), [1, 0, 0, 0]);
    }

    proptest! {
        #[test]
        fn parts_add_up_and_halves_are_equal(gross in 0_i64..1_000_000_000, points in 0_u32..=10_000, within in any::<bool>()) {
            let kind = if within { TaxKind::WithinState } else { TaxKind::BetweenStates };
            let [taxable, cgst, sgst, igst] = amounts(gross, points, kind);
            prop_assert_eq!(taxable + cgst + sgst + igst, gross);
            prop_assert_eq!(cgst, sgst);
            prop_assert!(taxable >= 0 && cgst >= 0 && igst >= 0);
            // At most half a paisa from the exact value, for each rounded amount.
            let exact = gross as f64 * f64::from(points) / f64::from(10_000 + points);
            let rounding = if within { 1.0 } else { 0.5 };
            prop_assert!(((cgst + sgst + igst) as f64 - exact).abs() <= rounding + 1e-6);
        }
    }
}
