"""For Moodle's "Upload multiple feedback files in a zip" (the assignment needs the feedback type "Feedback files").
Made from a class whose folders or files are as Moodle's "Download all submissions" names them.
"""

from export import feedback


def convert(source, _options):
    """Yields the archive."""
    yield None, feedback.archive(source, feedback.moodle_place, "Moodle")
