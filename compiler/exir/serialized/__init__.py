"""Exported programs from the JSON that ``torch.export.save`` writes, of version 8 of its schema."""
