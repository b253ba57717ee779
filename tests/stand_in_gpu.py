"""A GPU for machines that have none: the emulated driver without the mark by which the kit knows it.

It takes the way of a GPU (its own process, its own layer of the sandbox, verified and timed runs); its times mean nothing.
"""

import os

from batch_test import BUILD

MARK = b"\0lockstepDriverInterface\0"


def make(folder):
    """Returns what the environment needs so that the kit finds it: with little memory, so that timed runs are short."""
    os.makedirs(folder)
    with open(f"{BUILD}/emulated/libcuda.so.1", "rb") as file:
        driver = file.read()
    assert MARK in driver
    with open(os.path.join(folder, "libcuda.so.1"), "wb") as file:
        file.write(driver.replace(MARK, MARK[:-2] + b"_\0"))
    return {"LD_LIBRARY_PATH": folder, "LOCKSTEP_MEMORY": "16"}
