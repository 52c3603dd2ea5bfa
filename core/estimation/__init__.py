"""From noisy tables to conditionals: consistency, projection, back-off, posteriors."""
