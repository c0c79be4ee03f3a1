"""The published schemas, and judging documents by them with python3-jsonschema.

In the tests they are closed: what a schema does not describe is an error, so that nothing is
written that is not described. As published, members may be added.
"""

import copy
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def closed(schema):
    """The schema with no member allowed that it does not describe."""
    if isinstance(schema, list):
        return [closed(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: part if name == "if" else closed(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        result["additionalProperties"] = False
    return result


class Schemas:
    """All schemas of some folders, by the name that documents call themselves."""

    def __init__(self, *folders):
        self.by_name = {}
        for folder in folders:
            for file in sorted(os.listdir(folder)):
                name = file.removesuffix(".schema.json")
                assert name != file, f"{file}: no schema"
                assert name not in self.by_name, f"{file}: written, and kept by hand"
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    self.by_name[name] = json.load(text)
        for name, schema in self.by_name.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"], name
        self.closed = {name: closed(schema) for name, schema in self.by_name.items()}
        self.validators = {}
        self.used = set()

    def validator(self, name):
        if name not in self.validators:
            self.validators[name] = jsonschema.Draft202012Validator(self.closed[name])
        return self.validators[name]

    def errors(self, name, document):
        """What is wrong with it, a line each."""
        return [f"{'/'.join(map(str, error.absolute_path)) or '(top)'}: {error.message[:300]}"
                for error in self.validator(name).iter_errors(document)]

    def name_of(self, document):
        """`measurement` of a document that says it is warplens.measurement/3."""
        name = document["schema"].removeprefix("warplens.").split("/")[0]
        assert name in self.by_name, document["schema"]
        return name

    def check(self, document, name, what):
        """The document says that it is `name`, and is what the schema of it describes."""
        assert self.name_of(document) == name, f"{what}: {document['schema']} instead of {name}"
        wrong = self.errors(name, document)
        assert not wrong, f"{what} is no {document['schema']}:\n" + "\n".join(wrong[:10])
        if name not in self.used:
            self.check_that_it_can_fail(document, name, what)
        self.used.add(name)

    def check_that_it_can_fail(self, document, name, what):
        """The same document with a member less, a member more, or another type is refused."""
        required = self.by_name[name]["required"]
        assert {"schema"} <= set(required), name
        for member in required:
            less = copy.copy(document)
            del less[member]
            assert self.errors(name, less), f"{what} without {member} passes for {name}"
            other = dict(document, **{member: {"none": [0.5]}})
            assert self.errors(name, other), f"{what} with another {member} passes for {name}"
        assert self.errors(name, dict(document, unheard_of=1)), what


def described(schema, path=""):
    """Every member of every object that has no description, by its path."""
    if isinstance(schema, list):
        return [gap for entry in schema for gap in described(entry, path)]
    if not isinstance(schema, dict):
        return []
    gaps = []
    for name, part in schema.items():
        if name == "if":
            continue
        if name == "properties":
            for member, about in part.items():
                told = "description" in about or "$ref" in about
                gaps += [] if told else [f"{path}/{member}"]
                gaps += described(about, f"{path}/{member}")
        else:
            gaps += described(part, f"{path}/{name}")
    return gaps
