"""A kit of one's own for tests of what students do: a copy of labs, solutions and handouts in a temporary folder, beside the
programs of the build, so that nothing is written into the checkout."""

import glob
import os
import shutil
import subprocess
import tempfile

BUILD = os.path.abspath(os.environ.get("LOCKSTEP_BUILD", "build"))
SANITIZED = "sanitize" in BUILD


class Kit:
    """Folders: root is the kit, home an empty place to work in."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        base = os.path.realpath(self.directory.name)
        self.root, self.home = os.path.join(base, "kit"), os.path.join(base, "home")
        for path in glob.glob("labs/*/*.*") + glob.glob("labs/*.*") + glob.glob("solutions/*/*.cu"):
            os.makedirs(os.path.join(self.root, os.path.dirname(path)), exist_ok=True)
            shutil.copy2(path, os.path.join(self.root, path))   # with its time: build/labs is not older then
        os.makedirs(os.path.join(self.root, "handouts"))
        for path in glob.glob("handouts/*.md"):
            os.symlink(os.path.abspath(path), os.path.join(self.root, path))
        os.makedirs(os.path.join(self.root, "grader"))
        os.symlink(os.path.abspath("grader/lab"), os.path.join(self.root, "grader", "lab"))   # the headers of hooks.c
        os.symlink(os.path.abspath("grader/pages"), os.path.join(self.root, "grader", "pages"))   # the gradebook, the pages
        os.makedirs(os.path.join(self.root, "build"))
        os.makedirs(self.home)
        self.program = os.path.join(self.root, "build", "lockstep")
        try:
            os.link(os.path.join(BUILD, "lockstep"), self.program)
        except OSError:   # another file system
            shutil.copy2(os.path.join(BUILD, "lockstep"), self.program)
        for name in ("emulated", "nvrtc", "labs"):   # what the program looks for beside itself
            if os.path.exists(os.path.join(BUILD, name)):
                os.symlink(os.path.join(BUILD, name), os.path.join(self.root, "build", name))
        self.environment = {name: value for name, value in os.environ.items() if name not in ("LOCKSTEP_FOLDER", "CI")}
        self.environment.update(CUDA_VISIBLE_DEVICES="", LC_ALL="C.UTF-8")

    def close(self):
        self.directory.cleanup()

    def run(self, *words, cwd=None, **environment):
        return subprocess.run([self.program, *words], cwd=cwd or self.root, env={**self.environment, **environment},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def read(self, *parts):
        with open(self.path(*parts), encoding="utf-8") as file:
            return file.read()

    def write(self, text, *parts):
        with open(self.path(*parts), "w", encoding="utf-8") as file:
            file.write(text)
