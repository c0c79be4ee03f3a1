"""`python -m warplens` is the command `warplens`."""

from . import warplens

warplens()
