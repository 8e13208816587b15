"""Rules about packs: what parcels hold by the delivery partner's record, and what came back into stock."""

import json
from collections import Counter, defaultdict

from soak.changes import Changes, succeeded

# The packaging of a parcel, in mirasa.toml.
TARE_GRAMS = 120
SIZES = {"qty_50g": 50, "qty_100g": 100}
# A step of a parcel is given up after this time. A refund that was made while it ran came too late for it.
STEP_TIMEOUT_S = 50


def items_of_order(evidence, order_id):
    """Packs of an order by the name that the partner gets: product and grams."""
    items = Counter()
    for line in evidence.lines[order_id]:
        for size, grams in SIZES.items():
            items[f"{line['product_id']}-{grams}"] += line[size]
    return +items


def grams_of(items):
    return sum(int(name.rsplit("-", 1)[1]) * count for name, count in items.items())


def stored_items(row):
    """What the shop has stored about a parcel's contents, by the partner's names. None: nothing."""
    if row.get("contents") is None:
        return None
    items = Counter()
    for line in json.loads(row["contents"]):
        for size, count in line["packs"].items():
            items[f"{line['product']}-{size.removeprefix('of_').removesuffix('g')}"] += count
    return +items


class RefundedPacks:
    def __init__(self, evidence, changes):
        self.changes, self.lines = changes, defaultdict(list)
        for line in evidence.tables["refund_lines"]:
            self.lines[line["refund_id"]].append(line)

    def before(self, order, time):
        """Packs of refunds that were made before this time and did not fail."""
        gone = Counter()
        for refund in self.changes.refunds_before(order, time):
            for refunded in self.lines[refund["id"]]:
                for size, grams in SIZES.items():
                    gone[f"{refunded['product_id']}-{grams}"] += refunded[size]
        return gone


def may_send_refunded(changes, order_id):
    return any(change["body"].get("evenIfRefunded") for change in changes.of(order_id))


def parcels_are_booked_as_sent(evidence):
    """a parcel for which a transport was ordered holds no packs whose refund was known when the step began"""
    if evidence.is_snapshot or not evidence.client:
        return 0
    changes = Changes(evidence)
    refunded = RefundedPacks(evidence, changes)
    rows = {row["reference"]: row for row in evidence.tables["shipments"]}
    items = {line["reference"]: Counter(line["items"]) for line in evidence.courier if line["event"] == "created" and "items" in line}
    # Seconds since the start of the run, from the time of day.
    began = next((line["at"] - line["t"] for line in evidence.client if line["at"]), 0)
    assigned = [line for line in evidence.courier if line["event"] == "assigned" and line["reference"] in items]
    for line in assigned:
        row = rows.get(line["reference"])
        order = evidence.orders.get(row["order_id"]) if row else None
        if order is None or may_send_refunded(changes, order["id"]):
            continue
        due = items_of_order(evidence, order["id"]) - refunded.before(order, line["at"] - began - STEP_TIMEOUT_S)
        if too_much := items[line["reference"]] - due:
            yield f"the parcel {line['reference']} was booked with {dict(too_much)}, whose refund was known"
    return len(assigned)


def parcels_hold_what_is_due(evidence):
    """a parcel holds packs of its order that were not refunded or restocked before, weighs what they weigh, and the shop has stored both"""
    changes = Changes(evidence)
    rows = {row["reference"]: row for row in evidence.tables["shipments"]}
    refunded = RefundedPacks(evidence, changes)
    created = [line for line in evidence.courier if line["event"] == "created" and "items" in line]
    for line in created:
        row = rows.get(line["reference"])
        order = evidence.orders.get(row["order_id"]) if row else None
        if order is None:
            continue
        items, ordered = Counter(line["items"]), items_of_order(evidence, order["id"])
        if line["grams"] != grams_of(items) + TARE_GRAMS:
            yield f"the parcel {line['reference']} has {dict(items)} and weighs {line['grams']} g"
        # A backup may be older than the request.
        is_known = not evidence.is_snapshot or row["partner_order_id"] is not None
        stored = stored_items(row)
        if is_known and stored is not None and stored != items:
            yield f"the parcel {line['reference']} holds {dict(stored)} in the shop, {dict(items)} at the partner"
        if is_known and row["weight_grams"] != line["grams"]:
            yield f"the parcel {line['reference']} weighs {row['weight_grams']} g in the shop, {line['grams']} g at the partner"
        requests = changes.possible(order["id"], ["parcel"])
        if may_send_refunded(changes, order["id"]):
            continue
        due = ordered - refunded.before(order, min((change["sent"] for change in requests), default=0))
        if items - due:
            yield f"the parcel {line['reference']} holds {dict(items)}, only {dict(due)} were due"
        has_refunds = bool(evidence.refunds_of[order["paid_by"]]) if order["paid_by"] else False
        if not has_refunds and not any(part["restocked_50g"] + part["restocked_100g"] for part in evidence.lines[order["id"]]) and items != ordered:
            yield f"the parcel {line['reference']} holds {dict(items)}, {dict(ordered)} were ordered"
    return len(created)


def packs_are_sent_once(evidence):
    """by the partner's scans, the parcels of an order that the customer has or gets hold no pack twice"""
    if evidence.is_snapshot:
        return 0
    created = {line["reference"]: line for line in evidence.courier if line["event"] == "created" and "items" in line}
    awbs = {line["awb"]: line["reference"] for line in evidence.courier if line["event"] == "assigned"}
    scans = defaultdict(list)
    for line in evidence.courier:
        if line["event"] == "scan" and line["awb"] in awbs:
            scans[awbs[line["awb"]]].append(line["status"])
    sent = defaultdict(Counter)
    for row in evidence.tables["shipments"]:
        statuses = scans[row["reference"]]
        if "picked up" in statuses and not {"rto delivered", "lost"} & set(statuses) and row["reference"] in created:
            sent[row["order_id"]].update(created[row["reference"]]["items"])
    for order_id, items in sent.items():
        if twice := items - items_of_order(evidence, order_id):
            yield f"order {order_id} was sent {dict(twice)} more than it has"
    return len(sent)


def moved_packs(evidence, reason):
    """Packs of each order that the ledger moved for this reason, by product and size."""
    moved = defaultdict(Counter)
    for row in evidence.tables["stock_ledger"]:
        if row["order_id"] and row["reason"] == reason:
            for size in SIZES:
                moved[row["order_id"]][row["product_id"], size] += abs(row[size.replace("qty", "pouches")])
    return moved


def packs_come_back_once(evidence):
    """no more packs of an order came back into stock than it had taken, and none of an order that had released them"""
    back, again = moved_packs(evidence, "restock"), moved_packs(evidence, "send again")
    for order_id in back.keys() | again.keys():
        order = evidence.orders.get(order_id)
        if order is None or not order["holds_stock"]:
            yield f"packs of order {order_id}, which holds none, came back into stock: {dict(back[order_id])}"
            continue
        for line, size in ((line, size) for line in evidence.lines[order_id] for size in SIZES):
            came, went = back[order_id][line["product_id"], size], again[order_id][line["product_id"], size]
            expected = line[size.replace("qty", "restocked")] - line.get(size.replace("qty", "resent"), 0)
            if came > line[size] + went or came - went != expected:
                yield (f"order {order_id}: {came} of {line[size]} packs of {line['product_id']} came back into stock, {went} were sent again, "
                       f"its line says {expected}")
    return len(back)


def batches_are_taken_once(evidence):
    """what an order took out of batches, also packs that came back, is not more than it has and was sent again"""
    taken, again = defaultdict(Counter), moved_packs(evidence, "send again")
    for packs in evidence.tables["batch_packs"]:
        taken[packs["order_id"]][f"{packs['product_id']}-{packs['pack_grams']}"] += packs["quantity"]
    for order_id, items in taken.items():
        sent_again = Counter({f"{product}-{SIZES[size]}": count for (product, size), count in again[order_id].items()})
        if twice := items - items_of_order(evidence, order_id) - sent_again:
            yield f"order {order_id} took {dict(twice)} out of batches more than it has"
    return len(taken)
