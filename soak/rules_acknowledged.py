"""Rules about emails and about changes that the server acknowledged with a successful response: they must be in the
database."""

from collections import Counter, defaultdict


def each_paid_order_has_its_email(evidence):
    """one confirmation email for each completed order and each time it is set to confirmed again; delivered if marked as sent"""
    arrived = defaultdict(list)
    for email in evidence.received_emails:
        arrived[(email["id"] or "").strip("<>").split("@")[0]].append(email)
    for order in evidence.orders.values():
        if order["id"] in evidence.erased_orders:
            continue
        emails = [row for row in evidence.emails_of[order["id"]] if row["kind"] == "confirmed"]
        # A replacement is announced by the email about the problem.
        is_paid = order["payment_status"] == "completed"
        expected = 1 if is_paid and not order["replaces_order_id"] else 0
        # By admins. It is paid for: an unpaid order is never confirmed by email.
        again = sum(event["kind"] == "status_set" and event["detail"] == "confirmed" for event in evidence.events_of[order["id"]])
        if not expected <= len(emails) <= expected + (again if is_paid else 0):
            yield f"order {order['id']} is {order['payment_status']} and has {len(emails)} confirmations"
        for row in emails:
            if row["recipient"] != evidence.users[order["user_id"]]["email"]:
                yield f"the confirmation of order {order['id']} has another recipient"
    for row in evidence.tables["mails"]:
        if row["sent_at"] is not None and not arrived[row["id"]]:
            yield f"email {row['id']} is marked as sent but never arrived"
        if any(email["to"] != [row["recipient"]] for email in arrived[row["id"]]):
            yield f"email {row['id']} was delivered to another recipient"
    rows = {row["id"] for row in evidence.tables["mails"]}
    # Emails to deleted accounts are deleted, and so are notifications of the owner, which name customers.
    customers = {user["email"] for user in evidence.tables["users"] if user["role"] == "customer"}
    for email_id, emails in arrived.items():
        is_erased = evidence.leaving and not customers & {recipient for email in emails for recipient in email["to"]}
        if email_id not in rows and not evidence.is_snapshot and not is_erased:
            yield f"email {email_id!r} arrived but is not in the database"
    return len(evidence.tables["mails"])


def checkouts_are_present(evidence):
    """each acknowledged checkout is an order of that customer with that total, one for each key"""
    keys = {(row["user_id"], row["key"]): row["order_id"] for row in evidence.tables["idempotency_keys"]}
    user_ids = {user["email"]: user["id"] for user in evidence.tables["users"]}
    checkouts = evidence.client_events("checkout")
    for line in checkouts:
        attempt = evidence.attempts.get(line["number"])
        order = evidence.orders.get(attempt["order_id"]) if attempt else None
        if order is not None and line["email"] in evidence.leaving:
            continue
        if order is None:
            yield f"the checkout {line['number']} of {line['email']} was acknowledged at {line['t']} s and is lost"
            continue
        if evidence.users[order["user_id"]]["email"] != line["email"]:
            yield f"the checkout {line['number']} of {line['email']} is another customer's order"
        if line["total"] is not None and line["total"] != order["total"]:
            yield f"the checkout {line['number']} showed {line['total']} but charged {order['total']}"
        stored = keys.get((user_ids[line["email"]], line["key"]))
        if stored is not None and stored != order["id"]:
            yield f"the key {line['key']} belongs to two orders"
    numbers = defaultdict(set)
    for line in checkouts:
        if line["key"] and line["number"] in evidence.attempts:
            numbers[line["key"]].add(evidence.attempts[line["number"]]["order_id"])
    for key, orders in numbers.items():
        if len(orders) > 1:
            yield f"the key {key} returned {len(orders)} orders"
    return len(checkouts)


def orders_shown_as_paid_are_paid(evidence):
    """each order that a customer saw as paid is completed"""
    for line in evidence.client_events("seen paid"):
        attempt = evidence.attempts.get(line["number"])
        order = evidence.orders.get(attempt["order_id"]) if attempt else None
        if order is None or order["payment_status"] != "completed":
            yield f"{line['number']} was shown as paid at {line['t']} s and is {order and order['payment_status']}"
    return len(evidence.client_events("seen paid"))


def addresses_and_messages_are_present(evidence):
    """acknowledged addresses and messages are stored, messages once"""
    addresses = {row["id"] for row in evidence.tables["addresses"]}
    messages = Counter(row["message"] for row in evidence.tables["contact_queries"])
    for line in evidence.client_events("address"):
        if line["id"] not in addresses and line["email"] not in evidence.leaving:
            yield f"the address {line['id']} of {line['email']} is lost"
    for line in evidence.client_events("message"):
        if messages[line["text"]] != 1 and line["text"].split()[0] not in evidence.leaving:
            yield f"the message {line['text']!r} is stored {messages[line['text']]} times"
    return len(evidence.client_events("address")) + len(evidence.client_events("message"))


def restockings_are_present(evidence):
    """each acknowledged restocking is in the ledger once; one without a response at most once"""
    found = Counter((row["product_id"], row["grams"], row["pouches_50g"], row["pouches_100g"])
                    for row in evidence.tables["stock_ledger"] if not row["order_id"])
    acknowledged = {(line["product"], line["grams"], line["p50"], line["p100"]) for line in evidence.client_events("restock")}
    requested = {(line["product"], line["grams"], line["p50"], line["p100"]) for line in evidence.client_events("restock requested")}
    opening = {(product, *values["stock"]) for product, values in evidence.opening.items()}
    for change in acknowledged:
        if found[change] != 1:
            yield f"the restocking {change} was acknowledged and is in the ledger {found[change]} times"
    for change, count in found.items():
        if count > 1 or (change not in requested and change not in opening):
            yield f"the ledger has {change} {count} times; no request explains it"
    return len(requested)


def visibility_changes_are_present(evidence):
    """a product was hidden or shown as often as requested, and its visibility matches"""
    done = Counter(entry["about"] for entry in evidence.tables["audit"] if entry["action"] in ("product shown", "product hidden"))
    acknowledged = Counter(line["product"] for line in evidence.client_events("toggle"))
    requested = Counter(line["product"] for line in evidence.client_events("toggle requested"))
    for product in evidence.tables["products"]:
        name = product["id"]
        if not acknowledged[name] <= done[name] <= requested[name]:
            yield f"{name} was hidden or shown {done[name]} times; requested {requested[name]}, acknowledged {acknowledged[name]} times"
        if bool(product["is_visible"]) != (done[name] % 2 == 0):
            yield f"{name} is {'shown' if product['is_visible'] else 'hidden'} after {done[name]} changes"
    return sum(requested.values())


def order_statuses_are_present(evidence):
    """each acknowledged status change has an audit entry, or was a parcel's, and an email; a deleted order is marked as deleted"""
    # Without packing, which does not change the status.
    entries = [entry for entry in evidence.tables["audit"] if entry["action"] == "order status" and entry["detail"] != "packed"]
    audit = Counter((entry["about"], entry["detail"].rsplit(" to ", 1)[-1]) for entry in entries)
    acknowledged = evidence.client_events("status")
    # A parcel may have set the status while the admin's request was on its way. That request then changes nothing.
    by_parcels = {(event["order_id"], event["detail"]) for event in evidence.tables["order_events"]
                  if event["kind"] == "status_set" and event["actor"] == "system"}
    for line in acknowledged:
        order = evidence.orders.get(line["order"])
        if order is None:
            yield f"order {line['order']} was {line['to']} and is missing"
        elif not audit[(line["order"], line["to"])] and (line["order"], line["to"]) not in by_parcels:
            yield f"order {line['order']} was set to {line['to']} without an audit entry"
    emails = Counter((row["order_id"], row["kind"]) for row in evidence.tables["mails"] if row["kind"] in ("shipped", "delivered"))
    # By admins and by parcels.
    changes = Counter((event["order_id"], event["detail"]) for event in evidence.tables["order_events"]
                      if event["kind"] == "status_set" and event["detail"] in ("shipped", "delivered"))
    paid = {event["order_id"]: event["order_version"] for event in evidence.tables["order_events"] if event["kind"] == "paid"}
    while_paid = Counter((event["order_id"], event["detail"]) for event in evidence.tables["order_events"]
                         if event["kind"] == "status_set" and event["order_version"] > paid.get(event["order_id"], 0))
    for key in changes.keys() | emails.keys():
        order = evidence.orders[key[0]]
        # Customers are not told of what is not so: of orders that are not paid, or of which nothing is sent.
        is_usual = order["payment_status"] == "completed" and not (order["paid_by"] and evidence.refunds_of[order["paid_by"]])
        is_usual = is_usual and not any(line["restocked_50g"] + line["restocked_100g"] for line in evidence.lines[key[0]])
        is_wrong = emails[key] > changes[key] or (is_usual and emails[key] < while_paid[key])
        if is_wrong and key[0] not in evidence.erased_orders:
            yield f"order {key[0]} was {key[1]} {changes[key]} times, with {emails[key]} emails"
    for line in evidence.client_events("delete"):
        is_restored = any(event["kind"] == "restored" for event in evidence.events_of[line["order"]])
        if line["order"] not in evidence.orders or (evidence.orders[line["order"]]["deleted_at"] is None and not is_restored):
            yield f"order {line['order']} was deleted but is not marked as deleted"
    return len(acknowledged) + len(evidence.client_events("delete"))
