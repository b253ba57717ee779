"""Writing what was made: to a file, whole or not at all; to standard output; into a folder."""

import os
import sys
import tempfile

from export.source import Mistake

USAGE, CANNOT_WRITE = 2, 3


def encode(content):
    """Bytes as they are; text as UTF-8 (what cannot be encoded was taken out by text.plain)."""
    return content if isinstance(content, bytes) else content.encode("utf-8", errors="replace")


def write_file(path, content, mode=0o644):
    """Replaces a file by content, whole or not at all. A device or a pipe is written to, not replaced."""
    data = encode(content)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            if os.path.isdir(path):
                raise Mistake(f"{path} is a folder; --out names a file here.", USAGE)
            with open(path, "wb") as file:
                file.write(data)
            return
        target = os.path.realpath(path)
        handle, fresh = tempfile.mkstemp(prefix=".lockstep-", dir=os.path.dirname(target))
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(fresh, mode & ~current_umask())
            os.replace(fresh, target)
        except BaseException:
            os.unlink(fresh)
            raise
    except OSError as error:
        raise Mistake(f"{path} cannot be written: {error.strerror}. Nothing was changed there.", CANNOT_WRITE) from error


def current_umask():
    """The process's file mode mask (reading it means setting it)."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_standard_output(content):
    """Everything, or Mistake."""
    try:
        sys.stdout.buffer.write(encode(content))
        sys.stdout.buffer.flush()
    except OSError as error:
        # Python would try again when it ends, and complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise Mistake(f"standard output could not be written: {error.strerror}.", CANNOT_WRITE) from error


def write_all(pieces, out, makes):
    """Writes a format's (name, content) pairs (formats.py). out: a file, a folder; "-" or None: standard output."""
    for name, content in pieces:
        if name is None:
            if out in (None, "-"):
                write_standard_output(content)
            else:
                write_file(out, content)
            continue
        assert makes == "folder" and not os.path.isabs(name) and ".." not in name.split("/"), name
        path = os.path.join(out, name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise Mistake(f"{os.path.dirname(path)} cannot be created: {error.strerror}.", CANNOT_WRITE) from error
        write_file(path, content)


def append_file(path, content):
    """Adds content to a file that others write, too (GITHUB_STEP_SUMMARY)."""
    try:
        with open(path, "ab") as file:
            file.write(encode(content))
    except OSError as error:
        raise Mistake(f"{path} cannot be written: {error.strerror}.", CANNOT_WRITE) from error
