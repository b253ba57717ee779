/* Grouping findings, putting the first cause first, and writing them: JSON lines to a file, or text on stderr. */
#include "runtime/emulator/checks/finding.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/base/json.h"
#include "runtime/emulator/base/settings.h"

static const struct {
    const char *name, *words, *hint;
    enum finding_severity severity;
} codes[FINDING_CODE_COUNT] = {
#define FINDING(code, text, level, question) [FINDING_##code] = {#code, text, question, SEVERITY_##level},
#include "runtime/emulator/checks/findings.def"
#undef FINDING
};

static const char *const severity_names[] = {"note", "warning", "error"};

static uint64_t errors;
static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

const char *finding_code_name(enum finding_code code)
{
    return codes[code].name;
}

enum finding_severity finding_code_severity(enum finding_code code)
{
    return codes[code].severity;
}

uint64_t finding_error_count(void)
{
    return errors;
}

struct finding *finding_text(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message, sizeof finding->message, format, arguments);
    va_end(arguments);
    return finding;
}

/* ---- writing ---- */

static void open_sink(void)
{
    const char *path = settings_get()->findings_path;
    if (!path)
        return;
    sink = fopen(path, "ae");
    if (!sink)
        fprintf(stderr, "lockstep: cannot open LOCKSTEP_FINDINGS=%s: %m; findings go to stderr\n", path);
}

void finding_open(void)
{
    pthread_once(&opened, open_sink);
}

static void write_index(struct json_line *line, const struct finding *finding)
{
    if (!finding->has_index)
        json_line_null(line, "index");
    else if (finding->columns > 0 && finding->index >= 0)
        json_line_pair(line, "index", finding->index / finding->columns, finding->index % finding->columns);
    else
        json_line_integer(line, "index", finding->index);
}

static void write_json(const struct finding *finding)
{
    struct json_line line;
    json_line_begin(&line);
    json_line_text(&line, "code", codes[finding->code].name);
    json_line_null(&line, "pattern");
    json_line_text(&line, "severity", severity_names[finding->severity]);
    json_line_text(&line, "kernel", finding->kernel);
    json_line_text(&line, "file", finding->file);
    json_line_integer_or_null(&line, "line", finding->line);
    json_line_text(&line, "file2", finding->file2);
    json_line_integer_or_null(&line, "line2", finding->line2);
    json_line_text(&line, "array", finding->array);
    write_index(&line, finding);
    if (finding->has_thread) {
        json_line_triple(&line, "thread", finding->thread);
        json_line_triple(&line, "block", finding->block);
    } else {
        json_line_null(&line, "thread");
        json_line_null(&line, "block");
    }
    json_line_integer(&line, "count", (int64_t)finding->count);
    json_line_text(&line, "message", finding->message);
    json_line_text(&line, "hint", codes[finding->code].hint);
    json_line_end(&line, sink);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Text that comes from the program under test must not steer the terminal. */
static void write_escaped(const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < 32 || *text == 127 ? '?' : *text, stderr);
}

static void write_text(const struct finding *finding)
{
    char place[320] = "";
    if (finding->line)
        snprintf(place, sizeof place, "%s:%d", base_name(finding->file), finding->line);
    fprintf(stderr, "%-15s %s   ", codes[finding->code].words, place);
    write_escaped(finding->message);
    if (finding->has_thread)
        fprintf(stderr, "\n                thread (%u,%u,%u) of block (%u,%u,%u) of %s", finding->thread[0],
                finding->thread[1], finding->thread[2], finding->block[0], finding->block[1], finding->block[2],
                finding->kernel);
    if (finding->count > 1)
        fprintf(stderr, "; %llu times in all", (unsigned long long)finding->count);
    fprintf(stderr, "\n                %s\n", codes[finding->code].hint);
}

void finding_report(const struct finding *finding)
{
    if (settings_get()->checks == CHECKS_NONE)
        return;
    finding_open();
    errors += finding->severity == SEVERITY_ERROR;
    if (sink)
        write_json(finding);
    else
        write_text(finding);
}

/* ---- groups ---- */

struct finding_set {
    struct finding *groups;
    size_t count, capacity;
};

enum { MAX_GROUPS = 256 };   /* of one launch; the rest is counted in the last */

struct finding_set *finding_set_create(void)
{
    return calloc(1, sizeof(struct finding_set));
}

void finding_set_destroy(struct finding_set *set)
{
    if (!set)
        return;
    free(set->groups);
    free(set);
}

static bool same_group(const struct finding *a, const struct finding *b)
{
    return a->code == b->code && a->line == b->line && a->line2 == b->line2 && strcmp(a->array, b->array) == 0
           && strcmp(a->file, b->file) == 0;
}

int finding_collect(struct finding_set *set, const struct finding *finding)
{
    for (size_t i = 0; i < set->count; i++)
        if (same_group(&set->groups[i], finding)) {
            set->groups[i].count += finding->count;
            return (int)i;
        }
    if (set->count == MAX_GROUPS) {
        set->groups[MAX_GROUPS - 1].count += finding->count;
        return MAX_GROUPS - 1;
    }
    if (set->count == set->capacity) {
        size_t capacity = set->capacity ? set->capacity * 2 : 8;
        struct finding *grown = realloc(set->groups, capacity * sizeof *grown);
        if (!grown)
            return -1;   /* the status of the launch still tells */
        set->groups = grown;
        set->capacity = capacity;
    }
    set->groups[set->count++] = *finding;
    return (int)set->count - 1;
}

void finding_repeat(struct finding_set *set, int group)
{
    set->groups[group].count++;
}

void finding_set_flush(struct finding_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        finding_report(&set->groups[i]);
    if (sink)
        fflush(sink);
    set->count = 0;
}
