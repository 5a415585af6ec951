"""Values as text: as `print` in a program writes them, as Python shows them, and as graphs do."""
