"""SLURM's and Kubernetes' commands, as far as the files of `docs/scaling/` use them.

`sbatch` and `kubectl create` refuse what the real ones refuse, and run the job at once, here, in
the environment that it is promised. As a program: `schedulers.py sbatch …`, or `kubectl …`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

COUNT = r"[1-9]\d*"
MINUTES = r"\d+(:\d+){0,2}|\d+-\d+(:\d+){0,2}"
# Every option of sbatch that we use → what its manual says of the value; None where it has none.
SBATCH = {
    "--array": rf"{COUNT}-{COUNT}(%{COUNT})?",
    "--cpus-per-task": COUNT,
    "--dependency": r"afterok:\d+(:\d+)*",
    "--export": r"ALL|NIL|NONE",
    "--job-name": r"[\w.-]+",
    "--kill-on-invalid-dep": r"yes|no",
    "--mem": r"\d+[KMGT]?",
    "--open-mode": r"append|truncate",
    "--output": r"([\w/.-]|%[%AajJNnstux])+",
    "--parsable": None,
    "--requeue": None,
    "--time": MINUTES,
}


def directives(text: str) -> list[str]:
    """The options in a batch script: sbatch stops looking at the first command."""
    lines = text.splitlines()
    if not lines[0].startswith("#!"):
        raise ValueError("a batch script begins with #!")
    found = []
    for line in lines[1:]:
        if line.startswith("#SBATCH "):
            found += shlex.split(line.removeprefix("#SBATCH "), comments=True)
        elif line.strip() and not line.startswith("#"):
            break
    if len(found) < text.count("\n#SBATCH"):
        raise ValueError("a directive stands below the first command")
    return found


def options(words: list[str]) -> dict[str, str]:
    """Option → value.

    Raises:
        ValueError: sbatch knows no such option, or no such value.
    """
    found = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in SBATCH:
            raise ValueError(f"sbatch: unrecognized option '{name}'")
        grammar = SBATCH[name]
        if not re.fullmatch(grammar or "", value):
            raise ValueError(f"sbatch: {name} takes no '{value}'")
        found[name] = value
    return found


def sbatch(words: list[str], jobs: Path) -> int:
    """Submit a batch script, which has run when this returns; its number is printed."""
    *given, script = words
    text = Path(script).read_text()
    asked = options(directives(text)) | options(given)
    ended = json.loads(jobs.read_text()) if jobs.exists() else {}
    number = str(100 + len(ended))
    first, last = re.findall(r"\d+", asked.get("--array", "0-0"))[:2]
    if all(ended[n] == 0 for n in re.findall(r"\d+", asked.get("--dependency", ""))):
        tasks = range(int(first), int(last) + 1)
        status = max(_task(script, asked, number, task) for task in tasks)
    else:
        status = 1  # --kill-on-invalid-dep
    jobs.write_text(json.dumps({**ended, number: status}))
    print(number if "--parsable" in asked else f"Submitted batch job {number}")
    return 0


def _task(script: str, asked: dict[str, str], number: str, task: int) -> int:
    told = {
        "SLURM_JOB_ID": str(int(number) * 1000 + task), "SLURM_ARRAY_TASK_ID": str(task),
        "SLURM_CPUS_PER_TASK": asked["--cpus-per-task"],
    }  # fmt: skip
    words = {"%x": asked["--job-name"], "%j": number, "%A": number, "%a": str(task), "%%": "%"}
    log = re.sub("%.", lambda found: words[found[0]], asked["--output"])
    with open(log, "a" if asked.get("--open-mode") == "append" else "w") as file:
        done = subprocess.run(
            ["bash", script], env={**os.environ, **told}, stdout=file, stderr=file, check=False
        )
    return done.returncode


def kubectl(words: list[str], jobs: Path) -> int:
    """`apply`, `delete`, `create` and `get`; a job that is created has run when this returns."""
    what, *rest = words
    ended = json.loads(jobs.read_text()) if jobs.exists() else {}
    if what in ("apply", "create"):
        import yaml

        manifest = yaml.safe_load(Path(rest[rest.index("-f") + 1]).read_text())
        name = manifest["metadata"]["name"]
        if what == "create" and name in ended:
            print(f"jobs.batch {name!r} already exists", file=sys.stderr)
            return 1
        ended[name] = max(map(_pod, pods(manifest))) if manifest["kind"] == "Job" else 0
    elif what == "delete":
        ended.pop(rest[-1].removeprefix("job/"), None)
    elif what == "get":
        print("Failed" if ended[rest[0].removeprefix("job/")] else "SuccessCriteriaMet Complete")
    jobs.write_text(json.dumps(ended))
    return 0


def pods(job: dict[str, Any]) -> list[dict[str, Any]]:
    """The environment and the command of each pod of a job."""
    spec = job["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    told = {each["name"]: each["value"] for each in container["env"]}
    indexed = spec.get("completionMode") == "Indexed"
    return [
        {
            "args": [*container["command"], *container["args"]],
            "env": told | ({"JOB_COMPLETION_INDEX": str(index)} if indexed else {}),
        }
        for index in range(spec.get("completions", 1))
    ]


def _pod(pod: dict[str, Any]) -> int:
    """A pod, in the folder that is its volume."""
    env = {**os.environ, **pod["env"]}
    return subprocess.run(pod["args"], cwd=env["CLASS"], env=env, check=False).returncode


if __name__ == "__main__":
    command = {"sbatch": sbatch, "kubectl": kubectl}[sys.argv[1]]
    raise SystemExit(command(sys.argv[2:], Path(os.environ["JOBS"])))
