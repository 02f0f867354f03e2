"""The widgets in JupyterLab, from empty to result: by mouse, by keyboard, over a restart, in both themes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from lab_page import LabPage
from playwright.sync_api import Locator, expect

Open = Callable[..., LabPage]

expect.set_options(timeout=20_000)

START = (
    "import voxpop as vp\n"
    "from voxpop.widgets import AskPanel, JobProgress, RecruitBuilder\n"
    "client = vp.connect()"
)
STUDY = (
    "group = client.groups.recruit('g', filters={'country': 'USA'}, size=200, seed=1)\n"
    "study = vp.Study.create(client, group, title='Snack switching', objective='Who would switch, and why?')"
)
NAME = """
    const el = document.activeElement;
    const label = el.labels && el.labels[0];
    return (el.getAttribute('aria-label') || (label || el).textContent || '').trim();
"""


def tab_to(page: LabPage, name: str, most: int = 60) -> None:
    """Press Tab until the named control has the focus."""
    for _ in range(most):
        page.page.keyboard.press("Tab")
        if page.page.evaluate(f"(() => {{ {NAME} }})()").startswith(name):
            assert page.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"{most} times Tab did not lead to {name!r}")


def focused(control: Locator) -> None:
    """Wait until a control has the focus."""
    control.wait_for()
    control.page.wait_for_function("el => el === document.activeElement", arg=control.element_handle())


def button(widget: Locator, name: str) -> Locator:
    return widget.get_by_role("button", name=name)


# Recruiting


def test_a_group_is_recruited_from_lists_by_mouse(notebook: Open, bench: Any) -> None:
    page = notebook("lists", START, "builder = RecruitBuilder(client)\nbuilder", "")
    widget = page.widget("Recruit a group")
    widget.get_by_text("Country", exact=True).click()
    widget.get_by_label("USA").check()
    widget.get_by_text("Age", exact=True).click()
    widget.get_by_label("From (Age)").fill("25")
    widget.get_by_label("To (Age)").fill("64")
    widget.get_by_text("Health", exact=True).click()
    widget.get_by_text("Medication classes", exact=True).click()
    widget.get_by_label("Search in medication classes").fill("semaglutide")
    widget.get_by_label("GLP-1 medicine semaglutide → glp1_agonist").check()
    expect(widget.get_by_text("US adults aged 25 to 64 taking a GLP-1 medicine")).to_be_visible()
    expect(button(widget, "Recruit 200 agents")).to_have_attribute("aria-disabled", "true")
    page.shot(bench.shots / "recruit-lists.png")
    button(widget, "Take all").click()
    button(widget, "Show five agents").click()
    expect(widget.get_by_role("table", name="Some matching agents").get_by_role("row")).to_have_count(6)
    button(widget, "Recruit").click()
    focused(widget.get_by_role("heading", name="Group recruited"))
    widget.get_by_text("Code that does the same").click()
    expect(widget.get_by_text('health_drug_classes="glp1_agonist"')).to_be_visible()
    page.shot(bench.shots / "recruit-done.png")
    assert page.findings() == []


def test_a_group_is_recruited_from_lists_by_keyboard_alone(notebook: Open, bench: Any) -> None:
    page = notebook("keys", START, "builder = RecruitBuilder(client)\nbuilder")
    widget = page.widget("Recruit a group")
    keys = page.page.keyboard
    expect(widget.get_by_text("3,000 agents match")).to_be_visible()
    widget.get_by_label("Pick from lists").focus()
    tab_to(page, "Country")
    keys.press("Enter")
    expect(widget.get_by_label("USA")).to_be_visible()
    tab_to(page, "USA")
    keys.press("Space")
    expect(widget.get_by_role("checkbox", name="USA")).to_be_checked()
    tab_to(page, "Age")
    keys.press("Enter")
    expect(widget.get_by_label("From (Age)")).to_be_visible()
    tab_to(page, "From (Age)")
    keys.type("30")
    tab_to(page, "To (Age)")
    keys.type("39")
    keys.press("Enter")
    expect(widget.get_by_text("US adults aged 30 to 39")).to_be_visible()
    tab_to(page, "Group size")
    keys.press("ControlOrMeta+A")
    keys.type("12")
    expect(button(widget, "Recruit 12 agents")).not_to_have_attribute("aria-disabled", "true")
    tab_to(page, "Recruit 12 agents")
    keys.press("Enter")
    focused(widget.get_by_role("heading", name="Group recruited"))
    assert page.page.locator(".jp-Cell:visible").count() == 2, (
        "no key has reached the notebook's own shortcuts"
    )


def test_words_are_asked_back_and_refused_in_their_place(notebook: Open, bench: Any) -> None:
    page = notebook(
        "words", START, "builder = RecruitBuilder(client, words='Dog owners aged 25 to 64', size=20)\nbuilder"
    )
    widget = page.widget("Recruit a group")
    button(widget, "Recruit 20 agents").click()
    focused(widget.get_by_role("heading", name="Clarification needed"))
    page.shot(bench.shots / "recruit-question-back.png")
    assert page.findings() == []
    widget.get_by_label("Your answer").fill("USA")
    page.page.keyboard.press("Enter")
    focused(widget.get_by_role("heading", name="Group recruited"))  # nothing moves any more
    expect(widget.get_by_text("Screened by asking: Do you own a dog?")).to_be_visible()
    widget.get_by_label("Who should take part?").fill("Children aged 8 to 12")
    button(widget, "Recruit 20 agents").click()
    expect(widget.get_by_role("heading", name="Not recruited")).to_be_visible()
    page.shot(bench.shots / "recruit-refused.png")
    assert page.findings() == []


# Asking


def test_questions_are_asked_screened_completed_and_shared_by_mouse(notebook: Open, bench: Any) -> None:
    page = notebook("ask", START, STUDY, "panel = AskPanel(study)\npanel")
    widget = page.widget("Ask questions")
    button(widget, "Add a question").click()
    focused(widget.get_by_label("Words of question 1"))
    page.page.keyboard.type("How satisfied are you with the price and quality?")
    expect(widget.get_by_text("Two things in one question")).to_be_visible()
    widget.get_by_label("Key of question 1").fill("The Price")
    expect(widget.get_by_label("Key of question 1")).to_have_attribute("aria-invalid", "true")
    expect(button(widget, "Ask 1 question")).to_have_attribute("aria-disabled", "true")
    page.shot(bench.shots / "ask-wrong.png")
    widget.get_by_label("Words of question 1").fill("Would you switch to a lower-sugar snack?")
    widget.get_by_label("Key of question 1").fill("switch")
    widget.get_by_label("Answer type of question 1").select_option("yes_no")
    button(widget, "Add a question").click()
    widget.get_by_label("Words of question 2").fill("Where do you buy snacks?")
    widget.get_by_label("Answer type of question 2").select_option("multi_choice")
    widget.get_by_label("Options of question 2").fill("Supermarket\nOnline\nKiosk")
    button(widget, "Ask 2 questions").click()
    expect(widget.get_by_text("2 of 2 questions asked.")).to_be_visible()
    button(widget, "Screen by this question: question 1").click()
    widget.get_by_role("group", name="Keep the agents who answered").wait_for()
    page.shot(bench.shots / "ask-screen.png")
    assert page.findings() == []
    widget.get_by_role("button", name="Remove").filter(has_not_text="nobody").click()
    button(widget, "Complete the analysis").click()
    expect(widget.get_by_role("heading", name="Findings")).to_be_visible()
    button(widget, "Open a share page").click()
    expect(widget.get_by_label("Share link")).to_be_visible()
    link = widget.get_by_label("Share link").input_value()
    page.shot(bench.shots / "ask-done.png")
    assert page.findings() == []
    page.command("docmanager:save")
    page.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = (bench.lab.notebooks / "ask.ipynb").read_text()
    assert link.rpartition("/")[2] not in saved
    html = "".join(json.loads(saved)["cells"][-1]["outputs"][0]["data"]["text/html"])
    assert html.startswith("<div><h3>Ask: Snack switching</h3>")


def test_a_question_is_asked_by_keyboard_alone(notebook: Open, bench: Any) -> None:
    page = notebook("ask-keys", START, STUDY, "panel = AskPanel(study)\npanel")
    widget = page.widget("Ask questions")
    keys = page.page.keyboard
    button(widget, "Add a question").focus()
    keys.press("Enter")
    focused(widget.get_by_label("Words of question 1"))
    keys.type("Do you own a dog?")
    tab_to(page, "Key")
    keys.type("dog")
    expect(button(widget, "Ask 1 question")).not_to_have_attribute("aria-disabled", "true")
    tab_to(page, "Ask 1 question")
    keys.press("Space")
    expect(widget.get_by_text("1 of 1 questions asked.")).to_be_visible()
    focused(widget.get_by_role("heading", name="Questions"))


def test_a_kernel_that_is_restarted_in_the_middle_loses_nothing(notebook: Open, bench: Any) -> None:
    made = bench.service.client(bench.service.key())
    group = made.post(
        "/research-groups/recruit",
        json={"name": "g", "filters": {"country": "USA"}, "group_size": 250, "seed": 2},
    ).json()["group"]
    body = {"title": "Restarted", "research_group_uuid": group["uuid"]}
    study = made.post("/research-studies", json=body).json()["study"]
    page = notebook("restart", START, f"panel = AskPanel(vp.Study.open(client, {study['id']}))\npanel")
    widget = page.widget("Ask questions")
    button(widget, "Add a question").click()
    focused(widget.get_by_label("Words of question 1"))
    page.page.keyboard.type("Do you eat slowly?")
    button(widget, "Add a question").click()
    focused(widget.get_by_label("Words of question 2"))
    page.page.keyboard.type("Do you own a car?")
    button(widget, "Ask 2 questions").click()
    expect(widget.get_by_role("progressbar")).to_be_visible()
    expect(widget.get_by_text("100 of 250 agents have answered.").first).to_be_visible()
    page.shot(bench.shots / "ask-running.png")
    assert page.findings() == []
    page.restart_kernel()
    page.run_all()
    widget = page.widget("Ask questions")
    expect(widget.get_by_text("Unsent questions were restored.")).to_be_visible()
    expect(widget.get_by_text("100 of 250 agents have answered.").first).to_be_visible()
    bench.respondent.gate.set()
    expect(widget.get_by_text("250 of 250 agents answered.").first).to_be_visible()
    button(widget, "Ask 1 question").click()
    expect(widget.get_by_text("250 of 250 agents answered.")).to_have_count(2)
    page.shot(bench.shots / "ask-after-restart.png")


def test_an_error_of_the_service_stands_with_its_question(notebook: Open, bench: Any) -> None:
    page = notebook(
        "error",
        START,
        STUDY,
        "panel = AskPanel(study, [{'question': 'Do you smoke?', 'key': 'smoke'}], keep=False)\npanel",
        "_ = study.ask('Do you drink?', key='smoke')",
        "progress = JobProgress(client, ['job_unknown'], title='Unknown')\nprogress",
    )
    widget = page.widget("Ask questions")
    page.widget("Unknown").get_by_role("alert").wait_for()
    button(widget, "Ask 1 question").click()
    expect(widget.get_by_role("alert").filter(has_text="smoke")).to_be_visible()
    page.shot(bench.shots / "errors.png")
    assert page.findings() == []


# Exploring


def test_a_study_is_explored_by_mouse(notebook: Open, bench: Any) -> None:
    page = notebook(
        "explore",
        START.replace("JobProgress", "Explorer, JobProgress") + "\n" + STUDY,
        "study.ask('Would you switch to a lower-sugar snack?', key='switch', type='yes_no')\n"
        "_ = study.ask('What would make you switch?', key='why', type='open')\n"
        "store = vp.Store()\n_ = study.pull(into=store)",
        "Explorer(store)",
    )
    widget = page.widget("Explore the answers")
    expect(widget.get_by_text("200 of 200 agents.")).to_be_visible()
    widget.get_by_role("button", name="25 to 34").click()
    expect(widget.get_by_text("Adults aged 25 to 34", exact=True)).to_be_visible()
    button(widget, "Age: 25 to 34").click()
    widget.get_by_label("Female").check()
    widget.get_by_text("Health", exact=True).click()
    widget.locator("summary").filter(has_text="BMI class").click()
    widget.get_by_label("Obese, any class").check()
    expect(widget.get_by_text(re.compile("agents. Below (30|100):"))).to_be_visible()
    widget.get_by_label("Compare by").select_option("urban_rural")
    expect(widget.get_by_role("table").get_by_text("rural").first).to_be_visible()
    expect(widget.get_by_role("img", name="A bar chart of the table")).to_be_visible()
    widget.get_by_role("button", name="Show who: yes, rural").click()
    expect(widget.get_by_text("switch yes, urban_rural rural, ")).to_be_visible()
    expect(widget.get_by_text("In the words of those behind the figure")).to_be_visible()
    page.shot(bench.shots / "behind.png")
    button(widget, "Show everybody").click()
    widget.get_by_label("Search in the answers").fill("price")
    button(widget, "Add this table to the report").click()
    expect(widget.get_by_text("1 in the report")).to_be_visible()
    widget.get_by_text("Code that does the same").click()
    page.shot(bench.shots / "explore.png")
    assert page.findings() == []


def test_a_study_is_explored_by_keyboard_alone(notebook: Open, bench: Any) -> None:
    page = notebook(
        "explore-keys",
        START.replace("JobProgress", "Explorer, JobProgress"),
        "Explorer(vp.examples.load())",
    )
    widget = page.widget("Explore the answers")
    keys = page.page.keyboard
    expect(widget.get_by_text("296 of 296 agents.")).to_be_visible()
    widget.get_by_text("About the person").focus()
    tab_to(page, "25 to 34")
    keys.press("Enter")
    expect(widget.get_by_text("Adults aged 25 to 34", exact=True)).to_be_visible()
    tab_to(page, "Compare by")
    keys.type("Urban")
    expect(widget.get_by_role("table").get_by_text("rural").first).to_be_visible()
    tab_to(page, "Show who:")
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(widget.get_by_text("Behind the figure", exact=True)).to_be_visible()
    tab_to(page, "Add this table to the report")
    keys.press("Space")
    expect(widget.get_by_text("1 in the report")).to_be_visible()
    tab_to(page, "Search in the answers")
    keys.type("taste")
    expect(widget.locator("mark").first).to_have_text("taste")
    assert page.page.locator(".jp-Cell:visible").count() == 2, "no key has reached JupyterLab's own commands"


# The dark theme


def test_every_widget_is_readable_in_the_dark_theme(notebook: Open, bench: Any) -> None:
    page = notebook(
        "theme-dark",
        START + "\n" + STUDY,
        "panel = AskPanel(study, ['Would you switch?', 'Why?'], keep=False)\n"
        "panel.ask()\npanel.add('And now?')\npanel",
        "JobProgress(client, client.questions.ask(study, 'Do you own a dog?'), title='Dog owners')",
        "builder = RecruitBuilder(client, filters=vp.where(country='USA'), size=20)\n"
        "_ = builder.recruit()\nbuilder",
        theme="Dark",
    )
    page.widget("Recruit a group").get_by_text("Group recruited").wait_for()
    page.widget("Ask questions").get_by_text("3. And now?").click()
    expect(page.widget("Dog owners").get_by_text("200 of 200 jobs done.")).to_be_visible()
    for name in ("Ask questions", "Dog owners", "Recruit a group"):
        page.widget(name).scroll_into_view_if_needed()
        page.shot(bench.shots / f"{name.split()[0].lower()}-dark.png")
    assert page.findings() == []
    paper = page.page.locator(".vxp-root:visible").first.evaluate(
        "el => getComputedStyle(el).backgroundColor"
    )
    assert sum(int(part) for part in paper.removeprefix("rgb(").removesuffix(")").split(",")) < 250
