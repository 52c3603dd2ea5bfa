"""Pictures as data: from numbers to plotly figures; page, shell and dossier take them from here."""
