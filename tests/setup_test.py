"""ci/setup, in a small tree of its own: what it finds, what it downloads, what it says when it cannot."""

import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from classes import outside

BUILD = """\
rule doctor
  command = printf '#!/bin/sh\\necho this is the doctor\\n' > $out && chmod +x $out
build build/lockstep: doctor
"""
# What ci/setup calls besides the tools that it looks for.
TOOLS = ("bash", "sh", "env", "sed", "tail", "find", "sort", "mktemp", "rm", "mv", "mkdir", "chmod", "uname", "id",
         "dirname", "cat", "printf", "ldconfig", "python3", "as", "ld", "collect2", "touch", "head")


def have_pip():
    return subprocess.run([sys.executable, "-m", "pip", "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


class Setup(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        os.makedirs(f"{self.root}/tree/ci")
        shutil.copy("ci/setup", f"{self.root}/tree/ci/setup")
        self.write("tree/build.ninja", BUILD)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        return full

    def setup(self, *arguments, **environment):
        """Runs it; nothing is ever installed. Returns status and all output."""
        settings = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "LOCKSTEP_", "CUDA_"))}
        settings.update({"LOCKSTEP_SETUP_APT": "no", "LOCKSTEP_SETUP_TOOLKITS": "", "PIP_NO_INDEX": "1"})
        settings.update(environment)
        if settings["LOCKSTEP_SETUP_APT"] == "":
            del settings["LOCKSTEP_SETUP_APT"]
        done = subprocess.run([f"{self.root}/tree/ci/setup", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=settings, cwd=self.root, text=True, check=False)
        return done.returncode, done.stdout

    def path_with(self, *more):
        """A PATH with what ci/setup needs to run, `more`, and nothing else."""
        folder = f"{self.root}/bin"
        os.makedirs(folder, exist_ok=True)
        for tool in TOOLS + more:
            found = shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/sbin")
            if found and not os.path.lexists(f"{folder}/{tool}"):
                os.symlink(found, f"{folder}/{tool}")
        return folder

    def toolkit(self):
        self.write("toolkit/lib64/libnvrtc.so.12", "")
        return f"{self.root}/toolkit"

    def wheel(self, name="nvidia_cuda_nvrtc", version="13.0.1", library="nvidia/cu13/lib/libnvrtc.so.13"):
        """A wheel like NVIDIA's, but empty. Returns the folder for PIP_FIND_LINKS."""
        folder = f"{self.root}/wheels"
        os.makedirs(folder, exist_ok=True)
        with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr(library, "not really a library")
            information = f"{name}-{version}.dist-info"
            archive.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{information}/RECORD", "")
        return folder

    def test_finds_a_toolkit_builds_and_ends_with_the_doctor(self):
        status, output = self.setup(LOCKSTEP_SETUP_TOOLKITS=f"/nowhere:{self.toolkit()}")
        self.assertEqual(status, 0, output)
        self.assertIn("toolkit/lib64/libnvrtc.so.12", output)
        self.assertTrue(output.endswith("this is the doctor\n"), output)

    def test_makes_a_python_for_the_tests_that_has_their_modules(self):
        self.setup(LOCKSTEP_SETUP_TOOLKITS=self.toolkit())
        done = subprocess.run([f"{self.root}/tree/build/python3", "-c", "import jinja2, jsonschema, yaml"], check=False)
        self.assertEqual(done.returncode, 0)

    def test_names_every_missing_package_and_why(self):
        status, output = self.setup(PATH=self.path_with())
        self.assertEqual(status, 1)
        for word in ("gcc (the compiler)", "ninja-build (the build)", "libcunit1-dev", "libjansson-dev", "libyaml-dev",
                     "libarchive-dev", "libpng-dev", "libutf8proc-dev", "libiberty-dev", "libc6-dev",
                     "LOCKSTEP_SETUP_APT=no", "Fedora", "Arch"):
            self.assertIn(word, output)
        self.assertNotIn("should not have", output)

    def test_says_when_there_is_no_apt(self):
        status, output = self.setup(PATH=self.path_with(), LOCKSTEP_SETUP_APT="")
        self.assertEqual(status, 1)
        self.assertIn("This system has no apt-get.", output)

    def fake(self, name, script):
        path = self.write(f"bin/{name}", f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)

    def test_says_when_nobody_may_install(self):
        self.fake("apt-get", "exit 0")
        self.fake("id", "echo 1000")
        status, output = self.setup(PATH=self.path_with(), LOCKSTEP_SETUP_APT="")
        self.assertEqual(status, 1)
        self.assertIn("there is no sudo", output)

    def test_installs_through_sudo_and_checks_what_came_of_it(self):
        self.fake("apt-get", f'echo "$@" >> {self.root}/calls')
        self.fake("id", "echo 1000")
        self.fake("sudo", 'test "$1" = -n || exit 9; shift; exec "$@"')
        status, output = self.setup(PATH=self.path_with(), LOCKSTEP_SETUP_APT="")
        self.assertEqual(status, 1)
        self.assertIn("apt-get succeeded, but something is still missing", output)
        with open(f"{self.root}/calls", encoding="utf-8") as file:
            calls = file.read().splitlines()
        self.assertEqual(calls[0], "update")
        self.assertIn("install -y --no-install-recommends gcc libc6-dev ninja-build libcunit1-dev", calls[1])

    def test_shows_the_words_of_an_apt_that_fails(self):
        self.fake("apt-get", "echo E: the mirror is on fire; exit 100")
        self.fake("id", "echo 0")
        status, output = self.setup(PATH=self.path_with(), LOCKSTEP_SETUP_APT="")
        self.assertEqual(status, 1)
        self.assertIn("the mirror is on fire", output)
        self.assertIn("apt-get failed", output)

    @outside
    @unittest.skipUnless(have_pip(), "this Python has no pip")
    def test_downloads_and_unpacks_the_wheel_where_there_is_no_toolkit(self):
        status, output = self.setup(PIP_FIND_LINKS=self.wheel())
        self.assertEqual(status, 0, output)
        self.assertTrue(os.path.exists(f"{self.root}/tree/build/nvrtc/nvidia/cu13/lib/libnvrtc.so.13"))
        self.assertFalse(os.path.exists(f"{self.root}/tree/build/nvrtc.new"))
        status, output = self.setup()   # no wheel to be had: the second run must not want one
        self.assertEqual(status, 0, output)
        self.assertNotIn("download", output)

    @outside
    @unittest.skipUnless(have_pip(), "this Python has no pip")
    def test_takes_the_headers_too_where_they_are_to_be_had(self):
        for name in ("nvidia_cuda_runtime", "nvidia_cuda_crt", "nvidia_cuda_cccl"):
            links = self.wheel(name, library=f"nvidia/cu13/include/{name}.h")
        self.wheel()
        status, output = self.setup(PIP_FIND_LINKS=links)
        self.assertEqual(status, 0, output)
        self.assertNotIn("could not be downloaded", output)
        self.assertEqual(sorted(os.listdir(f"{self.root}/tree/build/nvrtc/nvidia/cu13/include")),
                         ["nvidia_cuda_cccl.h", "nvidia_cuda_crt.h", "nvidia_cuda_runtime.h"])

    @outside
    @unittest.skipUnless(have_pip(), "this Python has no pip")
    def test_takes_the_wheel_in_spite_of_a_toolkit_when_asked(self):
        status, output = self.setup(PIP_FIND_LINKS=self.wheel(), LOCKSTEP_SETUP_TOOLKITS=self.toolkit(),
                                    LOCKSTEP_SETUP_NVRTC="wheel")
        self.assertEqual(status, 0, output)
        self.assertIn("build/nvrtc/nvidia/cu13/lib/libnvrtc.so.13", output)

    @outside
    @unittest.skipUnless(have_pip(), "this Python has no pip")
    def test_takes_no_newer_nvrtc_than_the_driver_understands(self):
        source = self.write("driver.c", "int cuDriverGetVersion(int *v){*v = 12040; return 0;}")
        subprocess.run(["gcc", "-shared", "-o", f"{self.root}/libcuda.so.1", source], check=True)
        links = self.wheel("nvidia_cuda_nvrtc_cu12", "12.4.7", "nvidia/cuda_nvrtc/lib/libnvrtc.so.12")
        self.wheel("nvidia_cuda_nvrtc_cu12", "12.9.1", "nvidia/cuda_nvrtc/lib/libnvrtc.so.12")
        status, output = self.setup(PIP_FIND_LINKS=links, LD_LIBRARY_PATH=self.root)
        self.assertEqual(status, 0, output)
        self.assertIn("nvidia-cuda-nvrtc-cu12==12.4.*", output)
        self.assertIn("libnvrtc.so.12", output)

    @unittest.skipUnless(have_pip(), "this Python has no pip")
    def test_says_what_to_do_when_the_download_fails(self):
        status, output = self.setup()
        self.assertEqual(status, 1)
        self.assertIn("could not be downloaded", output)
        self.assertIn("install the CUDA Toolkit 12 or 13", output)
        self.assertFalse(os.path.exists(f"{self.root}/tree/build/nvrtc"))

    @outside
    @unittest.skipUnless(have_pip(), "this Python has no pip")
    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "there is no python3-venv")
    def test_installs_pinned_packages_for_development_and_keeps_what_is_there(self):
        for tool in ("clang", "clang-tidy", "cppcheck", "shellcheck"):
            self.fake(tool, "exit 0")
        # An environment that borrows its pip: to give it one of its own takes five seconds.
        self.fake("python3", f"""test "$1 $2" = "-m venv" || exec '{sys.executable}' "$@"
'{sys.executable}' -m venv --without-pip --system-site-packages "$3" || exit
printf '#!/bin/sh\\nexec %s/bin/python -m pip "$@"\\n' "$PWD/$3" > "$3/bin/pip"
chmod +x "$3/bin/pip\"""")
        settings = {"LOCKSTEP_SETUP_TOOLKITS": self.toolkit(), "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        self.write("tree/ci/dev-requirements.txt", "toy==1.5\n")
        status, output = self.setup("--dev", **settings)
        self.assertEqual(status, 1)
        self.assertIn("toy==1.5", output)   # pip's words
        self.assertIn("could not be installed (pip's messages are above)", output)
        self.wheel("toy", "1.6", "toy.py")
        links = self.wheel("toy", "1.5", "toy.py")
        status, output = self.setup("--dev", PIP_FIND_LINKS=links, **settings)
        self.assertEqual(status, 0, output)
        self.assertTrue(glob.glob(f"{self.root}/tree/build/venv/lib/python3*/site-packages/toy-1.5.dist-info"))
        status, output = self.setup("--dev", **settings)   # no wheel to be had: nothing is installed again
        self.assertEqual(status, 0, output)
        self.assertIn("as ci/dev-requirements.txt says", output)

    def test_pins_every_package_for_development(self):
        with open("ci/dev-requirements.txt", encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if line and not line.startswith("#")]
        for line in lines:
            self.assertRegex(line, r"^[\w.-]+==[\d.]+(; python_version < \"3\.\d+\")?$")
        names = [line.partition("==")[0] for line in lines]
        self.assertLessEqual({"mkdocs", "mkdocs-material", "pypdf", "check-jsonschema"}, set(names))
        self.assertEqual(len(names), len(set(names)))

    def test_shows_the_words_of_a_build_that_fails(self):
        self.write("tree/build.ninja", "rule no\n  command = echo this does not compile; false\nbuild build/lockstep: no\n")
        status, output = self.setup(LOCKSTEP_SETUP_TOOLKITS=self.toolkit())
        self.assertEqual(status, 1)
        self.assertIn("this does not compile", output)
        self.assertIn("The build failed", output)

    def test_passes_on_the_verdict_of_the_doctor(self):
        self.write("tree/build.ninja", BUILD.replace("echo this is the doctor", "exit 3"))
        self.assertEqual(self.setup(LOCKSTEP_SETUP_TOOLKITS=self.toolkit())[0], 3)

    def test_refuses_an_unknown_option_and_explains_itself(self):
        status, output = self.setup("--all")
        self.assertEqual(status, 2)
        self.assertIn("ci/setup [--dev]", output)
        status, output = self.setup("--help")
        self.assertEqual(status, 0)
        self.assertNotIn("set -Eeuo", output)


if __name__ == "__main__":
    unittest.main()
