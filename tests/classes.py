"""What a test needs (classes.def), where that is not what its suite needs (suites.def): @host before a test or a class of
tests. with_program() skips one by name where a program is missing that ci/setup does not install."""

import shutil
import unittest


def marker(name):
    def mark(marked):
        marked.needs = name
        return marked
    return mark


def with_program(program, package):
    return unittest.skipUnless(shutil.which(program), f"there is no {program}: apt-get install {package}")


fast, sample, corpus, host, outside = map(marker, ("fast", "sample", "corpus", "host", "outside"))
