/* Which block should have written an element of an array, and what it did instead (unwritten.h). */
#ifndef UNWRITTEN_TRACE_H
#define UNWRITTEN_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/result/result.h"
#include "grader/run/plan.h"

struct cases_work;

enum { UNWRITTEN_THREADS = 1024, UNWRITTEN_SITES = 8 };

/* The launch whose work it is to write the array, and the array in it. */
struct unwritten_place {
    struct plan_launch launch;
    int ordinal;                     /* among the launches of that kernel, from 0 */
    int parameter;                   /* of the kernel */
    const char *kernel;              /* its name */
    char parameter_name[64];         /* the student's */
    char array[PLAN_NAME_BYTES];     /* name of the memory */
    int64_t element, count, columns; /* the first that is missing; of the array; 0: one row */
    size_t element_bytes;
    uint32_t block[3]; /* that should write it */
};

/* What one line of the block stored into the array. */
struct unwritten_site {
    int line;
    int64_t low, high, stores, distinct; /* distinct: how many elements */
    int64_t step;                        /* greatest common divisor of the distances between elements */
    int64_t first_element;
    int64_t at_once; /* elements that one store covers, at most */
    unsigned first_thread, threads;
    bool regular; /* each thread stored one element, all at the same distance from its number */
};

/* What the trace of the block shows. */
struct unwritten_seen {
    struct unwritten_site sites[UNWRITTEN_SITES];
    int site_count;
    bool complete;      /* the launch was there, and the trace was not cut */
    uint8_t *hit;       /* [place.count] the sites that stored the element, a bit each; owned */
    bool wrote_missing; /* the block did store the element */
    unsigned threads;
    int last_line[UNWRITTEN_THREADS]; /* that the thread ran; 0: none */
    int64_t last_order[UNWRITTEN_THREADS];
    bool came[UNWRITTEN_THREADS];      /* to the line of the store */
    bool overlaps;                     /* two threads of the block, or of it and another one, stored one element */
    int64_t stored[UNWRITTEN_THREADS]; /* the element that the thread stored first */
    int64_t stores[UNWRITTEN_THREADS]; /* how many stores it made */
};

/* Finds the launch and the block for a finding about missing elements. Returns false where that is not known. */
bool unwritten_find_place(const struct plan_setup *setup, const struct lab_case *the_case,
                          const struct result_finding *finding, struct unwritten_place *place);

/* Runs test `index` once more and looks at what the block did. Returns false when that is not known as a whole.
 *   store_line, end_line   of the source: the store, and the kernel's last brace
 *   seen                   out; seen->hit is to be freed */
bool unwritten_trace(struct cases_work *work, int index, const struct unwritten_place *place, int store_line, int end_line,
                     struct unwritten_seen *seen);

#endif
