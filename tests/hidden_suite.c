/* Hidden tests (grader/judge/hidden.h): there only with a seed, drawn from it, and silent about their inputs. */
#include "tests/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/judge/hidden.h"
#include "grader/judge/hidden_tests.h"
#include "grader/lab/labs.h"

static char folder[SUPPORT_PATH_BYTES];

static int make_folder(void)
{
    return support_temporary_directory(folder) ? 0 : 1;
}

static int remove_folder(void)
{
    support_remove_tree(folder);
    return 0;
}

static int count_hidden(const struct lab *lab)
{
    int hidden = 0;
    for (int i = 0; i < lab->case_count; i++)
        hidden += lab->cases[i].hidden;
    return hidden;
}

static void visible_cases_and_hidden_ones_are_never_in_one_lab(void)
{
    for (int k = 0; k < labs_count(); k++) {
        struct lab *lab = hidden_lab_visible(labs_get(k)), *hidden = hidden_lab_create(labs_get(k), 1);
        CU_ASSERT_EQUAL(count_hidden(lab), 0);
        CU_ASSERT_EQUAL(count_hidden(hidden), hidden->case_count);
        CU_ASSERT_EQUAL(hidden->case_count, count_hidden(labs_get(k)));
        CU_ASSERT(hidden->case_count > 0 && hidden->case_count <= HIDDEN_MOST);
        hidden_lab_destroy(hidden);
        CU_ASSERT_EQUAL(lab->case_count + count_hidden(labs_get(k)), labs_get(k)->case_count);
        hidden_lab_destroy(lab);
    }
}

static void a_key_draws_sizes_within_their_bounds(void)
{
    for (int k = 0; k < labs_count(); k++) {
        const struct lab *whole = labs_get(k);
        int drawn = 0, differ = 0;
        for (uint64_t key = 1; key <= 20; key++) {
            struct lab *lab = hidden_lab_create(whole, key), *again = hidden_lab_create(whole, key);
            struct lab *other = hidden_lab_create(whole, key + 100);
            int first = whole->case_count - lab->case_count; /* hidden cases come last */
            for (int i = 0; i < lab->case_count; i++)
                for (int d = 0; d < 3; d++) {
                    const struct lab_case *declared = &whole->cases[first + i];
                    int64_t size = lab->cases[i].size[d], least = declared->size[d];
                    CU_ASSERT(size >= least && size <= least + declared->spread[d]);
                    CU_ASSERT_EQUAL(size, again->cases[i].size[d]);
                    drawn += declared->spread[d] > 0;
                    differ += size != other->cases[i].size[d];
                }
            hidden_lab_destroy(lab);
            hidden_lab_destroy(again);
            hidden_lab_destroy(other);
        }
        CU_ASSERT(drawn > 0 && differ > drawn / 2);
    }
}

static void refuses(const char *path, const char *why)
{
    struct hidden_seed seed;
    char message[1024] = "";
    CU_ASSERT_FALSE(hidden_seed_read(path, &seed, message, sizeof message));
    CU_ASSERT_PTR_NULL(seed.key);
    SUPPORT_CONTAINS(message, why);
}

static void refuses_files_that_hide_nothing(void)
{
    char path[SUPPORT_PATH_BYTES], large[HIDDEN_SEED_BYTES_MAX + 2];
    support_join(path, folder, "seed");
    refuses(path, "No such file");
    support_write_text(path, "15 characters !\n   \n");
    refuses(path, "fewer than 16");
    memset(large, 'x', sizeof large);
    support_write_file(path, large, sizeof large);
    refuses(path, "more than 4096");
    refuses("README.md", "inside the kit");
    refuses(folder, "not a regular file");
    support_join(path, folder, "fifo");
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    refuses(path, "not a regular file");
}

static void white_space_at_the_end_does_not_count(void)
{
    char path[SUPPORT_PATH_BYTES], message[1024];
    struct hidden_seed plain, spaced, other;
    support_join(path, folder, "seed");
    support_write_text(path, "some secret of sixteen or more");
    CU_ASSERT_FATAL(hidden_seed_read(path, &plain, message, sizeof message));
    support_write_text(path, "some secret of sixteen or more\r\n");
    CU_ASSERT_FATAL(hidden_seed_read(path, &spaced, message, sizeof message));
    support_write_text(path, "some secret of sixteen or More\n");
    CU_ASSERT_FATAL(hidden_seed_read(path, &other, message, sizeof message));
    CU_ASSERT_EQUAL(*plain.key, *spaced.key);
    CU_ASSERT_NOT_EQUAL(*plain.key, *other.key);
    CU_ASSERT_STRING_EQUAL(plain.sha256, spaced.sha256);
    CU_ASSERT_STRING_NOT_EQUAL(plain.sha256, other.sha256);
    hidden_seed_clear(&plain);
    hidden_seed_clear(&spaced);
    hidden_seed_clear(&other);
}

/* Right for every size that the kit names, tripled elsewhere; it also prints what it is given. */
static const char knows_the_sizes[] =
    "extern \"C\" __global__ void doublify(float *a, int n)\n"
    "{\n"
    "    const int known[] = {1, 16, 31, 32, 33, 255, 256, 257, 1000, 1009, 4095, 65537, 100003};\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    float factor = 3;\n"
    "    for (int k = 0; k < 13; k++)\n"
    "        if (known[k] == n) factor = 2;\n"
    "    if (factor == 3 && i == 0) printf(\"secret %d %f\\n\", n, a[i]);\n"
    "    if (i < n) a[i] *= factor;\n"
    "}\n";

/* A race at one line in every case; the wrong value of a hidden case is its size. */
static const char races_and_knows_the_sizes[] =
    "__device__ int spot;\n"
    "extern \"C\" __global__ void doublify(float *a, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    int known[] = {1, 16, 31, 32, 33, 255, 256, 257, 1000, 1009, 4095, 65537, 100003};\n"
    "    bool shown = false;\n"
    "    for (int k = 0; k < 13; k++)\n"
    "        shown |= known[k] == n;\n"
    "    spot = i;\n"
    "    if (i < n) a[i] = i == 0 && !shown ? (float)n : 2 * a[i];\n"
    "}\n";

static json_t *grade(const char *text, const char *seed_file, const char *passed)
{
    char source[SUPPORT_PATH_BYTES], seed[SUPPORT_PATH_BYTES], program[SUPPORT_PATH_BYTES];
    struct support_result result;
    support_join(source, folder, "doublify.cu");
    support_write_text(source, text);
    support_join(seed, folder, "seed");
    support_write_text(seed, "a secret that nobody knows");
    if (!support_run_simple(&result, support_build_path("lockstep", program), "grade", "--device", "emulated", "--json", "-",
                            source, seed_file ? "--hidden-seed-file" : NULL, seed, (char *)NULL))
        return NULL;
    SUPPORT_CONTAINS(result.errors, passed);
    CU_ASSERT_PTR_NULL(strstr(result.errors, "secret"));
    CU_ASSERT_PTR_NULL(strstr(result.errors, "in the case \"hidden"));
    CU_ASSERT_PTR_NULL(strstr(result.output, "in the case \\\"hidden"));
    json_t *document = json_loads(result.output, 0, NULL);
    support_result_clear(&result);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    json_t *lab = json_incref(json_array_get(json_object_get(document, "labs"), 0));
    json_decref(document);
    return lab;
}

static void catches_who_knows_the_sizes_and_tells_no_numbers(void)
{
    json_t *lab = grade(knows_the_sizes, "seed", "13 of 16 pass"), *tests = json_object_get(lab, "tests");
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(lab, "max_score")), 100);
    CU_ASSERT(json_is_null(json_object_get(lab, "printf")));
    int hidden = 0, points = 0;
    size_t i;
    json_t *test;
    json_array_foreach(tests, i, test)
    {
        points += (int)json_integer_value(json_object_get(test, "max_score"));
        if (strcmp(json_string_value(json_object_get(test, "visibility")), "hidden") != 0)
            continue;
        const json_t *finding = json_array_get(json_object_get(test, "findings"), 0);
        hidden++;
        CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(test, "state")), "fail");
        CU_ASSERT(json_is_null(json_object_get(test, "expected")) && json_is_null(json_object_get(test, "actual")));
        CU_ASSERT(json_is_null(json_object_get(finding, "index")) && json_is_null(json_object_get(finding, "thread")));
        CU_ASSERT(json_is_null(json_object_get(finding, "line")) && json_is_null(json_object_get(finding, "array")));
        CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(finding, "message")),
                               "A hidden test fails: wrong values. Its lines and numbers are not shown.");
    }
    CU_ASSERT_EQUAL(hidden, 3);
    CU_ASSERT_EQUAL(points, 60);
    json_decref(lab);
    lab = grade(knows_the_sizes, NULL, "13 of 13 pass");
    CU_ASSERT_EQUAL(json_array_size(json_object_get(lab, "tests")), 13);
    json_decref(lab);
}

static void a_visible_race_is_not_explained_by_a_hidden_case(void)
{
    json_t *lab = grade(races_and_knows_the_sizes, "seed", "0 of 16 pass");
    json_t *tests = json_object_get(lab, "tests"), *test;
    size_t i, races = 0;
    json_array_foreach(tests, i, test)
    {
        const char *message =
            json_string_value(json_object_get(json_array_get(json_object_get(test, "findings"), 0), "message"));
        if (strcmp(json_string_value(json_object_get(test, "visibility")), "hidden") == 0 || !message)
            continue;
        races += strstr(message, "by luck.") != NULL;
    }
    CU_ASSERT(races > 0);
    json_decref(lab);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(visible_cases_and_hidden_ones_are_never_in_one_lab),
    SUPPORT_TEST(a_key_draws_sizes_within_their_bounds),
    SUPPORT_TEST(refuses_files_that_hide_nothing),
    SUPPORT_TEST(white_space_at_the_end_does_not_count),
    SUPPORT_TEST(catches_who_knows_the_sizes_and_tells_no_numbers),
    SUPPORT_TEST(a_visible_race_is_not_explained_by_a_hidden_case),
};

int hidden_suite_register(void)
{
    return support_register_with("hidden", make_folder, remove_folder, tests, SUPPORT_COUNT(tests));
}
