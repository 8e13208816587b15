use crate::catalogue::product_csv::shopify::*;

const URL: &str = "https://shop.example";

fn own(file: &str) -> Table {
    let table = Table::parse(file.as_bytes()).unwrap();
    assert!(is_shopify(&table));
    to_own_columns(&table, URL)
}

#[test]
fn both_spellings_mean_the_same() {
    let older = own(
        "Handle,Title,Body (HTML),Type,Tags,Published,Option1 Name,Option1 Value,Variant Grams,Variant Inventory Qty,Variant Price\n\
         goda,Goda Masala,<p>Warm &amp; dark</p>,Blends,\"Maharashtrian, New\",TRUE,Pack,50 g,50,3,65.50\n\
         goda,,,,,,,100g,100,2,120\n",
    );
    let newer = own(
        "URL handle,Title,Description,Type,Tags,Published on online store,Option1 name,Option1 value,Weight value (grams),Inventory quantity,Price\n\
         goda,Goda Masala,Warm &amp; dark,Blends,\"Maharashtrian, New\",true,Pack,50 g,50,3,65.50\n\
         goda,,,,,,,100 g,100,2,120\n",
    );
    for table in [older, newer] {
        assert_eq!(
            table.headers,
            [
                "id",
                "product_name",
                "description",
                "category",
                "mrp_50g",
                "mrp_100g",
                "isVisible"
            ]
        );
        assert_eq!(table.rows.len(), 1);
        assert_eq!(
            table.rows[0].cells,
            [
                "goda",
                "Goda Masala",
                "Warm & dark",
                "Blends\nMaharashtrian\nNew",
                "65.50",
                "120",
                "yes"
            ]
        );
        assert!(table.rows[0].for_new.contains(&("stock", "350".into())));
        assert!(
            table.rows[0]
                .for_new
                .contains(&("net_wt", "50 g\n100 g".into()))
        );
        assert!(table.rows[0].for_new.contains(&("isVisible", "no".into())));
    }
}

#[test]
fn other_packs_are_an_error_and_a_single_pack_is_known_by_its_weight() {
    let table = own(
        "Handle,Title,Option1 Value,Variant Grams,Variant Price\nx,X,500 g,500,400\ny,Y,Default Title,100,90\n",
    );
    assert!(table.rows[0].error.as_deref().unwrap().contains("500 g"));
    assert_eq!(table.rows[1].cells[2..], ["", "90"]);
}
