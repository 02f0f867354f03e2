"""Makes data/sample_study: 300 agents, 8 questions of all types, as an export. Run it in the checkout.

`python data/make_sample_study.py [FOLDER]` asks the embedded service and writes the same bytes every time:
what a service draws or reads off a clock (its numbers, UUIDs, job names and times) is set here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import voxpop as vp

FOLDER = Path(__file__).parent / "sample_study"
SEED = 7
SIZE = 300
BEGUN = "2026-11-21 09:00:00"
QUESTIONS = (
    {
        "question": "How often do you eat a snack between meals?",
        "key": "often",
        "options": ["Several times a day", "Once a day", "A few times a week", "Less often", "Never"],
    },
    {"question": "Would you switch to a lower-sugar snack?", "key": "switch", "type": "yes_no"},
    {
        "question": "Where do you usually buy snacks? Select all that apply.",
        "key": "shops",
        "type": "multi_choice",
        "options": ["Supermarket", "Convenience store", "Online", "Gas station", "Vending machine"],
        "shuffle_options": True,
    },
    {
        "question": "How worried are you about the sugar you eat?",
        "key": "worry",
        "type": "scale",
        "scale": {"min": 1, "max": 5, "min_label": "not at all", "max_label": "very"},
    },
    {
        "question": "How likely are you to recommend a lower-sugar snack to a friend, 0-10?",
        "key": "recommend",
        "type": "scale",
        "scale": {"min": 0, "max": 10, "min_label": "not at all likely", "max_label": "extremely likely"},
    },
    {
        "question": "How much would you pay for a box of 12 snack bars, in dollars?",
        "key": "price",
        "type": "number",
    },
    {
        "question": "Rank what matters to you in a snack, from most to least important.",
        "key": "matters",
        "type": "ranking",
        "options": ["Taste", "Price", "Health", "Convenience"],
    },
    {"question": "What would make you switch to a lower-sugar snack?", "key": "why", "type": "open"},
)
REMOVED_AFTER = "price"
"""After this question some agents are removed, so that the later ones are not asked of them."""


def main(folder: Path) -> None:
    """Ask, pull, make the tables, export, and check what was written."""
    with vp.local(seed=SEED) as client, vp.Store() as store:
        wanted = vp.where(country="USA", age=vp.between(18))
        group = vp.recruit(client, wanted, SIZE, name="Snack eaters", seed=SEED, sample_method="stratified")
        study = vp.Study.create(
            client,
            group,
            title="Lower-sugar snacks",
            objective="Who would switch to a lower-sugar snack, and why?",
        )
        for asked in QUESTIONS:
            study.ask(asked["question"], **{name: told for name, told in asked.items() if name != "question"})
            if asked["key"] == REMOVED_AFTER:
                study.remove_agents([agent.id for agent in client.groups.agents(group)[:: SIZE // 4]])
        study.complete()
        study.pull(into=store)
        settle(store)
        people = store.frame()
        census = {"urban_rural": {"urban": 0.8, "rural": 0.2}}  # US Census 2020: 80.0 % live in urban areas
        people["weight"] = vp.rake(people, census).weights
        tables = [
            vp.banner(people, ["often", "switch", "shops", "worry"], by=["gender", "smoking_status"]),
            vp.crosstab(people, "switch", by="gender", weight="weight", sig=True),
            vp.means(people, "price", by="gender"),
            vp.nps(people, "recommend", by="urban_rural"),
        ]
        store.export(None, folder, tables=tables, data=people)
    report = vp.verify(folder)
    sys.stdout.write(f"{report}\n")
    sys.exit(0 if report.ok else 1)


def settle(store: vp.Store) -> None:
    """Set what differs from run to run: numbers, UUIDs, job names, times and the address."""
    study, group = (str(uuid5(NAMESPACE_URL, f"voxpop sample {what}")) for what in ("study", "group"))
    keys = store.sql("SELECT key, question_uuid FROM questions").fetchall()
    at = f"TIMESTAMP '{BEGUN}'"
    for table in ("studies", "questions", "answers", "study_agents", "jobs"):
        store.sql(f"UPDATE {table} SET study_uuid = '{study}'")
    for key, uuid in keys:
        made = uuid5(NAMESPACE_URL, f"voxpop sample question {key}")
        for table in ("questions", "answers", "jobs"):
            store.sql(f"UPDATE {table} SET question_uuid = '{made}' WHERE question_uuid = '{uuid}'")
    store.sql(
        f"UPDATE studies SET study_id = 1, panel_uuid = study_uuid, research_group_uuid = '{group}', "
        f"created_at = {at}, "
        f"completed_at = {at} + INTERVAL 10 MINUTE, service_url = NULL"
    )
    store.sql(
        f"UPDATE questions SET question_id = position, created_at = {at} + position * INTERVAL 1 MINUTE"
    )
    store.sql(
        "UPDATE answers SET answer_id = n, job_id = printf('job_%04d', n), answered_at = asked "
        "FROM (SELECT a.question_uuid, a.agent_uuid, q.created_at AS asked, "
        "row_number() OVER (ORDER BY q.position, a.agent_id) AS n FROM answers a JOIN questions q "
        "USING (question_uuid)) made "
        "WHERE made.question_uuid = answers.question_uuid AND made.agent_uuid = answers.agent_uuid"
    )
    store.sql(
        f"UPDATE groups SET group_uuid = '{group}', group_id = 1, created_at = {at}, service_url = NULL"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
