"""Rewording of the summary and the follow-up questions by a writer, with their evidence kept."""

from __future__ import annotations

from typing import Any

from voxpop.engines.spent import Spent
from voxpop.engines.writer import Sentence, Writer
from voxpop.jobs.evidence import Claim
from voxpop.vocabulary.question_types import is_open


def retold(summary: dict[str, Any], writer: Writer) -> tuple[dict[str, Any], Spent | None]:
    """Return a summary reworded by a writer, and the cost of the calls.

    Parameters
    ----------
    summary
        The result of the ``overall_summary`` step.
    writer
        Rewords the summary. If it returns nothing usable, the summary stays unchanged and a note says why.
    """
    findings: list[Claim] = summary["claims"]
    if not findings:
        return summary, None
    written = writer.retell([finding["text"] for finding in findings])
    if not written.sentences:
        note = f"{writer.name} was to write this summary, and did not: {written.problem}"
        return summary | {"notes": [*summary["notes"], note]}, written.spent
    told = [_claim(sentence, findings) for sentence in written.sentences]
    note = f"Written by {writer.name} from voxpop's findings; all figures come from these findings."
    text = " ".join(one["text"] for one in told)
    return {"text": text, "claims": told, "notes": [*summary["notes"], note]}, written.spent


def reasked(result: dict[str, Any], writer: Writer) -> tuple[dict[str, Any], Spent | None]:
    """Return follow-up questions reworded by a writer, and the cost of the calls; reasons and evidence stay.

    Parameters
    ----------
    result
        The result of the ``next_questions`` step. Open questions are reworded; questions with a scale or a
        unit stay unchanged.
    writer
        Rewords the questions. If it returns nothing usable, they stay unchanged and a note says why.
    """
    claims: list[Claim] = result["claims"]
    places = [place for place, one in enumerate(claims) if is_open(one["suggestion"]["type"])]
    if not places:
        return result, None
    written = writer.follow_up([claims[place]["text"] for place in places])
    if not written.sentences:
        note = f"{writer.name} was to write the questions, and did not: {written.problem}"
        return result | {"notes": [*result["notes"], note]}, written.spent
    told = list(claims)
    for sentence in written.sentences:
        for reason in sentence.findings:
            place = places[reason]
            suggestion = claims[place]["suggestion"] | {"question": sentence.text}
            told[place] = claims[place] | {"suggestion": suggestion}
    note = f"The open questions were written by {writer.name} for reasons found by voxpop."
    return {"claims": told, "notes": [*result["notes"], note]}, written.spent


def _claim(sentence: Sentence, findings: list[Claim]) -> Claim:
    rests_on = [findings[place] for place in sentence.findings]
    return {
        "text": sentence.text,
        "answer_ids": sorted({number for one in rests_on for number in one["answer_ids"]}),
        "question_ids": sorted({number for one in rests_on for number in one["question_ids"]}),
        "count": rests_on[0]["count"],
        "base": rests_on[0]["base"],
    }
