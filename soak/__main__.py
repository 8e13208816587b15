"""`python3 -m soak` runs the soak test."""

from soak.run import main

if __name__ == "__main__":
    raise SystemExit(main())
