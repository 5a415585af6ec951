"""Programs whose behaviour PyTorch decides: a corpus with recorded answers, and live comparison."""
