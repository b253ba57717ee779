/* One case run once more with every step of one block written down (LOCKSTEP_TRACE), for `lockstep trace`. */
#ifndef CASES_TRACE_H
#define CASES_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/judge/cases.h"

struct trace_request {
    const char *case_name; /* NULL: the smallest with a full warp that shows the first cause */
    bool has_block;        /* else the block of the first cause, or the first one */
    uint32_t block[3];
    int file; /* memory file that the records go to: JSON lines */
};

/* Runs and writes to request->file one line {"kind": "case", …}, what the driver wrote down (checks/README.md of the
 * emulator), and its findings, each as {"kind": "finding", …}. When nothing could be run it writes nothing, or
 * says why in the case's `message`. */
void cases_trace(const struct cases_input *input, const struct result_lab *result, const struct trace_request *request);

#endif
