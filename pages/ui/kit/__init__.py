"""What every page is made of: components, figures with their texts, the sheet they stand on."""
