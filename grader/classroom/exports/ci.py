"""Export to CI servers: JUnit XML, and GitHub Actions.

JUnit: a suite per learner and chapter, a case per check; for a class, a case per exercise.

GitHub: an annotation per fault, and workflows for a learner's repository and for the instructor's.
`annotations.txt` goes to the log, where GitHub reads it; `summary.md` is appended to the file that
`GITHUB_STEP_SUMMARY` names; the workflow of `grader export workflow` does both.

The learners' repositories hold no secret and no workflow of ours: the instructor's workflow fetches
them read-only, grades them with the secret seed, and keeps the results. It needs two repository
secrets: `GRADER_SEED`, and `READ_TOKEN`, a token that can read the learners' repositories.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from ... import DISTRIBUTION
from ...about import COURSE
from ...course.outline import chapter_of
from ...course.package import NAME
from ...errors import os_safe
from ...learner.file_writer import FOR_ALL
from ...learner.wording import isolation
from ...result_rows import CheckResult, ExerciseResult
from ...verdict import WRONG
from ..files import plain_template
from ..marks.grants import describe_grants
from ..marks.record import (
    ExerciseLine,
    Record,
    describe_exercise,
    is_lost,
    iter_exercise_lines,
    list_failed_imports,
    list_unmarked,
    redact_check,
)
from . import Export, ExportRequest

# A check's status → its JUnit element; a passed check has none.
ELEMENTS = {
    "failed": "failure", "refused": "failure", "crashed": "error", "timed_out": "error",
    "out_of_memory": "error", "broken": "error", "pending": "skipped", "blocked": "skipped",
    "given": "skipped",
}  # fmt: skip
COUNTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export_junit(wanted: ExportRequest) -> Export:
    """Export one JUnit XML file, in the dialect that CI servers share."""
    top = ET.Element("testsuites", name=COURSE.distribution)
    for record in wanted.records:
        if record["result"] is None:
            _unjudged(top, record)
            continue
        for chapter in record["result"]["chapters"]:
            name = f"{record['learner']}.{chapter['id']}"
            suite = ET.SubElement(top, "testsuite", name=replace_xml_controls(name), time="0")
            held = replace_xml_controls(" ".join(isolation(record["result"]["isolation"])))
            properties = ET.SubElement(suite, "properties")
            ET.SubElement(properties, "property", name="isolation", value=held)
            for says in describe_grants(record.get("granted", ())):
                ET.SubElement(
                    properties, "property", name="granted", value=replace_xml_controls(says)
                )
            for exercise in chapter["exercises"]:
                checks = [redact_check(c, record.get("samples", {})) for c in exercise["checks"]]
                for check in (
                    checks if len(wanted.records) == 1 else _merge_checks(exercise, checks)
                ):
                    _case(suite, exercise["id"], check)
            _by_hand(suite, record, chapter["id"])
            _count(suite)
    _count(top)
    ET.indent(top)
    data = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return Export({"junit.xml": data + b"\n"}, [])


def _merge_checks(exercise: ExerciseResult, checks: list[CheckResult]) -> list[CheckResult]:
    """Turn an exercise into one check: the first with its status. Given ones may have none."""
    found = [c for c in checks if c["status"] == exercise["status"]] or checks
    return [{**c, "id": exercise["id"], "status": exercise["status"]} for c in found[:1]]


def _case(suite: ET.Element, exercise: str, check: CheckResult) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=exercise, name=replace_xml_controls(check["id"]), time="0"
    )
    element = ELEMENTS.get(check["status"])
    if element is not None:
        message = replace_xml_controls(f"{check['status']}: {check['title']}")
        found = ET.SubElement(case, element, message=message, type=check["status"])
        mistake = f"\n{check['mistake']['says']}" if check["mistake"] else ""
        found.text = replace_xml_controls(
            f"{check['message']}{mistake}\n{check['location'] or ''}".strip()
        )


def _by_hand(suite: ET.Element, record: Record, chapter: str) -> None:
    """Add a case for each open question that counts."""
    for id, each in record.get("open", {}).items():
        if chapter_of(id) == chapter:
            case = ET.SubElement(suite, "testcase", classname=id, name=id, time="0")
            points = each.get("points") or 0
            kind = "skipped" if id in list_unmarked(record) else "failure"
            if points < each["max_points"]:
                says = f"{points:g} of {each['max_points']:g} points"
                ET.SubElement(case, kind, message=says, type="open")


def _unjudged(top: ET.Element, record: Record) -> None:
    suite = ET.SubElement(top, "testsuite", name=replace_xml_controls(record["learner"]), time="0")
    case = ET.SubElement(suite, "testcase", classname="submission", name="submission", time="0")
    ET.SubElement(
        case, "error", message=replace_xml_controls(record["says"]), type=record["status"]
    )
    _count(suite)


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, attribute in COUNTS.items():
        element.set(attribute, str(sum(case.find(name) is not None for case in cases)))


def replace_xml_controls(text: str) -> str:
    """Replace characters that XML 1.0 cannot hold."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", os_safe(text))


LOST = "The package cannot be imported"
SIGNS = {"passed": "✅", "pending": "⬜", "blocked": "⏸️"}


def export_annotations(wanted: ExportRequest) -> Export:
    """Export `annotations.txt` and `summary.md`."""
    found = [
        line for line in iter_exercise_lines(wanted.records) if line.exercise["status"] != "given"
    ]
    # Exercises lost to a failed import are left out: the import is reported once.
    failed = [line for line in found if line.exercise["status"] in WRONG]
    wrong = [line for line in failed if not is_lost(line.exercise)]
    causes = [cause for record in wanted.records for cause in list_failed_imports(record)]
    commands = "".join(_error(LOST, c["location"], c["message"]) for c in causes)
    commands += "".join(map(_command, wrong))
    head = "".join(_head(record) for record in wanted.records)
    rows = "".join(map(_row, found))
    table = "| section | exercise | status | points |\n|---|---|---|---:|\n"
    details = "".join(_details(LOST, cause["message"]) for cause in causes)
    details += "".join(_details(line.exercise["title"], _describe_line(line)) for line in wrong)
    summary = f"{head}\n{table}{rows}\n{details}"
    files = {"annotations.txt": commands.encode(), "summary.md": os_safe(summary).encode()}
    return Export(files, [])


def _command(line: ExerciseLine) -> str:
    """Return the workflow command for an exercise."""
    samples = line.record.get("samples", {})
    checks = [redact_check(check, samples) for check in line.exercise["checks"]]
    place = next((c["location"] for c in checks if c["location"]), None)
    title = f"{line.exercise['title']}: {line.exercise['status'].replace('_', ' ')}"
    return _error(title, place, _describe_line(line))


def _error(title: str, place: str | None, says: str) -> str:
    """Return a workflow command: `::error file=…,line=…::message`."""
    where = {"title": title}
    if place:
        file, _, number = place.rpartition(":")
        where = {"file": f"{NAME}/{file}", "line": number, **where}
    safe = {n: _data(v).replace(":", "%3A").replace(",", "%2C") for n, v in where.items()}
    settings = ",".join(f"{name}={value}" for name, value in safe.items())
    return f"::error {settings}::{_data(says)}\n"


def _describe_line(line: ExerciseLine) -> str:
    return describe_exercise(line.exercise, line.record.get("samples", {}))


def _data(text: str) -> str:
    """Escape a message for GitHub, so that a learner's line cannot begin a command."""
    safe = os_safe(text).replace("%", "%25")
    return safe.replace("\r", "%0D").replace("\n", "%0A")


def _head(record: Record) -> str:
    if record["mark"] is None:
        return f"**{_cell(record['learner'])}**: {_cell(record['says'])}\n"
    level = " ".join(isolation(record["result"]["isolation"]))
    marks = f"{record['mark']:g} of {record['max_mark']:g} points"
    more = " ".join([level, *describe_grants(record.get("granted", ()))])
    return f"**{_cell(record['learner'])}: {marks}**; {_cell(more)}\n"


def _row(line: ExerciseLine) -> str:
    e = line.exercise
    status = f"{SIGNS.get(e['status'], '❌')} {e['status'].replace('_', ' ')}"
    points = f"{line.record['marks'][e['id']]['mark']:g}/{e['max_score']:g}"
    return f"| {e['section']} | {_cell(e['title'])} | {status} | {points} |\n"


def _cell(text: str) -> str:
    """Escape text for a cell of a Markdown table."""
    text = _text(re.sub(r"\s+", " ", text))
    return re.sub(r"([\\`*_{}\[\]|#!~])", r"\\\1", text)


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _details(title: str, says: str) -> str:
    # A blank line would end the HTML block, and the rest would be read as Markdown.
    rows = (row if row.strip() else "&#32;" for row in _text(says).split("\n"))
    body = "\n".join(rows)
    head = f"<details><summary>{_cell(title)}</summary>"
    return f"{head}\n<pre>{body}</pre>\n</details>\n\n"


# Pinned by commit: whoever takes over an action could move its tags.
ACTIONS = {
    "@CHECKOUT": "@08c6903cd8c0fde910a37f88322edcfb5dd907a8  # v5.0.0",
    "@SETUP": "@e797f83bcb11b83ae66e0230d6156d7c80228e7c  # v6.0.0",
    "@UPLOAD": "@ea165f8d65b6e75b540449e92b4886f43607fa02  # v4.6.2",
}


def export_workflow(wanted: ExportRequest) -> Export:
    """Export a workflow for `.github/workflows/` of the learners' repositories."""
    names = " ".join(wanted.chapters)
    command = f"check {names} --json" if names else "check --json"
    text = plain_template("learners-workflow.yml").replace("check CHAPTERS --json", command)
    return Export({"grader.yml": pin_actions(text).encode()}, [FOR_ALL], readers="anybody")


def pin_actions(text: str) -> str:
    """Pin every action of a workflow to its commit."""
    for mark, commit in ACTIONS.items():
        text = text.replace(mark, commit)
    return text


def export_central(wanted: ExportRequest) -> Export:
    """Export a workflow for `.github/workflows/` of the instructor's private repository."""
    chapters = " ".join(wanted.chapters)
    text = plain_template("class-workflow.yml").replace("DISTRIBUTION", DISTRIBUTION)
    text = text.replace(" --chapters CHAPTERS", f" --chapters {chapters}" if chapters else "")
    note = "Keep this in a private repository of yours, with learners.txt; never in a learner's."
    return Export({"grade-the-class.yml": pin_actions(text).encode()}, [note])
