"""Rules about parcels: the record of the simulated delivery partner against the shop's rows."""

from collections import Counter

ENDS = {"delivered": "delivered", "rto delivered": "returned", "lost": "lost", "cancelled": "cancelled"}


def parcels_are_sent_once(evidence):
    """each order has at most one parcel under way, and partner and shop know the same parcels"""
    rows = {row["reference"]: row for row in evidence.tables["shipments"]}
    created = Counter(line["reference"] for line in evidence.courier if line["event"] == "created")
    for reference, count in created.items():
        if count > 1:
            yield f"the parcel {reference} was created {count} times"
        if reference not in rows and not evidence.is_snapshot:
            yield f"the partner has the parcel {reference}, the shop does not"
    assigned = Counter(line["reference"] for line in evidence.courier if line["event"] == "assigned")
    awbs = {line["reference"]: line["awb"] for line in evidence.courier if line["event"] == "assigned"}
    # Booking waits while the owner has not answered.
    asked = {row["order_id"] for row in evidence.tables["cancellation_requests"] if row["decided_at"] is None}
    # Of other couriers, the owner types in the number.
    for reference, row in ((reference, row) for reference, row in rows.items() if row["partner"] == "integrated"):
        if assigned[reference] > 1:
            yield f"the parcel {reference} was charged {assigned[reference]} times"
        if row["tracking_number"] and row["tracking_number"] != awbs.get(reference):
            yield f"the parcel {reference} has the tracking number {row['tracking_number']}, the partner {awbs.get(reference)}"
        if row["status"] == "preparing" and reference in awbs and not evidence.is_snapshot and row["order_id"] not in asked:
            yield f"the parcel {reference} has a courier at the partner and none in the shop"
    current = Counter(row["order_id"] for row in rows.values() if row["status"] not in ("cancelled", "returned", "lost"))
    for order, count in current.items():
        if count > 1:
            yield f"order {order} has {count} parcels"
    return len(rows)


def acknowledged_parcels_are_present(evidence):
    """each shipment that an admin saw is stored"""
    rows = {row["id"] for row in evidence.tables["shipments"]}
    for line in evidence.client_events("parcel"):
        if line["id"] not in rows:
            yield f"the parcel {line['id']} is lost"
    return len(evidence.client_events("parcel"))


def parcels_end_as_the_partner_says(evidence):
    """a parcel has the end that the partner recorded, every scan of it, and its order was delivered once"""
    if evidence.is_snapshot:
        return 0
    scans = {}
    for line in evidence.courier:
        if line["event"] == "scan":
            scans.setdefault(line["awb"], []).append(line["status"])
    stored = Counter(row["shipment_id"] for row in evidence.tables["shipment_events"])
    for row in evidence.tables["shipments"]:
        reported = scans.get(row["tracking_number"], [])
        end = next((ENDS[name] for name in reported if name in ENDS), None)
        if end and row["status"] != end:
            yield f"the parcel {row['reference']} is {row['status']}, the partner says {end}"
        if row["status"] in ENDS.values() and row["status"] != end and row["status"] != "cancelled" and row["partner"] == "integrated":
            yield f"the parcel {row['reference']} is {row['status']} without a scan"
        if row["status"] in ("delivered", "returned", "lost") and stored[row["id"]] != len(reported):
            yield f"the parcel {row['reference']} has {stored[row['id']]} of {len(reported)} scans"
        if row["status"] == "delivered":
            deliveries = [event for event in evidence.events_of[row["order_id"]]
                          if event["kind"] == "status_set" and event["detail"] == "delivered" and event["actor"] == "system"]
            if len(deliveries) > 1:
                yield f"order {row['order_id']} was delivered {len(deliveries)} times"
    return len(evidence.tables["shipments"])
