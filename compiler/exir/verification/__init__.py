"""What each dialect asks of an exported program, and which nodes break which rule."""
