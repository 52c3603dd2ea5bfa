"""The ledger: accounts, entries in a chain, what is known again."""
