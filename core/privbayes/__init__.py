"""PrivBayes: a private network and private tables when the structure is not known."""
