"""`python -m carcassonne` is `carcassonne`."""

from carcassonne.cli import main

if __name__ == "__main__":
    main()
