"""Names of the kit's labs in the order of the map (labs/map.yaml), then those that it does not have. Needs no package."""

import os
import re


def names(kit):
    """kit: the kit's root. An older kit's "04_scan" is called "scan" now: `without_number`."""
    labs = os.path.join(kit, "labs")
    there = sorted(name for name in os.listdir(labs) if os.path.exists(os.path.join(labs, name, "lab.yaml")))
    with open(os.path.join(labs, "map.yaml"), encoding="utf-8") as file:
        mapped = re.findall(r"^ +- (\w+) *(?:#.*)?$", file.read(), re.M)
    return [name for name in mapped if name in there] + [name for name in there if name not in mapped]


def without_number(word):
    return re.sub(r"^[0-9]+_(?=.)", "", word)
