"""What operators are made of: a module for each family. Forms and order are those of PyTorch 2.13's decompositions."""
