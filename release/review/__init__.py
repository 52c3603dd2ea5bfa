"""The review of a release before it is paid for."""
