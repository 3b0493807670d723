"""Files around the code: they name one version, and hosts can read them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hatchling.builders.wheel import WheelBuilder

import grader
from grader import root
from grader.about import COURSE

from .host_schemas import is_valid

ROOT = Path(root.ROOT)
HOME = "https://example.org/course"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
PUBLISHED = [
    (str(ROOT / "CITATION.cff"), "citation-file-format"),
    (str(ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"), "github-issue-config"),
    *((str(path), "github-workflows") for path in WORKFLOWS),
    *((str(path), "github-issue-forms") for path in FORMS if path.stem != "config"),
]
yaml = pytest.importorskip("yaml")


def read(path: Path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_version_is_one():
    """`grader/__init__.py` says it, and builds read it there."""
    project = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version", "urls"]' in project and 'path = "grader/__init__.py"' in project
    assert grader.__version__ == read(ROOT / "CITATION.cff")["version"]


def test_the_changelog_begins_with_this_version_or_with_what_comes_after_it():
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert grader.__version__ == [each for each in headings if each != "Unreleased"][0]


def test_what_no_host_would_read_is_not_valid(tmp_path):
    (tmp_path / "flow.yml").write_text("on: push\njobs: none\n")
    assert not is_valid(str(tmp_path / "flow.yml"), "github-workflows")


@pytest.mark.parametrize(("path", "schema"), PUBLISHED, ids=lambda each: Path(each).name)
def test_what_a_host_reads_is_valid(path, schema):
    assert is_valid(path, schema)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path):
    used = re.findall(r"uses: *(\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", action), action
        assert re.match(r"  # v\d", comment), f"{action}: the tag stands beside it"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_runs_is_there(path):
    """Scripts of the project, and extras that it has."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for job in read(path)["jobs"].values():
        for command in (step["run"] for step in job["steps"] if "run" in step):
            for script in re.findall(r"^\.ci/\w+", command):
                assert os.access(ROOT / script, os.X_OK), script
            for extras in re.findall(r"\.\[([\w,]+)\]", command):
                assert all(re.search(rf"^{e} = \[", project, re.M) for e in extras.split(","))


def test_the_dev_container_is_plain_json():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert container["image"] and "pip install -e" in container["postCreateCommand"]


def build_hooks() -> ModuleType:
    """Return `hatch_build.py` as a module."""
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    build = module_from_spec(spec)
    spec.loader.exec_module(build)
    return build


def test_wheel_leaves_out_what_git_ignores(tmp_path):
    """A tool that ran in the course leaves its cache there, and no wheel carries it."""
    for name in ("pyproject.toml", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    kept = set()
    for folder in build_hooks().COURSE:
        for line in [name for name in ignored if not name.startswith("/")]:  # anywhere
            (tmp_path / folder / line.replace("*", "x")).mkdir(parents=True)
            (tmp_path / folder / line.replace("*", "x") / "a.json").write_text("{}")
        (tmp_path / folder / ".page").mkdir()
        for name in ("row.py", ".page/row.svg"):
            (tmp_path / folder / name).touch()
            kept.add(f"grader/_course/{folder}/{name}")
    builder = WheelBuilder(str(tmp_path))
    hook = build_hooks().CourseHook(
        str(tmp_path), {}, builder.config, builder.metadata, str(tmp_path), "wheel"
    )
    data = {"force_include": {}}
    hook.initialize("standard", data)
    assert {to for path, to in data["force_include"].items() if os.path.exists(path)} == kept


def test_a_release_says_where_the_course_lies(monkeypatch):
    build = build_hooks()
    for repository, says in (("", {}), (HOME, {"urls": {"Repository": HOME}})):
        monkeypatch.setattr(COURSE, "repository", repository)
        metadata = {}
        build.AddressHook(str(ROOT), {}).update(metadata)
        assert metadata == says


def needs_of_a_wheel(**around: str) -> set[str]:
    """Return what pip is told to install for the build, beside `build-system.requires`."""
    program = "from hatchling.build import *; print(*get_requires_for_build_wheel())"
    told = subprocess.check_output(
        [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, **around}, text=True
    )
    return {re.match(r"[\w-]+", line)[0] for line in told.split()}


def test_wheel_for_a_learner_needs_hatchling_and_one_for_publication_the_book():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^requires = \["hatchling[^",]*"\]$', project, re.MULTILINE)
    extra = re.search(r"^book = \[(.+)\]$", project, re.MULTILINE)[1]
    libraries = set(re.findall(r'"([\w-]+)', extra))
    assert not needs_of_a_wheel(GRADER_WITH_KEY="")
    assert needs_of_a_wheel(GRADER_WITH_KEY="1") == {"numpy", *libraries}


def test_types_are_published():
    assert (Path(root.PACKAGE) / "py.typed").exists()
