"""What a dossier says of its own limits: what is not protected, and how the model was made.

Sentences from public facts and statements alone.
"""

from collections.abc import Iterator

from core.privacy import Neighbours
from core.privbayes.learners import STRUCTURE
from release.published import Document
from release.review.checks_data import known_words
from release.review.declared import DECLARATIONS, NOT_STATED
from release.review.facts import ORIGINS
from release.review.proposal import Proposal
from release.words import counted


def declarations(proposal: Proposal) -> list[Document]:
    """Everything that only the steward can say, said or not."""
    said = dict(proposal.facts.statements.declared)
    return [
        {"key": one.key, "title": one.title, "text": said.get(one.key, NOT_STATED)}
        for one in DECLARATIONS
    ]


def unprotected(proposal: Proposal) -> Iterator[str]:
    """What is published as it is, or is not what the guarantee is about."""
    facts, options = proposal.facts, proposal.scenario.options
    yield f"The names and states of {counted(len(facts.network.variables), 'variable')}" + (
        f", and the bins of {', '.join(facts.binned)}." if facts.binned else "."
    )
    if facts.structure != "learned":
        edges = counted(len(facts.network.edges), "edge")
        yield f"The graph with its {edges}, {ORIGINS[facts.structure]}."
    if facts.records:
        why = "as it was stated" if facts.statements.records else "which is public here"
        yield f"The number of records, {facts.records:,}, {why}."
    elif proposal.scenario.neighbours is Neighbours.REPLACE and facts.statements.per_unit == 1:
        yield "The number of records: replacing one does not change it."
    if options.informed:
        yield f"Tables that were stated: {known_words(options)}."
    yield "Method, ε, plan, limits, statements, the name of the data and the times of releases."
    yield (
        "What follows from everyone together. That smokers are more often ill can be learned from "
        "the model and said of a smoker who is not in the data just as well."
    )
    yield "Anything about these people that is published elsewhere, or that they say themselves."


def making(proposal: Proposal) -> Iterator[str]:
    """Contribution, post-processing, timing: one sentence each."""
    facts, said = proposal.facts, proposal.facts.statements
    if facts.bounded:
        yield (
            f"At most {counted(said.per_unit, 'record')} of one {said.unit} are counted: others "
            "are left out, by a hash, before anything is measured."
        )
    else:
        yield (
            "How many records one unit has is stated and not enforced: no column says which "
            "records are of one unit."
        )
    if proposal.method == STRUCTURE:
        yield "Post-processing: none; the graph is published as it was chosen."
    else:
        yield (
            "Post-processing: noisy tables to conditionals as the method says (tables made to "
            "agree where it does so, negative counts to zero, rows to one), and synthetic records "
            "drawn from them. It looks at no record and costs nothing."
        )
    yield (
        "Timing and platform: nobody asks questions of the records. One release is drawn by a "
        "process of its own and written as a whole, so its duration is seen by who runs it alone."
    )
