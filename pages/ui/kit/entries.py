"""The pages: their files, titles and the question that each answers."""

from dataclasses import dataclass

PAGE = "page"
"""Session key of the title of the page on show."""


@dataclass(frozen=True)
class Entry:
    """One page: its file has two words, its address the same words with a hyphen.

    ``answers`` says at the top what the page answers. ``group`` is where the navigation lists it:
    those without one stand beside each other.
    """

    file: str
    title: str
    answers: str
    group: str = ""

    @property
    def address(self) -> str:
        """Differs from the file name, or a cold deep link would bypass the frame."""
        return self.file.replace("_", "-")

    @property
    def sidebar(self) -> bool:
        """Whether its numbers are the sidebar's scenario's alone: its files are named after it."""
        return bool(self.answers) and not self.group


MORE, RECORDS = "More", "Your records"
"""Groups of the navigation."""

PAGES = (
    Entry("start_here", "Start", ""),
    Entry("explore_tradeoff", "Explore", "What does one private release cost: how wrong do its "
          "numbers become, and what does an attacker still learn?"),
    Entry("allocate_budget", "Allocate", "Which node gets which part of the budget ε, and why?"),
    Entry("measure_utility", "Utility",
          "How far off are the answers that people will compute from the release?"),
    Entry("assess_risk", "Risk",
          "Could an attacker tell whether a person's record is in the data?"),
    Entry("compare_methods", "Compare", "Which method errs least for what it gives away, and which "
          "gives away least for an error?"),
    Entry("synthesise_data", "Synthesise", "What if the graph, too, must be learned privately, and "
          "synthetic records are wanted?", MORE),
    Entry("compare_undirected", "Undirected",
          "What can be learned from noisy tables when there is no direction to follow?", MORE),
    Entry("reproduce_papers", "Reproduce", "Do the papers' numbers and claims hold at some ε?",
          MORE),
    Entry("teach_lessons", "Lessons", "What would you have predicted, and why is it otherwise?",
          MORE),
    Entry("read_glossary", "Glossary", "What does a word or a symbol on these pages mean?", MORE),
    Entry("load_data", "Data", "Which records and which network are studied?", RECORDS),
    Entry("review_release", "Release", "May this be published, what does it spend, and what will "
          "the reviewers read?", RECORDS),
)  # fmt: skip
START, EXPLORE = PAGES[0], PAGES[1]
