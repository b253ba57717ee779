#include "tests/checks.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/dialect.h"
#include "tests/driver_table.h"
#include "tests/support.h"

static const char *const word_names[CHECKS_WORDS] = {
    [CHECKS_LINE] = "line",         [CHECKS_LINE2] = "line2", [CHECKS_FROM] = "from",     [CHECKS_ARRAY] = "array",
    [CHECKS_INDEX] = "index",       [CHECKS_BLOCK] = "block", [CHECKS_THREAD] = "thread", [CHECKS_COUNT] = "count",
    [CHECKS_SEVERITY] = "severity", [CHECKS_IN] = "in",       [CHECKS_INSIDE] = "inside",
};

/* A file that is being run. */
struct run {
    const char *path, *source, *findings;
    const char *from; /* where the check begins in the source */
    lockstep_device **device;
    lockstep_module *module;    /* with a device; NULL: to be made */
    lockstep_compiled compiled; /* without */
};

/* ---- descriptions ------------------------------------------------------------------------------------------------- */

/* Copies a value that fits. */
static bool copy(char *target, size_t bytes, const char *value)
{
    return (size_t)snprintf(target, bytes, "%s", value) < bytes;
}

static bool read_expected_word(struct checks_expectation *expected, const char *key, const char *value)
{
    if (strcmp(key, "lines") == 0)
        return expected->either_way =
                   sscanf(value, "%63[^,],%63s", expected->words[CHECKS_LINE], expected->words[CHECKS_LINE2]) == 2;
    if (strcmp(key, "says") == 0) {
        size_t count = 0;
        while (count < CHECKS_MAX_SAYS && *expected->says[count])
            count++;
        return count < CHECKS_MAX_SAYS && copy(expected->says[count], sizeof expected->says[count], value);
    }
    for (size_t word = 0; word < CHECKS_WORDS; word++)
        if (strcmp(key, word_names[word]) == 0)
            return *value && copy(expected->words[word], sizeof expected->words[word], value);
    return false;
}

static void read_expectation(char *text, struct checks_expectation kind, struct check *check)
{
    struct checks_expectation *expected = &check->expected[check->expected_count];
    char *value, *word = dialect_pair(&text, &value);
    if (!word || check->expected_count == CHECKS_MAX_EXPECTED) {
        CU_FAIL("an expectation without a code, or too many");
        return;
    }
    if (strcmp(word, "silent") == 0) {
        check->silent = true;
        return;
    }
    *expected = kind;
    if (kind.exact != check->exact && check->expected_count > 0)
        CU_FAIL("an `exactly` beside an `expect`");
    check->exact = kind.exact;
    if (!copy(expected->code, sizeof expected->code, word))
        CU_FAIL("a code that is too long");
    while ((word = dialect_pair(&text, &value)))
        if (!read_expected_word(expected, word, value)) {
            fprintf(stderr, "  %s: '%s=%s' makes no sense\n", check->name, word, value);
            CU_FAIL("an expectation that makes no sense");
        }
    check->expected_count++;
}

/* Reads "3,1,4" into the parameter's words. */
static void read_words(const char *text, struct checks_parameter *parameter)
{
    parameter->value = 1;
    for (const char *at = text; *at; at++)
        parameter->value += *at == ',';
    parameter->words = calloc((size_t)parameter->value, sizeof *parameter->words);
    CU_ASSERT_PTR_NOT_NULL_FATAL(parameter->words);
    for (int i = 0; i < parameter->value; i++) {
        char *end;
        parameter->words[i] = (int)strtol(text, &end, 10);
        text = end + 1;
    }
}

static bool is_kind(const struct checks_parameter *parameter, const char *kind)
{
    return strcmp(parameter->kind, kind) == 0;
}

static bool read_parameter(const char *name, const char *value, struct check *check)
{
    static const char *const kinds[] = {"int", "zero", "ints", "input", "freed", "poison", "out", "words", "beside"};
    struct checks_parameter *parameter = &check->parameters[check->parameter_count];
    bool known = false;
    if (check->parameter_count == CHECKS_MAX_PARAMETERS || !copy(parameter->name, sizeof parameter->name, name)
        || sscanf(value, "%15[^:]:%d", parameter->kind, &parameter->value) != 2)
        return false;
    for (size_t i = 0; i < SUPPORT_COUNT(kinds); i++)
        known |= is_kind(parameter, kinds[i]);
    if (is_kind(parameter, "words"))
        read_words(strchr(value, ':') + 1, parameter);
    check->parameter_count++;
    return known;
}

static bool read_dimensions(const char *value, uint32_t size[3])
{
    return sscanf(value, "%u,%u,%u", &size[0], &size[1], &size[2]) >= 1;
}

static bool read_check_word(const char *key, const char *value, struct check *check)
{
    if (strchr(value, ':'))
        return read_parameter(key, value, check);
    if (strcmp(key, "grid") == 0)
        return read_dimensions(value, check->shape.grid);
    if (strcmp(key, "block") == 0)
        return read_dimensions(value, check->shape.block);
    if (strcmp(key, "checks") == 0)
        return copy(check->checks, sizeof check->checks, value);
    if (strcmp(key, "fuel") == 0)
        return copy(check->fuel, sizeof check->fuel, value);
    char *end;
    long number = strtol(value, &end, 10);
    if (end == value || *end)
        return false;
    if (strcmp(key, "shared") == 0)
        check->shape.dynamic_shared_bytes = (uint32_t)number;
    else if (strcmp(key, "repeat") == 0)
        check->repeat = (int)number;
    else if (strcmp(key, "cooperative") == 0)
        check->shape.cooperative = number != 0;
    else if (strcmp(key, "direct") == 0)
        check->direct = number != 0;
    else if (strcmp(key, "result") == 0)
        check->result = (int)number;
    else
        return false;
    return true;
}

void checks_read(char *text, struct check *check)
{
    char *value, *word = dialect_pair(&text, &value);
    *check = (struct check){.shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}}, .repeat = 1, .result = CHECKS_ANY_RESULT};
    if (!word || !copy(check->name, sizeof check->name, word))
        CU_FAIL("a check without a kernel");
    while (word && (word = dialect_pair(&text, &value)))
        if (!read_check_word(word, value, check)) {
            fprintf(stderr, "  %s: '%s=%s' makes no sense\n", check->name, word, value);
            CU_FAIL("a check that makes no sense");
        }
}

void checks_clear(struct check *check)
{
    for (size_t i = 0; i < check->parameter_count; i++)
        free(check->parameters[i].words);
    check->parameter_count = 0;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

static lockstep_status make_buffer(lockstep_device *device, const struct checks_parameter *parameter,
                                   lockstep_buffer **buffer, lockstep_error *error)
{
    size_t bytes = 4 * (size_t)parameter->value;
    bool input = is_kind(parameter, "input"), ints = is_kind(parameter, "ints") || input || is_kind(parameter, "freed");
    lockstep_status status = lockstep_buffer_create(device, bytes, parameter->name, buffer, error);
    if (status == LOCKSTEP_OK && ints)
        status = lockstep_buffer_describe(*buffer, sizeof(int), 0, error);
    if (status == LOCKSTEP_OK && (ints || is_kind(parameter, "zero")))
        status = lockstep_buffer_fill(*buffer, 0, error);
    if (status == LOCKSTEP_OK && parameter->words)
        status = lockstep_buffer_upload(*buffer, 0, parameter->words, bytes, error);
    if (status == LOCKSTEP_OK && input)
        status = lockstep_buffer_protect(*buffer, true, error);
    return status;
}

/* What a launch is given. */
struct arguments {
    lockstep_argument list[CHECKS_MAX_PARAMETERS];
    size_t count;
    lockstep_buffer *buffers[CHECKS_MAX_PARAMETERS]; /* of the check's parameters; NULL for numbers and freed arrays */
    uint64_t addresses[CHECKS_MAX_PARAMETERS];
};

static lockstep_status make_arguments(lockstep_device *device, const struct check *check, struct arguments *arguments,
                                      lockstep_error *error)
{
    *arguments = (struct arguments){0};
    for (size_t i = 0; i < check->parameter_count; i++) {
        const struct checks_parameter *parameter = &check->parameters[i];
        if (is_kind(parameter, "int")) {
            arguments->list[arguments->count++] = LOCKSTEP_VALUE(parameter->value);
            continue;
        }
        lockstep_status status = make_buffer(device, parameter, &arguments->buffers[i], error);
        if (status != LOCKSTEP_OK)
            return status;
        arguments->addresses[i] = lockstep_buffer_address(arguments->buffers[i]);
        if (!is_kind(parameter, "beside"))
            arguments->list[arguments->count++] = LOCKSTEP_VALUE(arguments->addresses[i]);
    }
    for (size_t i = 0; i < check->parameter_count; i++)
        if (is_kind(&check->parameters[i], "freed")) {
            lockstep_buffer_destroy(arguments->buffers[i]);
            arguments->buffers[i] = NULL;
        }
    return LOCKSTEP_OK;
}

static void clear_arguments(struct arguments *arguments)
{
    for (size_t i = 0; i < CHECKS_MAX_PARAMETERS; i++)
        if (arguments->buffers[i])
            lockstep_buffer_destroy(arguments->buffers[i]);
}

static void download(const struct check *check, const struct arguments *arguments)
{
    for (size_t i = 0; i < check->parameter_count; i++) {
        char host[16384];
        lockstep_error error;
        if (is_kind(&check->parameters[i], "out"))
            lockstep_buffer_download(arguments->buffers[i], 0, host, 4 * (size_t)check->parameters[i].value, &error);
    }
}

int checks_launch(lockstep_device *device, lockstep_module *module, const struct check *check)
{
    struct arguments arguments = {0};
    lockstep_kernel *kernel;
    lockstep_error error = {0};
    lockstep_status status = lockstep_module_kernel(module, check->name, &kernel, &error);
    if (status == LOCKSTEP_OK)
        status = make_arguments(device, check, &arguments, &error);
    for (int i = 0; i < check->repeat && status == LOCKSTEP_OK; i++)
        status = lockstep_launch(kernel, &check->shape, arguments.list, arguments.count, NULL, &error);
    if (status == LOCKSTEP_OK)
        download(check, &arguments);
    else
        fprintf(stderr, "  %s: %s: %s\n", check->name, error.call, error.message);
    if (status == LOCKSTEP_OK)
        status = lockstep_device_synchronize(device, &error); /* some findings fail the kernel */
    clear_arguments(&arguments);
    return status == LOCKSTEP_OK ? 0 : error.cuda_result ? error.cuda_result : -(int)status;
}

/* The same by the driver's own entry points, without waiting. */
static int launch_directly(lockstep_device *device, const char *ptx, const struct check *check)
{
    const struct driver_table *driver = driver_table_get();
    const lockstep_shape *shape = &check->shape;
    struct arguments arguments;
    lockstep_error error;
    CUmodule module;
    CUfunction function;
    void *parameters[CHECKS_MAX_PARAMETERS];
    if (!driver || make_arguments(device, check, &arguments, &error) != LOCKSTEP_OK
        || driver->cuModuleLoadData(&module, ptx) != CUDA_SUCCESS
        || driver->cuModuleGetFunction(&function, module, check->name) != CUDA_SUCCESS)
        return -1;
    for (size_t i = 0; i < arguments.count; i++)
        parameters[i] = (void *)(uintptr_t)arguments.list[i].host;
    return (int)driver->cuLaunchKernel(function, shape->grid[0], shape->grid[1], shape->grid[2], shape->block[0],
                                       shape->block[1], shape->block[2], shape->dynamic_shared_bytes, NULL, parameters,
                                       NULL);
}

static _Noreturn void become(const struct check *check, const lockstep_compiled *compiled, int report)
{
    lockstep_error error = {0};
    lockstep_device *device;
    lockstep_module *module;
    if (*check->checks)
        setenv("LOCKSTEP_CHECKS", check->checks, 1);
    if (*check->fuel)
        setenv("LOCKSTEP_FUEL", check->fuel, 1);
    if (lockstep_device_open(LOCKSTEP_EMULATED, &device, &error) != LOCKSTEP_OK
        || lockstep_module_load(device, compiled->ptx, compiled->ptx_bytes, &module, &error) != LOCKSTEP_OK) {
        fprintf(stderr, "  %s: %s\n", error.call, error.message);
        _exit(1);
    }
    int result = check->direct ? launch_directly(device, compiled->ptx, check) : checks_launch(device, module, check);
    _exit(write(report, &result, sizeof result) == sizeof result ? 0 : 1);
}

/* Runs a check in a process of its own. Returns its result. */
static int run_apart(const struct check *check, const lockstep_compiled *compiled)
{
    int ends[2], status = 0, result = -1;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(check, compiled, ends[1]);
    close(ends[1]);
    ssize_t got = read(ends[0], &result, sizeof result);
    close(ends[0]);
    CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child && status == 0 && got == sizeof result);
    return result;
}

/* ---- judging ------------------------------------------------------------------------------------------------------ */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Are the marked parts of the lines exactly the texts that the check names? */
static bool has_marks(const json_t *finding, const struct check *check, const char *source)
{
    const json_t *marks = json_object_get(finding, "marks");
    bool same = check->mark_count == 0 || json_array_size(marks) == check->mark_count;
    for (size_t i = 0; i < check->mark_count && same; i++) {
        const json_t *mark = json_array_get(marks, i);
        const char *at = source;
        for (long long line = json_integer_value(json_object_get(mark, "line")); at && line > 1; line--)
            at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
        size_t width = (size_t)json_integer_value(json_object_get(mark, "width"));
        same = at && strlen(check->marks[i]) == width
               && strncmp(at + json_integer_value(json_object_get(mark, "column")) - 1, check->marks[i], width) == 0;
    }
    return same;
}

/* The calls, innermost first, are at the labels "A,B". */
static bool is_called_from(const json_t *finding, const char *labels, const struct run *run)
{
    const json_t *calls = json_object_get(finding, "called_from");
    size_t count = 0;
    for (const char *at = labels; *at; count++) {
        char label[16];
        snprintf(label, sizeof label, "%.*s", (int)strcspn(at, ","), at);
        if (json_integer_value(json_object_get(json_array_get(calls, count), "line"))
            != dialect_line_of(run->source, run->from, label))
            return false;
        at += strlen(label);
        at += *at == ',';
    }
    return count == json_array_size(calls);
}

/* Some sentence of the finding holds the words, which have _ for blanks. */
static bool says(const json_t *finding, const char *words)
{
    static const char *const sentences[] = {"message", "arithmetic", "remark"};
    char text[1200];
    bool denied = *words == '-';
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        snprintf(text, sizeof text, "%s", text_of(finding, sentences[i]));
        for (char *at = text; *at; at++)
            *at = *at == ' ' ? '_' : *at;
        if (strstr(text, words + denied))
            return !denied;
    }
    return denied;
}

/* `any`: every code; `race`: every race that is an error. */
static bool is_code(const char *expected, const char *code)
{
    static const char *const races[] = {"race_global", "race_shared", "race_warp", "race_mixed"};
    bool race = false;
    for (size_t i = 0; i < SUPPORT_COUNT(races); i++)
        race |= strcmp(code, races[i]) == 0;
    return strcmp(expected, code) == 0 || strcmp(expected, "any") == 0 || (race && strcmp(expected, "race") == 0);
}

/* Is the line the label's, or within "LABEL..LABEL"? */
static bool is_line(long long line, const char *labels, const struct run *run)
{
    const char *dots = strstr(labels, "..");
    char first[64];
    snprintf(first, sizeof first, "%.*s", dots ? (int)(dots - labels) : (int)strlen(labels), labels);
    int from = dialect_line_of(run->source, run->from, first);
    int to = dots ? dialect_line_of(run->source, run->from, dots + 2) : from;
    return from > 0 && from <= line && line <= to;
}

static bool has_lines(const struct checks_expectation *expected, const json_t *finding, const struct run *run)
{
    const char *first = expected->words[CHECKS_LINE], *second = expected->words[CHECKS_LINE2];
    const char *file = strrchr(run->path, '/') ? strrchr(run->path, '/') + 1 : run->path;
    long long line = json_integer_value(json_object_get(finding, "line")),
              line2 = json_integer_value(json_object_get(finding, "line2"));
    if (*first && !strstr(text_of(finding, "file"), file))
        return false;
    if (expected->either_way && is_line(line2, first, run) && is_line(line, second, run))
        return true;
    return (!*first || is_line(line, first, run))
           && (*second ? is_line(line2, second, run) : !expected->exact || line2 == 0);
}

/* Is what the finding has under the key, a text, a number or the first of several, the word? */
static bool has_value(const json_t *finding, const char *key, const char *word)
{
    const json_t *value = json_object_get(finding, key);
    char number[32];
    if (json_is_string(value))
        return strcmp(json_string_value(value), word) == 0;
    value = json_is_array(value) ? json_array_get(value, 0) : value;
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    return json_is_integer(value) && strcmp(number, word) == 0;
}

static bool matches(const struct checks_expectation *expected, const json_t *finding, const struct run *run)
{
    const char *severity = expected->words[CHECKS_SEVERITY], *in = expected->words[CHECKS_IN],
               *inside = expected->words[CHECKS_INSIDE], *from = expected->words[CHECKS_FROM];
    bool same = is_code(expected->code, text_of(finding, "code")) && has_lines(expected, finding, run);
    for (size_t word = CHECKS_ARRAY; word <= CHECKS_COUNT && same; word++)
        same = !*expected->words[word] || has_value(finding, word_names[word], expected->words[word]);
    for (size_t i = 0; i < CHECKS_MAX_SAYS && same; i++)
        same = !*expected->says[i] || says(finding, expected->says[i]);
    severity = expected->exact && !*severity ? "error" : severity;
    return same && (!*severity || has_value(finding, "severity", severity)) && (!*in || has_value(finding, "function", in))
           && (!*inside || has_value(json_object_get(finding, "inside"), "function", inside))
           && (!*from || is_called_from(finding, from, run));
}

/* Was the finding, one after so many others, expected? */
static bool is_expected(struct check *check, size_t others, const json_t *finding, const struct run *run)
{
    bool expected = false;
    for (size_t i = 0; i < check->expected_count; i++)
        if ((!check->exact || i == others) && matches(&check->expected[i], finding, run)
            && has_marks(finding, check, run->source))
            expected = check->expected[i].found = true;
    return expected;
}

static void print_expectation(const struct check *check, const struct checks_expectation *expected)
{
    fprintf(stderr, "  %s: not found: %s", check->name, expected->code);
    for (size_t word = 0; word < CHECKS_WORDS; word++)
        if (*expected->words[word])
            fprintf(stderr, " %s=%s", word_names[word], expected->words[word]);
    for (size_t i = 0; i < CHECKS_MAX_SAYS && *expected->says[i]; i++)
        fprintf(stderr, " says=%s", expected->says[i]);
    fputc('\n', stderr);
}

/* Compares what was found, and how the kernel ended, with what must be. */
static void judge(struct check *check, int result, const struct run *run)
{
    char *text = support_read_file(run->findings, NULL), *state;
    unsigned mistakes = check->expected_count == 0 && !check->silent;
    size_t count = 0;
    for (char *line = text ? strtok_r(text, "\n", &state) : NULL; line; line = strtok_r(NULL, "\n", &state)) {
        json_t *finding = json_loads(line, 0, NULL);
        if (!finding || !is_expected(check, count++, finding, run)) {
            fprintf(stderr, "  %s: not expected: %s\n", check->name, line);
            mistakes++;
        }
        json_decref(finding);
    }
    for (size_t i = 0; i < check->expected_count; i++)
        if (!check->expected[i].found && !check->expected[i].optional) {
            print_expectation(check, &check->expected[i]);
            mistakes++;
        }
    int wanted = check->result != CHECKS_ANY_RESULT ? check->result : check->silent || check->exact ? 0 : result;
    if (result != wanted) {
        fprintf(stderr, "  %s: the result is %d, not %d\n", check->name, result, wanted);
        mistakes++;
    }
    CU_ASSERT_EQUAL(mistakes, 0);
    free(text);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static bool compile(struct run *run)
{
    lockstep_error error = {0};
    lockstep_compile_request request = {
        .source = run->source, .source_bytes = strlen(run->source), .file_name = run->path, .major = 9};
    lockstep_status status = run->device
                                 ? lockstep_module_compile(*run->device, run->source, run->path, NULL, &run->module, &error)
                                 : lockstep_compile(&request, &run->compiled, &error);
    if (status == LOCKSTEP_OK)
        return true;
    fprintf(stderr, "  %s: %s\n", run->path, error.message);
    CU_FAIL("the fixture does not compile");
    return false;
}

static void run_check(struct run *run, struct check *check)
{
    lockstep_error error;
    support_write_text(run->findings, "");
    if (!run->module && !run->compiled.ptx && !compile(run))
        return;
    if (!run->device) {
        judge(check, run_apart(check, &run->compiled), run);
        return;
    }
    if (*check->checks || *check->fuel || check->direct)
        CU_FAIL("a check that needs a process of its own");
    int result = checks_launch(*run->device, run->module, check);
    judge(check, result, run);
    if (result == 0)
        return;
    /* A kernel that faults takes the context with it. */
    lockstep_module_unload(run->module);
    run->module = NULL;
    lockstep_device_close(*run->device);
    CU_ASSERT_EQUAL_FATAL(lockstep_device_open(LOCKSTEP_EMULATED, run->device, &error), LOCKSTEP_OK);
}

/* Takes an entry below a `check`; `open`: no code has come yet. */
static void read_entry(char *word, char *text, bool open, struct check *check)
{
    char *value;
    if (strcmp(word, "expect") == 0)
        read_expectation(text, (struct checks_expectation){0}, check);
    else if (strcmp(word, "exactly") == 0)
        read_expectation(text, (struct checks_expectation){.exact = true}, check);
    else if (strcmp(word, "expect-more") == 0 && dialect_pair(&text, &value))
        read_expectation(text, (struct checks_expectation){.optional = true}, check);
    else if (strcmp(word, "mark") == 0) {
        if (check->mark_count == CHECKS_MAX_MARKS || !copy(check->marks[check->mark_count++], sizeof check->marks[0], text))
            CU_FAIL("a mark that is too long, or too many");
    } else if (open && !strchr(word, ' ')) {
        fprintf(stderr, "  %s: '%s:' makes no sense\n", check->name, word);
        CU_FAIL("a word that a check does not have");
    }
}

void checks_run_file(const char *path, const char *findings, lockstep_device **device, size_t at_least)
{
    char *source = support_read_file(path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    struct run run = {.path = path, .source = source, .findings = findings, .device = device};
    struct dialect dialect;
    struct check check;
    size_t count = 0;
    enum dialect_kind kind;
    bool open = false;
    dialect_begin(&dialect, source);
    do {
        kind = dialect_next(&dialect);
        bool begins = kind == DIALECT_ENTRY && strcmp(dialect.word, "check") == 0;
        if (count > 0 && (begins || kind == DIALECT_END)) {
            run_check(&run, &check);
            checks_clear(&check);
        }
        if (begins) {
            run.from = dialect.at;
            checks_read(dialect.text, &check);
            count++;
        } else if (count > 0 && kind == DIALECT_ENTRY)
            read_entry(dialect.word, dialect.text, open, &check);
        open = begins || (open && kind == DIALECT_ENTRY);
    } while (kind != DIALECT_END);
    CU_ASSERT(count >= at_least);
    if (run.module)
        lockstep_module_unload(run.module);
    lockstep_compiled_clear(&run.compiled);
    free(source);
}
