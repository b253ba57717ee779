/* Runs jobs on either driver: for the tables that `ninja gpu-bench` prints.
 *
 *     measure [--device emulated|gpu] [--times N] [--flush] [--libraries FILE] JOBS
 *
 * JOBS is a JSON file:
 *   arrays   {name: {"count": elements of 4 bytes, "fill": fraction | index | order | zero | bins | skewed | crowded |
 *            signed | bytes | halves}}, {name: {"values": [integers]}}, or {name: {"count": elements, "from": a file of so many words}}
 *   groups   [{name, jobs: [{name, steps: [...], result: ARRAY, tolerance, finish: [...]}]}]; finish: steps that make the
 *            result out of what the job leaves; no time is taken of them
 *   a step   {"file": F, "kernel": K, "grid": [x,y,z], "block": [x,y,z], "arguments": [ARRAY, integer, [integer] of 64 bits,
 *            or [ARRAY, ELEMENT], the address of an element in it], "variables": {NAME: ARRAY}}: a launch, for which
 *            __constant__ variables of the file get their values
 *            {"library": FUNCTION, "arguments": [...]}: a call of a library (libraries.cu); the job is left out without one
 *
 * Every job runs once; its result array is compared with that of the group's first job, element by element: the
 * difference may be `tolerance` times the largest magnitude (0: all bytes equal). Then the jobs of a group run N times in
 * turn, A B C A B C ..., each between two events. Prints a JSON line a job: {group, name, right, ms, low, high}: the
 * median and the quartiles; with N = 0 (the default) no time. --flush: the level-2 cache holds
 * nothing of the arrays then. Exits 1 when a result is wrong, 2 when something cannot be
 * run.
 */
#include <dlfcn.h>
#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"

enum {
    MAX_ARRAYS = 16,
    MAX_JOBS = 16,
    MAX_STEPS = 40,
    MAX_ARGUMENTS = 12,
    MAX_MODULES = 64,
    MAX_TIMES = 1000,
    WARM_UP = 3,
    SCRAP_BYTES = 256 << 20
};

typedef int library_call(uint64_t *addresses, int64_t *integers);

struct array {
    const char *name, *fill;
    size_t count;
    lockstep_buffer *buffer;
};

struct step {
    lockstep_kernel *kernel; /* NULL: a call */
    library_call *call;
    lockstep_shape shape;
    lockstep_argument arguments[MAX_ARGUMENTS];
    size_t argument_count;
    uint64_t addresses[MAX_ARGUMENTS]; /* of a call: its arrays and its integers, in their order */
    int64_t integers[MAX_ARGUMENTS];
    int32_t values[MAX_ARGUMENTS];
    uint64_t elements[MAX_ARGUMENTS]; /* addresses within arrays */
};

struct job {
    const char *name;
    struct array *result;
    double tolerance;
    struct step steps[MAX_STEPS]; /* those of `finish` behind the others */
    size_t step_count, timed_count;
    bool right, absent;
    double ms[MAX_TIMES];
};

static struct {
    lockstep_device *device;
    void *libraries;
    struct array arrays[MAX_ARRAYS];
    size_t array_count;
    struct {
        char file[256];
        lockstep_module *module;
    } modules[MAX_MODULES];
    size_t module_count;
    struct job jobs[MAX_JOBS];
    int times;
    lockstep_buffer *scrap; /* of --flush; NULL */
    bool wrong;
} state;

static __attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("measure: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static void check(lockstep_status status, const lockstep_error *error)
{
    char text[2048];
    if (status == LOCKSTEP_OK)
        return;
    lockstep_error_format(error, text, sizeof text);
    fail("%s", text);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

/* A fixed sequence of 24 random bits, so that both drivers and all runs see the same data. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* n / 1024 as a half, for n from 0 to 1023. */
static uint32_t half_bits(uint32_t n)
{
    unsigned top = 0;
    while (n >> top > 1)
        top++;
    return n == 0 ? 0 : (top + 5) << 10 | (n << (10 - top) & 1023);
}

static void fill(const struct array *array, uint32_t *host)
{
    static const char *const kinds[] = {"fraction", "index",  "order", "bins",   "skewed",
                                        "crowded",  "signed", "bytes", "halves", "zero"};
    enum { FRACTION, INDEX, ORDER, BINS, SKEWED, CROWDED, SIGNED, BYTES, HALVES, ZERO, KINDS } kind = FRACTION;
    uint32_t seed = 1;
    while (kind < KINDS && strcmp(array->fill, kinds[kind]) != 0)
        kind++;
    for (size_t i = 0; i < array->count; i++) {
        uint32_t random = next_random(&seed);
        switch (kind) {
        case FRACTION: host[i] = float_bits((float)random / 16777216.0f - 0.5f); break;
        case INDEX: host[i] = (uint32_t)(i * 7919 % array->count); break;
        case ORDER: host[i] = (uint32_t)i; break;
        case BINS: host[i] = random % 256; break;
        case SKEWED: host[i] = random % 100 < 99 ? 7 : random / 100 % 256; break;
        case CROWDED: host[i] = random % 16 ? 77 : random / 16 % 256; break; /* as in the lab histogram */
        case SIGNED: host[i] = random & 0x800000 ? 1 + random % 1000000 : 0u - 1 - random % 1000000; break;
        case BYTES: host[i] = random << 16 ^ next_random(&seed); break;
        case HALVES: /* two of them, from -1/2 to 1/2 */
            host[i] = half_bits(random & 511) | (random >> 9 & 1) << 15 | half_bits(random >> 10 & 511) << 16
                      | (random >> 19 & 1) << 31;
            break;
        case ZERO: host[i] = 0; break;
        case KINDS: fail("array %s: there is no fill \"%s\"", array->name, array->fill);
        }
    }
}

static void read_words(const char *path, uint32_t *host, size_t count)
{
    FILE *stream = fopen(path, "rb");
    if (!stream || fread(host, sizeof *host, count, stream) != count)
        fail("cannot read %zu words of 4 bytes from %s", count, path);
    fclose(stream);
}

static void make_arrays(const json_t *description)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)description, name, value)
    {
        lockstep_error error;
        if (state.array_count == MAX_ARRAYS)
            fail("more than %d arrays", MAX_ARRAYS);
        struct array *array = &state.arrays[state.array_count++];
        array->name = name;
        const json_t *values = json_object_get(value, "values"), *element;
        size_t i;
        array->count = values ? json_array_size(values) : (size_t)json_integer_value(json_object_get(value, "count"));
        array->fill = json_string_value(json_object_get(value, "fill"));
        const char *from = json_string_value(json_object_get(value, "from"));
        uint32_t *host = malloc(array->count * sizeof *host);
        if (!host || (!array->fill && !values && !from))
            fail("array %s: no memory, or none of \"fill\", \"from\" and \"values\"", name);
        if (from)
            read_words(from, host, array->count);
        else if (!values)
            fill(array, host);
        json_array_foreach((json_t *)values, i, element)
        {
            host[i] = (uint32_t)json_integer_value(element);
        }
        check(lockstep_buffer_create(state.device, array->count * sizeof *host, name, &array->buffer, &error), &error);
        check(lockstep_buffer_upload(array->buffer, 0, host, array->count * sizeof *host, &error), &error);
        free(host);
    }
}

static struct array *find_array(const char *name)
{
    for (size_t i = 0; i < state.array_count; i++)
        if (name && strcmp(state.arrays[i].name, name) == 0)
            return &state.arrays[i];
    fail("no array %s", name ? name : "(none named)");
}

/* ---- jobs --------------------------------------------------------------------------------------------------------- */

static lockstep_module *load(const char *file)
{
    lockstep_error error;
    for (size_t i = 0; i < state.module_count; i++)
        if (strcmp(state.modules[i].file, file) == 0)
            return state.modules[i].module;
    if (state.module_count == MAX_MODULES)
        fail("more than %d files", MAX_MODULES);
    FILE *stream = fopen(file, "rb");
    static char source[1 << 18];
    size_t bytes = stream ? fread(source, 1, sizeof source - 1, stream) : 0;
    if (!bytes)
        fail("cannot read %s", file);
    fclose(stream);
    source[bytes] = '\0';
    lockstep_module **module = &state.modules[state.module_count].module;
    snprintf(state.modules[state.module_count++].file, sizeof state.modules->file, "%s", file);
    check(lockstep_module_compile(state.device, source, file, NULL, module, &error), &error);
    return *module;
}

static void read_shape(const json_t *list, uint32_t shape[3])
{
    for (size_t d = 0; d < 3; d++)
        shape[d] = d < json_array_size(list) ? (uint32_t)json_integer_value(json_array_get(list, d)) : 1;
}

/* Returns false when the step needs a library that there is not. */
static bool read_step(const json_t *description, struct step *step)
{
    const char *library = json_string_value(json_object_get(description, "library")), *file = NULL, *kernel = NULL,
               *variable;
    json_t *arguments = json_object_get(description, "arguments"), *value;
    lockstep_error error;
    size_t i, addresses = 0, integers = 0;
    *step = (struct step){.argument_count = json_array_size(arguments)};
    if (step->argument_count > MAX_ARGUMENTS)
        fail("more than %d arguments", MAX_ARGUMENTS);
    json_array_foreach(arguments, i, value)
    {
        if (json_is_string(value)) {
            struct array *array = find_array(json_string_value(value));
            step->arguments[i] = LOCKSTEP_BUFFER(array->buffer);
            step->addresses[addresses++] = lockstep_buffer_address(array->buffer);
        } else if (json_array_size(value) == 2) {
            struct array *array = find_array(json_string_value(json_array_get(value, 0)));
            size_t element = (size_t)json_integer_value(json_array_get(value, 1));
            if (element >= array->count)
                fail("%s has no element %zu", array->name, element);
            step->elements[i] = lockstep_buffer_address(array->buffer) + 4 * element;
            step->addresses[addresses++] = step->elements[i];
            step->arguments[i] = LOCKSTEP_VALUE(step->elements[i]);
        } else {
            bool wide = json_is_array(value);
            int64_t *integer = &step->integers[integers++];
            *integer = json_integer_value(wide ? json_array_get(value, 0) : value);
            step->values[i] = (int32_t)*integer;
            step->arguments[i] = wide ? LOCKSTEP_VALUE(*integer) : LOCKSTEP_VALUE(step->values[i]);
        }
    }
    if (library) {
        *(void **)&step->call = state.libraries ? dlsym(state.libraries, library) : NULL;
        if (state.libraries && !step->call)
            fail("the libraries have no %s", library);
        return step->call != NULL;
    }
    file = json_string_value(json_object_get(description, "file"));
    kernel = json_string_value(json_object_get(description, "kernel"));
    if (!file || !kernel)
        fail("a step has neither \"library\" nor \"file\" and \"kernel\"");
    check(lockstep_module_kernel(load(file), kernel, &step->kernel, &error), &error);
    json_object_foreach(json_object_get(description, "variables"), variable, value)
    {
        struct array *array = find_array(json_string_value(value));
        check(lockstep_module_set_variable(load(file), variable, 0, array->buffer, 0, array->count * 4, &error), &error);
    }
    read_shape(json_object_get(description, "grid"), step->shape.grid);
    read_shape(json_object_get(description, "block"), step->shape.block);
    return true;
}

static void read_job(const json_t *description, struct job *job)
{
    json_t *steps = json_object_get(description, "steps"), *finish = json_object_get(description, "finish"), *value;
    size_t i;
    memset(job, 0, sizeof *job);
    job->name = json_string_value(json_object_get(description, "name"));
    job->tolerance = json_number_value(json_object_get(description, "tolerance"));
    if (json_object_get(description, "result"))
        job->result = find_array(json_string_value(json_object_get(description, "result")));
    if (json_array_size(steps) + json_array_size(finish) > MAX_STEPS)
        fail("more than %d steps", MAX_STEPS);
    json_array_foreach(steps, i, value)
    {
        job->absent |= !read_step(value, &job->steps[job->step_count++]);
    }
    job->timed_count = job->step_count;
    json_array_foreach(finish, i, value)
    {
        job->absent |= !read_step(value, &job->steps[job->step_count++]);
    }
}

static void run(struct job *job, size_t step_count)
{
    lockstep_error error;
    for (size_t i = 0; i < step_count; i++) {
        struct step *step = &job->steps[i];
        int result = 0;
        if (step->kernel)
            check(lockstep_launch(step->kernel, &step->shape, step->arguments, step->argument_count, NULL, &error), &error);
        else if ((result = step->call(step->addresses, step->integers)) != 0)
            fail("%s: the library's call failed with %d", job->name, result);
    }
}

/* ---- results and times -------------------------------------------------------------------------------------------- */

static bool agree(const void *first, const void *own, size_t count, double tolerance)
{
    const float *a = first, *b = own;
    double largest = 0, apart = 0;
    if (tolerance <= 0)
        return memcmp(first, own, count * sizeof *a) == 0;
    for (size_t i = 0; i < count; i++) {
        double difference = fabs((double)a[i] - (double)b[i]);
        largest = fmax(largest, fabs((double)a[i]));
        if (!(difference <= apart))
            apart = difference;
    }
    return apart <= tolerance * largest;
}

static void verify(struct job *job, void **first)
{
    lockstep_error error;
    size_t bytes = job->result ? job->result->count * 4 : 0;
    void *own = bytes ? malloc(bytes) : NULL;
    if (bytes) {
        check(own ? LOCKSTEP_OK : (fail("no memory for the result of %s", job->name), LOCKSTEP_OK), &error);
        check(lockstep_buffer_fill(job->result->buffer, 0xA5, &error), &error);
    }
    run(job, job->step_count);
    check(lockstep_device_synchronize(state.device, &error), &error);
    job->right = true;
    if (!bytes)
        return;
    check(lockstep_buffer_download(job->result->buffer, 0, own, bytes, &error), &error);
    if (!*first) {
        *first = own;
        return;
    }
    job->right = agree(*first, own, job->result->count, job->tolerance);
    state.wrong |= !job->right;
    free(own);
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void take_times(size_t count)
{
    lockstep_event *start, *stop;
    lockstep_error error;
    check(lockstep_event_create(state.device, &start, &error), &error);
    check(lockstep_event_create(state.device, &stop, &error), &error);
    for (int turn = -WARM_UP; turn < state.times; turn++)
        for (size_t i = 0; i < count; i++) {
            float ms;
            if (state.jobs[i].absent)
                continue;
            if (state.scrap)
                check(lockstep_buffer_fill(state.scrap, (uint8_t)turn, &error), &error);
            check(lockstep_event_record(start, NULL, &error), &error);
            run(&state.jobs[i], state.jobs[i].timed_count);
            check(lockstep_event_record(stop, NULL, &error), &error);
            check(lockstep_event_elapsed(start, stop, &ms, &error), &error);
            if (turn >= 0)
                state.jobs[i].ms[turn] = ms;
        }
    lockstep_event_destroy(start);
    lockstep_event_destroy(stop);
}

static void print(const char *group, struct job *job)
{
    json_t *line = json_pack("{s:s,s:s,s:b}", "group", group, "name", job->name, "right", job->right);
    if (state.times) {
        qsort(job->ms, (size_t)state.times, sizeof *job->ms, compare_doubles);
        json_object_set_new(line, "ms", json_real(job->ms[state.times / 2]));
        json_object_set_new(line, "low", json_real(job->ms[state.times / 4]));
        json_object_set_new(line, "high", json_real(job->ms[state.times * 3 / 4]));
    }
    json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    fflush(stdout);
    json_decref(line);
}

static void do_group(const json_t *description)
{
    const json_t *jobs = json_object_get(description, "jobs"), *value;
    const char *name = json_string_value(json_object_get(description, "name"));
    size_t i, count = json_array_size(jobs);
    void *first = NULL;
    if (count > MAX_JOBS)
        fail("more than %d jobs in a group", MAX_JOBS);
    json_array_foreach((json_t *)jobs, i, value)
    {
        read_job(value, &state.jobs[i]);
        if (!state.jobs[i].absent)
            verify(&state.jobs[i], &first);
    }
    if (state.times)
        take_times(count);
    for (i = 0; i < count; i++)
        if (!state.jobs[i].absent)
            print(name, &state.jobs[i]);
    free(first);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'},
        {"times", required_argument, NULL, 't'},
        {"flush", no_argument, NULL, 'f'},
        {"libraries", required_argument, NULL, 'l'},
        {NULL, 0, NULL, 0},
    };
    bool flushes = false;
    lockstep_device_kind kind = LOCKSTEP_GPU;
    lockstep_error error;
    json_error_t where;
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'd')
            kind = strcmp(optarg, "emulated") == 0 ? LOCKSTEP_EMULATED : LOCKSTEP_GPU;
        else if (option == 't')
            state.times = atoi(optarg);
        else if (option == 'f')
            flushes = true;
        else if (option == 'l') {
            state.libraries = dlopen(optarg, RTLD_NOW);
            if (!state.libraries)
                fail("%s", dlerror());
        } else
            return 2;
    }
    if (optind + 1 != argc || state.times < 0 || state.times > MAX_TIMES)
        fail("usage: measure [--device emulated|gpu] [--times N] [--flush] [--libraries FILE] JOBS");
    json_t *jobs = json_load_file(argv[optind], 0, &where), *group;
    size_t i;
    if (!jobs)
        fail("%s:%d: %s", argv[optind], where.line, where.text);
    check(lockstep_device_open(kind, &state.device, &error), &error);
    if (flushes)
        check(lockstep_buffer_create(state.device, SCRAP_BYTES, "scrap", &state.scrap, &error), &error);
    make_arrays(json_object_get(jobs, "arrays"));
    json_array_foreach(json_object_get(jobs, "groups"), i, group)
    {
        do_group(group);
    }
    for (i = 0; i < state.array_count; i++)
        lockstep_buffer_destroy(state.arrays[i].buffer);
    for (i = 0; i < state.module_count; i++)
        lockstep_module_unload(state.modules[i].module);
    lockstep_device_close(state.device);
    json_decref(jobs);
    return state.wrong;
}
