"""Every way from counts to a private model, its plan and its noise."""
