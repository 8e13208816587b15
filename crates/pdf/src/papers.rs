//! What is printed for orders that are packed and shipped together: a pick list, then for each order its packing slip, the
//! label of its parcel, and its invoice.

use std::ops::Range;

use mirasa_domain::invoice::Invoice;
use mirasa_domain::order::short_id;

use crate::merge::{MergeError, MergedFile};
use crate::{OrderDetails, PackingRun, RenderError, invoice, packing, words, write};

/// What belongs to the packing slip of an order.
#[derive(Debug, Clone, Copy)]
pub struct Enclosed<'a> {
    /// A PDF file of the delivery partner.
    pub label: Option<&'a [u8]>,
    pub invoice: Option<(&'a Invoice, OrderDetails<'a>)>,
}

#[derive(Debug, thiserror::Error)]
pub enum PapersError {
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Merge(#[from] MergeError),
}

/// `enclosed` has the same order as the run. Our own pages are drawn as one file, so that they share their fonts.
pub fn render_papers(run: &PackingRun, enclosed: &[Enclosed]) -> Result<Vec<u8>, PapersError> {
    let mut pages = packing::pick_list(run);
    let pick_list = 0..pages.len();
    let mut add = |more| -> Range<usize> {
        let first = pages.len();
        pages.extend::<Vec<_>>(more);
        first..pages.len()
    };
    let of_orders = run.orders.iter().zip(enclosed).map(|(order, enclosed)| {
        let slip = add(packing::packing_slip(run, order));
        let invoice = match &enclosed.invoice {
            Some((invoice, details)) => add(invoice::lay_out(invoice, details)),
            None => 0..0,
        };
        (short_id(&order.id), slip, enclosed.label, invoice)
    });
    let of_orders: Vec<_> = of_orders.collect();
    let title = format!("Orders of {}", words::date(run.prepared_at_ms));
    let own = write(pages, title, &run.shop_name, run.prepared_at_ms)?;
    let mut merged = MergedFile::new();
    let own = merged.read(&own)?;
    let push = |merged: &mut MergedFile, range: Range<usize>| {
        merged.push(own.get(range).unwrap_or_default().iter().copied())
    };
    push(&mut merged, pick_list)?;
    for (number, slip, label, invoice) in of_orders {
        push(&mut merged, slip)?;
        if let Some(label) = label {
            merged.push_label(label, &number)?;
        }
        push(&mut merged, invoice)?;
    }
    Ok(merged.finish()?)
}
