"""`lockstep trace`: a page that shows, step by step, what the threads of one block do.

    record   what the driver wrote down: launches, steps, requests (runtime/emulator/observe/README.md)
    marks    what there is to see in it: races and other findings, sectors, idle lanes
    grid     the geometry of the timeline: threads down, steps across
    page     the page around it, and the picture by itself (templates/trace.html, picture.svg)
"""
