/* Estimates of time, a case at a time: for the tables that `ninja gpu-bench` prints beside measured times.
 *
 *     estimate GPU < CASES
 *
 * CASES are JSON lines: {name, runs: [RUN], target: RUN}; a RUN is {depth, launches: [{kernel, blocks, threads, cover,
 * items, line}]}, its members as in grader/estimate/estimate.h; `line`, that of LOCKSTEP_COUNTERS, is missing in the target.
 * Prints a JSON line each: {name, ms, limit, limit_ms {...}, message}. Exits 2 when a case cannot be estimated.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/estimate/estimate.h"

enum { MOST_LAUNCHES = 64 };

struct run {
    struct estimate_run run;
    struct estimate_launch launches[MOST_LAUNCHES];
    char *text;
};

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void read_run(const json_t *description, struct run *run)
{
    const json_t *launches = json_object_get(description, "launches");
    size_t count = json_array_size(launches), bytes = 0;
    memset(run, 0, sizeof *run);
    for (size_t i = 0; i < count && i < MOST_LAUNCHES; i++) {
        const json_t *launch = json_array_get(launches, i), *line = json_object_get(launch, "line");
        run->launches[i] = (struct estimate_launch){.kernel = json_string_value(json_object_get(launch, "kernel")),
                                                    .blocks = number(launch, "blocks"),
                                                    .threads = number(launch, "threads"),
                                                    .cover = number(launch, "cover"),
                                                    .items = number(launch, "items")};
        char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
        if (!text)
            continue;
        size_t more = strlen(text);
        run->text = realloc(run->text, bytes + more + 2);
        if (!run->text)
            exit(2);
        memcpy(run->text + bytes, text, more);
        run->text[bytes + more] = '\n';
        bytes += more + 1;
        free(text);
    }
    run->run = (struct estimate_run){run->launches, count, number(description, "depth"), run->text, bytes};
}

static bool estimate_line(const json_t *line, const struct estimate_gpu *gpu, struct estimate *estimate)
{
    static struct run runs[ESTIMATE_RUNS], target;
    struct estimate_run counted[ESTIMATE_RUNS];
    const json_t *list = json_object_get(line, "runs");
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count && i < ESTIMATE_RUNS; i++) {
        read_run(json_array_get(list, i), &runs[i]);
        counted[i] = runs[i].run;
    }
    read_run(json_object_get(line, "target"), &target);
    bool known = count <= ESTIMATE_RUNS && estimate_make(counted, count, &target.run, gpu, estimate);
    for (size_t i = 0; i < count && i < ESTIMATE_RUNS; i++)
        free(runs[i].text);
    return known;
}

int main(int argc, char **argv)
{
    const struct estimate_gpu *gpu = argc == 2 ? estimate_find_gpu(argv[1]) : NULL;
    char *text = NULL, message[384];
    size_t capacity = 0;
    ssize_t length;
    if (!gpu) {
        fputs("usage: estimate GPU < CASES; GPU as in grader/estimate/gpus.def\n", stderr);
        return 2;
    }
    while ((length = getline(&text, &capacity, stdin)) > 0) {
        json_t *line = json_loadb(text, (size_t)length, 0, NULL), *limits = json_object();
        struct estimate estimate;
        if (!line || !estimate_line(line, gpu, &estimate)) {
            fprintf(stderr, "estimate: cannot be estimated: %.80s\n", text);
            return 2;
        }
        for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++)
            json_object_set_new(limits, estimate_limit_key((enum estimate_limit)i), json_real(estimate.limit_ms[i]));
        estimate_describe(&estimate, message, sizeof message);
        json_t *out = json_pack("{s:O,s:f,s:s,s:o,s:s}", "name", json_object_get(line, "name"), "ms", estimate.ms, "limit",
                                estimate_limit_key(estimate.limit), "limit_ms", limits, "message", message);
        json_dumpf(out, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
        putchar('\n');
        json_decref(out);
        json_decref(line);
    }
    free(text);
    return 0;
}
