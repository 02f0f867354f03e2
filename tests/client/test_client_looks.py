"""Questions and theses as shown in a notebook: text first, HTML escaped, empty parts left out."""

from __future__ import annotations

from typing import Any

from voxpop.client.shapes import read
from voxpop.client.thesis import ThesisReport
from voxpop.wire.questions import Question, QuestionList

ASKED: dict[str, Any] = {
    "id": 4,
    "uuid": "u",
    "key": "liking",
    "question": "How do you like <b>it</b> at $5 or $6?",
    "type": "scale",
    "scale": {"min": 1, "max": 5, "min_label": "not at all", "max_label": None},
    "asked_count": 1200,
    "answer_count": 1199,
    "failed_count": 1,
}


def test_a_question_shows_its_words_and_how_far_it_is() -> None:
    assert read(Question, ASKED)._repr_html_() == (  # type: ignore[operator]
        "<div><b>How do you like &lt;b&gt;it&lt;/b&gt; at <span>$</span>5 or <span>$</span>6?</b><br>"
        "<code>liking</code> · scale · 1 = not at all to 5 · 1,199 of 1,200 answered · 1 failed</div>"
    )


def test_options_and_units_are_told_and_what_is_not_there_is_not() -> None:
    choice = {"id": 1, "question": "Which?", "type": "single_choice", "options": ["A", "<i>"]}
    shown = read(Question, choice)._repr_html_()  # type: ignore[operator]
    assert "question 1 · single_choice" in shown
    assert "<li>A</li><li>&lt;i&gt;</li>" in shown
    assert "None" not in shown
    price = {"id": 2, "question": "How much?", "type": "number", "unit": "USD"}
    assert "number (USD)" in read(Question, price)._repr_html_()  # type: ignore[operator]


def test_questions_of_a_list_look_alike() -> None:
    listed = read(QuestionList, {"study_id": 1, "count": 1, "questions": [ASKED]})
    assert listed.questions[0]._repr_html_().startswith("<div><b>How do you like")  # type: ignore[operator]


def test_a_thesis_shows_its_verdict_its_claims_and_its_panels() -> None:
    panel = {
        "id": 1,
        "kind": "channel_check",
        "status": "asking",
        "agent_count": 12,
        "audience": "US <adults>",
    }
    verdict = {
        "support": "mixed",
        "confidence": 0.425,
        "evidence": [{"claim": "5 of 12 say <so>."}],
        "note": "Mind.",
    }
    told = {
        "thesis_id": 3,
        "status": "completed",
        "raw_input": "It rises.",
        "panels": [panel],
        "verdict": verdict,
    }
    shown = read(ThesisReport, told)._repr_html_()
    assert "<b>Thesis 3</b> (completed)<br>It rises." in shown
    assert "<b>Verdict: mixed</b>, confidence 0.42" in shown
    assert "<li>5 of 12 say &lt;so&gt;.</li>" in shown
    assert "channel check</th><td style='text-align:left'>US &lt;adults&gt;</td><td>12</td>" in shown
    assert shown.index("Verdict") < shown.index("channel check") < shown.index("Mind.")


def test_a_thesis_that_waits_says_what_for_and_how_to_go_on() -> None:
    asks = {"thesis_id": 3, "status": "needs_clarification", "clarification": {"question": "Which company?"}}
    shown = read(ThesisReport, asks)._repr_html_()
    assert "Which company?<br>Answer with client.thesis.respond(3, answer=&quot;…&quot;)" in shown
    assert "<table>" not in shown
    assert "Verdict" not in shown
