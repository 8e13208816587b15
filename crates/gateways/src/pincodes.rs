//! Pincodes: from a table inside the program, or from a lookup host with the table behind it.
//!
//! The table is made by `scripts/pincodes.py`, which also says where its names come from.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use async_trait::async_trait;
use mirasa_app::ports::pincodes::{PincodeArea, PincodeDirectory};
use mirasa_domain::address::{Pincode, STATES};
use serde::Deserialize;
use url::Url;

/// 5 bytes a pin, sorted: the pin as a big-endian u24, then a big-endian u16 line number of `PLACES`.
static PINS: &[u8] = include_bytes!("../data/pincodes.bin");
const ENTRY: usize = 5;

/// One "District<TAB>State" a line.
static PLACES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    include_str!("../data/pincode-districts.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

#[derive(Debug, Clone, Copy, Default)]
pub struct TablePincodes;

impl TablePincodes {
    pub fn look_up(self, pincode: Pincode) -> Option<PincodeArea> {
        let (entries, _) = PINS.as_chunks::<ENTRY>();
        let pin_of = |entry: &[u8; ENTRY]| u32::from_be_bytes([0, entry[0], entry[1], entry[2]]);
        let at = entries.binary_search_by_key(&pincode.get(), pin_of).ok()?;
        let line = u16::from_be_bytes([entries[at][3], entries[at][4]]);
        let (district, state) = PLACES.get(usize::from(line))?;
        Some(PincodeArea {
            district: (*district).to_owned(),
            state: (*state).to_owned(),
        })
    }
}

#[async_trait]
impl PincodeDirectory for TablePincodes {
    async fn find(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>> {
        Ok(self.look_up(pincode))
    }
}

/// A buyer who types an address waits for this answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// A host that has just failed is left alone for a while, so that not every buyer waits for it.
const REST: Duration = Duration::from_secs(30);
/// The longest real answers, of pins with dozens of offices, have some 30 kB.
const MOST_ANSWER_BYTES: usize = 512 * 1024;

/// Asks `{base}/{pin}`; while the host fails or answers nonsense, the table answers.
pub struct RemotePincodes {
    client: reqwest::Client,
    base: Url,
    table: TablePincodes,
    resting_since: Mutex<Option<Instant>>,
}

impl RemotePincodes {
    pub fn new(client: reqwest::Client, base: Url) -> RemotePincodes {
        RemotePincodes {
            client,
            base,
            table: TablePincodes,
            resting_since: Mutex::new(None),
        }
    }

    async fn ask(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>> {
        let address = format!(
            "{}/{}",
            self.base.as_str().trim_end_matches('/'),
            pincode.get()
        );
        let mut response = self
            .client
            .get(address)
            .timeout(PATIENCE)
            .send()
            .await?
            .error_for_status()?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            anyhow::ensure!(
                body.len() + chunk.len() <= MOST_ANSWER_BYTES,
                "the answer does not end"
            );
            body.extend_from_slice(&chunk);
        }
        let answer: Answer =
            serde_json::from_slice(&body).context("the answer is not as agreed")?;
        answer.into_place()
    }

    fn is_resting(&self) -> bool {
        let since = *self
            .resting_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() < REST)
    }

    fn rest(&self) {
        *self
            .resting_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

#[async_trait]
impl PincodeDirectory for RemotePincodes {
    async fn find(&self, pincode: Pincode) -> anyhow::Result<Option<PincodeArea>> {
        if self.is_resting() {
            return Ok(self.table.look_up(pincode));
        }
        match self.ask(pincode).await {
            Ok(place) => Ok(place),
            Err(fault) => {
                tracing::warn!(
                    pincode = pincode.get(),
                    fault = format!("{fault:#}"),
                    "the pincode host failed; the table answers"
                );
                self.rest();
                Ok(self.table.look_up(pincode))
            }
        }
    }
}

/// India Post's public lookup answers a list of one; others, this shop too, answer the object itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Listed(Vec<Found>),
    Bare(Found),
}

#[derive(Deserialize)]
struct Found {
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

impl Answer {
    /// The place with the most offices, as in the table; the first of them where two are equal.
    fn into_place(self) -> anyhow::Result<Option<PincodeArea>> {
        let found = match self {
            Answer::Bare(found) => found,
            Answer::Listed(list) => list.into_iter().next().context("the answer is empty")?,
        };
        let offices = found.offices.unwrap_or_default();
        if found.status != "Success" || offices.is_empty() {
            return Ok(None);
        }
        let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
        for office in &offices {
            *counts.entry((&office.district, &office.state)).or_default() += 1;
        }
        let commonest = offices
            .iter()
            .rev()
            .max_by_key(|office| counts.get(&(&*office.district, &*office.state)))
            .context("the answer has no office")?;
        let state = official_state(&commonest.state)
            .with_context(|| format!("{:?} is no state of India", commonest.state))?;
        Ok(Some(PincodeArea {
            district: commonest.district.trim().to_owned(),
            state: state.to_owned(),
        }))
    }
}

/// The shop's own spelling of a state, so that the address form can choose it from its list.
fn official_state(spelled: &str) -> Option<&'static str> {
    let plain = spelled
        .replace('&', " and ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_ascii_lowercase();
    let plain = plain.strip_prefix("the ").unwrap_or(&plain);
    let current = match plain {
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
