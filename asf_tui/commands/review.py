"""Commands of the Review area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asf_tui.commands.browsing import browsing
from asf_tui.commands.declaring import Area, Command, Place

if TYPE_CHECKING:
    from asf_tui.screens.base import AreaScreen

REVIEW = Place("Review")

COMMANDS = (
    Command("review.next", "n", "Do the next step", "What the candidate lacks first: trust, scan, review, activation.", REVIEW, "next_step", "Next step"),
    Command("review.scan", "r", "Scan and sign", "Scan the kept files and sign what is found with your scanner key.", REVIEW, "scan", "Scan"),
    Command("review.approve", "A", "Approve", "Sign an approval of exactly this content; asks for a reason.", REVIEW, "approve", "Approve"),
    Command("review.reject", "R", "Reject", "Sign a rejection: the candidate is quarantined at once; asks for a reason.", REVIEW, "reject", "Reject"),
    Command("review.activate", "V", "Make it active", "The one runnable version of its skill; the one before is kept.", REVIEW, "activate", "Activate"),
    Command("review.trust", "T", "Trust its source and tools", "Exactly this source revision, and the tools that it declares.", REVIEW, "trust"),
    Command("review.waive", "", "Scan with waivers", "As scanning, with a file of findings that you accept for a time.", REVIEW, "scan_waived"),
    Command("review.end", "X", "End the version", "Quarantine it for good: no receipt lifts that; asks for a reason.", REVIEW, "end"),
    Command("review.next-finding", "full_stop", "Next finding", "In the text, where it stands.", REVIEW, "finding(1)", palette=False),
    Command("review.previous-finding", "comma", "Previous finding", "In the text, where it stands.", REVIEW, "finding(-1)", palette=False),
    Command("review.open", "v", "Show it in Skills", "The skill as it stands on disk now.", REVIEW, "open_skill"),
    *browsing("review", REVIEW, "Needs, Findings, Changes, Receipts, Content"),
)  # fmt: skip


def _screen() -> AreaScreen:
    from asf_tui.screens.review import ReviewScreen

    return ReviewScreen()


AREA = Area(
    id="review",
    key="5",
    title="Review",
    short="Review",
    help="Candidates: what each still needs, and your signed decision.",
    screen=_screen,
    commands=COMMANDS,
)
