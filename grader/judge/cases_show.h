/* What one run of a case worked on and what it left, for `lockstep run`. */
#ifndef CASES_SHOW_H
#define CASES_SHOW_H

#include <jansson.h>

#include "grader/judge/verify.h"

struct cases_show {
    /* Of the run that the report is about; owned, NULL: nothing ran.
     * {number: 1 or 2, finished, arrays [array]}
     * array {name, type, role: "input" or "output", scalar, count, columns (0: one dimension), after_launches: how many came
     *        before it was looked at (null: it is an input), launches: of the plan, wrong: how many elements,
     *        elements [{index, before, after, expected, state: "right", "wrong", "never written" or null}]}
     * before: null where the array had no values yet; after: null where the run did not get that far, or never wrote it.
     * Numbers that are not finite are the texts "nan", "inf" and "-inf". Of a long array the first elements are there, and
     * the first wrong ones. */
    json_t *run;
};

/* Takes over the arrays of a run, whatever its outcome. Those of an earlier run are dropped. */
void cases_show_take(struct cases_show *show, const struct verify_run *run, const struct run_reply *reply);

#endif
