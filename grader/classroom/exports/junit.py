"""JUnit XML: a suite per learner and chapter, a case per check; of a class, a case per exercise."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from ...about import COURSE
from ...course.outline import chapter_of
from ...learner.wording import isolation
from ..marks import for_learner, without_points
from ..record import Record
from ..safe_text import os_safe
from . import Export, Wanted

if TYPE_CHECKING:
    from ...result_rows import CheckResult, ExerciseResult

# How a check ended → the element that says so; a check that passed has none.
ELEMENTS = {
    "failed": "failure", "refused": "failure", "crashed": "error", "timed_out": "error",
    "out_of_memory": "error", "broken": "error", "pending": "skipped", "blocked": "skipped",
    "given": "skipped",
}  # fmt: skip
COUNTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(wanted: Wanted) -> Export:
    """One XML file, in the dialect that CI servers share."""
    top = ET.Element("testsuites", name=COURSE.distribution)
    for record in wanted.records:
        if record["result"] is None:
            _unjudged(top, record)
            continue
        for chapter in record["result"]["chapters"]:
            name = f"{record['learner']}.{chapter['id']}"
            suite = ET.SubElement(top, "testsuite", name=clean(name), time="0")
            held = clean(" ".join(isolation(record["result"]["isolation"])))
            properties = ET.SubElement(suite, "properties")
            ET.SubElement(properties, "property", name="isolation", value=held)
            for exercise in chapter["exercises"]:
                checks = [for_learner(c, record.get("samples", {})) for c in exercise["checks"]]
                for check in checks if len(wanted.records) == 1 else _whole(exercise, checks):
                    _case(suite, exercise["id"], check)
            _by_hand(suite, record, chapter["id"])
            _count(suite)
    _count(top)
    ET.indent(top)
    data = ET.tostring(top, encoding="utf-8", xml_declaration=True)
    return Export({"junit.xml": data + b"\n"}, [])


def _whole(exercise: ExerciseResult, checks: list[CheckResult]) -> list[CheckResult]:
    """An exercise as one check, the first that ended as it did; what is given has none."""
    found = [c for c in checks if c["status"] == exercise["status"]] or checks
    return [{**c, "id": exercise["id"], "status": exercise["status"]} for c in found[:1]]


def _case(suite: ET.Element, exercise: str, check: CheckResult) -> None:
    case = ET.SubElement(suite, "testcase", classname=exercise, name=clean(check["id"]), time="0")
    element = ELEMENTS.get(check["status"])
    if element is not None:
        message = clean(f"{check['status']}: {check['title']}")
        found = ET.SubElement(case, element, message=message, type=check["status"])
        mistake = f"\n{check['mistake']['says']}" if check["mistake"] else ""
        found.text = clean(f"{check['message']}{mistake}\n{check['location'] or ''}".strip())


def _by_hand(suite: ET.Element, record: Record, chapter: str) -> None:
    """A case for each open question that counts."""
    for id, each in record.get("open", {}).items():
        if chapter_of(id) == chapter:
            case = ET.SubElement(suite, "testcase", classname=id, name=id, time="0")
            points = each.get("points") or 0
            kind = "skipped" if id in without_points(record) else "failure"
            if points < each["max_points"]:
                says = f"{points:g} of {each['max_points']:g} points"
                ET.SubElement(case, kind, message=says, type="open")


def _unjudged(top: ET.Element, record: Record) -> None:
    suite = ET.SubElement(top, "testsuite", name=clean(record["learner"]), time="0")
    case = ET.SubElement(suite, "testcase", classname="submission", name="submission", time="0")
    ET.SubElement(case, "error", message=clean(record["says"]), type=record["status"])
    _count(suite)


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, attribute in COUNTS.items():
        element.set(attribute, str(sum(case.find(name) is not None for case in cases)))


def clean(text: str) -> str:
    """Without what XML 1.0 cannot hold."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", os_safe(text))
