"""`python3 -m soak` is the soak itself."""

from soak.run import main

if __name__ == "__main__":
    raise SystemExit(main())
