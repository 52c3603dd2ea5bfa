"""Every verb of the shell and its page: who compares them, or why there is nothing to compare."""

import argparse
import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli import build_parser

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Compared:
    """Tests that ask both doors for the same scenario: ``file`` and the functions in it."""

    page: str
    file: str
    tests: tuple[str, ...]


DOORS = {
    "networks": Compared("sidebar", "tests/doors/test_every_verb.py", (
        "test_the_sidebar_offers_the_networks_that_the_shell_lists",)),
    "methods": Compared("Allocate, Utility", "tests/doors/test_every_verb.py", (
        "test_pages_offer_the_methods_that_the_shell_lists",)),
    "glossary": Compared("Glossary", "tests/pages/test_glossary.py", (
        "test_the_page_and_the_shell_hold_the_same_words",)),
    "schema": Compared("Data", "tests/doors/test_schema_door.py", (
        "test_both_doors_read_a_file_with_the_same_schema",)),
    "describe": Compared("Allocate, Risk", "tests/doors/test_allocate_door.py", (
        "test_what_follows_from_the_graph",)),
    "allocate": Compared("Allocate, Explore", "tests/doors/test_allocate_door.py", (
        "test_a_plan_and_what_it_follows_from", "test_the_row_error_beside_a_plan",
        "test_explore_shows_the_same_plan_error_and_risk")),
    "query": Compared("Utility, Explore", "tests/doors/test_utility_door.py", (
        "test_a_question", "test_the_most_probable_explanation")),
    "sweep": Compared("Utility, Explore", "tests/doors/test_utility_door.py", (
        "test_curves", "test_matches")),
    "solve": Compared("Utility", "tests/doors/test_utility_door.py", (
        "test_solving_backwards",)),
    "groups": Compared("Utility", "tests/doors/test_utility_door.py", (
        "test_who_bears_the_error",)),
    "compare": Compared("Compare", "tests/doors/test_compare_door.py", (
        "test_curves_pareto_set_and_words",)),
    "risk": Compared("Risk, Explore", "tests/doors/test_risk_door.py", (
        "test_curves_carriers_and_guardrails", "test_accusations",
        "test_a_pool_unlike_its_population_is_said_behind_both_doors")),
    "attack": Compared("Risk", "tests/doors/test_risk_door.py", (
        "test_attacks", "test_the_attack_on_an_upload_is_repeated_by_the_line_on_the_page")),
    "synthesise": Compared("Synthesise", "tests/pages/test_synthesise_doors.py", (
        "test_page_and_shell_agree_to_twelve_digits",
        "test_page_and_shell_agree_on_private_records")),
    "undirected": Compared("Undirected", "tests/pages/test_undirected.py", (
        "test_the_page_and_the_shell_agree",
        "test_the_page_and_the_shell_agree_whatever_is_set")),
    "reproduce": Compared("Reproduce", "tests/pages/test_reproduce.py", (
        "test_the_page_and_the_shell_agree",)),
    "lesson": Compared("Lessons", "tests/pages/test_lessons.py", (
        "test_the_page_and_the_shell_agree",)),
    "domain": Compared("none yet", "tests/release/test_domain.py", (
        "test_the_shell_buys_what_the_function_gives",)),
    "release": Compared("Release", "tests/pages/test_release_doors.py", (
        "test_a_sample_is_reviewed_alike",
        "test_an_upload_with_reasons_and_a_rehearsal_is_reviewed_alike")),
    "audit": Compared("Release", "tests/doors/test_release_door.py", ("test_an_audit",)),
    "verify": Compared("Release", "tests/doors/test_release_door.py", ("test_what_was_spent",)),
    "ledger": Compared("Release", "tests/doors/test_release_door.py", ("test_what_was_spent",)),
}  # fmt: skip
"""Verb -> its page and the tests that compare them. A new verb needs a new line."""


def verbs():
    """What the shell answers to."""
    (group,) = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return set(group.choices)


def functions(file):
    """Tests of a file that run: those under a mark that skips them do not."""
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        marks = [ast.unparse(d) for d in getattr(node, "decorator_list", [])]
        left_out = any("skip" in mark or "xfail" in mark for mark in marks)
        if isinstance(node, ast.FunctionDef) and not left_out:
            yield node.name


def test_every_verb_has_a_line():
    assert verbs() == set(DOORS)


@pytest.mark.parametrize("verb", DOORS)
def test_the_tests_it_names_are_there_and_run(verb):
    door = DOORS[verb]
    assert door.tests
    missing = set(door.tests) - set(functions(door.file))
    assert not missing, f"{verb} is compared with {door.page} in {door.file}, which lacks {missing}"


def test_the_sidebar_offers_the_networks_that_the_shell_lists(page, shell):
    offered = page("explore_tradeoff").at.selectbox(key="network").options
    listed = shell(["networks"])["networks"]
    assert offered == [n["name"] for n in listed]
    for network in listed:
        shown = page("explore_tradeoff", network=network["name"], replicates="10").board["graph"]
        assert len(shown["nodes"]) == network["nodes"]
        assert len(shown["edges"]) == network["edges"]


def test_pages_offer_the_methods_that_the_shell_lists(page, shell):
    private = [m for m in shell(["methods"])["methods"] if m["guarantee"] != "none"]
    private = [m for m in private if not m["learns_graph"]]
    picker = page("allocate_budget", replicates="10").at.selectbox(key="allocate_method")
    assert picker.options == [m["title"] for m in private]
