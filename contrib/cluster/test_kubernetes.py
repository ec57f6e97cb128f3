"""Validates kubernetes.yaml: by the schemas of each release that knows its fields, and by rules that schemas do not have."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, Callable

import kubernetes_validate
import yaml

FIRST = (1, 29)  # the release whose API server takes backoffLimitPerIndex by default
DOCUMENTS = list(yaml.safe_load_all(Path(__file__).with_name("kubernetes.yaml").read_text()))


def releases() -> list[str]:
    known = kubernetes_validate.utils.all_versions()
    return sorted({v for v in known if tuple(map(int, v.split(".")[:2])) >= FIRST})


def job() -> dict[str, Any]:
    return next(d for d in DOCUMENTS if d["kind"] == "Job")


def is_valid(document: dict[str, Any], release: str) -> bool:
    try:
        kubernetes_validate.validate(document, release, strict=True)
    except kubernetes_validate.ValidationError:
        return False
    return True


def spoiled(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    document = copy.deepcopy(job())
    change(document)
    return document


def check_schemas() -> None:
    assert len(releases()) >= 5
    wrong = [
        lambda d: d["spec"].update(backofLimitPerIndex=3),
        lambda d: d["spec"].update(completions="many"),
        lambda d: d["spec"]["podFailurePolicy"]["rules"][0].pop("action"),
        lambda d: d["spec"]["template"]["spec"]["containers"][0].pop("name"),
    ]
    for release in releases():
        for document in DOCUMENTS:
            assert is_valid(document, release), (document["kind"], release)
        for n, change in enumerate(wrong):
            assert not is_valid(spoiled(change), release), (n, release)


def check_rules() -> None:
    """What the documentation of Job asks for beyond its schema."""
    spec = job()["spec"]
    pod = spec["template"]["spec"]
    assert pod["restartPolicy"] == "Never"  # for podFailurePolicy and backoffLimitPerIndex
    assert spec["completionMode"] == "Indexed" and "backoffLimit" not in spec
    assert spec["podReplacementPolicy"] == "Failed"
    assert spec["maxFailedIndexes"] <= spec["completions"] <= 100_000
    names = {c["name"] for c in pod["containers"]}
    for rule in spec["podFailurePolicy"]["rules"]:
        codes = rule.get("onExitCodes")
        assert (codes is None) != ("onPodConditions" not in rule)
        if codes:
            assert codes["containerName"] in names and 0 not in codes["values"]
            assert codes["values"] == sorted(set(codes["values"]))
    volumes = {v["name"] for v in pod["volumes"]}
    claims = {d["metadata"]["name"] for d in DOCUMENTS if d["kind"] == "PersistentVolumeClaim"}
    assert {m["name"] for c in pod["containers"] for m in c["volumeMounts"]} == volumes
    assert {v["persistentVolumeClaim"]["claimName"] for v in pod["volumes"] if "persistentVolumeClaim" in v} == claims


def check_task() -> None:
    """The manifest sets what refract-task reads, and enough tasks for a month."""
    script = Path(__file__).with_name("refract-task").read_text()
    container = job()["spec"]["template"]["spec"]["containers"][0]
    env = {e["name"]: e["value"] for e in container["env"]}
    for name in env:
        assert f"${{{name}" in script or name == "TMPDIR", name
    assert job()["spec"]["completions"] * int(env["TASK_FILES"]) >= 90_000


if __name__ == "__main__":
    check_schemas()
    check_rules()
    check_task()
    print(f"kubernetes.yaml: valid in {', '.join(releases())}")
