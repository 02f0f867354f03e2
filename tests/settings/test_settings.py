"""Settings are declared once, read from the environment given, and documented."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from voxpop.errors import UsageError
from voxpop.settings import ClientSettings, EngineSettings, PaymentsSettings, ServiceSettings, WorkSettings

ROOT = Path(__file__).parents[2]
KINDS = (ClientSettings, EngineSettings, PaymentsSettings, ServiceSettings, WorkSettings)
DECLARED = [
    each.metadata["variable"] for kind in KINDS for each in fields(kind) if "variable" in each.metadata
]


def test_blank_variables_mean_the_defaults() -> None:
    blank = dict.fromkeys(DECLARED, "  ")
    assert (
        ServiceSettings.from_environment(blank) == ServiceSettings() == ServiceSettings.from_environment({})
    )
    assert ClientSettings.from_environment(blank) == ClientSettings()


def test_every_declared_variable_is_read_once() -> None:
    assert len(DECLARED) == len(set(DECLARED)) > 20
    written = {
        "API_V1_STRICT_INVALID_FILTERS": "yes",
        "VOXPOP_RATE_LIVE": "NONE",
        "VOXPOP_QUOTA_FREE": " 7 ",
        "VOXPOP_PUBLIC_URL": "https://example.org/panel/",
        "VOXPOP_SERVICE_NAME": "Panel",
        "VOXPOP_TAKEOVER": "2.5",
    }
    made = ServiceSettings.from_environment(written)
    assert (made.strict_filters, made.rate_live, made.quota_free) == (True, None, 7)
    assert (made.public_url, made.name, made.work.takeover_s) == ("https://example.org/panel", "Panel", 2.5)


def test_arguments_override_the_environment() -> None:
    written = {"VOXPOP_CONCURRENCY": "3", "VOXPOP_PUBLIC_URL": "https://a.example"}
    made = ServiceSettings.from_environment(written, concurrency=5, public_url="https://b.example/")
    assert (made.work.concurrency, made.public_url) == (5, "https://b.example")
    assert ServiceSettings.from_environment(written, public_url="").public_url is None


@pytest.mark.parametrize(
    ("variable", "written", "told"),
    [
        ("VOXPOP_RATE_LIVE", "0", "whole number from 1, or none for no limit, not '0'"),
        ("VOXPOP_OPEN_CALLS", "٣", "whole number from 1"),
        ("THESIS_DETAIL_LIGHTWEIGHT_DEFAULT", "maybe", "must be 1 or 0, not 'maybe'"),
        ("VOXPOP_TAKEOVER", "1e3", "a number from 1 to 3,600, not '1e3'"),
        ("VOXPOP_CONCURRENCY", "2.0", "a whole number from 1 to 64, not '2.0'"),
        ("VOXPOP_SERVICE_NAME", "x" * 101, "1 to 100 printable characters"),
        ("VOXPOP_PUBLIC_URL", "https://a.example?x", "without user name"),
        ("VOXPOP_PAYMENTS", "cash", "must be local or stripe, not 'cash'"),
    ],
)
def test_a_wrong_value_names_the_variable(variable: str, written: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"^{variable} ") as caught:
        ServiceSettings.from_environment({variable: written})
    assert told in str(caught.value)


def test_secrets_stay_out_of_the_repr() -> None:
    client = ClientSettings.from_environment({"VOXPOP_BASE_URL": "https://a.example", "VOXPOP_API_KEY": "s3"})
    assert client.api_key == "s3"
    assert "s3" not in repr(client)
    assert "sk_1" not in repr(PaymentsSettings(stripe_key="sk_1"))


def test_every_variable_is_documented() -> None:
    pages = [ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").glob("*.md")]
    written = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [variable for variable in DECLARED if variable not in written] == []
