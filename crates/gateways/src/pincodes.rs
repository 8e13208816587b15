//! Pincode lookup: from an embedded table, or from a remote host with the table as fallback.
//!
//! `scripts/pincodes.py` makes the table and documents the source of its names.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use async_trait::async_trait;
use mirasa_app::ports::pincodes::{PincodeArea, PincodeDirectory};
use mirasa_domain::address::{Pincode, STATES};
use serde::Deserialize;
use url::Url;

/// 5 bytes for each pincode, sorted: the pincode as a big-endian u24, then a big-endian u16 line
/// number of `AREAS`.
static PINCODE_TABLE: &[u8] = include_bytes!("../data/pincodes.bin");
const ENTRY_BYTES: usize = 5;

/// One "District<TAB>State" per line.
static AREAS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    include_str!("../data/pincode-districts.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

#[derive(Debug, Clone, Copy, Default)]
pub struct EmbeddedPincodes;

impl EmbeddedPincodes {
    pub fn look_up(self, pincode: Pincode) -> Option<PincodeArea> {
        let (entries, _) = PINCODE_TABLE.as_chunks::<ENTRY_BYTES>();
        let pin_of =
            |entry: &[u8; ENTRY_BYTES]| u32::from_be_bytes([0, entry[0], entry[1], entry[2]]);
        let at = entries.binary_search_by_key(&pincode.get(), pin_of).ok()?;
        let line = u16::from_be_bytes([entries[at][3], entries[at][4]]);
        let (district, state) = AREAS.get(usize::from(line))?;
        Some(PincodeArea {
            district: (*district).to_owned(),
            state: (*state).to_owned(),
        })
    }
}

#[async_trait]
impl PincodeDirectory for EmbeddedPincodes {
    async fn find(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>> {
        Ok(self.look_up(pincode))
    }
}

/// A customer who fills in an address waits for this response.
const TIMEOUT: Duration = Duration::from_secs(3);
/// After a failure the host is not queried for this time, so that not every customer waits for it.
const COOLDOWN: Duration = Duration::from_secs(30);
/// The largest real responses, for pincodes with dozens of offices, have about 30 kB.
const MAX_RESPONSE_BYTES: usize = 512 * 1024;

/// Queries `{base}/{pincode}`. If the host fails or its response is invalid, the table is used.
pub struct RemotePincodes {
    client: reqwest::Client,
    base: Url,
    table: EmbeddedPincodes,
    tripped_at: Mutex<Option<Instant>>,
}

impl RemotePincodes {
    pub fn new(client: reqwest::Client, base: Url) -> RemotePincodes {
        RemotePincodes {
            client,
            base,
            table: EmbeddedPincodes,
            tripped_at: Mutex::new(None),
        }
    }

    async fn fetch(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>> {
        let url = format!(
            "{}/{}",
            self.base.as_str().trim_end_matches('/'),
            pincode.get()
        );
        let mut response = self
            .client
            .get(url)
            .timeout(TIMEOUT)
            .send()
            .await?
            .error_for_status()?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            anyhow::ensure!(
                body.len() + chunk.len() <= MAX_RESPONSE_BYTES,
                "the response is too large"
            );
            body.extend_from_slice(&chunk);
        }
        let response: LookupResponse =
            serde_json::from_slice(&body).context("the response is invalid")?;
        response.into_area()
    }

    fn is_open(&self) -> bool {
        let tripped_at = *self
            .tripped_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tripped_at.is_some_and(|tripped_at| tripped_at.elapsed() < COOLDOWN)
    }

    fn trip(&self) {
        *self
            .tripped_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

#[async_trait]
impl PincodeDirectory for RemotePincodes {
    async fn find(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>> {
        if self.is_open() {
            return Ok(self.table.look_up(pincode));
        }
        match self.fetch(pincode).await {
            Ok(area) => Ok(area),
            Err(error) => {
                tracing::warn!(
                    pincode = pincode.get(),
                    error = format!("{error:#}"),
                    "the pincode host failed; the table is used"
                );
                self.trip();
                Ok(self.table.look_up(pincode))
            }
        }
    }
}

/// India Post's public API returns a list with one object; others, including this shop, return the
/// object itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum LookupResponse {
    List(Vec<LookupResult>),
    Single(LookupResult),
}

#[derive(Deserialize)]
struct LookupResult {
    #[serde(rename = "Status")]
    status: String,
    #[serde(rename = "PostOffice", default)]
    offices: Option<Vec<Office>>,
}

#[derive(Deserialize)]
struct Office {
    #[serde(rename = "District")]
    district: String,
    #[serde(rename = "State")]
    state: String,
}

impl LookupResponse {
    /// The area with the most offices, as in the table; the first one if two are equal.
    fn into_area(self) -> anyhow::Result<Option<PincodeArea>> {
        let found = match self {
            LookupResponse::Single(found) => found,
            LookupResponse::List(list) => {
                list.into_iter().next().context("the response is empty")?
            }
        };
        let offices = found.offices.unwrap_or_default();
        if found.status != "Success" || offices.is_empty() {
            return Ok(None);
        }
        let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
        for office in &offices {
            *counts.entry((&office.district, &office.state)).or_default() += 1;
        }
        let largest = offices
            .iter()
            .rev()
            .max_by_key(|office| counts.get(&(&*office.district, &*office.state)))
            .context("the response has no office")?;
        let state = official_state(&largest.state)
            .with_context(|| format!("{:?} is no state of India", largest.state))?;
        Ok(Some(PincodeArea {
            district: largest.district.trim().to_owned(),
            state: state.to_owned(),
        }))
    }
}

/// The shop's spelling of a state, so that the address form can select it in its list.
fn official_state(name: &str) -> Option<&'static str> {
    let normalised = name
        .replace('&', " and ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_ascii_lowercase();
    let normalised = normalised.strip_prefix("the ").unwrap_or(&normalised);
    let current = match normalised {
        "andaman and nicobar" => "andaman and nicobar islands",
        "chattisgarh" => "chhattisgarh",
        "dadra and nagar haveli" | "daman and diu" => "dadra and nagar haveli and daman and diu",
        "nct of delhi" | "new delhi" => "delhi",
        "orissa" => "odisha",
        "pondicherry" => "puducherry",
        "uttaranchal" => "uttarakhand",
        other => other,
    };
    STATES
        .into_iter()
        .find(|state| state.eq_ignore_ascii_case(current))
}

#[cfg(test)]
mod tests;
