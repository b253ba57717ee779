"""`lockstep trace`: a page that shows, step by step, what the threads of one block do.

    record   what the driver wrote down: launches, steps, requests (runtime/emulator/observe/README.md)
    marks    what there is to see in it: races and other findings, conflicts, sectors, idle lanes
    grid     the timeline as SVG: threads down, steps across
    page     the page around it, and the picture by itself
"""
