"""What the documents say is held to the code, and the code to the documents."""

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from adjudicator import errors
from adjudicator.cli import COMMANDS, group
from adjudicator.cli.exit_codes import EXIT_CODES
from adjudicator.config import Settings, setting_names, variable
from adjudicator.rules.remarks import RemarkCode

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")])

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `([a-z0-9_]+)` \|(.*)\|$", re.MULTILINE)

CLAUSES_OF_THE_SOURCE = {1: 4, 2: 4, 3: 2, 4: 3, 5: 5, 6: 6, 7: 7, 8: 3, 9: 0}
"""How many numbered clauses each part of the procedure has."""


def _rows(page: Path) -> dict[str, str]:
    rows = ROW.findall(page.read_text(encoding="utf-8"))
    assert len(rows) == len({code for code, _ in rows}), f"{page.name} explains a code twice"
    return dict(rows)


def _family(kind: type[errors.AdjudicatorError]) -> set[type[errors.AdjudicatorError]]:
    return {kind}.union(*map(_family, kind.__subclasses__()))


def _anchors(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = {
        re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in HEADING.findall(text)
    }
    return headings | set(ANCHOR.findall(text))


def _tracked_files() -> list[Path]:
    """What belongs to the project, or would if it were committed now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in (ROOT / name for name in names) if path.is_file() and not path.is_symlink()]


def test_every_remark_code_is_explained_once_and_no_other() -> None:
    assert set(_rows(DOCS / "remarks.md")) == {code.value for code in RemarkCode}


def test_every_error_code_is_explained_with_its_exit_code_and_retry() -> None:
    rows = _rows(DOCS / "errors.md")
    told = {code: tuple(cell.strip() for cell in row.split("|")[-2:]) for code, row in rows.items()}
    assert told == {
        kind.code: ("yes" if kind.transient else "no", str(int(EXIT_CODES[kind])))
        for kind in _family(errors.AdjudicatorError)
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_explained(name: str) -> None:
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, f"docs/command-line.md has no section on {name}"
    command = group.get_command(click.Context(group), name)
    assert command is not None
    commands = [*command.commands.values()] if isinstance(command, click.Group) else [command]
    parameters = [parameter for one in commands for parameter in one.params]
    options = [option for parameter in parameters for option in parameter.opts if option.startswith("--")]
    assert [option for option in options if option not in section.group(1)] == []
    beneath = [one.name for one in commands if one is not command]
    assert [one for one in beneath if f"adjudicator {name} {one}" not in section.group(1)] == []


def test_every_setting_is_explained_with_its_default() -> None:
    told = re.findall(
        r"^\| `(ADJUDICATOR_\w+)` \| (?:`(.*?)`)? *\|",
        (DOCS / "operations.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    defaults = Settings()
    assert told == [(variable(name), str(getattr(defaults, name))) for name in setting_names()]


def test_the_procedure_has_every_clause_with_an_anchor() -> None:
    text = (DOCS / "procedure.md").read_text(encoding="utf-8")
    expected = [
        f"{part}-{clause}"
        for part, clauses in CLAUSES_OF_THE_SOURCE.items()
        for clause in range(1, clauses + 1)
    ]
    assert re.findall(r'<a id="he-(\d+-\d+)"></a>\*\*HE-\d', text) == expected
    assert re.findall(r"\*\*HE-(\d+)\.(\d+)", text) == [tuple(name.split("-")) for name in expected]
    assert re.findall(r'<a id="he-(\d+)"></a>\n## HE-\1 ', text) == [
        str(part) for part in CLAUSES_OF_THE_SOURCE
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = unquote(link).partition("#")
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            broken.append(link)
    assert broken == []


def test_every_decision_is_listed_once() -> None:
    listed = re.findall(
        r"\((\d{4}-[\w-]+\.md)\)", (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    )
    assert listed == sorted(path.name for path in (DOCS / "decisions").glob("[0-9]*.md"))


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.search(r"^dependencies = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert declared
    names = set(re.findall(r'^ +"([a-z0-9-]+)', declared.group(1), re.MULTILINE))
    assert set(_rows_by_plain_name(DOCS / "decisions" / "0002-dependencies.md")) == names


def _rows_by_plain_name(page: Path) -> list[str]:
    rows = re.findall(r"^\| ([a-z0-9-]+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [name for name in rows if name not in {"package", "---"}]


MACHINE_PATHS = [rf"(?<![\w.])/{top}/" for top in ("home", "root", "work", "Users", "tmp/w")]
HOSTS = [rf"\b{name}\.(?:org|io|com)\b" for name in ("pypi", "pythonhosted", "files.pythonhosted")]
FORBIDDEN = re.compile("|".join(MACHINE_PATHS + HOSTS))


def test_no_file_names_a_machine_path_or_a_package_index() -> None:
    found = []
    for path in _tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in FORBIDDEN.finditer(text)]
    assert found == []
