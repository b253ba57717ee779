/* Barriers that no conflict needs, over all runs of a submission. */
#ifndef BARRIERS_H
#define BARRIERS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/result/result.h"

enum { BARRIERS_MOST = 64 }; /* lines with barriers that are looked at */

struct barriers {
    struct barriers_line {
        char kernel[64], file[256]; /* as the driver gives them */
        int line;
        bool needed;  /* by a launch */
        bool others;  /* a launch that did not need it had barriers that may order what threads share */
        int launches; /* that did not need it */
    } lines[BARRIERS_MOST];
    int count;
};

/* Adds what the driver's counters text[bytes], one JSON object per launch, say about barriers. */
void barriers_read(const char *text, size_t bytes, struct barriers *barriers);

/* Adds a note for each barrier that some launch executed and none needed. `file` is the submission, as the user gave it;
 * barriers of other files are left out, and all of them where the compiler has dropped a shared array of the source: what
 * threads share in it was not seen.
 */
struct barriers_input {
    const char *tests; /* whose runs they are: "test", or "visible test" where others ran as well */
    const char *file;
    const char *source, *ptx; /* NULL: not known */
    size_t source_bytes, ptx_bytes;
    bool counted; /* a budget of the lab counts barriers */
};

void barriers_report(const struct barriers *barriers, const struct barriers_input *input, struct result_findings *notes);

#endif
