/* Estimates of time, a launch at a time: for the table that `ninja gpu-bench` prints beside measured times.
 *
 *     estimate GPU < LINES
 *
 * LINES are those of LOCKSTEP_COUNTERS, each with two members more: "scale_blocks" and "scale_work" (grader/estimate/estimate.h).
 * Prints a JSON line each: {kernel, ms, limit, limit_ms {...}}. Exits 2 when a line cannot be read.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/estimate/estimate.h"

int main(int argc, char **argv)
{
    const struct estimate_gpu *gpu = argc == 2 ? estimate_find_gpu(argv[1]) : NULL;
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    if (!gpu) {
        fputs("usage: estimate GPU < LINES; GPU as in grader/estimate/gpus.def\n", stderr);
        return 2;
    }
    while ((length = getline(&text, &capacity, stdin)) > 0) {
        json_t *line = json_loadb(text, (size_t)length, 0, NULL), *limits = json_object();
        struct estimate_scale scale = {json_number_value(json_object_get(line, "scale_blocks")),
                                       json_number_value(json_object_get(line, "scale_work"))};
        struct estimate estimate;
        if (!line || !estimate_launches(text, (size_t)length, gpu, &scale, &estimate)) {
            fprintf(stderr, "estimate: not a line of counters with costs: %.80s\n", text);
            return 2;
        }
        for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++)
            json_object_set_new(limits, estimate_limit_key((enum estimate_limit)i), json_real(estimate.limit_ms[i]));
        json_t *out = json_pack("{s:O,s:f,s:s,s:o}", "kernel", json_object_get(line, "kernel"), "ms", estimate.ms, "limit",
                                estimate_limit_key(estimate.limit), "limit_ms", limits);
        json_dumpf(out, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
        putchar('\n');
        json_decref(out);
        json_decref(line);
    }
    free(text);
    return 0;
}
