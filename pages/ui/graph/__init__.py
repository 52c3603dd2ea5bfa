"""Layout and drawing of a DAG."""
