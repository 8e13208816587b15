//! Stock in the history: most of it is at the mill, which delivers twice a week. The next delivery is late, so that some
//! products run out.

use mirasa_app::stock::movements::StockInput;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use super::plan::StockStep;
use super::simulation::History;

/// The room that all products share. Less than half of a product's part is filled up.
const ROOM: Stock = Stock {
    grams: 96_000,
    pouches_50g: 1_440,
    pouches_100g: 960,
};

fn part_of_room(parts: usize) -> Stock {
    let parts = i64::try_from(parts.max(1)).unwrap_or(1);
    Stock {
        grams: ROOM.grams / parts,
        pouches_50g: ROOM.pouches_50g / parts,
        pouches_100g: ROOM.pouches_100g / parts,
    }
}

impl History {
    pub(super) async fn change_stock(&self, step: StockStep) -> anyhow::Result<()> {
        let products = self.stock_now().len();
        let (full, low) = (part_of_room(products), part_of_room(2 * products));
        match step {
            StockStep::KeepAtMill => {
                for (id, stock) in self.stock_now() {
                    let rest = positive(stock - full);
                    let write_off = StockInput::WriteOff {
                        amount: rest,
                        batch_id: None,
                    };
                    if rest != Stock::default() {
                        self.move_stock(id, write_off, "Stays at the mill").await?;
                    }
                }
            }
            StockStep::Deliver => {
                for (id, stock) in self.stock_now() {
                    if (stock - low).is_negative() {
                        let more = StockInput::Receive(positive(full - stock));
                        self.move_stock(id, more, "From the mill").await?;
                    }
                }
            }
            StockStep::Spill => {
                let lost = Stock {
                    grams: 250,
                    ..Stock::default()
                };
                if let Some((id, stock)) = self.stock_now().into_iter().next()
                    && !(stock - lost).is_negative()
                {
                    let write_off = StockInput::WriteOff {
                        amount: lost,
                        batch_id: None,
                    };
                    self.move_stock(id, write_off, "A bag was torn").await?;
                }
            }
            StockStep::Count => {
                let stock = self.shop.stock().await?;
                let counted = stock.get(2).filter(|stock| stock.product.stock.grams > 150);
                if let Some(stock) = counted {
                    let seen = stock.in_shop();
                    let less = Stock {
                        grams: 150,
                        ..Stock::default()
                    };
                    let count = StockInput::Count {
                        counted: seen - less,
                        seen,
                    };
                    let id = stock.product.id.clone();
                    self.move_stock(id, count, "Weighed too generously").await?;
                }
            }
        }
        Ok(())
    }

    fn stock_now(&self) -> Vec<(ProductId, Stock)> {
        let snapshot = self.shop.catalogue.snapshot();
        let all = snapshot.all().iter();
        all.map(|product| (product.id.clone(), product.stock))
            .collect()
    }

    async fn move_stock(&self, id: ProductId, input: StockInput, note: &str) -> anyhow::Result<()> {
        let moved = self
            .shop
            .move_stock(&self.admin, id, input, note, None)
            .await;
        moved?;
        Ok(())
    }
}

fn positive(stock: Stock) -> Stock {
    Stock {
        grams: stock.grams.max(0),
        pouches_50g: stock.pouches_50g.max(0),
        pouches_100g: stock.pouches_100g.max(0),
    }
}
