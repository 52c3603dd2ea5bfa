"""Review and release as one use case: what the page and the command line both call."""
