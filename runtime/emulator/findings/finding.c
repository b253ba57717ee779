/* Groups findings, puts the first cause first, and writes them: JSON lines to a file, or text on stderr. */
#include "runtime/emulator/findings/finding.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/json.h"
#include "runtime/emulator/settings/settings.h"

static const struct {
    const char *name, *title, *question;
    enum finding_severity severity;
} codes[FINDING_CODE_COUNT] = {
#define STAGE(stage, order, heading)
#define FINDING(code, raised_by, stage, level, in_lab, title, question, meaning, often, advice) \
    [FINDING_##code] = {#code, title, question, SEVERITY_##level},
#include "runtime/tables/findings.def"
#undef FINDING
#undef STAGE
};

static const char *const severity_names[] = {"note", "warning", "error"};

static uint64_t reported[SEVERITY_ERROR + 1], launches;
static const char *origin;                         /* finding_set_origin */
static uint64_t repeated;                          /* findings of later launches that were reported before */
static void (*completes)(struct finding *finding); /* NULL: nobody */
static bool repeated_calls;                        /* calls of the host among them */
static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

enum finding_severity finding_code_severity(enum finding_code code)
{
    return codes[code].severity;
}

uint64_t finding_launch_count(void)
{
    return launches;
}

const char *finding_set_origin(const char *sentence)
{
    const char *before = origin;
    origin = sentence;
    return before;
}

void finding_watch(void (*complete)(struct finding *finding))
{
    completes = complete;
}

struct finding *finding_text(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message, sizeof finding->message, format, arguments);
    va_end(arguments);
    return finding;
}

const char *finding_element(const struct finding *finding, char text[ELEMENT_BYTES])
{
    const char *name = *finding->array ? finding->array : "the array";
    long long columns = finding->columns, row = columns > 0 ? finding->index / columns : 0;
    if (columns > 0 && finding->index < 0)
        row -= finding->index % columns != 0; /* rounded down */
    long long plane = finding->rows * finding->depth_columns;
    if (finding->is_scalar && finding->index == 0)
        snprintf(text, ELEMENT_BYTES, "%s", name);
    else if (plane > 0 && finding->index >= 0)
        snprintf(text, ELEMENT_BYTES, "%s[%lld][%lld][%lld]", name, (long long)finding->index / plane,
                 (long long)finding->index % plane / finding->depth_columns,
                 (long long)finding->index % finding->depth_columns);
    else if (finding->has_cell)
        snprintf(text, ELEMENT_BYTES, "%s[%lld][%lld]", name, (long long)finding->cell[0], (long long)finding->cell[1]);
    else if (columns > 0)
        snprintf(text, ELEMENT_BYTES, "%s[%lld][%lld]", name, row, (long long)finding->index - row * columns);
    else if (finding->is_scalar && finding->index == 0 && !*finding->member)
        snprintf(text, ELEMENT_BYTES, "%s", name);
    else
        snprintf(text, ELEMENT_BYTES, "%s[%lld]%s", name, (long long)finding->index, finding->member);
    return text;
}

/* ---- writing ---- */

static void open_sink(void)
{
    sink = settings_open_findings();
}

void finding_open(void)
{
    pthread_once(&opened, open_sink);
}

static void write_index(struct json_line *line, const struct finding *finding)
{
    if (!finding->has_index)
        json_line_null(line, "index");
    else if (finding->has_cell)
        json_line_pair(line, "index", finding->cell[0], finding->cell[1]);
    else if (finding->columns > 0 && finding->index >= 0)
        json_line_pair(line, "index", finding->index / finding->columns, finding->index % finding->columns);
    else
        json_line_integer(line, "index", finding->index);
}

static const char *hint_of(const struct finding *finding)
{
    return finding->hint ? finding->hint : *finding->question ? finding->question : codes[finding->code].question;
}

static void write_frame(struct json_line *line, const char *name, const struct finding_frame *frame)
{
    json_line_open(line, name, '{');
    json_line_text(line, "function", frame->function);
    json_line_text(line, "file", frame->file);
    json_line_integer(line, "line", frame->line);
    json_line_close(line, '}');
}

static void write_places(struct json_line *line, const struct finding *finding)
{
    json_line_text(line, "function", finding->function);
    if (finding->inside.line)
        write_frame(line, "inside", &finding->inside);
    else
        json_line_null(line, "inside");
    json_line_open(line, "called_from", '[');
    for (int i = 0; i < finding->called_from_count; i++)
        write_frame(line, NULL, &finding->called_from[i]);
    json_line_close(line, ']');
    json_line_integer_or_null(line, "ptx_line", finding->ptx_line);
    json_line_integer_or_null(line, "ptx_line2", finding->ptx_line2);
    json_line_open(line, "marks", '[');
    for (int i = 0; i < finding->mark_count; i++) {
        json_line_open(line, NULL, '{');
        json_line_integer(line, "line", finding->marks[i].line);
        json_line_integer(line, "column", finding->marks[i].column);
        json_line_integer(line, "width", finding->marks[i].width);
        json_line_close(line, '}');
    }
    json_line_close(line, ']');
    json_line_integer_or_null(line, "index_race", finding->index_race);
    json_line_text(line, "arithmetic", finding->arithmetic);
    json_line_text(line, "remark", finding->remark);
}

static void write_word(struct json_line *line, const char *name, const char *word)
{
    if (word)
        json_line_text(line, name, word);
    else
        json_line_null(line, name);
}

static void write_thread(struct json_line *line, bool is_known, const char *thread_name, const uint32_t thread[3],
                         const char *block_name, const uint32_t block[3])
{
    if (is_known) {
        json_line_triple(line, thread_name, thread);
        json_line_triple(line, block_name, block);
    } else {
        json_line_null(line, thread_name);
        json_line_null(line, block_name);
    }
}

static void write_json(const struct finding *finding)
{
    struct json_line line;
    json_line_begin(&line);
    json_line_text(&line, "code", codes[finding->code].name);
    write_word(&line, "pattern", finding->pattern);
    json_line_text(&line, "severity", severity_names[finding->severity]);
    json_line_text(&line, "kernel", finding->kernel);
    json_line_text(&line, "file", finding->file);
    json_line_integer_or_null(&line, "line", finding->line);
    json_line_text(&line, "file2", finding->file2);
    json_line_integer_or_null(&line, "line2", finding->line2);
    json_line_text(&line, "array", finding->array);
    json_line_text(&line, "label", finding->label);
    write_index(&line, finding);
    write_thread(&line, finding->has_thread, "thread", finding->thread, "block", finding->block);
    write_thread(&line, finding->has_thread2, "thread2", finding->thread2, "block2", finding->block2);
    write_word(&line, "access", finding->access);
    write_word(&line, "access2", finding->access2);
    json_line_text(&line, "unwritten", finding->unwritten);
    json_line_integer(&line, "unwritten_index", finding->unwritten_index);
    json_line_integer(&line, "count", (int64_t)finding->count);
    json_line_text(&line, "message", finding->message);
    json_line_text(&line, "hint", hint_of(finding));
    json_line_integer_or_null(&line, "launch", (int64_t)finding->launch);
    write_places(&line, finding);
    json_line_end(&line, sink);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Text that comes from the program under test must not control the terminal. */
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
    fprintf(stderr, "%-15s %s   ", codes[finding->code].title, place);
    write_escaped(finding->message);
    if (*finding->label) {
        fprintf(stderr, "; %s is ", finding->array);
        write_escaped(finding->label);
    }
    if (finding->has_thread)
        fprintf(stderr, "\n                thread (%u,%u,%u) of block (%u,%u,%u) of %s", finding->thread[0],
                finding->thread[1], finding->thread[2], finding->block[0], finding->block[1], finding->block[2],
                finding->kernel);
    if (finding->count > 1)
        fprintf(stderr, "; %llu times in all", (unsigned long long)finding->count);
    if (*finding->remark && !finding->launch) {
        fputs("\n                ", stderr);
        write_escaped(finding->remark);
    }
    if (origin && finding->launch) {
        fputs("\n                ", stderr);
        write_escaped(origin);
    }
    fprintf(stderr, "\n                %s\n", hint_of(finding));
}

/* A full disk must not lose the findings. */
static void leave_a_full_sink(void)
{
    if (!ferror(sink))
        return;
    fprintf(stderr, "lockstep: cannot write to LOCKSTEP_FINDINGS=%s: %m; findings go to stderr\n",
            settings_get()->findings_path);
    fclose(sink);
    sink = NULL;
}

/* On stderr the same finding of later launches is reported once, and so is that of later calls: programs have loops. */
static bool was_told(const struct finding *finding)
{
    enum { TOLD = 4096 }; /* beyond that, everything is reported */
    static uint64_t told[TOLD];
    uint64_t key = 14695981039346656037u, parts[] = {finding->code, (uint64_t)finding->line, (uint64_t)finding->line2};
    const char *texts[] = {finding->kernel, finding->file, finding->launch ? finding->array : finding->message};
    if (finding->code == FINDING_leak)
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        key = (key ^ parts[i]) * 1099511628211u;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (const char *at = texts[i];; at++) {
            key = (key ^ (unsigned char)*at) * 1099511628211u;
            if (!*at)
                break;
        }
    key |= 1; /* 0: free */
    size_t slot = key / 2 % TOLD;
    for (size_t i = 0; i < TOLD && told[slot] && told[slot] != key; i++)
        slot = (slot + 1) % TOLD;
    bool before = told[slot] == key;
    repeated += before;
    repeated_calls |= before && !finding->launch;
    if (!told[slot])
        told[slot] = key;
    return before;
}

static struct finding *held; /* complete; NULL: none */

static void write(struct finding *finding)
{
    finding_open();
    if (sink) {
        write_json(finding);
        leave_a_full_sink();
    } else if (was_told(finding)) {
        return;
    }
    reported[finding->severity]++;
    if (!sink)
        write_text(finding);
}

bool finding_is_held(void)
{
    return held != NULL;
}

void finding_release(const char *knows)
{
    struct finding *finding = held;
    if (!finding)
        return;
    held = NULL;
    if (knows) {
        size_t used = strlen(finding->remark);
        finding->severity = SEVERITY_NOTE;
        snprintf(finding->remark + used, sizeof finding->remark - used, "%s%s", used > 0 ? " " : "", knows);
    }
    write(finding);
    free(finding);
}

static void report(struct finding *finding)
{
    if (settings_get()->checks == CHECKS_NONE)
        return;
    finding_release(NULL);
    if (completes)
        completes(finding);
    write(finding);
}

void finding_hold(const struct finding *finding)
{
    struct finding *kept = malloc(sizeof *kept);
    if (!kept || settings_get()->checks == CHECKS_NONE) {
        free(kept);
        finding_report(finding);
        return;
    }
    finding_release(NULL);
    *kept = *finding;
    kept->severity = finding_code_severity(kept->code);
    if (completes)
        completes(kept);
    held = kept;
}

void finding_report(const struct finding *finding)
{
    struct finding complete = *finding;
    complete.severity = finding_code_severity(finding->code);
    report(&complete);
}

void finding_report_warning(const struct finding *finding)
{
    struct finding complete = *finding;
    complete.severity = SEVERITY_WARNING;
    report(&complete);
}

void finding_summarise(void)
{
    finding_release(NULL);
    const uint64_t *count = reported;
    bool any = count[SEVERITY_ERROR] + count[SEVERITY_WARNING] + count[SEVERITY_NOTE] > 0;
    FILE *file = settings_open_summary();
    if (file) {
        struct json_line line;
        json_line_begin(&line);
        json_line_integer(&line, "launches", (int64_t)launches);
        for (int severity = 0; severity <= SEVERITY_ERROR; severity++)
            json_line_integer(&line, severity_names[severity], (int64_t)count[severity]);
        json_line_end(&line, file);
        fclose(file);
    }
    if (sink || !any) /* a program without findings prints nothing */
        return;
#define COUNTED(n, word) (unsigned long long)(n), word, (n) == 1 ? "" : "s"
    fprintf(stderr, "lockstep: %llu %s%s, %llu %s%s, %llu %s%s in %llu launch%s\n", COUNTED(count[SEVERITY_ERROR], "error"),
            COUNTED(count[SEVERITY_WARNING], "warning"), COUNTED(count[SEVERITY_NOTE], "note"), (unsigned long long)launches,
            launches == 1 ? "" : "es");
#undef COUNTED
    if (repeated)
        fprintf(stderr, "lockstep: later launches%s repeated these findings %llu times\n",
                repeated_calls ? " and calls" : "", (unsigned long long)repeated);
}

/* ---- groups ---- */

enum { KNOWN_LEAST = 1024, KNOWN_MOST = 1 << 16 }; /* keys that are remembered: twice as many entries; powers of two */

struct finding_set {
    struct finding *groups;
    size_t count, capacity;
    struct known {
        uint64_t key;
        int group;
    } *known; /* [known_capacity] open addressing; key 0: free */
    size_t known_count, known_capacity;
};

enum { MAX_GROUPS = 256 }; /* of one launch; the rest is counted in the last */

struct finding_set *finding_set_create(void)
{
    struct finding_set *set = calloc(1, sizeof *set);
    launches++;
    if (set)
        set->known = calloc(KNOWN_LEAST, sizeof *set->known);
    if (set && !set->known) {
        free(set);
        return NULL;
    }
    if (set)
        set->known_capacity = KNOWN_LEAST;
    return set;
}

void finding_set_destroy(struct finding_set *set)
{
    if (!set)
        return;
    free(set->groups);
    free(set->known);
    free(set);
}

static bool same_group(const struct finding *a, const struct finding *b)
{
    return a->code == b->code && a->line == b->line && a->line2 == b->line2 && a->ptx_line == b->ptx_line
           && a->ptx_line2 == b->ptx_line2 && strcmp(a->array, b->array) == 0 && strcmp(a->file, b->file) == 0;
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
            return -1; /* the status of the launch still shows it */
        set->groups = grown;
        set->capacity = capacity;
    }
    set->groups[set->count++] = *finding;
    return (int)set->count - 1;
}

void finding_set_note_race(struct finding_set *set, const void *load, int line)
{
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < FINDING_MAX_LOADS && set->groups[i].index_loads[k]; k++)
            if (set->groups[i].index_loads[k] == load)
                set->groups[i].index_race = line;
}

bool finding_set_is_empty(const struct finding_set *set)
{
    return set->count == 0;
}

uint64_t finding_key(const void *where, enum finding_code code, uint64_t what)
{
    uint64_t key = ((uint64_t)(uintptr_t)where ^ what * UINT64_C(0x9E3779B97F4A7C15)) + (uint64_t)code;
    key *= UINT64_C(0xD6E8FEB86659FD93);
    key ^= key >> 32;
    return key ? key : 1;
}

/* The entry of a key, or the free one where it belongs. */
static struct known *find_known(struct finding_set *set, uint64_t key)
{
    size_t slot = key % set->known_capacity;
    while (set->known[slot].key && set->known[slot].key != key)
        slot = (slot + 1) % set->known_capacity;
    return &set->known[slot];
}

/* Is there room for one more key? A source of thousands of lines may have a finding in each. */
static bool make_room(struct finding_set *set)
{
    if (set->known_count < set->known_capacity / 2)
        return true;
    size_t capacity = set->known_capacity * 2;
    struct known *old = set->known, *grown = capacity <= KNOWN_MOST ? calloc(capacity, sizeof *grown) : NULL;
    if (!grown)
        return false; /* later ones are described again each time */
    size_t old_capacity = set->known_capacity;
    set->known = grown;
    set->known_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].key)
            *find_known(set, old[i].key) = old[i];
    free(old);
    return true;
}

bool finding_repeat(struct finding_set *set, uint64_t key)
{
    const struct known *known = find_known(set, key);
    if (!known->key)
        return false;
    set->groups[known->group].count++;
    return true;
}

void finding_collect_as(struct finding_set *set, uint64_t key, const struct finding *finding)
{
    int group = finding_collect(set, finding);
    if (group < 0 || !make_room(set))
        return;
    *find_known(set, key) = (struct known){key, group};
    set->known_count++;
}

/* At a barrier that threads of one warp go around, whole warps that do so need no warning of their own. */
static bool is_covered(const struct finding_set *set, const struct finding *finding)
{
    for (size_t i = 0; i < set->count && finding->code == FINDING_early_exit; i++) {
        const struct finding *other = &set->groups[i];
        if (other->code == FINDING_barrier_divergent && other->line == finding->line && other->ptx_line == finding->ptx_line
            && strcmp(other->file, finding->file) == 0)
            return true;
    }
    return false;
}

/* The remark has room for it, or says nothing of it: a cut sentence would mislead. */
static void say_origin(struct finding *finding)
{
    size_t used = strlen(finding->remark);
    if (origin && used + strlen(origin) + 2 <= sizeof finding->remark)
        snprintf(finding->remark + used, sizeof finding->remark - used, "%s%s", used ? " " : "", origin);
}

void finding_set_flush(struct finding_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (is_covered(set, &set->groups[i]))
            continue;
        set->groups[i].launch = launches;
        say_origin(&set->groups[i]);
        report(&set->groups[i]);
    }
    if (sink)
        fflush(sink);
    set->count = set->known_count = 0;
    memset(set->known, 0, set->known_capacity * sizeof *set->known);
}
