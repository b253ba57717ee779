/* The command trace: a page that shows, step by step, what the threads of one block do. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/seed.h"
#include "grader/compile/compile_server.h"
#include "grader/grading/jobs.h"
#include "grader/grading/workers.h"
#include "grader/judge/cases_trace.h"
#include "grader/lab/kit.h"
#include "grader/options/commands.h"
#include "grader/pages/python.h"
#include "grader/result/result_json.h"
#include "grader/sandbox/child.h"
#include "grader/student/subject.h"

/* ---- what was asked for ------------------------------------------------------------------------------------------- */

static bool case_exists(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->case_count; i++)
        if (!lab->cases[i].hidden && strcmp(lab->cases[i].name, name) == 0)
            return true;
    fprintf(stderr, "lockstep: --case %s: %s has no such case. It has:\n", name, lab->name);
    for (int i = 0; i < lab->case_count; i++)
        if (!lab->cases[i].hidden)
            fprintf(stderr, "  \"%s\"  %s\n", lab->cases[i].name, lab->cases[i].purpose);
    return false;
}

static bool read_block(const char *text, struct trace_request *request)
{
    char end;
    unsigned *block = request->block;
    bool plain = text[0] != '\0' && strspn(text, "0123456789,") == strlen(text) && strlen(text) < 32
                 && text[strlen(text) - 1] != ',';
    request->has_block = plain
                         && (sscanf(text, "%9u,%9u,%9u%c", &block[0], &block[1], &block[2], &end) == 3
                             || sscanf(text, "%9u,%9u%c", &block[0], &block[1], &end) == 2
                             || sscanf(text, "%9u%c", &block[0], &end) == 1);
    if (!request->has_block)
        fprintf(stderr, "lockstep: --block %s: a block is X, X,Y or X,Y,Z, counted from 0.\n", text);
    return request->has_block;
}

/* ---- grading ------------------------------------------------------------------------------------------------------ */

static void keep_answer(void *context, const struct job *job, const json_t *answer)
{
    (void)job;
    *(json_t **)context = json_deep_copy(answer);
}

/* Grades with the trace. Returns the answer (new reference), and the file's text in *source (owned). */
static json_t *grade(const struct subject *subject, const struct trace_request *request, uint64_t seed, json_t **source)
{
    char *path = strdup(subject->key.path);
    struct options grading = {.command = OPTIONS_GRADE, .arguments = &path, .argument_count = 1, .lab = subject->key.lab};
    struct jobs jobs;
    json_t *answer = NULL;
    jobs_find(&grading, &jobs);
    if (jobs.count == 1) {
        struct workers_input input = {.jobs = &jobs, .seed = seed, .colour = paint_wanted(stdout), .trace = request};
        workers_run(&input, keep_answer, &answer);
        const char *text = jobs.list[0].submission.source;
        *source = result_json_text(text ? text : "");
    }
    jobs_clear(&jobs);
    free(path);
    return answer;
}

/* No case ran: the report says why. */
static enum exit_status show_report(const json_t *answer)
{
    const json_t *report = json_object_get(answer, "report"), *lab = json_object_get(answer, "lab");
    const char *state = json_string_value(json_object_get(lab, "state"));
    paint_finished(stdout, json_string_value(report), json_string_length(report));
    fflush(stdout);
    fprintf(stderr, "lockstep: nothing ran, so there is nothing to trace.\n");
    return state && strcmp(state, "harness_error") == 0 ? EXIT_STATUS_HARNESS : EXIT_STATUS_SUBMISSION;
}

/* ---- the page ----------------------------------------------------------------------------------------------------- */

/* "scan" of "labs/scan/scan.cu", in new memory. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return allocate_format("%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

static void describe(const struct subject *subject, const json_t *answer, json_t *source, uint64_t seed, int file)
{
    const json_t *lab = json_object_get(answer, "lab");
    json_t *about = json_pack("{s:s,s:s,s:o,s:o,s:I,s:O,s:O,s:O}", "kind", "about", "lab", subject->key.lab->name, "path",
                              result_json_text(subject->key.path), "source", source, "seed", (json_int_t)seed, "state",
                              json_object_get(lab, "state"), "score", json_object_get(lab, "score"), "max_score",
                              json_object_get(lab, "max_score"));
    char *text = json_dumps(about, JSON_COMPACT);
    if (text && write(file, text, strlen(text)) != (ssize_t)strlen(text))
        fprintf(stderr, "lockstep: the trace could not be saved: %s\n", strerror(errno));
    free(text);
    json_decref(about);
}

static enum exit_status write_page(const struct options *options, const struct subject *subject, int file)
{
    char *stem = stem_of(subject->key.path), *out = allocate_format("%s-trace.html", stem);
    const char *words[8];
    int count = 0;
    if (options->svg) {
        words[count++] = "--svg";
        words[count++] = options->svg;
    }
    if (!options->svg || options->out) {
        words[count++] = "--out";
        words[count++] = options->out ? options->out : out;
    }
    if (options->kernel) {
        words[count++] = "--kernel";
        words[count++] = options->kernel;
    }
    lseek(file, 0, SEEK_SET);
    dup2(file, STDIN_FILENO);
    enum exit_status status = python_become("trace", "trace", (char *const *)words, count);
    free(out);
    free(stem);
    return status;
}

/* Grades the lab or file, runs the case that shows its first cause with a trace, and becomes the Python program that writes
 * the page (pages/trace). Returns when there is nothing to show, with the reason on stderr, or the report where the
 * file does not compile. */
int trace_run(const struct options *options)
{
    struct subject subject;
    struct trace_request request = {.case_name = options->case_name};
    json_t *source = NULL;
    if (!subject_find(options, &subject) || !subject_has_kernels(&subject, "trace")
        || (options->case_name && !case_exists(subject.key.lab, options->case_name))
        || (options->block && !read_block(options->block, &request)))
        return EXIT_STATUS_USAGE;
    request.file = memfd_create("trace", MFD_CLOEXEC);
    if (request.file < 0) {
        fprintf(stderr, "lockstep: not enough memory for the trace: %s\n", strerror(errno));
        return EXIT_STATUS_HARNESS;
    }
    uint64_t seed = options->has_seed ? options->seed : seed_draw();
    json_t *answer = grade(&subject, &request, seed, &source);
    enum exit_status status = EXIT_STATUS_USAGE; /* jobs_find has said why */
    if (answer && child_file_bytes(request.file) == 0) {
        status = show_report(answer);
        json_decref(source);
    } else if (answer) {
        describe(&subject, answer, source, seed, request.file);
        status = write_page(options, &subject, request.file);
    }
    json_decref(answer);
    close(request.file);
    return status;
}
