"""The review as one document, and its page."""
