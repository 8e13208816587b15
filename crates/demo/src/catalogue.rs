//! Imports a catalogue folder. Existing products are not changed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use mirasa_app::ports::images::{Format, ImageFolder, ImageStore as _};
use mirasa_app::{AppError, Shop};
use mirasa_domain::money::Paise;
use mirasa_domain::product::{
    Diet, Heat, Image, NetWeight, NutritionFacts, Product, ProductDetails, ProductId, TrendingRank,
};
use mirasa_domain::stock::Stock;
use mirasa_images::ResizingImageStore;
use serde::Deserialize;

/// The images that a first visitor sees, in the widths of phones and desks. `--warm` makes these renditions while the other
/// images are imported. In WebP, which every browser gets until there is a smaller AVIF: those take minutes and are made
/// when requested.
const WARM_PRODUCTS: usize = 6;
const WARM_IMAGES_OF_PRODUCT: usize = 2;
const WARM_WIDTHS: [u32; 2] = [384, 640];
/// The first slide of the home page: two images, for phones and for wide screens.
const WARM_HERO: &str = "hero-maharashtrian";
const WARM_HERO_WIDTHS: [u32; 2] = [768, 1280];
const WARM_FORMATS: [Format; 1] = [Format::WebP];

/// One product file. The table `look` is for the scripts that render the images.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductFile {
    id: String,
    product_name: String,
    devanagari_name: String,
    generic_name: String,
    diet: Diet,
    heat: Option<Heat>,
    country_of_origin: String,
    category: Vec<String>,
    ingredients: Vec<String>,
    preservatives: String,
    fssai_reg_no: String,
    recipe: Vec<String>,
    manufactured_marketed_by: String,
    address: String,
    email: String,
    customer_care_no: String,
    mrp: Vec<Rupees>,
    net_wt: Vec<NetWeight>,
    best_before: String,
    why_you_will_love_it: Vec<String>,
    stock: i64,
    packaging_50gms: i64,
    packaging_100gms: i64,
    is_visible: bool,
    trending_rank: Option<i64>,
    hsn_code: String,
    gst_rate_percent: f64,
    description: String,
    nutrition_facts: NutritionFacts,
    images: Vec<ImageFile>,
    #[serde(rename = "look")]
    _look: toml::Table,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Rupees {
    Whole(u32),
    Exact(String),
}

#[derive(Deserialize)]
struct ImageFile {
    file: String,
    alt: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub added: usize,
    pub skipped: usize,
    pub site_images: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} products added, {} not changed, {} images of the site",
            self.added, self.skipped, self.site_images
        )
    }
}

pub async fn import_catalogue(
    shop: &Shop,
    images: &ResizingImageStore,
    catalogue: &Path,
    warm: bool,
    added_at_ms: i64,
) -> anyhow::Result<Report> {
    let mut report = Report::default();
    for file in read_products(&catalogue.join("products"))? {
        let id = ProductId(file.id.clone());
        if shop.catalogue.snapshot().find(&id).is_some() || id_exists(shop, id.clone()).await? {
            report.skipped += 1;
            continue;
        }
        let product = import_product(images, catalogue, file).await?;
        if warm && report.added < WARM_PRODUCTS {
            for image in product.details.images.iter().take(WARM_IMAGES_OF_PRODUCT) {
                let (folder, widths) = (ImageFolder::Products, &WARM_WIDTHS);
                images
                    .warm(folder, &image.file, widths, &WARM_FORMATS)
                    .await?;
            }
        }
        let ledger_id = shop.ids.new_id();
        shop.db
            .write(async move |tx| {
                Ok::<_, AppError>(tx.insert_product(&product, &ledger_id, added_at_ms).await?)
            })
            .await?;
        report.added += 1;
    }
    let site = catalogue.join("pictures/site");
    for file in images_in(&site)? {
        let bytes = std::fs::read(site.join(&file))?;
        images
            .import(ImageFolder::Site, &file, true, bytes)
            .await
            .with_context(|| format!("image {file}"))?;
        if warm && file.starts_with(WARM_HERO) {
            let (folder, widths) = (ImageFolder::Site, &WARM_HERO_WIDTHS);
            images.warm(folder, &file, widths, &WARM_FORMATS).await?;
        }
        report.site_images += 1;
    }
    images.wait_until_idle().await;
    Ok(report)
}

async fn id_exists(shop: &Shop, id: ProductId) -> anyhow::Result<bool> {
    Ok(shop
        .db
        .read(async move |db| db.product_id_taken(&id).await)
        .await?)
}

/// Trending products first, by rank, then the others by name: the order of product lists.
fn read_products(folder: &Path) -> anyhow::Result<Vec<ProductFile>> {
    let mut files = Vec::new();
    for path in entries(folder)?.into_iter().filter(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    }) {
        let text = std::fs::read_to_string(&path)?;
        let file: ProductFile =
            toml::from_str(&text).with_context(|| path.display().to_string())?;
        files.push(file);
    }
    if files.is_empty() {
        bail!("there are no products in {}", folder.display());
    }
    files.sort_by_key(|file| {
        (
            file.trending_rank.unwrap_or(i64::MAX),
            file.product_name.clone(),
        )
    });
    Ok(files)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn images_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let is_image = |path: &PathBuf| {
        path.extension().is_some_and(|extension| {
            ["webp", "jpg", "png"]
                .iter()
                .any(|known| extension == *known)
        })
    };
    let paths = entries(folder)?.into_iter().filter(is_image);
    Ok(paths
        .filter_map(|path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        })
        .collect())
}

async fn import_product(
    store: &ResizingImageStore,
    catalogue: &Path,
    file: ProductFile,
) -> anyhow::Result<Product> {
    let mut images = Vec::new();
    for image in file.images {
        let path = catalogue.join("pictures").join(&image.file);
        let bytes = std::fs::read(&path).with_context(|| format!("image {}", path.display()))?;
        let imported = store
            .import(ImageFolder::Products, &image.file, true, bytes)
            .await
            .with_context(|| format!("image {}", path.display()))?;
        images.push(Image {
            alt: image.alt,
            ..imported
        });
    }
    let mrp = file.mrp.into_iter().map(|price| match price {
        Rupees::Whole(rupees) => Ok(Paise::new(i64::from(rupees) * 100)),
        Rupees::Exact(text) => text.parse(),
    });
    let details = ProductDetails {
        product_name: file.product_name,
        devanagari_name: file.devanagari_name,
        generic_name: file.generic_name,
        description: file.description,
        diet: file.diet,
        heat: file.heat,
        country_of_origin: file.country_of_origin,
        category: file.category,
        ingredients: file.ingredients,
        preservatives: file.preservatives,
        nutrition_facts: file.nutrition_facts,
        fssai_reg_no: file.fssai_reg_no,
        recipe: file.recipe,
        manufactured_marketed_by: file.manufactured_marketed_by,
        address: file.address,
        email: file.email,
        customer_care_no: file.customer_care_no,
        mrp: mrp
            .collect::<Result<_, _>>()
            .with_context(|| file.id.clone())?,
        net_wt: file.net_wt,
        best_before: file.best_before,
        why_you_will_love_it: file.why_you_will_love_it,
        images,
        hsn_code: file.hsn_code,
        gst_rate_percent: file.gst_rate_percent,
    };
    Ok(Product {
        details: Arc::new(details.validate().with_context(|| file.id.clone())?),
        id: ProductId(file.id),
        stock: Stock {
            grams: file.stock,
            pouches_50g: file.packaging_50gms,
            pouches_100g: file.packaging_100gms,
        },
        is_visible: file.is_visible,
        trending_rank: file.trending_rank.map(TrendingRank::new).transpose()?,
        version: 1,
        updated_at_ms: 0,
        too_old_grams: 0,
        rating: Default::default(),
    })
}
