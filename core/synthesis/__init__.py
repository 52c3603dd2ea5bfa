"""Synthetic records without a known graph: tables chosen, measured, and one model fitted to all."""
