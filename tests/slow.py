"""@slow marks a test, or a class of tests, that `ninja test` leaves to `ninja test-all`."""


def slow(marked):
    marked.slow = True
    return marked
