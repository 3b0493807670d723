"""The files of `docs/scaling/`: valid by what reads them, and run for real on a small class, whose
records are then those of a run in one piece, byte for byte.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader import root
from grader.classroom.files import as_json
from tests.grader import machine

from . import schedulers
from .conftest import write_package

FILES = Path(root.path("docs", "scaling"))
SLURM, KUBERNETES, DASK = (FILES / name for name in ("slurm", "kubernetes", "dask"))
CHAPTER = "chapter2"
SHARDS = 2
pytestmark = [
    pytest.mark.skipif(not FILES.is_dir(), reason="docs/ is no part of an installed grader"),
    pytest.mark.xdist_group("scaling"),  # one class for all
]


def scripts() -> list[Path]:
    return sorted(p for p in FILES.rglob("*") if p.suffix in (".sh", ".sbatch"))


def manifests() -> list[Path]:
    return sorted(KUBERNETES.glob("*.yaml"))


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())
    return found


# ---- what reads them, says of them ------------------------------------------------------


def test_there_is_a_file_of_each_kind_and_the_page_names_it():
    page = FILES.with_suffix(".md").read_text()
    names = [str(p.relative_to(FILES.parent)) for p in FILES.rglob("*") if p.is_file()]
    assert len(names) == 11 and not [name for name in names if name not in page]


@pytest.mark.parametrize("path", scripts(), ids=lambda path: path.name)
def test_a_script_is_one(path):
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
    shellcheck = shutil.which("shellcheck", path=os.path.dirname(sys.executable))
    if shellcheck is None:
        pytest.skip("there is no shellcheck for this machine")
    done = subprocess.run([shellcheck, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", sorted(SLURM.glob("*.sbatch")), ids=lambda path: path.name)
def test_sbatch_takes_each_directive(path):
    found = schedulers.options(schedulers.directives(path.read_text()))
    assert {"--mem", "--time", "--output", "--job-name", "--cpus-per-task"} <= set(found)
    assert ("--requeue" in found) == (found["--job-name"] == "grade")


@pytest.mark.parametrize(
    "text",
    ["--memory=4G", "--mem=4GB", "--time=2h", "--array=1", "--output=%q", "--requeue=yes"],
)
def test_sbatch_refuses_what_is_no_directive(text):
    with pytest.raises(ValueError, match="sbatch"):
        schedulers.options([text])


def test_a_directive_below_a_command_is_none():
    with pytest.raises(ValueError, match="below"):
        schedulers.directives("#!/bin/bash\nset -e\n#SBATCH --mem=4G\n")


@pytest.mark.parametrize("path", manifests(), ids=lambda path: path.name)
@pytest.mark.parametrize("version", ["1.29", "1.37"])
def test_kubernetes_takes_each_manifest(path, version):
    validate = pytest.importorskip("kubernetes_validate")
    validate.validate(read(path), version, strict=True)
    wrong = read(path)
    wrong["spec"]["backoff"] = 2
    with pytest.raises(validate.ValidationError):
        validate.validate(wrong, version, strict=True)


def test_pods_have_no_privilege_a_bound_and_the_volume_as_their_folder():
    for path in (p for p in manifests() if read(p)["kind"] == "Job"):
        spec = read(path)["spec"]
        pod = spec["template"]["spec"]
        (container,) = pod["containers"]
        alone = container["securityContext"]
        assert alone["capabilities"] == {"drop": ["ALL"]} and not alone["allowPrivilegeEscalation"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["securityContext"]["runAsNonRoot"]
        assert container["resources"]["limits"] == container["resources"]["requests"]
        places = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert places["class"] == container["workingDir"] and "activeDeadlineSeconds" in spec
        assert {"backoffLimit", "backoffLimitPerIndex"} & set(spec)


def test_shards_are_as_many_as_pods_and_as_parts():
    grade, merge = (schedulers.pods(read(KUBERNETES / f"{n}.yaml")) for n in ("grade", "merge"))
    assert {pod["env"]["SHARDS"] for pod in [*grade, *merge]} == {str(len(grade))}


# ---- a class ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory, course) -> Path:
    """A folder with `handout/` and `submitted/`: right, wrong, untouched and unreadable."""
    place = tmp_path_factory.mktemp("scaling")
    write_package(place / "submitted" / "ada", course.solved())
    shape = {"tensor.Tensor.shape": "return list(self.data.shape)"}
    write_package(place / "submitted" / "bob", course.replace_bodies(shape))
    write_package(place / "submitted" / "mo", course.stubs(2))
    (place / "submitted" / "eve.zip").write_bytes(b"PK")
    state = place / "handout" / ".grader"
    write_package(state / "base", course.stubs(2))
    (state / "workspace.json").write_bytes(as_json({"from": CHAPTER}))
    (state / "release.json").write_bytes(as_json({"chapters": [CHAPTER], "course": "babygrad"}))
    return place


@pytest.fixture(scope="module")
def commands(tmp_path_factory) -> dict[str, str]:
    """Commands that the scripts find on PATH: the schedulers', and the grader with the public seed,
    which has its key already."""
    place = tmp_path_factory.mktemp("venv")
    (place / "bin").mkdir()
    python = sys.executable
    texts = {
        "grader": f"""\
[ "$1" != grade ] || set -- "$@" --isolation {machine.strongest()}
case " $* " in *" --prepare "*) set -- "$@" --seed public;; esac
exec {python} -m grader "$@"
""",
        "srun": 'exec "$@"\n',
        "sbatch": f'exec {python} -m {schedulers.__name__} sbatch "$@"\n',
        "kubectl": f'exec {python} -m {schedulers.__name__} kubectl "$@"\n',
        "activate": "",
    }
    for name, text in texts.items():
        (place / "bin" / name).write_text(f"#!/bin/sh\n{text}")
        (place / "bin" / name).chmod(0o755)
    path = os.pathsep.join((str(place / "bin"), os.environ["PATH"]))
    return {"GRADER_VENV": str(place), "PATH": path, "PYTHONPATH": root.ROOT}


def run(
    words: list[str], cwd: Path, commands: dict[str, str], **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=cwd, env={**os.environ, **commands, **more}, capture_output=True, text=True,
        timeout=600, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(handed_in, commands) -> dict[str, bytes]:
    """Return the records of a run in one piece."""
    common = ["grader", "grade", "submitted"]
    made = run([*common, "--release", "handout", "--out", "base", "--prepare"], handed_in, commands)
    assert made.returncode == 0, made.stderr
    done = run([*common, "--like", "base", "--out", "one"], handed_in, commands)
    assert done.returncode == 1 and "eve" in done.stdout, done.stderr
    return kept(handed_in / "one")


def cleared(place: Path) -> Path:
    """Remove the output of a scheduler's jobs from the class's folder; return the folder."""
    for name in ("base", "parts", "results", "logs"):
        shutil.rmtree(place / name, ignore_errors=True)
    return place


def kept(results: Path) -> dict[str, bytes]:
    files = [*results.glob("learners/*"), results / "results.csv"]
    return {str(path.relative_to(results)): path.read_bytes() for path in files}


@pytest.mark.long  # each shard works out on a node of its own what all have in common
def test_a_job_array_gives_what_one_run_gives(handed_in, whole, commands, tmp_path):
    script = str(SLURM / "submit.sh")
    cleared(handed_in)
    done = run(["bash", script, str(SHARDS)], handed_in, commands, JOBS=str(tmp_path / "jobs"))
    logs = {path.name: path.read_text() for path in (handed_in / "logs").iterdir()}
    assert done.returncode == 0 and set(json.loads((tmp_path / "jobs").read_text()).values()) == {0}
    assert set(logs) == {
        "prepare-100.log", *(f"grade-101_{n + 1}.log" for n in range(SHARDS)), "merge-102.log"
    }  # fmt: skip
    assert len(whole) == 5 and kept(handed_in / "results") == whole


def test_nothing_is_merged_where_a_shard_has_failed(commands, tmp_path):
    """As the folder of the class is empty, the first job fails; the others are cancelled."""
    done = run(["bash", str(SLURM / "submit.sh"), "2"], tmp_path, commands, JOBS=f"{tmp_path}/jobs")
    assert done.returncode == 0 and json.loads((tmp_path / "jobs").read_text())["100"] == 2
    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["prepare-100.log"]


@pytest.fixture
def few_pods(tmp_path) -> Path:
    """The files for Kubernetes, with fewer shards."""
    place = tmp_path / "kubernetes"
    shutil.copytree(KUBERNETES, place)
    for path in place.glob("*.yaml"):
        text = path.read_text().replace('value: "50"', f'value: "{SHARDS}"')
        path.write_text(text.replace("completions: 50", f"completions: {SHARDS}"))
    return place


@pytest.mark.long
def test_pods_give_what_one_run_gives(handed_in, whole, commands, few_pods, tmp_path):
    told = {"JOBS": str(tmp_path / "jobs"), "CLASS": str(cleared(handed_in))}
    done = run(["bash", str(few_pods / "run.sh")], tmp_path, commands, **told)
    assert done.returncode == 0, done.stderr
    assert kept(handed_in / "results") == whole


def test_a_job_that_fails_ends_the_run_with_a_word(commands, few_pods, tmp_path):
    told = {"JOBS": str(tmp_path / "jobs"), "CLASS": str(tmp_path)}
    done = run(["bash", str(few_pods / "run.sh")], tmp_path, commands, **told)
    assert done.returncode == 1 and "The job prepare has failed" in done.stderr


# ---- Dask -------------------------------------------------------------------------------


@contextmanager
def started(words: list[str], cwd: Path, **environment: str) -> Iterator[None]:
    env = {**os.environ, "PYTHONPATH": root.ROOT, **environment}
    with subprocess.Popen(
        [sys.executable, "-m", *words], cwd=cwd, env=env, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            yield
        finally:
            process.terminate()


@pytest.mark.long
def test_dask_with_certificates_gives_what_one_run_gives_and_refuses_who_has_none(
    handed_in: Path, whole: dict[str, bytes], commands: dict[str, str], tmp_path: Path,
    grader: Callable[..., Any],
) -> None:  # fmt: skip
    pytest.importorskip("distributed")
    if shutil.which("openssl") is None:
        pytest.skip("certificates.sh needs openssl")
    made = run(["bash", str(DASK / "certificates.sh")], handed_in, commands)
    assert made.returncode == 0, made.stderr
    names = {path.name for path in (handed_in / "certificates").iterdir()}
    assert names >= {"ca.pem", "certificate.pem", "key.pem"} and "authority.key" not in names
    told = {"DASK_CONFIG": str(DASK / "tls.yaml")}
    place = str(tmp_path / "scheduler.json")
    here = ["--scheduler-file", place, "--protocol", "tls"]
    scheduler = ["distributed.cli.dask_scheduler", *here, "--host", "127.0.0.1", "--port", "0"]
    worker = ["distributed.cli.dask_worker", *here, "--nworkers", "1", "--nthreads", "1"]
    with (
        started([*scheduler, "--no-dashboard"], handed_in, **told),
        started([*worker, "--no-dashboard", "--local-directory", str(tmp_path)], handed_in, **told),
    ):
        words = ["grade", "submitted", "--like", "one", "--cluster", place]
        done = grader(*words, "--out", "dask", cwd=handed_in, **told)
        assert done.status == 1 and "eve" in done.out, done.err
        assert json.loads(Path(place).read_text())["address"].startswith("tls://")
        assert kept(handed_in / "dask") == whole
        ran = grader(*words, "--out", "nothing", cwd=handed_in)
        assert ran.status == 2 and "DASK_CONFIG" in ran.err, ran.err
