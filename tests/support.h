/* What the test suites share: registering tests, running commands, files and temporary directories.
 *
 * Tests run from the repository root. Each suite runs in a process of its own, so it may set environment variables and
 * may open the emulated driver again.
 *
 * A suite file looks like this (tests/lexer_suite.c):
 *
 *     #include "tests/support.h"
 *     static void rejects_unterminated_comment(void) { CU_ASSERT_EQUAL(...); }
 *     static const struct support_test tests[] = {
 *         SUPPORT_TEST(rejects_unterminated_comment),
 *     };
 *     int lexer_suite_register(void) { return support_register("lexer", tests, SUPPORT_COUNT(tests)); }
 *
 * and has the row SUITE(lexer) in tests/suites.def; `python3 ci/sources.py` lists its file for the build.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <CUnit/CUnit.h>

#define SUPPORT_COUNT(array) (sizeof array / sizeof((array)[0]))

/* int lexer_suite_register(void) and so on, for every row of suites.def (the runner's own test brings another table). */
#ifndef SUPPORT_SUITES
#define SUPPORT_SUITES "tests/suites.def"
#endif
#define SUITE(needs, name) int name##_suite_register(void);
#define SCRIPT(needs, name)
#define ALONE(needs, name)
#include SUPPORT_SUITES
#undef SUITE
#undef SCRIPT
#undef ALONE

/* What a test needs: classes.def says it of each class. */
enum support_class {
#define CLASS(name) CLASS_##name,
#include "tests/classes.def"
#undef CLASS
    CLASS_COUNT,
    CLASS_OF_SUITE = CLASS_COUNT /* of a test: that of its suite in suites.def */
};

struct support_test {
    const char *name; /* a claim */
    void (*function)(void);
    enum support_class needs;
};
#define SUPPORT_TEST(function)           {#function, function, CLASS_OF_SUITE}
#define SUPPORT_TEST_OF(needs, function) {#function, function, CLASS_##needs}

/* Adds a suite of `count` tests to the CUnit registry; the tests must live as long as the program. Returns 0, or -1 when
 * a name is taken twice or memory is short. */
int support_register(const char *suite, const struct support_test *tests, size_t count);

/* The same with CUnit's set-up and clean-up functions, which return 0 for success; each may be NULL. */
int support_register_with(const char *suite, int (*set_up)(void), int (*clean_up)(void), const struct support_test *tests,
                          size_t count);

/* The class that this test was registered with; CLASS_OF_SUITE when it has none of its own. */
enum support_class support_class_of(const char *suite, const char *test);

/* Says that the running test, or a part of it, does not apply here, and why: "there is no NVRTC". It is then counted as
 * skipped, not as passed, and the runner names it in its closing lines. The test returns by itself. */
void support_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where support_skip() writes its line: the runner's pipe. */
void support_report_to(FILE *report);

/* ---- where things are --------------------------------------------------------------------------------------------- */

#define SUPPORT_PATH_BYTES 1024

/* The path of a file of the build that this test program belongs to: support_build_path("lockstep", path) is
 * "…/build/lockstep", in the sanitized variant "…/build/sanitize/lockstep". Returns path; absolute. */
const char *support_build_path(const char *file, char path[SUPPORT_PATH_BYTES]);

/* Is this test program built with AddressSanitizer? Then programs that are not cannot load the build's emulated driver. */
bool support_is_sanitized(void);

/* ---- commands ----------------------------------------------------------------------------------------------------- */

struct support_result {
    int status; /* exit status; 128 + signal when a signal ended it; 124 when it was killed at the timeout */
    bool timed_out;
    char *output; /* stdout, [output_bytes] and a NUL; never NULL */
    size_t output_bytes;
    char *errors; /* stderr, the same */
    size_t errors_bytes;
    double seconds; /* wall time */
};

struct support_command {
    const char *const *arguments;   /* program and arguments, NULL at the end; found through PATH when without '/' */
    const char *const *environment; /* "NAME=value" to set, "NAME" to remove, NULL at the end; NULL: as it is */
    const char *directory;          /* working directory; NULL: as it is */
    const char *input;              /* stdin, a string; NULL: /dev/null */
    unsigned timeout_ms;            /* 0: so many that only what hangs takes as long */
};

/* Runs a command to its end and captures what it prints. On success the caller owns `result`: support_result_clear().
 * Returns false, with a failed CUnit assertion and an empty result, when the command could not be started. */
bool support_run(const struct support_command *command, struct support_result *result);

/* The common case: support_run_simple(&result, "build/lockstep", "list", (char *)NULL). At most 30 arguments. */
bool support_run_simple(struct support_result *result, const char *program, ...) __attribute__((sentinel));

void support_result_clear(struct support_result *result);

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* Makes an empty directory, absolute path into `path`; remove it with support_remove_tree(). Returns false, with a failed
 * CUnit assertion, when that is impossible. */
bool support_temporary_directory(char path[SUPPORT_PATH_BYTES]);

/* Removes a directory and all it holds; follows no links. Nothing happens when it does not exist. */
void support_remove_tree(const char *path);

/* Reads a whole file. Returns its bytes and a NUL, owned by the caller, free(); NULL when it cannot be read. bytes may be
 * NULL. */
char *support_read_file(const char *path, size_t *bytes);

/* Writes a file, whole. Returns false, with a failed CUnit assertion, when it cannot. */
bool support_write_file(const char *path, const void *content, size_t bytes);
bool support_write_text(const char *path, const char *text);

/* Joins "directory/name" into path; returns path. Aborts when it would not fit. */
const char *support_join(char path[SUPPORT_PATH_BYTES], const char *directory, const char *name);

/* ---- words -------------------------------------------------------------------------------------------------------- */

/* Does `text` contain `part`? Shows both when not: SUPPORT_CONTAINS fails the test with the text printed to stderr, which
 * the runner shows for a failed suite. */
bool support_contains(const char *text, const char *part);
#define SUPPORT_CONTAINS(text, part) CU_ASSERT(support_contains((text), (part)))

/* How often `part` occurs in `text`, without overlap. */
size_t support_count_of(const char *text, const char *part);

#endif
