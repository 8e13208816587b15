"""Checks the data of a finished run for lost, duplicated or inconsistent rows. Shares no code with the server.

    python3 -m soak.checker FOLDER     the run whose record is in FOLDER (SQLite, or --postgres URL)
"""

import argparse
import glob
import os

from soak import (rules, rules_acknowledged, rules_after_sale, rules_batches, rules_discounts, rules_documents, rules_money, rules_old_pages,
                  rules_packs, rules_parcels)
from soak.evidence import Evidence, read_postgres, read_sqlite

RULES = [
    ("stock", rules.stock_is_explained),
    ("ledger", rules.ledger_follows_orders),
    ("orders", rules.orders_add_up),
    ("payments", rules.money_has_an_order),
    ("paid orders", rules.nothing_is_paid_without_money),
    ("ended orders", rules.ended_orders_keep_no_money),
    ("refunds", rules.refunds_are_known),
    ("emails", rules_acknowledged.each_paid_order_has_its_email),
    ("checkouts", rules_acknowledged.checkouts_are_present),
    ("payments shown as paid", rules_acknowledged.orders_shown_as_paid_are_paid),
    ("addresses, messages", rules_acknowledged.addresses_and_messages_are_present),
    ("restockings", rules_acknowledged.restockings_are_present),
    ("visibility", rules_acknowledged.visibility_changes_are_present),
    ("cancellations", rules_after_sale.cancellations_are_complete),
    ("requests to cancel", rules_after_sale.requests_to_cancel_are_answered_once),
    ("refunds by admins", rules_after_sale.refunds_by_admins_are_present),
    ("problems", rules_after_sale.problems_are_present),
    ("batches", rules_batches.batches_add_up),
    ("discounts", rules_discounts.discounts_add_up),
    ("uses of codes", rules_discounts.codes_are_used_within_their_limits),
    ("documents", rules_documents.documents_add_up),
    ("invoices, credit notes", rules_documents.documents_are_present),
    ("series of numbers", rules_documents.series_have_no_gaps),
    ("parcels", rules_parcels.parcels_are_sent_once),
    ("parcels of admins", rules_parcels.acknowledged_parcels_are_present),
    ("ends of parcels", rules_parcels.parcels_end_as_the_partner_says),
    ("old pages", rules_old_pages.old_pages_are_rejected),
    ("statuses of admins", rules_old_pages.statuses_are_kept),
    ("refunded orders", rules_old_pages.refunded_orders_are_not_sent),
    ("packed orders", rules_old_pages.packed_orders_are_not_cancelled_at_once),
    ("keys", rules_old_pages.keys_belong_to_one_request),
    ("deleted accounts", rules_old_pages.erased_customers_get_no_emails),
    ("money kept", rules_money.invoices_are_the_money_kept),
    ("failed refunds", rules_money.failed_refunds_wait_only_while_due),
    ("money of ended orders", rules_money.money_of_ended_orders_is_not_forgotten),
    ("sent orders", rules_money.sent_orders_are_paid_or_told),
    ("packs made good", rules_money.packs_are_made_good_once),
    ("packs replaced", rules_money.replaced_packs_are_not_refunded),
    ("invoices of sent orders", rules_money.sent_orders_have_an_invoice),
    ("packs of failed refunds", rules_money.packs_come_back_with_one_refund),
    ("repeated refunds", rules_money.repetitions_return_what_is_owed),
    ("contents of parcels", rules_packs.parcels_hold_what_is_due),
    ("booked parcels", rules_packs.parcels_are_booked_as_sent),
    ("packs sent", rules_packs.packs_are_sent_once),
    ("packs restocked", rules_packs.packs_come_back_once),
    ("packs of batches", rules_packs.batches_are_taken_once),
    ("order statuses", rules_acknowledged.order_statuses_are_present),
]


def run_rules(evidence):
    """[(name, rule in words, number of things checked, problems)]"""
    results = []
    for name, rule in RULES:
        checked, problems = collect(rule(evidence))
        results.append((name, rule.__doc__.strip(), checked, problems))
    return results


def collect(findings):
    """A rule yields its problems and returns how many things it checked."""
    problems = []
    while True:
        try:
            problems.append(next(findings))
        except StopIteration as end:
            return end.value, problems


def report(evidence, title):
    """Prints the result of each rule. True if there are no problems."""
    print(f"\n{title}")
    is_consistent = True
    for name, description, checked, problems in run_rules(evidence):
        print(f"  {'ok   ' if not problems else 'WRONG'} {checked:6d}  {name}: {description}")
        for text in problems[:8]:
            print(f"         WRONG: {text}")
        if len(problems) > 8:
            print(f"         … and {len(problems) - 8} more")
        is_consistent = is_consistent and not problems
    print("  consistent: nothing lost, duplicated or unexplained" if is_consistent else "  INCONSISTENT", flush=True)
    return is_consistent


def find_database(folder):
    found = glob.glob(os.path.join(folder, "**", "mirasa.db"), recursive=True)
    databases = [file for file in found if "restored" not in file]
    if not databases:
        raise SystemExit(f"there is no mirasa.db below {folder}")
    return databases[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="the folder with the record of a run")
    parser.add_argument("--postgres", metavar="URL", help="the database of the run, if it is not SQLite")
    arguments = parser.parse_args()
    tables = read_postgres(arguments.postgres) if arguments.postgres else read_sqlite(find_database(arguments.folder))
    return 0 if report(Evidence(arguments.folder, tables), f"The checker on {arguments.folder}") else 1


if __name__ == "__main__":
    raise SystemExit(main())
