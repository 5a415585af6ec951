"""Code in memory: made by LLVM or found again, put where it runs, and called; and how objects are laid out."""
