//! Spreading an amount by largest remainder.

use crate::money::Paise;

/// Parts of the saving in proportion to the weights, in whole paise. They add up to the saving, and no part is more than
/// its weight. The paise that rounding leaves go to the parts that it has cut most, the first one where they are equal.
pub fn spread_saving(saving: Paise, weights: &[Paise]) -> Vec<Paise> {
    let total: i128 = weights.iter().map(|weight| i128::from(weight.get())).sum();
    if total <= 0 {
        return vec![Paise::ZERO; weights.len()];
    }
    let saving = i128::from(saving.get()).clamp(0, total);
    let exact = weights
        .iter()
        .map(|weight| saving * i128::from(weight.get()));
    let (mut parts, mut cuts): (Vec<_>, Vec<_>) = exact
        .enumerate()
        .map(|(at, exact)| (exact / total, (exact % total, at)))
        .unzip();
    cuts.sort_by_key(|(cut, at)| (std::cmp::Reverse(*cut), *at));
    let left = saving - parts.iter().sum::<i128>();
    for (_, at) in cuts.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        parts[at] += 1;
    }
    parts
        .into_iter()
        .map(|part| Paise::new(i64::try_from(part).unwrap_or(i64::MAX)))
        .collect()
}
