#include "grader/result/result_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/result/cause.h"
#include "grader/result/diagnose.h"
#include "grader/result/result_source.h"
#include "runtime/base/printable.h"

#define TEXT_BYTES 8192

json_t *result_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Counters are whole numbers up to 2^53 and read better as such. */
static json_t *number_or_whole(double value)
{
    return isfinite(value) && value == floor(value) && fabs(value) < 9007199254740992.0 ? json_integer((json_int_t)value)
                                                                                        : result_json_number(value);
}

static json_t *whole_or_null(int value)
{
    return value > 0 ? json_integer(value) : json_null();
}

static const char *severity_name(lockstep_severity severity)
{
    return severity == LOCKSTEP_ERROR ? "error" : severity == LOCKSTEP_WARNING ? "warning" : "note";
}

static json_t *triple(bool present, const uint32_t value[3])
{
    return present ? json_pack("[I,I,I]", (json_int_t)value[0], (json_int_t)value[1], (json_int_t)value[2]) : json_null();
}

static json_t *index_of(const struct result_finding *finding)
{
    if (finding->index_count == 0)
        return json_null();
    if (finding->index_count == 1)
        return json_integer(finding->index[0]);
    return json_pack("[I,I]", (json_int_t)finding->index[0], (json_int_t)finding->index[1]);
}

static json_t *frame_json(const struct result_frame *frame)
{
    return json_pack("{s:o,s:o,s:o}", "function", result_json_text(frame->function), "file", result_json_text(frame->file),
                     "line", whole_or_null(frame->line));
}

/* What the message tells by itself. */
static json_t *tells_json(const struct result_finding *finding)
{
    json_t *tells = json_array();
    if (finding->tells_values)
        json_array_append_new(tells, json_string("values"));
    if (result_finding_tells_threads(finding))
        json_array_append_new(tells, json_string("threads"));
    if (finding->asks)
        json_array_append_new(tells, json_string("question"));
    return tells;
}

/* What explains a finding. */
static void add_explanation(json_t *object, const struct result_finding *finding)
{
    json_t *calls = json_array(), *marks = json_array();
    for (int i = 0; i < finding->called_from_count; i++)
        json_array_append_new(calls, frame_json(&finding->called_from[i]));
    for (int i = 0; i < finding->mark_count; i++)
        json_array_append_new(marks, json_pack("{s:i,s:i,s:i}", "line", finding->marks[i].line, "column",
                                               finding->marks[i].column, "width", finding->marks[i].width));
    json_object_set_new(object, "title", json_string(diagnose_title(finding->code)));
    json_object_set_new(object, "stage", json_integer(diagnose_stage(finding->code)));
    json_object_set_new(object, "thread2", triple(finding->has_thread2, finding->thread2));
    json_object_set_new(object, "block2", triple(finding->has_thread2, finding->block2));
    json_object_set_new(object, "tells", tells_json(finding));
    json_object_set_new(object, "function", result_json_text(finding->function));
    json_object_set_new(object, "inside", finding->inside.line > 0 ? frame_json(&finding->inside) : json_null());
    json_object_set_new(object, "called_from", calls);
    json_object_set_new(object, "ptx_line", whole_or_null(finding->ptx_line));
    json_object_set_new(object, "ptx_line2", whole_or_null(finding->ptx_line2));
    json_object_set_new(object, "marks", marks);
    json_object_set_new(object, "arithmetic", result_json_text(finding->arithmetic));
    json_object_set_new(object, "remark", result_json_text(finding->remark));
    json_object_set_new(object, "handout", result_json_text(finding->handout));
}

static json_t *finding_json(const struct result_finding *finding)
{
    json_t *object = json_pack("{s:s,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:o,s:o,s:o}", "code", finding->code,
                               "pattern", result_json_text(finding->pattern), "severity", severity_name(finding->severity),
                               "kernel", result_json_text(finding->kernel), "file", result_json_text(finding->file), "line",
                               whole_or_null(finding->line), "file2", result_json_text(finding->file2), "line2",
                               whole_or_null(finding->line2), "array", result_json_text(finding->array), "index",
                               index_of(finding), "thread", triple(finding->has_thread, finding->thread), "block",
                               triple(finding->has_thread, finding->block), "count", (json_int_t)finding->count, "message",
                               result_json_text(finding->message), "hint", result_json_text(diagnose_hint(finding)),
                               "schedule", result_json_text(finding->schedule));
    add_explanation(object, finding);
    return object;
}

enum { LISTED = 20 }; /* findings of one code in a test: more tell nothing new, and thousands of lines may have one each */

/* left_out: out: how many are not in the list */
static json_t *findings_json(const struct result_findings *findings, size_t *left_out)
{
    json_t *array = json_array();
    *left_out = 0;
    for (size_t i = 0; i < findings->count; i++) {
        size_t alike = 0;
        for (size_t k = 0; k < i && alike < LISTED; k++)
            alike += strcmp(findings->list[k].code, findings->list[i].code) == 0;
        if (alike < LISTED)
            json_array_append_new(array, finding_json(&findings->list[i]));
        else
            ++*left_out;
    }
    return array;
}

static json_t *order_json(const struct result_order *order)
{
    if (order->tried == 0)
        return json_null();
    return json_pack("{s:i,s:o,s:o,s:o,s:o}", "tried", order->tried, "wrong_with", result_json_text(order->schedule),
                     "place", result_json_text(order->place), "expected", result_json_text(order->expected), "actual",
                     result_json_text(order->actual));
}

static json_t *png_json(const struct picture *picture)
{
    size_t bytes = 0;
    uint8_t *png = picture_png(picture, &bytes);
    char *text = png ? json_text_base64(png, bytes) : NULL;
    json_t *encoded = text ? json_string(text) : json_null();
    free(text);
    free(png);
    return encoded;
}

static json_t *picture_json(const struct result_picture *picture)
{
    return json_pack("{s:s,s:I,s:I,s:I,s:I,s:o,s:o,s:o}", "array", picture->array, "column", (json_int_t)picture->column,
                     "row", (json_int_t)picture->row, "columns", (json_int_t)picture->got.columns, "rows",
                     (json_int_t)picture->got.rows, "expected", png_json(&picture->expected), "got", png_json(&picture->got),
                     "difference", png_json(&picture->difference));
}

static json_t *test_json(const struct result_test *test)
{
    size_t left_out;
    json_t *findings = findings_json(&test->findings, &left_out);
    json_t *gpu = test->on_gpu ? json_string(result_state_name(test->gpu_state)) : json_null();
    json_t *object = json_pack(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:i}", "name", test->name, "purpose", test->purpose,
        "visibility", test->hidden ? "hidden" : "visible", "state", result_state_name(test->state), "score", test->score,
        "max_score", test->max_score, "message", result_json_text(test->message), "place", result_json_text(test->place),
        "expected", result_json_text(test->expected), "actual", result_json_text(test->actual), "findings", findings, "gpu",
        gpu, "schedules", order_json(&test->order), "halvings", test->halvings + test->slow_halvings);
    if (left_out > 0)
        json_object_set_new(object, "findings_left_out", json_integer((json_int_t)left_out));
    if (test->picture)
        json_object_set_new(object, "picture", picture_json(test->picture));
    return object;
}

static json_t *budget_json(const struct result_budget *budget)
{
    json_t *interval = isnan(budget->low) ? json_null() : json_pack("[f,f]", budget->low, budget->high);
    return json_pack("{s:s,s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:s,s:i,s:i,s:o,s:o,s:s,s:o}", "track", budget->track,
                     "metric", budget->metric, "title", budget->title, "value", number_or_whole(budget->value), "reference",
                     number_or_whole(budget->reference), "ideal", number_or_whole(budget->ideal), "ratio",
                     result_json_number(budget->ratio), "full_at", result_json_number(budget->full_at), "zero_at",
                     result_json_number(budget->zero_at), "interval", interval, "state", result_state_name(budget->state),
                     "score", budget->score, "max_score", budget->max_score, "message", result_json_text(budget->message),
                     "line", budget->line > 0 ? json_integer(budget->line) : json_null(), "picture", budget->picture, "why",
                     result_json_text(budget->why));
}

static json_t *diagnostic_json(const lockstep_diagnostic *diagnostic)
{
    json_t *advice = diagnostic->advice[0] != '\0' ? result_json_text(diagnostic->advice) : json_null();
    return json_pack("{s:o,s:o,s:o,s:s,s:o,s:o}", "file", result_json_text(diagnostic->file), "line",
                     whole_or_null(diagnostic->line), "column", whole_or_null(diagnostic->column), "severity",
                     severity_name(diagnostic->severity), "message", result_json_text(diagnostic->message), "advice",
                     advice);
}

static json_t *printed_json(const struct result_lab *lab)
{
    int index = result_printed_test(lab);
    if (index < 0)
        return json_null();
    const struct result_printed *printed = &lab->tests[index].printed;
    size_t bytes = strlen(printed->text), room = 4 * bytes + 128; /* an escaped byte takes four */
    char *escaped = allocate_zeroed(room + 64);
    json_text_escape(escaped, room, printed->text, bytes);
    if (printed->bytes > bytes)
        sprintf(escaped + strlen(escaped), "[%llu more bytes]\n", (unsigned long long)(printed->bytes - bytes));
    json_t *text = json_string(escaped);
    free(escaped);
    return text;
}

/* The test that printed it. */
static json_t *printed_test_json(const struct result_lab *lab)
{
    int index = result_printed_test(lab);
    return index < 0 ? json_null() : json_string(lab->tests[index].name);
}

/* Findings about the submission as a whole have no test of their own: the first test carries them. */
static json_t *tests_json(const struct result_lab *lab)
{
    json_t *tests = json_array();
    for (int i = 0; i < lab->test_count; i++) {
        json_t *test = test_json(&lab->tests[i]);
        for (size_t k = 0; i == 0 && k < lab->notes.count; k++)
            json_array_insert_new(json_object_get(test, "findings"), k, finding_json(&lab->notes.list[k]));
        json_array_append_new(tests, test);
    }
    return tests;
}

/* Where the reader is to begin. Findings about the submission as a whole are in the first test. */
static json_t *first_test_json(const struct result_lab *lab)
{
    int index = lab->notes.count > 0 && lab->state == RESULT_ERROR ? 0 : diagnose_first_test(lab);
    return index >= 0 && index < lab->test_count ? json_integer(index) : json_null();
}

static json_t *estimate_json(const struct result_estimate *estimate)
{
    if (!estimate->own.gpu)
        return json_null();
    const struct estimate *own = &estimate->own;
    char message[384];
    json_t *limits = json_object();
    for (int i = 0; i < ESTIMATE_LIMIT_COUNT; i++)
        json_object_set_new(limits, estimate_limit_key((enum estimate_limit)i), json_real(own->limit_ms[i]));
    estimate_describe(own, message, sizeof message);
    return json_pack("{s:s,s:s,s:f,s:o,s:o,s:i,s:f,s:s,s:o,s:s}", "gpu", own->gpu->name, "case", estimate->the_case, "ms",
                     own->ms, "high_ms", own->high_ms > 0 ? json_real(own->high_ms) : json_null(), "reference_ms",
                     estimate->reference.gpu ? json_real(estimate->reference.ms) : json_null(), "launches", own->launches,
                     "launch_ms", own->launch_ms, "limit", estimate_limit_key(own->limit), "limits", limits, "message",
                     message);
}

static json_t *timeline_json(const struct result_timeline *timeline)
{
    static const char *const kinds[RESULT_PIECE_KINDS] = {"to_device", "to_host", "kernel"};
    if (!timeline->the_case)
        return json_null();
    json_t *pieces = json_array();
    for (size_t i = 0; i < timeline->piece_count; i++) {
        const struct result_piece *piece = &timeline->pieces[i];
        json_array_append_new(pieces, json_pack("{s:s,s:o,s:o,s:o,s:I,s:f,s:f}", "kind", kinds[piece->kind], "stream",
                                                result_json_text(piece->stream), "kernel", result_json_text(piece->kernel),
                                                "line", whole_or_null(piece->line), "bytes", (json_int_t)piece->bytes,
                                                "start_us", piece->start_us, "end_us", piece->end_us));
    }
    return json_pack("{s:s,s:f,s:f,s:s,s:o}", "case", timeline->the_case, "us", timeline->us, "in_a_row_us",
                     timeline->in_a_row_us, "model", result_timeline_model, "pieces", pieces);
}

static json_t *repair_json(const struct result_repair *repair)
{
    static const char *const cures[] = {
        [RESULT_CURED] = "cured", [RESULT_PARTLY] = "partly", [RESULT_REMAINS] = "remains", [RESULT_NO_CURE] = "none"};
    if (repair->cure == RESULT_UNTRIED)
        return json_null();
    json_t *tried = json_array();
    for (const char *at = repair->tried; *at != '\0'; at += strcspn(at, " ") + 1)
        json_array_append_new(tried, json_stringn(at, strcspn(at, " ")));
    return json_pack("{s:s,s:o,s:o,s:o,s:o,s:i,s:i,s:o,s:o,s:i,s:o}", "cure", cures[repair->cure], "kind",
                     result_json_text(repair->kind), "line", whole_or_null(repair->line), "line2",
                     whole_or_null(repair->line2), "array", result_json_text(repair->array), "cures", repair->cures, "of",
                     repair->of, "other", result_json_text(repair->other), "tried", tried, "runs", repair->runs, "message",
                     result_json_text(repair->message));
}

json_t *result_json_lab(const struct result_lab *lab, const char *source)
{
    json_t *diagnostics = json_array(), *budgets = json_array(), *counters = json_object();
    for (size_t i = 0; i < lab->diagnostic_count; i++)
        json_array_append_new(diagnostics, diagnostic_json(&lab->diagnostics[i]));
    for (int i = 0; i < lab->budget_count; i++)
        json_array_append_new(budgets, budget_json(&lab->budgets[i]));
    for (int i = 0; i < lab->counter_count; i++)
        json_object_set_new(counters, lab->counters[i].name, number_or_whole(lab->counters[i].value));
    json_t *plan = lab->plan ? json_string(lab->plan) : json_null();
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "lab",
                     lab->lab, "state", result_state_name(lab->state), "score", lab->score, "max_score", lab->max_score,
                     "message", result_json_text(lab->message), "cause", cause_json(lab), "repair",
                     repair_json(&lab->repair), "diagnostics", diagnostics, "plan", plan, "tests", tests_json(lab),
                     "performance", budgets, "counters", counters, "estimate", estimate_json(&lab->estimate), "timeline",
                     timeline_json(&lab->timeline), "printf", printed_json(lab), "printf_test", printed_test_json(lab),
                     "first_test", first_test_json(lab), "source", result_source_json(lab, source));
}

json_t *result_json_machine(const lockstep_device_info *device)
{
    if (!device)
        return json_pack("{s:n,s:n,s:n,s:n}", "device", "driver", "compute_capability", "emulator");
    char version[32], capability[16];
    snprintf(version, sizeof version, "%d.%d", device->driver_version / 1000, device->driver_version % 1000 / 10);
    snprintf(capability, sizeof capability, "%d.%d", device->major, device->minor);
    return json_pack("{s:o,s:s,s:s,s:b}", "device", result_json_text(device->name), "driver", version, "compute_capability",
                     capability, "emulator", device->emulated);
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* Flushes to the disk too, so that a full one shows here and not later. */
static bool write_to(FILE *file, const json_t *result)
{
    bool good = json_dumpf(result, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0 && fputc('\n', file) != EOF
                && fflush(file) == 0;
    struct stat facts;
    if (good && fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode))
        good = fsync(fileno(file)) == 0;
    return good;
}

static bool report(const char *path, char *message, size_t message_bytes)
{
    snprintf(message, message_bytes, "cannot write the result file %.300s: %s", path, strerror(errno));
    return false;
}

static bool write_directly(const json_t *result, const char *path, char *message, size_t message_bytes)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!file)
        return report(path, message, message_bytes);
    bool good = write_to(file, result);
    int saved = errno;
    if (file != stdout && fclose(file) != 0 && good) {
        saved = errno;
        good = false;
    }
    errno = saved;
    return good || report(path, message, message_bytes);
}

bool result_json_write(const json_t *result, const char *path, char *message, size_t message_bytes)
{
    struct stat facts;
    if (strcmp(path, "-") == 0 || (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)))
        return write_directly(result, path, message, message_bytes);
    char *temporary = allocate_format("%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    mode_t mask = umask(0);
    umask(mask);
    bool good = file && write_to(file, result) && fchmod(descriptor, 0666 & ~mask) == 0;
    int saved = errno;
    if (file && fclose(file) != 0 && good) {
        saved = errno;
        good = false;
    }
    if (good && rename(temporary, path) != 0) {
        saved = errno;
        good = false;
    }
    if (!good && descriptor >= 0)
        unlink(temporary);
    free(temporary);
    errno = saved;
    return good || report(path, message, message_bytes);
}
