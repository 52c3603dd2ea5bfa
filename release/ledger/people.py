"""Whose records these are: the account that data belong to, by fingerprint or as the steward says.

A fingerprint knows data again, not people. One value changed, one column renamed or half of the
file are new to it, and each would open a budget of its own on the same people. So data that a
ledger with accounts does not know need a statement: in which account their people are, or in none.
"""

from collections.abc import Mapping, Sequence

from core.errors import EquipoiseError
from release.ledger.account import NOBODY, SAMPLED, Account
from release.words import counted

RECOGNISED = (
    "The ledger knows data again by equal rows over equal columns and states, in any order and "
    "file format, or by the same file, whichever of its columns and bins are used; a table that "
    "stays elsewhere by the counts of its columns, or by its place. It does not "
    "know people: a row, a value or a column name changed is new data to it"
)


class BudgetError(EquipoiseError):
    """The budget does not allow it."""


def find(
    accounts: Mapping[str, Account], fingerprints: Sequence[str], *, name: str, people: str
) -> Account | None:
    """The account of these data, none where they open one; statements that differ are refused."""
    known = [a for a in accounts.values() if set(fingerprints) & set(a.fingerprints)]
    if len(known) > 1:
        names = " and ".join(repr(a.name) for a in known)
        raise BudgetError(
            f"these data belong to the accounts {names}; release each from its own file"
        )
    account = known[0] if known else _stated(accounts, name, people)
    if account is None:
        return None
    if name in accounts and name != account.name:
        raise BudgetError(
            f"these data are known as {account.name!r} and {name!r} is the name of others; "
            f"leave the name out or give {account.name!r}"
        )
    if people not in ("", account.name) and not people == account.people == NOBODY:
        raise BudgetError(
            f"these data are known as {account.name!r}, so their people are in that account and "
            f"not in {people!r}; leave that statement out or give {account.name!r}"
        )
    return account


def _stated(accounts: Mapping[str, Account], name: str, people: str) -> Account | None:
    """The account that the steward names, for data that no fingerprint knows."""
    if people not in ("", NOBODY):
        if people not in accounts:
            raise EquipoiseError(f"there is no account {people!r}; {_choices(accounts)}")
        if name not in ("", people):
            raise EquipoiseError(
                f"the people are stated to be in {people!r} and the name to be {name!r}; an "
                "account keeps its name, so leave the name out"
            )
        return accounts[people]
    if people == NOBODY and name in accounts:
        raise EquipoiseError(
            f"{name!r} is the name of an account and these people are stated to be in none; give "
            "another name, or state that they are in it"
        )
    return accounts.get(name)


def apart(accounts: Mapping[str, Account], *, people: str, sampled: bool) -> tuple[str, ...]:
    """The accounts that new data are stated to share nobody with; silence is refused."""
    others = tuple(a.name for a in accounts.values() if a.people != SAMPLED)
    if others and not sampled and people != NOBODY:
        raise EquipoiseError(
            f"the ledger does not know these data, and may know their people; {_choices(accounts)}"
        )
    return () if sampled else others


def _choices(accounts: Mapping[str, Account]) -> str:
    names = ", ".join(repr(a.name) for a in accounts.values() if a.people != SAMPLED)
    return (
        f"state in which account they are ({names or 'there is none'}), or that they are in "
        f"{NOBODY} of them"
    )


def whose(account: Account) -> str:
    """What the checklist says of whose records are charged, without full stop."""
    told = "equal rows or the same file are charged here under any name"
    if account.people == NOBODY:
        return f"{told}; stated: nobody in them is in another account"
    if account.people == SAMPLED:
        return f"{told}; made-up records are nobody's"
    return f"{told}, other data of the same people only where you say so"


def said_of(account: Account) -> tuple[str, ...]:
    """What is known of whose records an account holds, in sentences; names no other account."""
    told = [f"{RECOGNISED}."]
    if account.people == NOBODY:
        before = counted(account.apart, "other account")
        told.append(
            "The steward states that nobody in these data is in another account of the ledger, "
            f"which had {before}."
        )
    joined = [line for line in account.lines if line.people == account.name]
    if joined:
        told.append(
            "The steward states that further data are about people of this account; they are "
            f"charged to it ({counted(len(joined), 'release')} with that statement)."
        )
    return tuple(told)
