//! The partner's parcels. Every change is appended to the log, and the log alone restores the state.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;

use serde::{Deserialize, Serialize};

use crate::append_log::AppendLog;

/// Numbers of shipment statuses, as in tracking and in `shipment_status_id` of webhooks.
pub(super) mod shipment_status {
    pub(crate) const AWB_ASSIGNED: i64 = 1;
    pub(crate) const PICKUP_SCHEDULED: i64 = 3;
    pub(crate) const CANCELLED: i64 = 8;
}

/// A step in the life of a parcel that the page offers.
pub(super) struct Move {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) shipment_status: i64,
    /// The same in the numbers of orders.
    pub(super) order_status: i64,
    pub(super) activity: &'static str,
    pub(super) place: Place,
}

#[derive(Clone, Copy)]
pub(super) enum Place {
    Origin,
    Hub,
    Destination,
}

const fn step(
    name: &'static str,
    label: &'static str,
    shipment_status: i64,
    order_status: i64,
    activity: &'static str,
    place: Place,
) -> Move {
    Move {
        name,
        label,
        shipment_status,
        order_status,
        activity,
        place,
    }
}

pub(super) const MOVES: [Move; 9] = [
    step(
        "picked_up",
        "Picked up",
        42,
        51,
        "Shipment picked up",
        Place::Origin,
    ),
    step(
        "in_transit",
        "In transit",
        18,
        20,
        "Bag received at hub",
        Place::Hub,
    ),
    step(
        "out_for_delivery",
        "Out for delivery",
        17,
        19,
        "Out for delivery",
        Place::Destination,
    ),
    step(
        "delivered",
        "Delivered",
        7,
        7,
        "Delivered to consignee",
        Place::Destination,
    ),
    step(
        "undelivered",
        "Undelivered",
        21,
        36,
        "Consignee not available",
        Place::Destination,
    ),
    step(
        "returning",
        "Return to origin",
        9,
        15,
        "RTO initiated",
        Place::Destination,
    ),
    step(
        "return_in_transit",
        "Return in transit",
        46,
        55,
        "RTO bag received at hub",
        Place::Hub,
    ),
    step(
        "returned",
        "Returned to origin",
        10,
        16,
        "RTO delivered to shipper",
        Place::Origin,
    ),
    step("lost", "Lost", 12, 33, "Shipment lost", Place::Hub),
];

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Scan {
    pub(super) at: i64,
    pub(super) status: i64,
    pub(super) order_status: i64,
    pub(super) label: String,
    pub(super) activity: String,
    pub(super) location: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Parcel {
    pub(super) order_id: i64,
    pub(super) shipment_id: i64,
    /// The shop's order number.
    pub(super) reference: String,
    pub(super) name: String,
    pub(super) address: String,
    pub(super) city: String,
    pub(super) state: String,
    pub(super) pincode: String,
    pub(super) phone: String,
    pub(super) contents: String,
    pub(super) weight: f64,
    /// The declared value, in rupees.
    #[serde(default)]
    pub(super) value: f64,
    pub(super) created_at: i64,
    pub(super) awb: Option<String>,
    pub(super) courier_id: Option<i64>,
    pub(super) courier: Option<String>,
    /// What the wallet was charged, in rupees.
    pub(super) charged: Option<f64>,
    pub(super) etd: Option<i64>,
    pub(super) pickup_at: Option<i64>,
    pub(super) manifested: bool,
    pub(super) cancelled: bool,
    /// Oldest first.
    pub(super) scans: Vec<Scan>,
}

impl Parcel {
    /// In the numbers of orders.
    pub(super) fn order_status(&self) -> (i64, &str) {
        if self.cancelled {
            return (5, "CANCELED");
        }
        match self.scans.last() {
            Some(scan) => (scan.order_status, &scan.label),
            None => (1, "NEW"),
        }
    }

    pub(super) fn has_left(&self) -> bool {
        !self.cancelled && self.scans.iter().any(|scan| scan.status > 5)
    }

    pub(super) fn add_scan(&mut self, now_ms: i64, scan: Scan) {
        // Times in the protocol have seconds, so two scans never have the same one.
        let after_last = self.scans.last().map_or(i64::MIN, |last| last.at + 1_000);
        let at = now_ms.max(after_last);
        self.scans.push(Scan { at, ..scan });
    }

    pub(super) fn place(&self, place: Place) -> String {
        match place {
            Place::Origin => "Pune Bhosari (Maharashtra)".to_owned(),
            Place::Hub => "Nagpur Hub (Maharashtra)".to_owned(),
            Place::Destination => format!("{} ({})", self.city, self.state),
        }
    }
}

pub(super) struct CourierState {
    log: AppendLog,
    parcels: BTreeMap<i64, Parcel>,
    by_reference: HashMap<String, i64>,
    by_awb: HashMap<String, i64>,
}

const FIRST_ORDER: i64 = 237_157_590;
const FIRST_SHIPMENT: i64 = 236_612_718;

impl CourierState {
    pub(super) fn open(file: File) -> std::io::Result<CourierState> {
        let mut parcels = BTreeMap::new();
        let log = AppendLog::open(file, |parcel: Parcel, _| {
            parcels.insert(parcel.order_id, parcel);
        })?;
        let mut state = CourierState {
            log,
            parcels: BTreeMap::new(),
            by_reference: HashMap::new(),
            by_awb: HashMap::new(),
        };
        for parcel in parcels.into_values() {
            state.index(&parcel);
            state.parcels.insert(parcel.order_id, parcel);
        }
        Ok(state)
    }

    fn index(&mut self, parcel: &Parcel) {
        self.by_reference
            .insert(parcel.reference.clone(), parcel.order_id);
        if let Some(awb) = &parcel.awb {
            self.by_awb.insert(awb.clone(), parcel.order_id);
        }
    }

    /// Writes all changes to disk. False if no response may be sent.
    pub(super) fn save(&mut self) -> bool {
        self.log.save()
    }

    pub(super) fn store(&mut self, parcel: Parcel) {
        self.log.append(&parcel);
        self.index(&parcel);
        self.parcels.insert(parcel.order_id, parcel);
    }

    /// The numbers of the next parcel at the partner: of the order and of the shipment.
    pub(super) fn next_numbers(&self) -> (i64, i64) {
        let count = i64::try_from(self.parcels.len()).unwrap_or(0);
        (FIRST_ORDER + count, FIRST_SHIPMENT + count)
    }

    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = &Parcel> {
        self.parcels.values()
    }

    pub(super) fn by_order(&self, order_id: i64) -> Option<&Parcel> {
        self.parcels.get(&order_id)
    }

    pub(super) fn by_reference(&self, reference: &str) -> Option<&Parcel> {
        self.by_order(*self.by_reference.get(reference)?)
    }

    pub(super) fn by_shipment(&self, shipment_id: i64) -> Option<&Parcel> {
        let parcel = self.by_order(shipment_id - FIRST_SHIPMENT + FIRST_ORDER);
        parcel.filter(|parcel| parcel.shipment_id == shipment_id)
    }

    pub(super) fn by_awb(&self, awb: &str) -> Option<&Parcel> {
        self.by_order(*self.by_awb.get(awb)?)
    }
}
