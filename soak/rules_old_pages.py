"""Rules about admins and customers who act on old pages: what must be rejected, and what nobody may be sent."""

from soak.changes import Changes, succeeded

SENT = ("shipped", "delivered")


def old_pages_are_rejected(evidence):
    """a status that was set with the version and status of an old page was rejected, if the order had changed since"""
    changes, checked = Changes(evidence), 0
    for order_id, of_order in changes.of_order.items():
        for change in of_order:
            if change["what"] != "status" or not succeeded(change) or "seenStatus" not in change["body"]:
                continue
            checked += 1
            others = [other for other in of_order if other is not change]
            version = change["body"].get("version")
            newer = [other["version"] for other in others if succeeded(other) and other["version"] is not None and other["t"] < change["sent"]]
            if version is not None and max(newer, default=version) > version:
                yield f"order {order_id} was changed on a page with version {version}, after version {max(newer)} had been shown"
            elif differs_surely(change, others):
                yield (f"order {order_id} was set to {change['body']['orderStatus']} on a page that showed {change['body']['seenStatus']}, "
                       "after somebody else had set another status")
    return checked


def differs_surely(change, others):
    """Whether the last of the others gave a paid order another status than the page showed, and nothing can have set it back."""
    if any(other["status"] is None for other in others) or not change.get("seen_paid"):
        return False
    between = [other for other in others if succeeded(other) and other["is_now"] and other["sent"] > change["seen"] and other["t"] < change["sent"]]
    if not between:
        return False
    last = max(between, key=lambda other: other["t"])
    if any(other is not last and succeeded(other) and other["t"] >= last["sent"] for other in others):
        return False
    seen, is_now = change["body"]["seenStatus"], last["is_now"]
    # Parcels move orders forward.
    can_only_go_on = is_now == "cancelled" or (is_now in SENT and seen not in SENT)
    return is_now != seen and can_only_go_on and change["body"]["orderStatus"] != is_now


def statuses_are_kept(evidence):
    """each acknowledged status has an audit entry, or was a parcel's; the last one is the order's, unless a parcel or a payment changed it"""
    changes, checked = Changes(evidence), 0
    audit = {(entry["about"], entry["detail"].rsplit(" to ", 1)[-1]) for entry in evidence.tables["audit"] if entry["action"] == "order status"}
    by_system = {(event["order_id"], event["detail"]) for event in evidence.tables["order_events"]
                 if event["kind"] == "status_set" and event["actor"] == "system"}
    for order_id, of_order in changes.of_order.items():
        order = evidence.orders.get(order_id)
        set_by_admins = [change for change in of_order if change["what"] == "status" and succeeded(change)]
        checked += len(set_by_admins)
        for change in set_by_admins:
            # An order gets the other statuses by its payment too.
            key = (order_id, change["body"]["orderStatus"])
            if key[1] in (*SENT, "N/A") and key not in audit and key not in by_system:
                yield f"order {order_id} was set to {key[1]} at {change['t']} s without an audit entry"
        last = max(of_order, key=lambda change: change["sent"])
        is_last = all(other["status"] is not None and other["t"] < last["sent"] for other in of_order if other is not last)
        if order is None or last not in set_by_admins or not is_last or evidence.is_snapshot:
            continue
        is_moved = (order_id, order["order_status"]) in by_system or order["payment_status"] != "completed" or not last.get("seen_paid")
        if order["order_status"] != last["is_now"] and not is_moved:
            yield f"order {order_id} was set to {last['is_now']} at {last['t']} s and is {order['order_status']}"
    return checked


def refunded_orders_are_not_sent(evidence):
    """an order whose money was returned was not packed or given to a courier afterwards, unless an admin confirmed it"""
    changes, checked = Changes(evidence), 0
    parcels = {}
    for row in evidence.tables["shipments"]:
        parcels.setdefault(row["order_id"], []).append(row)
    for order_id, order in evidence.orders.items():
        packing, sending = changes.possible(order_id, ["pack"]), changes.possible(order_id, ["parcel", "tracking"])
        checked += bool(packing or sending)
        is_late = lambda change: changes.is_refunded_before(order, change["sent"])
        is_confirmed = any(change["body"].get("evenIfRefunded") for change in changes.of(order_id))
        if is_confirmed:
            continue
        if order["packed_at"] and packing and all(map(is_late, packing)):
            yield f"order {order_id} was packed at {packing[0]['sent']} s, after it had been refunded"
        # Each request makes one parcel at most. The shop books another one instead of one whose packs have changed.
        in_time, of_order = [change for change in sending if not is_late(change)], parcels.get(order_id, [])
        again = sum(event["kind"] == "parcel" and event["actor"] == "system" for event in evidence.events_of[order_id])
        if again > sum(row["status"] == "cancelled" for row in of_order):
            yield f"order {order_id} has {again} parcels that were booked again, but not as many cancelled ones"
        if len(of_order) > len(in_time) + again:
            yield f"order {order_id} has {len(parcels[order_id])} parcels, but {len(in_time)} requests from before it was refunded"
    return checked


def packed_orders_are_not_cancelled_at_once(evidence):
    """a customer who cancels an order that is packed asks for it; the owner decides"""
    changes, checked = Changes(evidence), 0
    for order_id, of_order in changes.of_order.items():
        for cancel in (change for change in of_order if change["what"] == "cancel" and succeeded(change)):
            checked += 1
            before = [change for change in of_order if change is not cancel and change["sent"] < cancel["t"]]
            packed = [change for change in before if change["what"] == "pack" and succeeded(change) and change["t"] < cancel["sent"]]
            by_others = [change for change in before if change["what"] in ("cancel", "status", "answer", "delete", "restore")]
            if packed and not by_others and cancel["is_now"] == "cancelled":
                yield f"order {order_id} was packed at {packed[0]['t']} s and cancelled by its customer at {cancel['t']} s"
    return checked


def keys_belong_to_one_request(evidence):
    """an Idempotency-Key that is sent again with another body is rejected with 422"""
    used = evidence.client_events("key used again")
    for line in used:
        # 404: the order was deleted meanwhile.
        if line["status"] not in (422, 401, 404, 502, 503):
            yield f"a key of a {line['what']} was sent with another body at {line['t']} s: {line['status']} {line['code'] or ''}"
    return len(used)


def erased_customers_get_no_emails(evidence):
    """nobody who deleted the account gets an email later, and none waits for them"""
    # An email may have been on its way to the SMTP server.
    GRACE_S = 20
    left = {line["email"]: line["at"] for line in evidence.client_events("left")}
    for email in evidence.received_emails:
        for recipient in email["to"]:
            if recipient in left and email["at"] > left[recipient] + GRACE_S:
                yield f"{recipient} got an email {email['at'] - left[recipient]:.0f} s after the account was deleted"
    for row in evidence.tables["mails"]:
        if row["recipient"] in left and row["sent_at"] is None:
            yield f"an email '{row['kind']}' to {row['recipient']} waits, but the account is deleted"
    return len(left)
