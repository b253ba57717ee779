"""For Canvas's "Upload Submissions", which puts each page as a comment beside the submission. Made from a class whose files
are as Canvas's "Download Submissions" names them.
"""

from export import feedback


def convert(source, _options):
    """Yields the archive."""
    yield None, feedback.archive(source, feedback.canvas_place, "Canvas")
