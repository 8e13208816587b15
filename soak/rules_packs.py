"""Rules about packs: what parcels hold by the delivery partner's record, and what came back into stock."""

from collections import Counter, defaultdict

from soak.changes import Changes, succeeded

# The packaging of a parcel, in mirasa.toml.
TARE_GRAMS = 120
SIZES = {"qty_50g": 50, "qty_100g": 100}


def items_of_order(evidence, order_id):
    """Packs of an order by the name that the partner gets: product and grams."""
    items = Counter()
    for line in evidence.lines[order_id]:
        for size, grams in SIZES.items():
            items[f"{line['product_id']}-{grams}"] += line[size]
    return +items


def grams_of(items):
    return sum(int(name.rsplit("-", 1)[1]) * count for name, count in items.items())


def parcels_hold_what_is_due(evidence):
    """a parcel holds packs of its order that were not refunded or restocked before, and weighs what they weigh"""
    changes = Changes(evidence)
    rows = {row["reference"]: row for row in evidence.tables["shipments"]}
    refund_lines = defaultdict(list)
    for line in evidence.tables["refund_lines"]:
        refund_lines[line["refund_id"]].append(line)
    created = [line for line in evidence.courier if line["event"] == "created" and "items" in line]
    for line in created:
        row = rows.get(line["reference"])
        order = evidence.orders.get(row["order_id"]) if row else None
        if order is None:
            continue
        items, ordered = Counter(line["items"]), items_of_order(evidence, order["id"])
        if line["grams"] != grams_of(items) + TARE_GRAMS:
            yield f"the parcel {line['reference']} has {dict(items)} and weighs {line['grams']} g"
        if row["weight_grams"] != line["grams"]:
            yield f"the parcel {line['reference']} weighs {row['weight_grams']} g in the shop, {line['grams']} g at the partner"
        requests = changes.possible(order["id"], ["parcel"])
        if any(change["body"].get("evenIfRefunded") for change in changes.of(order["id"])):
            continue
        gone = Counter()
        for refund in changes.refunds_before(order, min((change["sent"] for change in requests), default=0)):
            for refunded in refund_lines[refund["id"]]:
                for size, grams in SIZES.items():
                    gone[f"{refunded['product_id']}-{grams}"] += refunded[size]
        due = ordered - gone
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
