"""What a program needs in its environment to load a build's driver: the sanitizer's runtime, where that is sanitized."""

import os
import re
import subprocess


def environment(build):
    """For a process of Python or another program that was not built with the sanitizers. Its own leaks are not ours."""
    printed = subprocess.run(["ldd", f"{build}/emulated/libcuda.so.1"], stdout=subprocess.PIPE, text=True, check=True).stdout
    runtimes = re.findall(r"=> (\S*/lib(?:asan|ubsan|clang_rt\.asan)\S*)", printed)
    if not runtimes:
        return {}
    return {"LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
