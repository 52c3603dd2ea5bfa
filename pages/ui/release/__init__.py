"""Release: statements, checklist, plan, rehearsal, audit, the click that spends, the dossier."""
