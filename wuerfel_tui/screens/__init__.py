"""The screens of the program, one module each; imported when they are opened."""
