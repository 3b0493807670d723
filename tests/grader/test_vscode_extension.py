"""The extension for VS Code: what its `package.json` promises is there, and its own tests pass."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader import root
from grader.verdict import WRONG

EXTENSION = Path(root.ROOT) / "editors" / "vscode"
pytestmark = pytest.mark.skipif(not EXTENSION.exists(), reason="editors/ is not in an sdist")


@pytest.fixture(scope="module")
def package():
    return json.loads((EXTENSION / "package.json").read_text())


@pytest.fixture(scope="module")
def sources():
    return {path.name: path.read_text() for path in (EXTENSION / "src").glob("*.ts")}


@pytest.fixture(scope="module")
def commands(package):
    return {row["command"].removeprefix("babygrad.") for row in package["contributes"]["commands"]}


def test_each_command_of_the_package_is_registered_and_no_other(sources, commands):
    text = "\n".join(sources.values())
    mine = set(re.findall(r'\badd\("(\w+)"', text))
    for names in re.findall(r"for \(const name of \[(.*?)\]\)", text):
        mine |= set(re.findall(r'"(\w+)"', names))
    (table,) = re.findall(r"const commands: .*? = \[(.*?)\n    \];", text, re.S)
    mine |= set(re.findall(r'\["(\w+)"', table))
    assert mine == commands


def test_menus_welcome_and_walkthrough_name_commands_of_the_package(package, commands):
    contributes = package["contributes"]
    rows = [row for rows in contributes["menus"].values() for row in rows]
    named = {row["command"] for row in rows}
    texts = json.dumps([contributes["viewsWelcome"], contributes["walkthroughs"]])
    named |= set(re.findall(r"(?:\(command|onCommand):(babygrad\.\w+)", texts))
    assert {name.removeprefix("babygrad.") for name in named} == commands
    assert all(row["category"] and row["title"] for row in package["contributes"]["commands"])


def test_the_server_has_each_command_and_request_that_the_extension_sends(sources):
    pytest.importorskip("pygls")
    from grader.editor.commands.exercise_commands import IN_TERMINAL
    from grader.editor.commands.language_server import Server

    features = Server().editor.protocol.fm
    text = "\n".join(sources.values())
    sent = set(re.findall(r'"(grader\.\w+)"', text))
    (names,) = re.findall(r"for \(const name of (\[.*?\])\) \{\n.*`grader\.\$\{name\}`", text)
    sent |= {f"grader.{name}" for name in json.loads(names)}
    assert sent == {*features.commands}
    asked = set(re.findall(r'sendRequest<[^(]*\("(grader/\w+)"', text))
    asked |= {"grader/exercise"} if '"grader/exercise"' in text else set()
    assert asked == {name for name in features.features if name.startswith("grader/")}
    (terminal,) = re.findall(r"for \(const name of (\[.*?\])\) \{\n.*inTerminal", text)
    assert set(json.loads(terminal)) == IN_TERMINAL.keys()


def test_a_status_that_is_wrong_here_is_wrong_there(sources):
    from grader.learner.wording import WORDS

    (table,) = re.findall(r"const STATUSES: .*? = \{\n(.*?)\n\};", sources["words.ts"], re.DOTALL)
    listed = set(re.findall(r"^  (\w+):", table, re.MULTILINE))
    assert WORDS.keys() - listed == set(WRONG) - {"broken"}


def test_files_that_the_package_names_are_there(package):
    contributes = package["contributes"]
    names = [row["icon"] for row in contributes["viewsContainers"]["activitybar"]]
    for walkthrough in contributes["walkthroughs"]:
        names += [step["media"]["markdown"] for step in walkthrough["steps"]]
        assert walkthrough["steps"][-1]["completionEvents"] == ["onContext:babygrad.hasGreen"]
    assert len(names) > 5
    assert all((EXTENSION / name).is_file() for name in names)
    contexts = set(re.findall(r"onContext:babygrad\.(\w+)", json.dumps(contributes)))
    text = "\n".join(path.read_text() for path in (EXTENSION / "src").glob("*.ts"))
    assert contexts and all(
        f'"babygrad.{name}"' in text or f'setContext("{name}"' in text for name in contexts
    )


def test_versions_are_pinned_and_the_lock_names_no_registry(package):
    lock = json.loads((EXTENSION / "package-lock.json").read_text())
    for name, version in package["devDependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    outside = [row for name, row in lock["packages"].items() if name]
    assert outside and all("resolved" not in row for row in outside)
    assert all("integrity" in row for row in outside)
    assert "registry" not in (EXTENSION / ".npmrc").read_text().replace("registry-resolved", "")


@pytest.mark.long
@pytest.mark.skipif(
    not (EXTENSION / "node_modules").exists() or shutil.which("npm") is None,
    reason="run `npm ci` in editors/vscode first",
)
def test_its_own_tests_pass_against_this_server():
    pytest.importorskip("pygls")
    done = subprocess.run(
        ["npm", "test", "--silent"], cwd=EXTENSION, capture_output=True, text=True, check=False,
        timeout=900,
        env={**os.environ, "PYTHON": sys.executable, "PYTHONPATH": root.ROOT},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
