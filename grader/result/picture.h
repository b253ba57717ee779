/* Who touched what between which barriers: the elements of a shared array around a race, for one block. Made from what the
 * emulated driver wrote down (LOCKSTEP_RECORD). */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PICTURE_ROWS = 7, PICTURE_INTERVALS = 3, PICTURE_TOUCHES = 6, PICTURE_THREADS = 4 };

/* Threads that did the same with an element, at the same line. */
struct picture_touch {
    char kind;                    /* 'W' writes, 'A' changes atomically, 'R' reads */
    int line;                     /* 0 unknown */
    int threads[PICTURE_THREADS]; /* the first of them, rising; counted x first, then y, then z */
    int thread_count, last;       /* all of them; the highest */
    bool together;                /* neighbours without a gap */
};

struct picture_cell {
    struct picture_touch touches[PICTURE_TOUCHES];
    int count;
    bool more;     /* others did not fit */
    bool conflict; /* one thread writes where another one is, in the same interval */
};

struct picture {
    bool present;
    char array[64];
    uint32_t block[3];
    int64_t index; /* element of the race */
    int interval_count, row_count;
    int after_line[PICTURE_INTERVALS]; /* line of the barrier that begins the interval; 0 unknown; -1: the block's start */
    bool last[PICTURE_INTERVALS];      /* no barrier ends it */
    int64_t rows[PICTURE_ROWS];        /* elements, rising */
    struct picture_cell cells[PICTURE_ROWS][PICTURE_INTERVALS];
};

struct result_finding;

/* Reads the record of a run, [bytes] of text, and draws the surroundings of a race in shared memory. picture->present
 * stays false when the record does not show the race. */
void picture_make(const char *text, size_t bytes, const struct result_finding *finding, struct picture *picture);

/* "W15:9", "R0-31:14", "R1,3,5+4:14": threads, and the line after the colon. */
void picture_touch_text(const struct picture_touch *touch, char *text, size_t text_bytes);
/* "from the start", "from line 9 on": where the barrier is; "no barrier" */
void picture_interval_text(const struct picture *picture, int interval, char *text, size_t text_bytes);

/* For a terminal, in its columns. */
void picture_print(FILE *file, const struct picture *picture, bool colour);

/* As an SVG file of its own, for light and dark pages, with the same as text for those who do not see it. */
void picture_write_svg(FILE *file, const struct picture *picture);

#endif
