"""What is true: numeric derivatives, and PyTorch."""
