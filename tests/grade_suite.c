/* build/lockstep from the outside: real submissions, real compiler, real (emulated) driver. */
#include "tests/dialect.h"
#include "tests/quoted.h"
#include "tests/support.h"

#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/lab/expectation.h"
#include "grader/lab/labs.h"

enum { MAX_FILES = 64 };

/* Runs lockstep with these words. Returns its exit status; `result` must be cleared. */
static int lockstep(struct support_result *result, const char *const *words, const char *const *environment)
{
    char program[SUPPORT_PATH_BYTES];
    const char *arguments[MAX_FILES + 16] = {support_build_path("lockstep", program)};
    for (int i = 0; words[i]; i++)
        arguments[i + 1] = words[i];
    struct support_command command = {.arguments = arguments, .environment = environment};
    CU_ASSERT_FATAL(support_run(&command, result));
    return result->status;
}

#define LOCKSTEP(result, ...) lockstep((result), (const char *const[]){__VA_ARGS__, NULL}, NULL)

/* What the suite has graded, for what all results must keep to. */
static char results[SUPPORT_PATH_BYTES];
static int result_count;

static int set_up(void)
{
    setenv("LOCKSTEP_NVCC", "none", 1); /* which takes three times as long: program_test.py has what it builds judged */
    return support_temporary_directory(results) ? 0 : -1;
}

static int clean_up(void)
{
    support_remove_tree(results);
    return 0;
}

static void keep_result(const char *text)
{
    char path[SUPPORT_PATH_BYTES], name[32];
    snprintf(name, sizeof name, "%03d.json", result_count++);
    support_write_text(support_join(path, results, name), text);
}

/* Grades and parses what --json - prints. Returns the result file's content, NULL with a failed assertion when there is
 * none. */
static json_t *grade_files(const char *lab, char **files, size_t count, int *status)
{
    const char *words[MAX_FILES + 10] = {"grade", "--device", "emulated", "--json", "-", "--seed", "20240917"};
    size_t used = 7;
    struct support_result result;
    if (lab) {
        words[used++] = "--lab";
        words[used++] = lab;
    }
    for (size_t i = 0; i < count && i < MAX_FILES; i++)
        words[used++] = files[i];
    *status = lockstep(&result, words, NULL);
    json_error_t error;
    json_t *parsed = json_loads(result.output, 0, &error);
    if (!parsed)
        fprintf(stderr, "no JSON: %s\n%s\n%s\n", error.text, result.output, result.errors);
    CU_ASSERT_PTR_NOT_NULL(parsed);
    keep_result(result.output);
    support_result_clear(&result);
    return parsed;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const json_t *lab_at(const json_t *result, size_t index)
{
    return json_array_get(json_object_get(result, "labs"), index);
}

/* The finding that a lab's message is about: the first of the test with the same message. */
static const json_t *first_cause(const json_t *lab)
{
    size_t i;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), i, test)
    {
        const json_t *first = json_array_get(json_object_get(test, "findings"), 0);
        if (first && strcmp(text_of(test, "message"), text_of(lab, "message")) == 0)
            return first;
    }
    return NULL;
}

static bool is_full(const json_t *lab)
{
    return json_integer_value(json_object_get(lab, "score")) == json_integer_value(json_object_get(lab, "max_score"))
           && strcmp(text_of(lab, "state"), "pass") == 0;
}

/* Says what a lab ended with, for the log of a failed test. */
static void complain(const char *file, const json_t *lab)
{
    const json_t *cause = first_cause(lab);
    fprintf(stderr, "%s: %s, %lld points, %s line %lld: %s\n", file, text_of(lab, "state"),
            (long long)json_integer_value(json_object_get(lab, "score")), text_of(cause, "code"),
            (long long)json_integer_value(json_object_get(cause, "line")), text_of(lab, "message"));
}

/* Are the needless barriers exactly the lines that end in "// needless"? */
static void check_barriers(const char *file, const json_t *lab)
{
    char *source = support_read_file(file, NULL);
    int line = 1, mistakes = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    for (const char *at = source, *end; (end = strchr(at, '\n')); at = end + 1, line++) {
        static const char mark[] = "// needless";
        size_t i, length = strlen(mark);
        json_t *note;
        bool told = false, meant = (size_t)(end - at) > length && strncmp(end - length, mark, length) == 0;
        json_array_foreach(json_object_get(json_array_get(json_object_get(lab, "tests"), 0), "findings"), i, note)
            told |= strcmp(text_of(note, "code"), "barrier_needless") == 0
                    && json_integer_value(json_object_get(note, "line")) == line;
        if (told != meant)
            fprintf(stderr, "%s:%d: the barrier is %s\n", file, line, told ? "called needless" : "not called needless");
        mistakes += told != meant;
    }
    CU_ASSERT_EQUAL(mistakes, 0);
    free(source);
}

/* What a right file asks of the launch is read, and fits its kernels. */
static void check_settings(const char *file, const json_t *lab)
{
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(json_array_get(json_object_get(lab, "tests"), 0), "findings"), i, note)
    {
        bool doubted = strcmp(text_of(note, "code"), "launch_setting") == 0;
        if (doubted)
            fprintf(stderr, "%s: %s\n", file, text_of(note, "message"));
        CU_ASSERT(!doubted);
    }
}

/* ---- skeletons and solutions -------------------------------------------------------------------------------------- */

static void every_skeleton_fails_with_a_cause(void)
{
    char *folder[] = {"labs"};
    int status;
    json_t *result = grade_files(NULL, folder, 1, &status);
    CU_ASSERT_EQUAL(status, 1);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(result, "labs")), (size_t)labs_count());
    for (int i = 0; i < labs_count(); i++) {
        const json_t *lab = lab_at(result, (size_t)i);
        bool good = strcmp(text_of(lab, "state"), "fail") == 0 && first_cause(lab)
                    && json_integer_value(json_object_get(lab, "score")) == 0;
        if (!good)
            complain(labs_get(i)->name, lab);
        CU_ASSERT(good);
    }
    json_decref(result);
}

static void every_solution_gets_all_points(void)
{
    char *folder[] = {"solutions"};
    int status;
    json_t *result = grade_files(NULL, folder, 1, &status);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(result, "labs")), (size_t)labs_count());
    for (int i = 0; i < labs_count(); i++) {
        if (!is_full(lab_at(result, (size_t)i)))
            complain(labs_get(i)->name, lab_at(result, (size_t)i));
        CU_ASSERT(is_full(lab_at(result, (size_t)i)));
        const json_t *files = json_object_get(json_object_get(result, "submission"), "files");
        const char *path = text_of(json_array_get(files, (size_t)i), "path");
        CU_ASSERT(quoted_agrees(path, lab_at(result, (size_t)i), NULL));
        check_barriers(path, lab_at(result, (size_t)i));
    }
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(result, "score")),
                    json_integer_value(json_object_get(result, "max_score")));
    json_decref(result);
}

static void every_second_solution_gets_all_points(void)
{
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("solutions/*/*_fast.cu", 0, NULL, &found), 0);
    int status;
    json_t *result = grade_files(NULL, found.gl_pathv, found.gl_pathc, &status);
    CU_ASSERT_EQUAL(status, 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!is_full(lab_at(result, i)))
            complain(found.gl_pathv[i], lab_at(result, i));
        check_barriers(found.gl_pathv[i], lab_at(result, i));
    }
    json_decref(result);
    globfree(&found);
}

/* ---- wrong versions and variants ----------------------------------------------------------------------------------- */

/* Whether a budget of one of these metrics was missed while every test passed. */
static bool misses_budget(const json_t *lab, const struct expectation *expectation)
{
    size_t i;
    json_t *budget;
    bool found = false;
    json_array_foreach(json_object_get(lab, "performance"), i, budget)
        found = found
                || (expectation_fits_metric(expectation, text_of(budget, "metric"))
                    && strcmp(text_of(budget, "state"), "fail") == 0);
    return found && strcmp(text_of(lab, "state"), "pass") == 0;
}

/* Does the grader name the cause that the first line of the file does? */
static bool meets_expectation(const char *file, const json_t *lab)
{
    char *source = support_read_file(file, NULL);
    struct expectation wrong;
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    bool written = expectation_read(source, &wrong);
    free(source);
    if (!written) {
        fprintf(stderr, "%s: the first line must be // expect: CODE ... - why\n", file);
        return false;
    }
    if (expectation_is_budget(&wrong))
        return misses_budget(lab, &wrong);
    const json_t *cause = first_cause(lab);
    return cause
           && expectation_fits_cause(&wrong, text_of(cause, "code"), text_of(cause, "pattern"),
                                     (int)json_integer_value(json_object_get(cause, "line")));
}

/* Whether a case of the lab whose values were right goes wrong in this order of threads, with both values told. */
static bool goes_wrong_with(const json_t *lab, const char *schedule)
{
    size_t i;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), i, test)
    {
        const json_t *order = json_object_get(test, "schedules");
        if (strcmp(text_of(order, "wrong_with"), schedule) == 0)
            return text_of(order, "place")[0] != '\0' && strcmp(text_of(order, "expected"), text_of(order, "actual")) != 0;
    }
    return false;
}

/* Races on whose cases luck and the order of threads decide. */
static const struct {
    const char *file, *schedule;
} ordered[] = {
    {"/reducer_everybody_adds.cu", "lanes-descending"},
    {"/barrier_for_the_grid.cu", "blocks-reverse"},
    {"/chain_without_fence.cu", "stores-held"},
    {"/no_second_barrier.cu", "descending"},
    {"/merge_not_atomic.cu", "interleaved"},
};

static void check_order(const char *file, const json_t *lab)
{
    for (size_t i = 0; i < SUPPORT_COUNT(ordered); i++)
        if (strcmp(strrchr(file, '/'), ordered[i].file) == 0 && !goes_wrong_with(lab, ordered[i].schedule)) {
            fprintf(stderr, "%s: no case goes wrong with %s\n", file, ordered[i].schedule);
            CU_FAIL("an order of threads that shows nothing");
        }
}

/* The line of tests/expected/cures.txt for a file: "cured barrier 12"; "" none. */
static const char *expected_cure(const char *file, char text[96])
{
    char *table = support_read_file("tests/expected/cures.txt", NULL), key[256];
    const char *folder = file + strlen("labs/"), *name = strrchr(file, '/');
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    snprintf(key, sizeof key, "\n%.*s%s ", (int)strcspn(folder, "/"), folder, name);
    const char *row = strstr(table, key);
    snprintf(text, 96, "%.*s", row ? (int)strcspn(row + strlen(key), "\n") : 0, row ? row + strlen(key) : "");
    free(table);
    return text;
}

/* Does the result tell the repair that the table has, and none where it has none? */
static bool tells_its_cure(const char *file, const json_t *lab)
{
    const json_t *repair = json_object_get(lab, "repair");
    char told[96] = "", expected[96];
    size_t used = (size_t)snprintf(told, sizeof told, "%s", text_of(repair, "cure"));
    if (text_of(repair, "kind")[0] != '\0')
        used += (size_t)snprintf(told + used, sizeof told - used, " %s", text_of(repair, "kind"));
    for (int i = 0; i < 2; i++) {
        json_int_t line = json_integer_value(json_object_get(repair, i == 0 ? "line" : "line2"));
        if (line > 0)
            used += (size_t)snprintf(told + used, sizeof told - used, " %lld", (long long)line);
    }
    if (strcmp(told, expected_cure(file, expected)) == 0)
        return true;
    fprintf(stderr, "%s: the repair is \"%s\", expected \"%s\"\n", file, told, expected);
    return false;
}

/* Grades every step-th wrong version of a lab, from the first one on. */
static void check_wrong_versions(const char *name, size_t step)
{
    char pattern[256];
    glob_t found;
    const struct lab *lab = labs_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(lab);
    snprintf(pattern, sizeof pattern, "labs/%s/wrong/*.cu", lab->name);
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    CU_ASSERT(found.gl_pathc >= 6 && found.gl_pathc <= MAX_FILES);
    size_t count = 0;
    for (size_t i = 0; i < found.gl_pathc; i += step) {
        char *kept = found.gl_pathv[count];
        found.gl_pathv[count++] = found.gl_pathv[i];
        found.gl_pathv[i] = kept;
    }
    int status;
    json_t *result = grade_files(lab->name, found.gl_pathv, count, &status);
    CU_ASSERT_EQUAL(status, 1);
    for (size_t i = 0; i < count; i++) {
        bool met = meets_expectation(found.gl_pathv[i], lab_at(result, i));
        if (!met)
            complain(found.gl_pathv[i], lab_at(result, i));
        CU_ASSERT(met);
        CU_ASSERT(quoted_agrees(found.gl_pathv[i], lab_at(result, i), first_cause(lab_at(result, i))));
        check_order(found.gl_pathv[i], lab_at(result, i));
        CU_ASSERT(tells_its_cure(found.gl_pathv[i], lab_at(result, i)));
        CU_ASSERT(!is_full(lab_at(result, i)));
    }
    json_decref(result);
    globfree(&found);
}

static void explains_some_wrong_versions_of_each_lab(void)
{
    for (int i = 0; i < labs_count(); i++)
        check_wrong_versions(labs_get(i)->name, 12);
}

static void explains_every_wrong_version(void)
{
    for (int i = 0; i < labs_count(); i++)
        check_wrong_versions(labs_get(i)->name, 1);
}

/* Right, but with more traffic than the lab asks for: tiles of 8 load each element twice as often as tiles of 16. */
static bool is_wasteful(const char *file)
{
    return strcmp(strrchr(file, '/'), "/tiles_of_8.cu") == 0;
}

static void passes_every_correct_variant(void)
{
    for (int i = 0; i < labs_count(); i++) {
        char pattern[256];
        glob_t found;
        snprintf(pattern, sizeof pattern, "labs/%s/variants/*.cu", labs_get(i)->name);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        int status;
        json_t *result = grade_files(labs_get(i)->name, found.gl_pathv, found.gl_pathc, &status);
        for (size_t k = 0; k < found.gl_pathc; k++) {
            bool passed = strcmp(text_of(lab_at(result, k), "state"), "pass") == 0;
            bool full = is_full(lab_at(result, k)) != is_wasteful(found.gl_pathv[k]);
            if (!passed || !full)
                complain(found.gl_pathv[k], lab_at(result, k));
            CU_ASSERT(passed && full);
            check_barriers(found.gl_pathv[k], lab_at(result, k));
            check_settings(found.gl_pathv[k], lab_at(result, k));
        }
        json_decref(result);
        globfree(&found);
    }
}

/* The last test that grades much: of all that was graded before it, and alone of the skeletons. */
static void keeps_to_the_schema_in_every_result(void)
{
    char command[2 * SUPPORT_PATH_BYTES];
    struct support_result result;
    if (result_count == 0)
        every_skeleton_fails_with_a_cause();
    CU_ASSERT_FATAL(result_count > 0);
    snprintf(command, sizeof command, "exec python3 tests/result_schema.py %s/*.json", results);
    CU_ASSERT_FATAL(support_run_simple(&result, "sh", "-c", command, (char *)NULL));
    if (result.status != 0)
        fprintf(stderr, "%s%s\n", result.output, result.errors);
    CU_ASSERT_EQUAL(result.status, 0);
    support_result_clear(&result);
}

/* ---- bad input ---------------------------------------------------------------------------------------------------- */

/* Grades a file of this content for a lab in a fresh folder, with further words. */
static int grade_text(struct support_result *result, const char *lab, const char *content, size_t bytes)
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    support_join(path, directory, "mine.cu");
    CU_ASSERT_FATAL(support_write_file(path, content, bytes));
    int status = LOCKSTEP(result, "grade", "--device", "emulated", "--lab", lab, path);
    support_remove_tree(directory);
    return status;
}

static void check_text(const char *lab, const char *content, const char *words)
{
    struct support_result result;
    CU_ASSERT_EQUAL(grade_text(&result, lab, content, strlen(content)), 1);
    SUPPORT_CONTAINS(result.output, words);
    support_result_clear(&result);
}

static void says_what_is_wrong_with_a_file(void)
{
    struct support_result result;
    check_text("scan", "", "The file is empty");
    check_text("scan", "extern \"C\" __global__ void other(int *a) { a[0] = 1; }\n",
               "kernel `scan_blocks` not found; your file defines other");
    check_text("scan", "__device__ int x;\n", "your file defines no kernel at all");
    check_text("doublify", "__global__ void doublify(float *a, int n) {}\n", "extern \"C\"");
    check_text("doublify", "extern \"C\" __global__ void doublify(double *a, int n) {}\n",
               "yours     void doublify(double *a, int n)");
    check_text("doublify", "extern \"C\" __global__ void doublify(float *a, int n)\n{\n    a[0] = 1 +;\n}\n",
               "mine.cu:3:15");
    CU_ASSERT_EQUAL(grade_text(&result, "scan", "a\0b", 3), 1);
    SUPPORT_CONTAINS(result.output, "zero byte here");
    support_result_clear(&result);
    char *large = calloc(1, 300000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(large);
    CU_ASSERT_EQUAL(grade_text(&result, "scan", memset(large, ' ', 300000), 300000), 1);
    SUPPORT_CONTAINS(result.output, "too large");
    support_result_clear(&result);
    free(large);
}

static void ends_an_endless_loop(void)
{
    struct support_result result;
    static const char source[] = "extern \"C\" __global__ void doublify(float *a, int n)\n{\n    volatile int go = 1;\n"
                                 "    while (go) { }\n    a[0] = n;\n}\n";
    CU_ASSERT_EQUAL(grade_text(&result, "doublify", source, strlen(source)), 1);
    SUPPORT_CONTAINS(result.output, "did not finish");
    SUPPORT_CONTAINS(result.output, "mine.cu:4");
    CU_ASSERT(result.seconds < (support_is_sanitized() ? 200 : 30));
    support_result_clear(&result);
}

/* 13 tests, two runs each: what the second prints again is not kept. */
static void keeps_what_one_run_of_a_test_prints(void)
{
    struct support_result result;
    static const char source[] =
        "extern \"C\" __global__ void doublify(float *a, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) a[i] *= 2;\n    if (i == 0) printf(\"x\\n\");\n}\n";
    CU_ASSERT_EQUAL(grade_text(&result, "doublify", source, strlen(source)), 0);
    SUPPORT_CONTAINS(result.output, "printed  by your kernels, in n = 1\n    | x\n");
    CU_ASSERT_PTR_NULL(strstr(strstr(result.output, "| x") + 3, "| x"));
    support_result_clear(&result);
}

/* With K up to 16 the loop ends, and in a small part of the largest case it does, too. */
static void gives_nothing_for_a_part_where_other_tests_do_not_finish(void)
{
    struct support_result result;
    static const char source[] =
        "extern \"C\" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)\n{\n"
        "    __shared__ float s[16][16], t[16][16];\n    int x = threadIdx.x, y = threadIdx.y, k;\n"
        "    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;\n    float sum = 0;\n"
        "    for (k = 0; k < K; k += 16) {\n        s[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;\n"
        "        t[y][x] = k + y < K && column < N ? B[(k + y) * N + column] : 0;\n        __syncthreads();\n"
        "        for (k = 0; k < 16; k++)\n            sum += s[y][k] * t[k][x];\n        __syncthreads();\n    }\n"
        "    if (row < M && column < N)\n        C[row * N + column] = sum;\n}\n";
    CU_ASSERT_EQUAL(grade_text(&result, "matmul_tiled", source, strlen(source)), 1);
    SUPPORT_CONTAINS(result.output, "did not finish");
    CU_ASSERT_PTR_NULL(strstr(result.output, "whole, it would cost more work than a test may"));
    SUPPORT_CONTAINS(result.output, "not run whole, as other tests did not finish");
    support_result_clear(&result);
}

static void survives_a_flood_of_printf_and_escapes_it(void)
{
    struct support_result result;
    static const char source[] =
        "#include <stdio.h>\nextern \"C\" __global__ void doublify(float *a, int n)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) a[i] *= 2;\n"
        "    if (n == 1000) for (int k = 0; k < 100; k++) printf(\"\\033[32mPASS 100/100 %d %0100d\\n\", k, i);\n}\n";
    CU_ASSERT_EQUAL(grade_text(&result, "doublify", source, strlen(source)), 0);
    SUPPORT_CONTAINS(result.output, "by your kernels, in n = 1000");
    CU_ASSERT_PTR_NULL(strchr(result.output, '\033'));
    CU_ASSERT(result.output_bytes < 20000);
    support_result_clear(&result);
}

/* No race: atomics alone, but the first to come is treated differently. */
static void tells_a_result_that_depends_on_who_comes_first(void)
{
    struct support_result result;
    static const char source[] = "__device__ int came;\nextern \"C\" __global__ void doublify(float *a, int n)\n{\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
                                 "    bool first = atomicAdd(&came, 1) == 0;\n    a[i] *= first && i != 0 ? 3 : 2;\n}\n";
    CU_ASSERT_EQUAL(grade_text(&result, "doublify", source, strlen(source)), 1);
    SUPPORT_CONTAINS(result.output, "depends on the order of threads");
    SUPPORT_CONTAINS(result.output, "falling order, a[");
    support_result_clear(&result);
}

static void survives_a_submission_that_breaks_the_compiler(void)
{
    struct support_result result;
    static const char source[] =
        "template <int n> struct bomb { bomb<n - 1> a; bomb<n - 2> b; enum { v = bomb<n - 1>::v + bomb<n - 2>::v }; };\n"
        "#define D(x) x x\n#define E(x) D(D(D(D(x))))\n#define F(x) E(E(E(E(E(E(x))))))\n"
        "extern \"C\" __global__ void doublify(float *a, int n) { F(a[0] += n;) }\n";
    CU_ASSERT_EQUAL(grade_text(&result, "doublify", source, strlen(source)), 1);
    SUPPORT_CONTAINS(result.output, "made the compiler exceed its limits");
    support_result_clear(&result);
}

static void check_usage(const char *const *words, const char *expected)
{
    struct support_result result;
    CU_ASSERT_EQUAL(lockstep(&result, words, NULL), 2);
    SUPPORT_CONTAINS(result.errors, expected);
    support_result_clear(&result);
}
#define CHECK_USAGE(expected, ...) check_usage((const char *const[]){__VA_ARGS__, NULL}, (expected))

static void answers_bad_usage_with_status_two(void)
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    CHECK_USAGE("no such lab, file or folder", "grade", "nothing_of_the_kind");
    CHECK_USAGE("No such file", "grade", "/nowhere/scan.cu");
    CHECK_USAGE("nothing to grade here", "grade", directory);
    CHECK_USAGE("unknown option --fast", "grade", "--fast");
    CHECK_USAGE("unknown command gradee; did you mean grade?", "gradee");
    CHECK_USAGE("did you mean `lockstep grade scan`?", "scan");
    CHECK_USAGE("did you mean vector_add?", "grade", "vectr_add");
    CHECK_USAGE("did you mean scan?", "hint", "scna");
    CHECK_USAGE("did you mean matmul_tiled?", "start", "matmul");
    CHECK_USAGE("list takes no arguments", "list", "everything");
    CHECK_USAGE("lockstep trace FILE --svg", "grade", "doublify", "--pictures", directory);
    CHECK_USAGE("Try: lockstep grade --help", "grade", "--pictures=x");
    CHECK_USAGE("no such lab or file", "watch", "nothing_of_the_kind");
    support_join(path, directory, "mine.cu");
    support_write_text(path, "int x;\n");
    CHECK_USAGE("add --lab LAB", "grade", path);
    /* Unreadable: by its rights, or for root, whom no rights stop, by a link to nowhere. */
    support_join(path, directory, "scan.cu");
    support_write_text(path, "int x;\n");
    if (geteuid() == 0) {
        unlink(path);
        CU_ASSERT_EQUAL(symlink("/nowhere/at/all", path), 0);
        CHECK_USAGE("No such file", "grade", path);
    } else {
        CU_ASSERT_EQUAL(chmod(path, 0), 0);
        CHECK_USAGE("Permission denied", "grade", path);
    }
    support_remove_tree(directory);
}

static void fails_as_a_harness_when_the_result_cannot_be_written(void)
{
    struct support_result result;
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "grade", "doublify", "--device", "emulated", "--json", "/dev/full"), 3);
    SUPPORT_CONTAINS(result.errors, "cannot write the result file /dev/full: No space left on device");
    support_result_clear(&result);
}

static void fails_as_a_harness_when_nobody_gets_the_output(void)
{
    static const char *const commands[] = {"list", "--help", "--version", "doctor", "grade doublify --device emulated"};
    char program[SUPPORT_PATH_BYTES], line[SUPPORT_PATH_BYTES + 100];
    support_build_path("lockstep", program);
    for (size_t i = 0; i < SUPPORT_COUNT(commands); i++)
        for (int closed = 0; closed < 2; closed++) {
            struct support_result result;
            snprintf(line, sizeof line, "exec '%s' %s %s", program, commands[i], closed ? ">&-" : "> /dev/full");
            CU_ASSERT_TRUE_FATAL(support_run_simple(&result, "sh", "-c", line, (char *)NULL));
            CU_ASSERT_EQUAL(result.status, 3);
            SUPPORT_CONTAINS(result.errors, "standard output could not be written");
            support_result_clear(&result);
        }
}

static void fails_as_a_harness_without_a_compiler(void)
{
    char variable[SUPPORT_PATH_BYTES + 32], other[SUPPORT_PATH_BYTES];
    const char *const words[] = {"grade", "doublify", "--device", "emulated", NULL};
    struct support_result result;
    const char *const none[] = {"LOCKSTEP_CACHE=none", "LOCKSTEP_NVRTC=/nowhere/libnvrtc.so", NULL};
    CU_ASSERT_EQUAL(lockstep(&result, words, none), 3);
    SUPPORT_CONTAINS(result.output, "NOT GRADED");
    SUPPORT_CONTAINS(result.output, "NVRTC");
    support_result_clear(&result);
    snprintf(variable, sizeof variable, "LOCKSTEP_NVRTC=%s", support_build_path("tests/fake_nvrtc/libnvrtc.so.14", other));
    const char *const newer[] = {"LOCKSTEP_CACHE=none", variable, NULL};
    CU_ASSERT_EQUAL(lockstep(&result, words, newer), 3);
    SUPPORT_CONTAINS(result.output, "14");
    support_result_clear(&result);
}

static void fails_as_a_harness_without_a_driver(void)
{
    const char *const words[] = {"grade", "doublify", "--device", "emulated", NULL};
    const char *const none[] = {"LOCKSTEP_EMULATED_DRIVER=/nowhere/libcuda.so.1", NULL};
    struct support_result result;
    CU_ASSERT_EQUAL(lockstep(&result, words, none), 3);
    SUPPORT_CONTAINS(result.output, "NOT GRADED");
    support_result_clear(&result);
}

/* ---- the rest of the command line ----------------------------------------------------------------------------------- */

static void repeats_a_grading_with_its_seed(void)
{
    char *file[] = {"labs/histogram/wrong/not_atomic.cu"};
    int status;
    if (access(file[0], R_OK) != 0)
        file[0] = "labs/histogram/histogram.cu";
    json_t *first = grade_files("histogram", file, 1, &status), *second = grade_files("histogram", file, 1, &status);
    CU_ASSERT(json_equal(json_object_get(first, "labs"), json_object_get(second, "labs")));
    json_decref(first);
    json_decref(second);
}

static void works_from_any_directory_and_keeps_names_as_given(void)
{
    char program[SUPPORT_PATH_BYTES], directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
    struct support_result result;
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    support_write_text(support_join(path, directory, "doublify.cu"), "int x;\n");
    const char *const words[] = {
        support_build_path("lockstep", program), "grade", "--device", "emulated", "./doublify.cu", NULL};
    struct support_command command = {.arguments = words, .directory = directory};
    CU_ASSERT_FATAL(support_run(&command, &result));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_EQUAL(strncmp(result.output, "./doublify.cu ", 14), 0);
    support_result_clear(&result);
    support_remove_tree(directory);
}

static void keeps_to_eighty_columns_without_colour(void)
{
    struct support_result result;
    LOCKSTEP(&result, "grade", "labs", "solutions/histogram/histogram.cu", "--device", "emulated");
    CU_ASSERT_PTR_NULL(strchr(result.output, '\033'));
    for (char *line = strtok(result.output, "\n"); line; line = strtok(NULL, "\n")) {
        if (strlen(line) > 80)
            fprintf(stderr, "%zu columns: %s\n", strlen(line), line);
        CU_ASSERT(strlen(line) <= 80);
    }
    support_result_clear(&result);
}

static void lists_the_labs_and_examines_the_machine(void)
{
    struct support_result result;
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "list"), 0);
    for (int i = 0; i < labs_count(); i++)
        SUPPORT_CONTAINS(result.output, labs_get(i)->name);
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "doctor"), 0);
    SUPPORT_CONTAINS(result.output, "This machine can grade.");
    support_result_clear(&result);
    const char *const none[] = {"LOCKSTEP_EMULATED_DRIVER=/nowhere/libcuda.so.1", NULL};
    CU_ASSERT_EQUAL(lockstep(&result, (const char *const[]){"doctor", NULL}, none), 3);
    SUPPORT_CONTAINS(result.output, "MISSING");
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "--version"), 0);
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "grade", "--help"), 0);
    SUPPORT_CONTAINS(result.output, "--device auto|gpu|emulated");
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "help", "watch"), 0);
    SUPPORT_CONTAINS(result.output, "lockstep watch [LAB|FILE]");
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "--help"), 0);
    SUPPORT_CONTAINS(result.output, "lockstep watch ");
    support_result_clear(&result);
}

static void runs_other_programs_on_the_emulated_driver(void)
{
    struct support_result result;
    if (!support_is_sanitized()) {
        CU_ASSERT_EQUAL(LOCKSTEP(&result, "exec", "--", "python3", "tests/fixtures/driver_vector_add.py", "1000"), 0);
        SUPPORT_CONTAINS(result.output, "ok 1000");
        support_result_clear(&result);
    } else {
        support_skip("a sanitized driver cannot be loaded into Python");
    }
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "exec", "no_such_program_here"), 2);
    SUPPORT_CONTAINS(result.errors, "cannot run no_such_program_here");
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "exec"), 2);
    support_result_clear(&result);
}

/* A program that reports through the variables as the driver does shows how exec takes its findings. */
static void tells_findings_of_a_program_by_status_and_words(void)
{
    static const char line[] =
        "echo "
        "'{\"code\":\"race_global\",\"severity\":\"%s\",\"kernel\":\"k\",\"file\":\"a.cu\",\"line\":7,\"message\":\"two "
        "writers\"}' >> \"$LOCKSTEP_FINDINGS\"; exit %d";
    static const struct {
        const char *severity;
        int status, expected;
    } rows[] = {
        {"error", 0, 1},
        {"warning", 0, 0},
        {"error", 7, 7},
        {"note", 5, 5},
    };
    struct support_result result;
    if (support_is_sanitized()) {
        support_skip("a sanitized driver cannot be loaded into sh");
        return;
    }
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char script[400];
        snprintf(script, sizeof script, line, rows[i].severity, rows[i].status);
        CU_ASSERT_EQUAL(LOCKSTEP(&result, "exec", "--checks", "all", "--", "sh", "-c", script), rows[i].expected);
        SUPPORT_CONTAINS(result.errors, "race in global memory  a.cu:7");
        SUPPORT_CONTAINS(result.errors, "two writers");
        support_result_clear(&result);
    }
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "exec", "--", "sh", "-c", "kill -TERM $$"), 128 + 15);
    support_result_clear(&result);
    CU_ASSERT_EQUAL(LOCKSTEP(&result, "exec", "--json", "/dev/full", "--", "true"), 3);
    support_result_clear(&result);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(every_skeleton_fails_with_a_cause),
    SUPPORT_TEST_OF(corpus, every_solution_gets_all_points),
    SUPPORT_TEST_OF(corpus, every_second_solution_gets_all_points),
    SUPPORT_TEST_OF(sample, explains_some_wrong_versions_of_each_lab),
    SUPPORT_TEST_OF(corpus, explains_every_wrong_version),
    SUPPORT_TEST_OF(corpus, passes_every_correct_variant),
    SUPPORT_TEST(keeps_to_the_schema_in_every_result),
    SUPPORT_TEST(says_what_is_wrong_with_a_file),
    SUPPORT_TEST(ends_an_endless_loop),
    SUPPORT_TEST(keeps_what_one_run_of_a_test_prints),
    SUPPORT_TEST(gives_nothing_for_a_part_where_other_tests_do_not_finish),
    SUPPORT_TEST(survives_a_flood_of_printf_and_escapes_it),
    SUPPORT_TEST(tells_a_result_that_depends_on_who_comes_first),
    SUPPORT_TEST_OF(corpus, survives_a_submission_that_breaks_the_compiler),
    SUPPORT_TEST(answers_bad_usage_with_status_two),
    SUPPORT_TEST(fails_as_a_harness_when_the_result_cannot_be_written),
    SUPPORT_TEST(fails_as_a_harness_when_nobody_gets_the_output),
    SUPPORT_TEST(fails_as_a_harness_without_a_compiler),
    SUPPORT_TEST(fails_as_a_harness_without_a_driver),
    SUPPORT_TEST(repeats_a_grading_with_its_seed),
    SUPPORT_TEST(works_from_any_directory_and_keeps_names_as_given),
    SUPPORT_TEST_OF(sample, keeps_to_eighty_columns_without_colour),
    SUPPORT_TEST(lists_the_labs_and_examines_the_machine),
    SUPPORT_TEST(runs_other_programs_on_the_emulated_driver),
    SUPPORT_TEST(tells_findings_of_a_program_by_status_and_words),
};

int grade_suite_register(void)
{
    return support_register_with("grade", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
