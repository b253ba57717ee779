#include "tests/fixture.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/dialect.h"
#include "tests/golden.h"
#include "tests/support.h"

enum { MAX_ARGUMENTS = 16, MAX_SHOWN = 5 };

enum fixture_type { U8, U16, U32, U64, S8, S16, S32, S64, F16, F32, F64, TYPE_COUNT };

static const struct {
    const char *name;
    unsigned bytes;
} types[TYPE_COUNT] = {{"u8", 1},  {"u16", 2}, {"u32", 4}, {"u64", 8}, {"s8", 1}, {"s16", 2},
                       {"s32", 4}, {"s64", 8}, {"f16", 2}, {"f32", 4}, {"f64", 8}};

enum { ANY_VALUE = 1, ANY_NAN = 2 };

/* A list of numbers as written. */
struct list {
    enum fixture_type type;
    unsigned char *bytes; /* [count] elements */
    unsigned char *flags; /* [count] of ANY_… */
    size_t count, capacity;
};

struct argument {
    lockstep_argument_kind kind;
    struct list initial, expected;
    bool compared;
    double bound;        /* relative; 0: every bit */
    unsigned char *work; /* what the launch gets */
};

struct test {
    char name[128], kernel[128];
    int line;
    lockstep_shape shape;
    struct argument arguments[MAX_ARGUMENTS];
    unsigned argument_count;
    uint64_t hash; /* of the description and the code, for golden records */
    char *prints, *refused;
    int fails;
    bool emulated_only;
};

struct file {
    const char *path;
    const struct fixture_options *options;
    char *text;
    size_t bytes;
    struct test *tests;
    size_t test_count;
    struct golden golden;
    struct fixture_totals *totals;
    lockstep_device *device;
    lockstep_module *module;
    bool failed;     /* what is the matter has been said */
    bool unloadable; /* the module, which need not be tried again */
};

static void complain(struct file *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void complain(struct file *file, int line, const char *format, ...)
{
    char message[1600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s:%d: %s\n", file->path, line, message);
    file->failed = true;
}

static void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "fixture: out of memory\n");
        exit(3);
    }
    return memory;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

static void append(struct list *list, const void *bytes, unsigned char flags)
{
    unsigned size = types[list->type].bytes;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->bytes = must(realloc(list->bytes, list->capacity * size));
        list->flags = must(realloc(list->flags, list->capacity));
    }
    memcpy(list->bytes + list->count * size, bytes, size);
    list->flags[list->count++] = flags;
}

/* One number to bits of the type; false when it is none. */
static bool read_number(enum fixture_type type, const char *word, uint64_t *bits)
{
    char *end;
    bool is_bits = strncmp(word, "0x", 2) == 0;
    errno = 0;
    if (!is_bits && (type == F32 || type == F64)) {
        double wide = strtod(word, &end);
        float narrow = (float)wide;
        *bits = 0;
        if (type == F64)
            memcpy(bits, &wide, sizeof wide);
        else
            memcpy(bits, &narrow, sizeof narrow);
    } else if (*word == '-') {
        *bits = (uint64_t)strtoll(word, &end, 0);
    } else {
        *bits = strtoull(word, &end, 0);
    }
    return end != word && *end == '\0' && errno == 0;
}

static bool append_word(struct list *list, char *word)
{
    unsigned long times = 1;
    uint64_t bits = 0, last = 0;
    unsigned char flags = 0;
    char *star = strchr(word, '*'), *dots = strstr(word, "..");
    if (star) {
        char *end;
        times = strtoul(word, &end, 10);
        if (end != star)
            return false;
        word = star + 1;
    }
    if (strcmp(word, "_") == 0) {
        flags = ANY_VALUE;
    } else if (strcmp(word, "nan") == 0) {
        flags = ANY_NAN;
        bits = list->type == F64 ? 0x7FF8000000000000u : list->type == F32 ? 0x7FC00000 : 0x7E00;
    } else if (dots) {
        *dots = '\0';
        if (!read_number(U64, word, &bits) || !read_number(U64, dots + 2, &last))
            return false;
        for (; bits <= last; bits++) {
            float narrow = (float)bits;
            double wide = (double)bits;
            append(list, list->type == F32 ? (void *)&narrow : list->type == F64 ? (void *)&wide : (void *)&bits, 0);
        }
        return true;
    } else if (!read_number(list->type, word, &bits)) {
        return false;
    }
    while (times-- > 0)
        append(list, &bits, flags);
    return true;
}

/* "u32 1 2 3" */
static bool read_list(struct file *file, int line, const char *text, struct list *list)
{
    char *copy = must(strdup(text)), *rest = copy, *word = strtok_r(copy, " ", &rest);
    bool well = false;
    for (int type = 0; word && type < TYPE_COUNT; type++)
        if (strcmp(word, types[type].name) == 0) {
            list->type = (enum fixture_type)type;
            well = true;
        }
    if (!well)
        complain(file, line, "'%s' is not a type", word ? word : "");
    while (well && (word = strtok_r(NULL, " ", &rest))) {
        char shown[64];
        snprintf(shown, sizeof shown, "%s", word);
        well = append_word(list, word);
        if (!well)
            complain(file, line, "'%s' is not a number", shown);
    }
    free(copy);
    return well;
}

/* ---- descriptions ------------------------------------------------------------------------------------------------- */

static bool read_dimensions(const char *text, uint32_t size[3])
{
    size[0] = size[1] = size[2] = 1;
    return sscanf(text, "%u,%u,%u", &size[0], &size[1], &size[2]) >= 1;
}

static bool read_shape(const char *text, lockstep_shape *shape)
{
    char grid[40] = "", block[40] = "", shared[40] = "";
    int count = sscanf(text, "%39s %39s %39s", grid, block, shared);
    if (count < 2 || !read_dimensions(grid, shape->grid) || !read_dimensions(block, shape->block))
        return false;
    shape->dynamic_shared_bytes = count == 3 ? (uint32_t)strtoul(shared, NULL, 0) : 0;
    return true;
}

/* Copies with \n, \t, \\ and \s (a blank) resolved. */
static char *unescape(const char *text)
{
    char *copy = must(malloc(strlen(text) + 1)), *to = copy;
    for (; *text; text++) {
        if (*text == '\\' && text[1]) {
            text++;
            *to++ = *text == 'n' ? '\n' : *text == 't' ? '\t' : *text == 's' ? ' ' : *text;
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
    return copy;
}

static void add_argument(struct file *file, struct test *test, int line, lockstep_argument_kind kind, const char *text,
                         double bound)
{
    if (test->argument_count == MAX_ARGUMENTS) {
        complain(file, line, "too many arguments");
        return;
    }
    struct argument *argument = &test->arguments[test->argument_count++];
    argument->kind = kind;
    argument->bound = bound;
    argument->compared = kind == LOCKSTEP_ARGUMENT_OUT;
    read_list(file, line, text, argument->compared ? &argument->expected : &argument->initial);
}

static void expect_last(struct file *file, struct test *test, int line, const char *text, double bound)
{
    struct argument *argument = test->argument_count ? &test->arguments[test->argument_count - 1] : NULL;
    if (!argument || argument->kind != LOCKSTEP_ARGUMENT_IN_OUT || argument->compared) {
        if (bound > 0)
            add_argument(file, test, line, LOCKSTEP_ARGUMENT_OUT, text, bound);
        else
            complain(file, line, "`is` needs an `inout` above it");
        return;
    }
    argument->compared = true;
    argument->bound = bound;
    read_list(file, line, text, &argument->expected);
    if (argument->expected.count != argument->initial.count || argument->expected.type != argument->initial.type)
        complain(file, line, "%zu values expected of an array of %zu", argument->expected.count, argument->initial.count);
}

static void take_entry(struct file *file, struct test *test, int line, const char *key, const char *text)
{
    double bound;
    if (strcmp(key, "kernel") == 0)
        snprintf(test->kernel, sizeof test->kernel, "%s", text);
    else if (strcmp(key, "launch") == 0) {
        if (!read_shape(text, &test->shape))
            complain(file, line, "'%s' is not a launch", text);
    } else if (strcmp(key, "cooperative") == 0)
        test->shape.cooperative = true;
    else if (strcmp(key, "value") == 0)
        add_argument(file, test, line, LOCKSTEP_ARGUMENT_VALUE, text, 0);
    else if (strcmp(key, "in") == 0)
        add_argument(file, test, line, LOCKSTEP_ARGUMENT_IN, text, 0);
    else if (strcmp(key, "out") == 0)
        add_argument(file, test, line, LOCKSTEP_ARGUMENT_OUT, text, 0);
    else if (strcmp(key, "inout") == 0)
        add_argument(file, test, line, LOCKSTEP_ARGUMENT_IN_OUT, text, 0);
    else if (strcmp(key, "is") == 0)
        expect_last(file, test, line, text, 0);
    else if (sscanf(key, "near %lf", &bound) == 1 && bound > 0)
        expect_last(file, test, line, text, bound);
    else if (strcmp(key, "prints") == 0)
        test->prints = unescape(text);
    else if (strcmp(key, "refused") == 0)
        test->refused = unescape(text);
    else if (strcmp(key, "fails") == 0)
        test->fails = atoi(text);
    else if (strcmp(key, "only") == 0)
        test->emulated_only = true;
    else
        complain(file, line, "'%s' is not a part of a test", key);
}

static bool is_cuda(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".cu") == 0;
}

/* The code that a test depends on: its kernel, or the whole file where kernels call functions or are written in CUDA C. */
static uint64_t hash_code(const struct file *file, const struct test *test, bool whole)
{
    char entry[160];
    snprintf(entry, sizeof entry, ".entry %s(", test->kernel);
    const char *begin = whole ? NULL : strstr(file->text, entry), *end = begin ? strstr(begin, "\n}") : NULL;
    return end ? golden_hash(test->hash, begin, (size_t)(end - begin)) : golden_hash(test->hash, file->text, file->bytes);
}

static void read_tests(struct file *file)
{
    struct dialect dialect;
    struct test *test = NULL;
    enum dialect_kind kind;
    dialect_begin(&dialect, file->text);
    while ((kind = dialect_next(&dialect)) != DIALECT_END) {
        const char *word = dialect.word, *text = dialect.text;
        if (kind == DIALECT_CODE) { /* ends a description */
            test = NULL;
        } else if (strcmp(word, "test") == 0) {
            file->tests = must(realloc(file->tests, (file->test_count + 1) * sizeof *file->tests));
            test = &file->tests[file->test_count++];
            *test = (struct test){.line = dialect.number,
                                  .hash = golden_hash(GOLDEN_SEED, text, strlen(text)),
                                  .shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
            snprintf(test->name, sizeof test->name, "%s", text);
            snprintf(test->kernel, sizeof test->kernel, "%s", text);
        } else if (test) {
            test->hash = golden_hash(golden_hash(test->hash, word, strlen(word)), text, strlen(text));
            take_entry(file, test, dialect.number, word, text);
        }
    }
    bool whole = is_cuda(file->path) || strstr(file->text, ".func");
    for (size_t i = 0; i < file->test_count; i++)
        file->tests[i].hash = hash_code(file, &file->tests[i], whole);
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

static bool open_device(struct file *file)
{
    lockstep_error error = {0};
    if (file->device)
        return true;
    if (lockstep_device_open(file->options->device, &file->device, &error) == LOCKSTEP_OK)
        return true;
    complain(file, 1, "no device: %s", error.message);
    return false;
}

static void close_device(struct file *file)
{
    lockstep_module_unload(file->module);
    file->module = NULL;
    if (file->device)
        lockstep_device_close(file->device);
    file->device = NULL;
}

/* Compiles a .cu file; `compiled` must be cleared. */
static bool compile(struct file *file, lockstep_compiled *compiled, lockstep_error *error)
{
    const lockstep_device_info *info = lockstep_device_get_info(file->device);
    const struct fixture_options *options = file->options;
    lockstep_compile_request request = {.source = file->text,
                                        .source_bytes = file->bytes,
                                        .file_name = file->path,
                                        .major = options->major ? options->major : info->major,
                                        .minor = options->major ? options->minor : info->minor,
                                        .options = options->compile,
                                        .option_count = options->compile_count};
    if (lockstep_compile(&request, compiled, error) == LOCKSTEP_OK)
        return true;
    for (size_t i = 0; i < compiled->diagnostic_count && i < MAX_SHOWN; i++)
        complain(file, compiled->diagnostics[i].line, "%s", compiled->diagnostics[i].message);
    return false;
}

static bool load(struct file *file, lockstep_error *error)
{
    if (file->module)
        return true;
    if (!is_cuda(file->path))
        return lockstep_module_load(file->device, file->text, file->bytes, &file->module, error) == LOCKSTEP_OK;
    lockstep_compiled compiled = {0};
    bool well = compile(file, &compiled, error)
                && lockstep_module_load(file->device, compiled.ptx, compiled.ptx_bytes, &file->module, error) == LOCKSTEP_OK;
    lockstep_compiled_clear(&compiled);
    return well;
}

static double element_as_real(const struct list *list, const unsigned char *bytes, size_t index)
{
    float narrow;
    double wide;
    if (list->type == F32) {
        memcpy(&narrow, bytes + 4 * index, 4);
        return (double)narrow;
    }
    memcpy(&wide, bytes + 8 * index, 8);
    return wide;
}

static bool is_nan(const struct list *list, const unsigned char *bytes, size_t index)
{
    uint16_t half;
    if (list->type != F16)
        return isnan(element_as_real(list, bytes, index));
    memcpy(&half, bytes + 2 * index, 2);
    return (half & 0x7FFF) > 0x7C00;
}

static bool element_matches(const struct argument *argument, size_t index)
{
    const struct list *want = &argument->expected;
    unsigned size = types[want->type].bytes;
    if (want->flags[index] & ANY_VALUE)
        return true;
    if (want->flags[index] & ANY_NAN)
        return is_nan(want, argument->work, index);
    if (memcmp(want->bytes + index * size, argument->work + index * size, size) == 0)
        return true;
    if (argument->bound <= 0 || (want->type != F32 && want->type != F64))
        return false;
    double got = element_as_real(want, argument->work, index), wanted = element_as_real(want, want->bytes, index);
    return fabs(got - wanted) <= argument->bound * fmax(fabs(wanted), argument->bound);
}

static void show(const struct list *list, const unsigned char *bytes, size_t index, char text[64])
{
    unsigned size = types[list->type].bytes;
    uint64_t bits = 0;
    memcpy(&bits, bytes + index * size, size);
    if (list->type == F32 || list->type == F64)
        snprintf(text, 64, "0x%0*llx (%.9g)", (int)(2 * size), (unsigned long long)bits,
                 element_as_real(list, bytes, index));
    else
        snprintf(text, 64, "0x%0*llx", (int)(2 * size), (unsigned long long)bits);
}

static void compare(struct file *file, struct test *test)
{
    for (unsigned a = 0; a < test->argument_count; a++) {
        struct argument *argument = &test->arguments[a];
        unsigned wrong = 0;
        for (size_t i = 0; argument->compared && i < argument->expected.count; i++) {
            if (element_matches(argument, i) || ++wrong > MAX_SHOWN)
                continue;
            char got[64], want[64];
            show(&argument->expected, argument->work, i, got);
            show(&argument->expected, argument->expected.bytes, i, want);
            complain(file, test->line, "%s: argument %u [%zu] is %s, not %s", test->name, a, i, got,
                     argument->expected.flags[i] & ANY_NAN ? "a NaN" : want);
        }
        if (wrong > MAX_SHOWN)
            complain(file, test->line, "%s: argument %u: %u wrong values in all", test->name, a, wrong);
    }
}

static void prepare(struct test *test, lockstep_argument arguments[MAX_ARGUMENTS])
{
    for (unsigned a = 0; a < test->argument_count; a++) {
        struct argument *argument = &test->arguments[a];
        struct list *list = argument->kind == LOCKSTEP_ARGUMENT_OUT ? &argument->expected : &argument->initial;
        size_t bytes = list->count * types[list->type].bytes;
        argument->work = must(malloc(bytes + 1));
        if (argument->kind == LOCKSTEP_ARGUMENT_OUT)
            memset(argument->work, 0xCD, bytes);
        else
            memcpy(argument->work, list->bytes, bytes);
        lockstep_argument_kind kind = argument->kind == LOCKSTEP_ARGUMENT_OUT ? LOCKSTEP_ARGUMENT_IN_OUT : argument->kind;
        arguments[a] = (lockstep_argument){kind, argument->work, bytes, NULL};
    }
}

/* Sends stdout to a file that has no name; returns what stdout was. */
static int divert_output(FILE *to)
{
    fflush(stdout);
    int before = dup(1);
    dup2(fileno(to), 1);
    return before;
}

/* What the run gave, as a record: see tests/golden.h. */
static struct golden_record describe_run(const struct test *test, int outcome, const char *printed)
{
    struct golden_record record = {.fixture = test->hash,
                                   .outcome = outcome,
                                   .current = true,
                                   .exact = golden_hash(GOLDEN_SEED, printed, strlen(printed))};
    for (unsigned a = 0; outcome == 0 && a < test->argument_count; a++) {
        const struct argument *argument = &test->arguments[a];
        unsigned size = types[argument->expected.type].bytes;
        for (size_t i = 0; argument->compared && i < argument->expected.count; i++) {
            uint64_t bits = 0;
            memcpy(&bits, argument->work + i * size, size);
            if (argument->expected.flags[i] & ANY_VALUE)
                continue;
            if (argument->bound > 0 || argument->expected.flags[i] & ANY_NAN)
                golden_add_value(&record, bits);
            else
                record.exact = golden_hash(record.exact, &bits, size);
        }
    }
    return record;
}

/* May `got` stand for what the GPU gave? Both lie within the fixture's bound of the true value, or are NaNs. */
static bool is_near_record(const struct argument *argument, size_t index, uint64_t got, uint64_t recorded,
                           unsigned *other_nans)
{
    const struct list *list = &argument->expected;
    if (got == recorded)
        return true;
    if (list->flags[index] & ANY_NAN) { /* the manual leaves the payload open; how often it differs is counted */
        (*other_nans)++;
        return true;
    }
    struct list one = {.type = list->type};
    double mine = element_as_real(&one, (const unsigned char *)&got, 0);
    double theirs = element_as_real(&one, (const unsigned char *)&recorded, 0);
    double room = 2.01 * argument->bound * fmax(fabs(theirs), argument->bound);
    return (isnan(mine) && isnan(theirs)) || fabs(mine - theirs) <= room;
}

static void compare_values(struct file *file, const struct test *test, const struct golden_record *mine,
                           const struct golden_record *theirs)
{
    size_t value = 0;
    for (unsigned a = 0; a < test->argument_count; a++) {
        const struct argument *argument = &test->arguments[a];
        for (size_t i = 0; argument->compared && i < argument->expected.count; i++) {
            if (argument->expected.flags[i] & ANY_VALUE || !(argument->bound > 0 || argument->expected.flags[i] & ANY_NAN))
                continue;
            uint64_t got = mine->values[value], recorded = theirs->values[value];
            value++;
            if (!is_near_record(argument, i, got, recorded, &file->totals->other_nans))
                complain(file, test->line, "%s: argument %u [%zu] is 0x%llx, on the GPU it was 0x%llx", test->name, a, i,
                         (unsigned long long)got, (unsigned long long)recorded);
        }
    }
}

/* Records the run, or compares it with the record. */
static void take_record(struct file *file, const struct test *test, int outcome, const char *printed)
{
    const struct fixture_options *options = file->options;
    if ((!options->record && !options->golden) || (options->record && file->failed))
        return;
    struct golden_record mine = describe_run(test, outcome, printed);
    if (options->record) {
        golden_put(&file->golden, &mine);
        return;
    }
    const struct golden_record *theirs = golden_find(&file->golden, test->hash);
    if (!theirs) {
        file->totals->unrecorded++;
    } else {
        file->totals->recorded++;
        if (theirs->outcome != mine.outcome)
            complain(file, test->line, "%s: the launch gave %d, on the GPU %d", test->name, mine.outcome, theirs->outcome);
        else if (theirs->exact != mine.exact || theirs->value_count != mine.value_count)
            complain(file, test->line, "%s: the results are not those of the GPU", test->name);
        else
            compare_values(file, test, &mine, theirs);
    }
    free(mine.values);
}

static void read_output(FILE *output, char *text, size_t size)
{
    rewind(output);
    text[fread(text, 1, size - 1, output)] = '\0';
}

static void check_output(struct file *file, struct test *test, const char *text)
{
    const char *want = test->prints ? test->prints : "";
    if (strcmp(text, want) != 0)
        complain(file, test->line, "%s: printed\n%s---- instead of\n%s----", test->name, text, want);
}

static void launch(struct file *file, struct test *test)
{
    lockstep_error error = {0};
    lockstep_kernel *kernel;
    lockstep_argument arguments[MAX_ARGUMENTS];
    if (lockstep_module_kernel(file->module, test->kernel, &kernel, &error) != LOCKSTEP_OK) {
        complain(file, test->line, "%s: %s", test->name, error.message);
        return;
    }
    FILE *output = must(tmpfile());
    prepare(test, arguments);
    int before = divert_output(output);
    lockstep_status status = lockstep_launch(kernel, &test->shape, arguments, test->argument_count, NULL, &error);
    lockstep_status waited = lockstep_device_synchronize(file->device, status == LOCKSTEP_OK ? &error : NULL);
    fflush(stdout);
    dup2(before, 1);
    close(before);
    if (status == LOCKSTEP_OK)
        status = waited;
    if (test->fails && (status == LOCKSTEP_OK || error.cuda_result != test->fails))
        complain(file, test->line, "%s: the launch gave %d, not %d", test->name, status ? error.cuda_result : 0,
                 test->fails);
    else if (!test->fails && status != LOCKSTEP_OK)
        complain(file, test->line, "%s: %s: %s", test->name, error.call, error.message);
    else if (!test->fails)
        compare(file, test);
    char printed[16384];
    read_output(output, printed, sizeof printed);
    if (!test->fails || test->prints)
        check_output(file, test, printed);
    fclose(output);
    take_record(file, test, status == LOCKSTEP_OK ? 0 : error.cuda_result, printed);
    if (status != LOCKSTEP_OK)
        close_device(file); /* the context is lost */
    for (unsigned a = 0; a < test->argument_count; a++)
        free(test->arguments[a].work);
}

static void run_test(struct file *file, struct test *test)
{
    lockstep_error error = {0};
    if (!open_device(file))
        return;
    bool loaded = !file->unloadable && load(file, &error);
    if (test->refused) {
        if (loaded)
            complain(file, test->line, "%s: the module loads, but should be refused", test->name);
        else if (!strstr(error.message, test->refused))
            complain(file, test->line, "%s: the refusal does not say '%s': %s", test->name, test->refused, error.message);
        return;
    }
    if (loaded) {
        launch(file, test);
    } else {
        complain(file, test->line, "%s: the module does not load: %s", test->name,
                 file->unloadable ? "see above" : error.message);
        file->unloadable = true;
    }
}

static void clear_test(struct test *test)
{
    for (unsigned a = 0; a < test->argument_count; a++) {
        struct argument *argument = &test->arguments[a];
        free(argument->initial.bytes);
        free(argument->initial.flags);
        free(argument->expected.bytes);
        free(argument->expected.flags);
    }
    free(test->prints);
    free(test->refused);
}

/* Names the GPU in the records: they are worth nothing when nobody knows where they come from. */
static void write_records(struct file *file)
{
    for (size_t i = 0; i < file->test_count; i++) {
        struct golden_record *record = golden_find(&file->golden, file->tests[i].hash);
        if (record)
            record->current = true;
    }
    if (open_device(file)) {
        const lockstep_device_info *info = lockstep_device_get_info(file->device);
        char date[32];
        time_t now = time(NULL);
        strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
        snprintf(file->golden.source, sizeof file->golden.source, "%s, driver API %d.%d, %s", info->name,
                 info->driver_version / 1000, info->driver_version % 1000 / 10, date);
    }
    if (file->golden.count && !golden_write(&file->golden))
        file->totals->failed++;
}

void fixture_run_file(const char *path, const struct fixture_options *options, struct fixture_totals *totals)
{
    struct file file = {.path = path, .options = options, .totals = totals};
    const char *records = options->record ? options->record : options->golden;
    if (records && !golden_read(&file.golden, records, path))
        totals->failed++;
    file.text = support_read_file(path, &file.bytes);
    if (!file.text)
        complain(&file, 0, "cannot be read");
    else
        read_tests(&file);
    if (file.text && !file.failed && !file.test_count)
        complain(&file, 0, "holds no test");
    bool described = !file.failed;
    if (!described)
        totals->failed++;
    for (size_t i = 0; i < file.test_count; i++) {
        struct test *test = &file.tests[i];
        bool wanted = !options->filter || strstr(test->name, options->filter);
        if (described && wanted && !(test->emulated_only && options->device == LOCKSTEP_GPU)) {
            file.failed = false;
            run_test(&file, test);
            if (file.failed)
                totals->failed++;
            else
                totals->passed++;
        }
    }
    if (options->record && described)
        write_records(&file);
    for (size_t i = 0; i < file.test_count; i++)
        clear_test(&file.tests[i]);
    golden_clear(&file.golden);
    close_device(&file);
    free(file.tests);
    free(file.text);
}
