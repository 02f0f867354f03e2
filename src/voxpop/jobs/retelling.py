"""The overall summary in a writer's words, each sentence with the evidence of the findings that it tells."""

from __future__ import annotations

from typing import Any

from voxpop.jobs.evidence import Claim
from voxpop.respondents.protocol import Spent
from voxpop.respondents.writing import Sentence, Writer


def retold(summary: dict[str, Any], writer: Writer) -> tuple[dict[str, Any], Spent | None]:
    """Return a summary in a writer's words, and what these took.

    Parameters
    ----------
    summary
        The result of the ``overall_summary`` step.
    writer
        Who tells it. Where nothing usable is written, the summary stays as it is and a note says why.
    """
    findings: list[Claim] = summary["claims"]
    if not findings:
        return summary, None
    written = writer.retell([finding["text"] for finding in findings])
    if not written.sentences:
        note = f"{writer.name} was to write this summary, and did not: {written.problem}"
        return summary | {"notes": [*summary["notes"], note]}, written.spent
    told = [_claim(sentence, findings) for sentence in written.sentences]
    note = f"Written by {writer.name} from voxpop's findings; every figure stands in the findings it tells."
    text = " ".join(one["text"] for one in told)
    return {"text": text, "claims": told, "notes": [*summary["notes"], note]}, written.spent


def _claim(sentence: Sentence, findings: list[Claim]) -> Claim:
    rests_on = [findings[place] for place in sentence.findings]
    return {
        "text": sentence.text,
        "answer_ids": sorted({number for one in rests_on for number in one["answer_ids"]}),
        "question_ids": sorted({number for one in rests_on for number in one["question_ids"]}),
        "count": rests_on[0]["count"],
        "base": rests_on[0]["base"],
    }
