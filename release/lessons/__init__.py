"""The course: all lessons, those that need the ledger, the audit or a classifier included."""
