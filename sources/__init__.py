"""Files in: networks, tables and schemas, read strictly; every refusal is one sentence."""
