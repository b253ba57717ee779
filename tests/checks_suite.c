/* The checkers for races and poison: kernels that carry what must be found in them, tests/fixtures/checks/?.cu.
 *
 *     // check: NAME grid=2,1 block=64 shared=0 repeat=1 cooperative=0 PARAMETER=KIND:VALUE ...
 *     // expect: silent
 *     // expect: CODE line=LABEL line2=LABEL array=NAME in=FUNCTION inside=FUNCTION from=LABEL,LABEL says=WORDS
 *     // mark: TEXT
 *     // expect-more: NAME CODE ...
 *
 * `lines=LABEL,LABEL` instead of line and line2: which of the two comes later depends on the order of the warps.
 * Parameters are in the order of the kernel's: int:V a number, zero:N an array of N 4-byte words of zero, poison:N one
 * that was never written, out:N the same, and it is looked at afterwards, words:V,V,... an array of these words. A label is
 * a comment //@LABEL at the end of the line it names; what an expectation leaves out may be anything, and so may the code
 * `any`; `race` is any race that is an error. `in` is the function of `line`, `from` the calls that led to it, `inside` the
 * function of a header that contains the access; `says`, with _ for each blank, a part of the message, or with a dash
 * before it what the message must not contain. The marks of a finding are exactly the texts of `mark`, where there are any.
 * Every finding must be expected; every `expect` must be found, an `expect-more` may be.
 *
 * LOCKSTEP_TEST_CHECKS names a file of such kernels, to be run instead of the fixtures.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"
#include "tests/support.h"

enum { MAX_EXPECTED = 12, MAX_PARAMETERS = 12, MAX_LINE_BYTES = 4096 };

struct expectation {
    char code[32], line[8], line2[8], array[32], in[64], inside[64], from[64], says[160];
    bool optional, found, either_way;
};

struct check {
    char name[64];
    lockstep_shape shape;
    int repeat;
    bool silent;
    struct parameter {
        char name[32], kind[16];
        int value;  /* number, or how many words */
        int *words; /* [value] of kind words, else NULL; owned */
    } parameters[MAX_PARAMETERS];
    size_t parameter_count;
    struct expectation expected[MAX_EXPECTED];
    size_t expected_count;
    char marks[4][64];
    size_t mark_count;
};

static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static lockstep_device *device;
static bool no_compiler;

static int set_up(void)
{
    lockstep_error error;
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    if (!getenv("LOCKSTEP_TEST_CHECKS"))
        unsetenv("LOCKSTEP_SCHEDULE");
    no_compiler = lockstep_compiler_find(NULL, NULL, 0, &error) != LOCKSTEP_OK;
    if (no_compiler)
        return 0;
    return lockstep_device_open(LOCKSTEP_EMULATED, &device, &error) == LOCKSTEP_OK ? 0 : -1;
}

static int clean_up(void)
{
    if (device)
        lockstep_device_close(device);
    support_remove_tree(directory);
    return 0;
}

/* ---- descriptions ---- */

static void read_expectation(char *words, bool optional, struct check *check)
{
    struct expectation *expected = &check->expected[check->expected_count];
    char *state, *word = strtok_r(words, " \n", &state);
    if (!word || check->expected_count == MAX_EXPECTED) {
        CU_FAIL("an expectation without a code, or too many");
        return;
    }
    if (strcmp(word, "silent") == 0) {
        check->silent = true;
        return;
    }
    memset(expected, 0, sizeof *expected);
    expected->optional = optional;
    snprintf(expected->code, sizeof expected->code, "%s", word);
    while ((word = strtok_r(NULL, " \n", &state))) {
        if (sscanf(word, "line=%7s", expected->line) != 1 && sscanf(word, "line2=%7s", expected->line2) != 1
            && sscanf(word, "array=%31s", expected->array) != 1 && sscanf(word, "in=%63s", expected->in) != 1
            && sscanf(word, "inside=%63s", expected->inside) != 1 && sscanf(word, "from=%63s", expected->from) != 1
            && sscanf(word, "says=%159s", expected->says) != 1
            && !(expected->either_way = sscanf(word, "lines=%7[^,],%7s", expected->line, expected->line2) == 2))
            CU_FAIL("an expectation that makes no sense");
    }
    check->expected_count++;
}

/* Reads "3,1,4" into the parameter's words. */
static void read_words(const char *text, struct parameter *parameter)
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

static void read_check(char *words, struct check *check)
{
    char *state, *word = strtok_r(words, " \n", &state);
    memset(check, 0, sizeof *check);
    check->repeat = 1;
    check->shape.grid[0] = check->shape.block[0] = 1;
    snprintf(check->name, sizeof check->name, "%s", word);
    while ((word = strtok_r(NULL, " \n", &state))) {
        struct parameter *parameter = &check->parameters[check->parameter_count];
        unsigned x, y = 1;
        if (sscanf(word, "grid=%u,%u", &x, &y) >= 1) {
            check->shape.grid[0] = x;
            check->shape.grid[1] = y;
        } else if (sscanf(word, "block=%u,%u", &x, &y) >= 1) {
            check->shape.block[0] = x;
            check->shape.block[1] = y;
        } else if (sscanf(word, "shared=%u", &x) == 1) {
            check->shape.dynamic_shared_bytes = x;
        } else if (sscanf(word, "repeat=%u", &x) == 1) {
            check->repeat = (int)x;
        } else if (sscanf(word, "cooperative=%u", &x) == 1) {
            check->shape.cooperative = x != 0;
        } else if (check->parameter_count < MAX_PARAMETERS
                   && sscanf(word, "%31[^=]=%15[^:]:%d", parameter->name, parameter->kind, &parameter->value) == 3) {
            if (strcmp(parameter->kind, "words") == 0)
                read_words(strchr(word, ':') + 1, parameter);
            check->parameter_count++;
        } else {
            CU_FAIL("a check that makes no sense");
        }
    }
}

/* Line of the label //@LABEL: the first one after `from`, else in the file. 0 when there is none. */
static int line_of(const char *source, const char *from, const char *label)
{
    char mark[24];
    snprintf(mark, sizeof mark, "//@%s\n", label);
    const char *at = strstr(from, mark);
    if (!at)
        at = strstr(source, mark); /* in a function that several kernels use */
    int line = 1;
    if (!at)
        return 0;
    for (const char *c = source; c < at; c++)
        line += *c == '\n';
    return line;
}

/* ---- running ---- */

static bool launch(lockstep_module *module, const struct check *check)
{
    lockstep_argument arguments[MAX_PARAMETERS];
    lockstep_buffer *buffers[MAX_PARAMETERS] = {0};
    lockstep_kernel *kernel;
    lockstep_error error = {0};
    lockstep_status status = lockstep_module_kernel(module, check->name, &kernel, &error);
    for (size_t i = 0; i < check->parameter_count && status == LOCKSTEP_OK; i++) {
        const struct parameter *parameter = &check->parameters[i];
        size_t bytes = 4 * (size_t)parameter->value;
        if (strcmp(parameter->kind, "int") == 0) {
            arguments[i] = LOCKSTEP_VALUE(parameter->value);
            continue;
        }
        status = lockstep_buffer_create(device, bytes, parameter->name, &buffers[i], &error);
        if (status == LOCKSTEP_OK && strcmp(parameter->kind, "zero") == 0)
            status = lockstep_buffer_fill(buffers[i], 0, &error);
        else if (status == LOCKSTEP_OK && parameter->words)
            status = lockstep_buffer_upload(buffers[i], 0, parameter->words, bytes, &error);
        arguments[i] = LOCKSTEP_BUFFER(buffers[i]);
    }
    for (int i = 0; i < check->repeat && status == LOCKSTEP_OK; i++)
        status = lockstep_launch(kernel, &check->shape, arguments, check->parameter_count, NULL, &error);
    for (size_t i = 0; i < check->parameter_count; i++) {
        char host[16384];
        if (buffers[i] && strcmp(check->parameters[i].kind, "out") == 0)
            lockstep_buffer_download(buffers[i], 0, host, 4 * (size_t)check->parameters[i].value, &error);
    }
    if (status != LOCKSTEP_OK)
        fprintf(stderr, "  %s: %s: %s\n", check->name, error.call, error.message);
    bool lives = lockstep_device_synchronize(device, &error) == LOCKSTEP_OK; /* some findings fail the kernel */
    for (size_t i = 0; i < check->parameter_count; i++)
        if (buffers[i])
            lockstep_buffer_destroy(buffers[i]);
    return status == LOCKSTEP_OK && lives;
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

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The calls, innermost first, are at the labels "A,B". */
static bool is_called_from(const json_t *finding, const char *labels, const char *source, const char *from)
{
    const json_t *calls = json_object_get(finding, "called_from");
    size_t count = 0;
    for (const char *at = labels; *at; count++) {
        char label[16];
        snprintf(label, sizeof label, "%.*s", (int)strcspn(at, ","), at);
        if (json_integer_value(json_object_get(json_array_get(calls, count), "line")) != line_of(source, from, label))
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

static bool matches_words(const struct expectation *expected, const json_t *finding, const char *source, const char *from)
{
    return (!*expected->in || strcmp(expected->in, text_of(finding, "function")) == 0)
           && (!*expected->inside || strcmp(expected->inside, text_of(json_object_get(finding, "inside"), "function")) == 0)
           && (!*expected->from || is_called_from(finding, expected->from, source, from))
           && (!*expected->says || says(finding, expected->says));
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

static bool matches(const struct expectation *expected, const json_t *finding, const char *source, const char *from)
{
    const char *code = json_string_value(json_object_get(finding, "code"));
    const char *array = json_string_value(json_object_get(finding, "array"));
    int line = (int)json_integer_value(json_object_get(finding, "line"));
    int line2 = (int)json_integer_value(json_object_get(finding, "line2"));
    int first = *expected->line ? line_of(source, from, expected->line) : line;
    int second = *expected->line2 ? line_of(source, from, expected->line2) : line2;
    return is_code(expected->code, code ? code : "")
           && ((line == first && line2 == second) || (expected->either_way && line == second && line2 == first))
           && (!*expected->array || (array && strcmp(expected->array, array) == 0))
           && matches_words(expected, finding, source, from);
}

/* Compares what was found with what must be. */
static void judge(struct check *check, const char *source, const char *from)
{
    size_t bytes;
    char *text = support_read_file(findings, &bytes), *state;
    unsigned mistakes = check->expected_count == 0 && !check->silent;
    for (char *line = text ? strtok_r(text, "\n", &state) : NULL; line; line = strtok_r(NULL, "\n", &state)) {
        json_t *finding = json_loads(line, 0, NULL);
        bool expected = false;
        for (size_t i = 0; i < check->expected_count; i++)
            if (matches(&check->expected[i], finding, source, from) && has_marks(finding, check, source))
                expected = check->expected[i].found = true;
        if (!expected) {
            fprintf(stderr, "  %s: not expected: %s\n", check->name, line);
            mistakes++;
        }
        json_decref(finding);
    }
    for (size_t i = 0; i < check->expected_count; i++) {
        const struct expectation *expected = &check->expected[i];
        if (expected->found || expected->optional)
            continue;
        fprintf(stderr, "  %s: not found: %s line=%s line2=%s array=%s\n", check->name, expected->code, expected->line,
                expected->line2, expected->array);
        mistakes++;
    }
    CU_ASSERT_EQUAL(mistakes, 0);
    free(text);
}

static void run_check(lockstep_module **module, struct check *check, const char *source, const char *from, const char *path)
{
    lockstep_error error;
    support_write_text(findings, "");
    if (!*module && lockstep_module_compile(device, source, path, NULL, module, &error) != LOCKSTEP_OK) {
        fprintf(stderr, "  %s: %s\n", path, error.message);
        CU_FAIL("the fixture does not compile");
        return;
    }
    bool launched = launch(*module, check);
    judge(check, source, from);
    if (launched)
        return;
    /* A kernel that faults takes the context with it. */
    lockstep_module_unload(*module);
    *module = NULL;
    lockstep_device_close(device);
    CU_ASSERT_EQUAL_FATAL(lockstep_device_open(LOCKSTEP_EMULATED, &device, &error), LOCKSTEP_OK);
}

static void run_file(const char *name, size_t at_least)
{
    char path[SUPPORT_PATH_BYTES];
    lockstep_module *module = NULL;
    size_t checks = 0;
    if (no_compiler) {
        support_skip("there is no NVRTC");
        return;
    }
    snprintf(path, sizeof path, strchr(name, '/') ? "%s" : "tests/fixtures/checks/%s.cu", name);
    char *source = support_read_file(path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    const char *start = strstr(source, "// check: ");
    while (start) {
        struct check check = {0};
        const char *next = strstr(start + 1, "// check: "), *body = start;
        char line[MAX_LINE_BYTES];
        for (const char *at = start; at && (!next || at < next); at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
            char target[64];
            int skipped = 0;
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
            if (at == start)
                read_check(line + strlen("// check: "), &check);
            else if (strncmp(line, "// expect: ", 11) == 0)
                read_expectation(line + 11, false, &check);
            else if (check.mark_count < 4 && sscanf(line, "// mark: %63[^\n]", check.marks[check.mark_count]) == 1)
                check.mark_count++;
            else if (sscanf(line, "// expect-more: %63s %n", target, &skipped) == 1)
                read_expectation(line + skipped, true, &check);
        }
        run_check(&module, &check, source, body, path);
        for (size_t i = 0; i < check.parameter_count; i++)
            free(check.parameters[i].words);
        checks++;
        start = next;
    }
    CU_ASSERT(checks >= at_least);
    if (module)
        lockstep_module_unload(module);
    free(source);
}

static void says_who_waits_where_and_who_has_left(void)
{
    run_file("barriers", 21);
}

static void finds_races_in_shared_memory(void)
{
    run_file("races_shared", 13);
}

static void finds_races_in_global_memory(void)
{
    run_file("races_global", 12);
}

static void finds_races_with_atomics_volatiles_and_locks(void)
{
    run_file("races_strong", 16);
}

static void is_silent_where_threads_are_ordered(void)
{
    run_file("silent_order", 17);
}

static void is_silent_about_common_patterns(void)
{
    run_file("silent_patterns", 14);
}

static void finds_copies_that_nobody_waited_for(void)
{
    run_file("async", 14);
}

static void is_silent_about_copies_and_barrier_objects_in_order(void)
{
    run_file("silent_async", 12);
}

static void finds_values_that_nobody_wrote(void)
{
    run_file("poison", 11);
}

static void follows_unwritten_values_through_lanes_and_bits(void)
{
    run_file("poison_flow", 25);
}

static void is_silent_where_unwritten_values_do_not_matter(void)
{
    run_file("poison_silent", 12);
}

static void follows_the_elements_of_matrices(void)
{
    run_file("matrix", 7);
}

static void names_the_calls_that_led_to_an_access(void)
{
    run_file("places", 7);
}

static void spells_out_the_index_of_an_access(void)
{
    run_file("explain", 21);
}

static void tells_right_messages_from_wrong_ones(void)
{
    run_file("protocols_messages", 45);
}

static void tells_right_locks_and_grid_barriers_from_wrong_ones(void)
{
    run_file("protocols_locks", 55);
}

static void finds_the_mistakes_of_textbook_kernels(void)
{
    run_file("textbook", 60);
}

static void finds_the_mistakes_of_students(void)
{
    run_file("students", 13);
}

static void finds_what_the_given_file_says(void)
{
    run_file(getenv("LOCKSTEP_TEST_CHECKS"), 1);
}

static const struct support_test given[] = {SUPPORT_TEST(finds_what_the_given_file_says)};

static const struct support_test tests[] = {
    SUPPORT_TEST(names_the_calls_that_led_to_an_access),
    SUPPORT_TEST(spells_out_the_index_of_an_access),
    SUPPORT_TEST(follows_the_elements_of_matrices),
    SUPPORT_TEST(says_who_waits_where_and_who_has_left),
    SUPPORT_TEST(finds_races_in_shared_memory),
    SUPPORT_TEST(finds_races_in_global_memory),
    SUPPORT_TEST(finds_races_with_atomics_volatiles_and_locks),
    SUPPORT_TEST(is_silent_where_threads_are_ordered),
    SUPPORT_TEST(is_silent_about_common_patterns),
    SUPPORT_TEST(finds_copies_that_nobody_waited_for),
    SUPPORT_TEST(is_silent_about_copies_and_barrier_objects_in_order),
    SUPPORT_TEST(finds_values_that_nobody_wrote),
    SUPPORT_TEST(follows_unwritten_values_through_lanes_and_bits),
    SUPPORT_TEST(is_silent_where_unwritten_values_do_not_matter),
    SUPPORT_TEST(tells_right_messages_from_wrong_ones),
    SUPPORT_TEST(tells_right_locks_and_grid_barriers_from_wrong_ones),
    SUPPORT_TEST(finds_the_mistakes_of_textbook_kernels),
    SUPPORT_TEST(finds_the_mistakes_of_students),
};

int checks_suite_register(void)
{
    if (getenv("LOCKSTEP_TEST_CHECKS"))
        return support_register_with("checks", set_up, clean_up, given, SUPPORT_COUNT(given));
    return support_register_with("checks", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}
