#!/usr/bin/env python3
"""Judges JSON files by a published schema, for tests that make their documents themselves.

judge.py SCHEMAS_FOLDER NAME FILE...
Exit code 77: python3-jsonschema is missing.
"""

import json
import sys

from schemas import Schemas


def main(folder, name, *paths):
    schemas = Schemas(folder)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            schemas.check(json.load(file), name, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
