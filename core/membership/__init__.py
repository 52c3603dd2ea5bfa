"""What a membership-inference attacker can gain from a release."""
