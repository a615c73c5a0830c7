"""What words tell of themselves: tables of words, stems, and texts that tell mere activity (Intent Changesets 6.4)."""
