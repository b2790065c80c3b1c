"""Which test stands for which rule of the control plane.

Each rule names the tests that fail when it is removed; ``python -m tests.governance.mutants``
removes them one by one, in a copy, and looks.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest

A, C, L, R = "test_admission", "test_candidates", "test_lifecycle", "test_receipt_attacks"
D, F, U, S = "test_discovery_and_grants", "test_feedback", "test_audit", "test_sources"
H, K, N = "test_content_hash", "test_clamp", "test_snapshots"
WHERE = {
    "sources": "tests.control.test_control_sources",
    "ownership": "tests.control.test_ownership",
    "active": "tests.control.test_active_only",
    "cli": "tests.control.test_control_cli",
    "tour": "tests.whole.test_readme_tour",
    "snapshots": "tests.control.test_control_snapshots",
    "races": "tests.governance.test_races",
    "database": "tests.store.test_database",
    "dsse": "tests.trust.test_dsse",
    "keys": "tests.trust.test_keys",
    "json": "tests.trust.test_strict_json",
}

RULES: dict[str, tuple[str, ...]] = {
    # Sources
    "Sources project in closed modes that cannot be relabelled": (
        f"{C}.test_a_skill_keeps_the_mode_it_came_in_by",
        f"{S}.test_a_playbook_export_that_does_not_fit_is_refused",
    ),
    "A playbook's id skill.<family>.v<n> agrees with n": (
        f"{S}.test_a_playbook_export_that_does_not_fit_is_refused",
    ),
    "A playbook carries the global prompt hash and evaluation case ids": (
        f"{S}.test_the_seven_families_become_built_in_skills",
        f"{H}.test_mode_prompt_and_cases_are_bound",
    ),
    "A recipe's mutable id and update revision are provenance only": (
        f"{S}.test_a_recipes_own_id_and_revision_are_provenance_only",
    ),
    "A recipe has an explicit semantic version": (
        f"{S}.test_a_recipe_export_that_does_not_fit_is_refused",
    ),
    "A recipe is scoped to a user or a tenant": (
        f"{S}.test_a_recipe_belongs_to_its_user_or_tenant",
        f"{S}.test_recipes_of_one_name_of_two_users_are_two_skills",
    ),
    "Labels: Built-in, Organization skill, My skill": (f"{C}.test_labels_follow_from_the_mode",),
    # Candidates
    "The content hash binds every bound field and nothing else": (
        f"{H}.test_a_change_of_any_bound_field_changes_the_hash",
        f"{H}.test_the_fields_that_the_property_changes_are_all_there_are",
        f"{H}.test_what_is_not_bound_changes_no_pin",
    ),
    "The same id and version with other content is refused": (
        f"{C}.test_the_same_id_and_version_with_other_content_is_refused",
        f"{C}.test_other_bound_fields_are_other_content",
    ),
    "An update never overwrites: it is a new candidate": (
        f"{C}.test_an_update_is_a_new_candidate_and_leaves_the_active_version",
        "sources.test_an_update_passes_the_same_gate",
    ),
    "A tree that was refused is no candidate": (
        "sources.test_a_skill_whose_files_were_refused_is_listed_ready_and_never_a_candidate",
        f"{S}.test_a_skill_that_cannot_be_pinned_is_refused",
    ),
    "Admitted bytes are those that were digested, whatever the disk does since": (
        f"{C}.test_bytes_other_than_those_that_were_digested_are_refused",
        "sources.test_a_symlink_swapped_between_scan_and_activation_changes_nothing",
    ),
    # Admission
    "Admission needs a source revision on the trusted list": (
        f"{A}.test_what_is_missing_refuses",
        "sources.test_a_dirty_work_tree_needs_its_own_trust",
    ),
    "Admission needs a security receipt: authenticated, trusted scanner version, young, clean": (
        f"{A}.test_what_is_missing_refuses",
        f"{A}.test_the_policy_says_what_blocks",
        f"{A}.test_a_waived_finding_lets_in_until_the_waiver_ends",
    ),
    "Admission needs a governance receipt: authenticated, trusted reviewer, young, approving": (
        f"{A}.test_what_is_missing_refuses",
    ),
    "All bound to the same content hash": (
        f"{R}.test_a_receipt_replayed_for_another_version_proves_nothing_there",
        f"{R}.test_the_subject_of_another_skill_proves_nothing",
        f"{R}.test_a_receipt_moved_in_the_store_to_another_version_is_refused",
    ),
    "Admission needs only registered tools": (f"{A}.test_what_is_missing_refuses",),
    "Anything missing, stale, unknown or malformed refuses": (
        f"{A}.test_what_is_missing_refuses",
        f"{R}.test_the_receipt_is_refused",
        f"{R}.test_a_security_receipt_of_another_shape_is_refused",
    ),
    "A refused candidate stays as quarantined, with its reasons": (
        f"{A}.test_what_is_missing_refuses",
        f"{A}.test_a_refused_candidate_may_be_tried_again",
    ),
    "Leaving a receipt out never turns a no into a yes": (
        f"{A}.test_what_is_missing_refuses",
        f"{R}.test_a_rejection_cannot_be_taken_away",
    ),
    "What a curator quarantined is not admitted, under any name": (
        f"{A}.test_what_a_curator_quarantined_is_not_admitted",
        "sources.test_quarantine_of_a_skill_also_keeps_out_its_copies_and_its_new_name",
    ),
    # Receipts
    "Receipts are in-toto Statement v1 in DSSE envelopes, Ed25519": (
        "dsse.test_the_encoding_is_that_of_the_protocol",
        "dsse.test_a_key_of_the_standard_is_read_and_named",
        f"{R}.test_the_receipt_is_refused",
    ),
    "Key id is the SHA-256 of the SPKI, recomputed": (
        "keys.test_the_id_is_computed_from_what_the_key_is",
        f"{R}.test_alias_key_ids_do_not_meet_a_threshold",
    ),
    "Thresholds count distinct public keys": (
        f"{R}.test_alias_key_ids_do_not_meet_a_threshold",
        f"{R}.test_one_reviewer_who_approves_twice_is_one",
        f"{A}.test_two_reviewers_are_two_keys",
        f"{A}.test_one_receipt_signed_by_two_reviewers_counts_for_both",
    ),
    "A receipt is known by kind:id:SHA-256 of the whole normalised receipt": (
        f"{R}.test_a_receipt_is_known_by_kind_id_and_all_that_it_says",
    ),
    "The same id with other fields fails": (
        f"{R}.test_a_known_id_with_other_fields_is_refused",
        f"{R}.test_a_known_id_on_another_version_is_refused",
    ),
    "Parsed only after the signature holds; duplicate JSON keys refused": (
        f"{R}.test_the_receipt_is_refused",
        f"{R}.test_a_payload_is_not_read_before_its_signature_holds",
        "json.test_what_could_be_read_in_two_ways_is_refused",
    ),
    "One reference time an operation": (
        f"{R}.test_a_receipt_within_the_clock_skew_counts_and_beyond_it_does_not",
        f"{A}.test_a_waived_finding_lets_in_until_the_waiver_ends",
    ),
    "get_..._result explains for display, verify_... raises for enforcement": (
        f"{A}.test_the_result_for_display_says_what_the_enforcement_does",
        f"{D}.test_the_result_for_display_uses_nothing",
    ),
    # Lifecycle
    "Activating retires the previous pin without deleting it": (
        f"{L}.test_activating_retires_the_version_before_and_keeps_it",
    ),
    "Rollback targets only a previously active, now retired pin": (
        f"{L}.test_a_rollback_goes_only_to_what_was_active_and_is_retired",
    ),
    "Rollback needs fresh security and rollback-governance receipts": (
        f"{L}.test_a_rollback_needs_fresh_receipts_and_standing_trust",
    ),
    "Rollback needs a source still trusted and tools still registered": (
        f"{L}.test_a_rollback_needs_fresh_receipts_and_standing_trust",
    ),
    "A rollback serves exactly what was reviewed": (
        "sources.test_a_rollback_serves_exactly_what_was_reviewed",
    ),
    "Quarantine of an active version removes its pointer at once": (
        f"{L}.test_quarantine_takes_the_pointer_at_once",
    ),
    "Quarantine is terminal for that version": (
        f"{L}.test_quarantine_is_for_good",
        f"{L}.test_the_files_of_an_ended_version_come_back_under_no_name",
        "sources.test_an_ended_version_keeps_its_bytes_out_of_routing_and_cannot_be_released",
    ),
    # Discovery and grants
    "Discovery returns metadata and the exact pin to the exact scope": (
        f"{D}.test_discovery_gives_metadata_and_the_exact_pin",
        f"{D}.test_only_the_exact_scope_sees_it",
        f"{D}.test_a_user_of_the_same_name_in_another_tenant_is_another_user",
    ),
    "Discovery never returns instructions": (f"{D}.test_discovery_never_gives_instructions",),
    "Instructions need a grant that matches in everything": (
        f"{D}.test_any_mismatch_refuses_and_is_retained",
        f"{D}.test_a_pin_that_differs_in_anything_is_no_version",
    ),
    "A grant is authenticated, in time, not revoked, and checked again at use": (
        f"{D}.test_any_mismatch_refuses_and_is_retained",
        f"{D}.test_a_grant_is_checked_again_at_each_use",
        f"{D}.test_a_grant_by_anyone_but_a_grantor_is_not_taken_in",
    ),
    "Effective tools are the ordered intersection of four sets": (
        f"{K}.test_it_is_the_intersection_in_the_declared_order",
        f"{D}.test_effective_tools_are_the_ordered_intersection_of_all_four",
    ),
    "Absent or empty widens nothing": (
        f"{K}.test_what_is_absent_or_empty_widens_nothing",
        f"{D}.test_a_skill_that_declares_no_tools_gets_none",
    ),
    "A mismatch is a visible refusal, never a fallback to another version": (
        f"{D}.test_no_other_version_is_given_in_place_of_an_active_one",
        f"{D}.test_an_exact_version_that_is_not_active_is_refused_not_replaced",
    ),
    "Retrieval never means latest": (
        f"{D}.test_a_higher_version_that_is_not_active_is_never_meant",
    ),
    "Only-active routing uses exact pins and rechecks digests at use": (
        "active.test_a_skill_that_differs_from_its_pin_by_a_byte_is_left_out_and_named",
        "active.test_a_decision_made_while_the_task_was_routed_refuses",
        "active.test_kept_bytes_that_were_changed_refuse",
        "active.test_the_policy_of_the_workspace_makes_every_route_keep_to_active_pins",
    ),
    # Use
    "Authorisations and feedback keep no instructions, prompt, reply or payload": (
        f"{D}.test_what_is_retained_holds_no_text",
        f"{F}.test_feedback_has_no_room_for_text",
    ),
    "Feedback matches a retained, successful authorisation": (
        f"{F}.test_feedback_that_does_not_match_is_refused",
        f"{F}.test_feedback_on_another_pin_is_refused",
        f"{F}.test_feedback_on_a_refused_authorisation_is_refused",
    ),
    "A repeated feedback id is accepted only with identical content": (
        f"{F}.test_a_repeated_id_counts_once_and_only_with_identical_content",
    ),
    "Feedback may recommend a review and changes nothing itself": (
        f"{F}.test_feedback_changes_nothing_itself",
    ),
    # Events and store
    "Events are append-only and hash-chained": (
        f"{U}.test_a_chain_that_was_changed_does_not_verify",
        f"{U}.test_the_database_itself_refuses_to_rewrite_history",
        "ownership.test_events_that_were_cut_off_are_missed",
    ),
    "The records agree with the events": (
        f"{U}.test_records_that_say_other_than_the_events_do_not_verify",
        f"{U}.test_events_that_could_not_have_happened_do_not_verify",
    ),
    "A snapshot is canonical JSON, stable for version control": (
        f"{N}.test_each_line_is_a_record_in_canonical_json",
        f"{N}.test_the_same_ledger_gives_the_same_bytes_in_every_store",
        f"{N}.test_a_ledger_that_grew_gives_the_same_lines_and_more",
    ),
    "Restoring checks every hash, review binding, pointer, activation history, scope, event pin": (
        f"{N}.test_a_malformed_snapshot_is_refused_by_its_line",
        f"{N}.test_an_edited_snapshot_does_not_verify",
        f"{N}.test_events_in_another_order_do_not_verify",
    ),
    "Restoring checks the current policy; a newly untrusted snapshot fails closed": (
        f"{N}.test_an_active_version_must_stand_by_the_policy_of_whoever_restores",
        "snapshots.test_a_source_that_is_no_longer_trusted_fails_closed",
        "snapshots.test_a_workspace_that_trusts_nothing_takes_in_nothing",
    ),
    "Nothing of a snapshot is runnable before all of it was checked": (
        "snapshots.test_an_edited_file_changes_nothing",
        "snapshots.test_a_restore_that_fails_midway_leaves_nothing",
    ),
    "Restoring 10,000 records takes under 10 s": (
        f"{N}.test_ten_thousand_records_are_checked_and_written_in_ten_seconds",
    ),
    "Every invariant holds in one transaction, with two curators at once": (
        "races.test_of_two_that_decide_at_once_one_wins_and_the_other_learns_why",
        f"{C}.test_several_are_taken_in_all_or_none",
    ),
    "And after a kill at any point": ("races.test_after_a_kill_at_any_point_the_ledger_verifies",),
    "Full disk and read-only store: a clear error, nothing half-written": (
        "races.test_a_store_that_cannot_take_a_decision_keeps_nothing_of_it",
    ),
    "SQLite by default, the same code on PostgreSQL": (
        "ownership.test_a_team_shares_a_database_and_each_takes_it_as_theirs",
        "ownership.test_an_address_that_leads_nowhere_is_said_in_words",
    ),
    "Schemas migrate forward; an older program refuses a newer store": (
        "ownership.test_a_database_of_schema_1_keeps_its_decisions_as_events",
        "database.test_what_cannot_be_opened_says_why_and_what_to_do",
    ),
    "Kept bytes are digested again before they are used": (
        f"{D}.test_kept_bytes_are_digested_again_at_use",
        f"{U}.test_records_that_say_other_than_the_events_do_not_verify",
    ),
    "A workspace that came from elsewhere is never trusted silently": (
        "ownership.test_a_workspace_that_came_with_a_clone_is_refused",
        "ownership.test_one_with_triggers_of_its_own_cannot_be_adopted",
    ),
    "Private keys are 0600, optionally under a passphrase, never shown": (
        "ownership.test_a_private_key_that_others_may_read_signs_nothing",
        "ownership.test_a_locked_key_signs_with_its_passphrase_only",
        "keys.test_a_private_key_shows_itself_to_nobody",
    ),
    "Every refusal says what failed and what would satisfy it": (
        "cli.test_a_refusal_says_each_condition_and_what_would_satisfy_it",
        "cli.test_what_a_refusal_says_to_do_satisfies_it",
    ),
    "The tour of README runs as it stands": ("tour.test_the_tour_runs_verbatim",),
}


def _named() -> Iterator[tuple[str, str]]:
    for rule, tests in RULES.items():
        for test in tests:
            yield rule, test


@pytest.mark.parametrize(("rule", "test"), list(_named()))
def test_the_test_of_a_rule_exists(rule: str, test: str) -> None:
    module, _, function = test.partition(".")
    found = importlib.import_module(WHERE.get(module, f"tests.governance.{module}"))
    assert callable(getattr(found, function, None)), f"{rule}: {test}"
