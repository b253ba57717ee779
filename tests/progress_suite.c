/* The progress file and the student's folder: what is kept, what is kept aside, and where. */
#include "tests/support.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/grading/progress.h"
#include "grader/grading/workspace.h"
#include "grader/lab/labs.h"
#include "grader/result/cause.h"
#include "grader/student/standing.h"
#include "grader/student/watch.h"

/* A folder of a student's, with the file of one lab, and the variables that would steer the search put aside. */
struct student {
    char folder[SUPPORT_PATH_BYTES];
    struct workspace workspace;
    struct progress_key key;
};

static void write_lab(const struct student *student, const struct lab *lab, const char *text)
{
    char folder[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES + 64];
    support_join(folder, student->folder, lab->name);
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s.cu", folder, lab->name);
    CU_ASSERT_FATAL(support_write_text(path, text));
}

static void enrol(struct student *student, const char *lab)
{
    char message[KIT_PATH_BYTES], path[KIT_PATH_BYTES];
    unsetenv("CI");
    CU_ASSERT_FATAL(support_temporary_directory(student->folder));
    CU_ASSERT_FATAL(workspace_create(student->folder, &student->workspace, message, sizeof message));
    write_lab(student, labs_find(lab), "text\n");
    CU_ASSERT(workspace_lab_file(&student->workspace, labs_find(lab), path));
    progress_key_for(&student->workspace, labs_find(lab), path, &student->key);
    CU_ASSERT(student->key.own);
}

static char *progress_path(const struct student *student, char path[SUPPORT_PATH_BYTES])
{
    snprintf(path, SUPPORT_PATH_BYTES, "%.900s/.lockstep/progress.json", student->folder);
    return path;
}

/* A grading with this score, as a worker answers it. New reference. */
static json_t *make_latest(int score, const char *sha256)
{
    const struct progress_view view = {80, false, 7};
    json_t *answer = json_pack("{s:{s:s,s:i,s:i,s:{s:s,s:s,s:i},s:[{s:s,s:s,s:[{s:s,s:s,s:i}]}],s:[]},s:s,s:f}", "lab",
                               "state", score == 100 ? "pass" : "fail", "score", score, "max_score", 100, "cause", "code",
                               "fuel", "title", "did not finish", "line", 7, "tests", "name", "n = 1", "state", "fail",
                               "findings", "code", "fuel", "array", "a", "line", 7, "performance", "report", "the report\n",
                               "seconds", 0.5);
    CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
    json_t *latest = progress_latest(answer, sha256, &view);
    CU_ASSERT_PTR_NOT_NULL_FATAL(latest);
    json_decref(answer);
    return latest;
}

static bool record(const struct student *student, int score, const char *sha256)
{
    json_t *latest = make_latest(score, sha256);
    bool kept = progress_record(&student->workspace, &student->key, latest);
    json_decref(latest);
    return kept;
}

static json_int_t number_at(const json_t *entry, const char *group, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(entry, group), key));
}

static void keeps_the_latest_grading_and_the_best(void)
{
    struct student student;
    enrol(&student, "scan");
    CU_ASSERT(record(&student, 40, "aa"));
    CU_ASSERT(record(&student, 60, "bb"));
    CU_ASSERT(record(&student, 20, "cc"));
    json_t *content = progress_read(&student.workspace);
    const json_t *entry = progress_entry(content, &student.key);
    CU_ASSERT_EQUAL(number_at(entry, "latest", "score"), 20);
    CU_ASSERT_EQUAL(number_at(entry, "best", "score"), 60);
    CU_ASSERT(progress_is_current(entry, "cc"));
    CU_ASSERT_FALSE(progress_is_current(entry, "bb"));
    CU_ASSERT_FALSE(progress_is_current(NULL, "cc"));
    json_decref(content);
    support_remove_tree(student.folder);
}

static void counts_hints_by_cause(void)
{
    struct student student;
    enrol(&student, "scan");
    CU_ASSERT(progress_record_hint(&student.workspace, &student.key, "fuel", 1));
    CU_ASSERT(progress_record_hint(&student.workspace, &student.key, "fuel", 2));
    CU_ASSERT(progress_record_hint(&student.workspace, &student.key, "wrong_value tail", 1));
    CU_ASSERT(record(&student, 0, "aa"));
    json_t *content = progress_read(&student.workspace);
    const json_t *entry = progress_entry(content, &student.key);
    CU_ASSERT_EQUAL(progress_hint_step(entry, "fuel"), 2);
    CU_ASSERT_EQUAL(progress_hint_step(entry, "wrong_value tail"), 1);
    CU_ASSERT_EQUAL(progress_hint_step(entry, "launch"), 0);
    CU_ASSERT_EQUAL(progress_hints_used(entry), 3);
    json_decref(content);
    support_remove_tree(student.folder);
}

/* Puts text into the place of the progress file, lets it be read, and expects it under the name that `number` gives. */
static void expect_aside(const struct student *student, const char *text, int number)
{
    char path[SUPPORT_PATH_BYTES], aside[SUPPORT_PATH_BYTES + 32];
    CU_ASSERT_FATAL(support_write_text(progress_path(student, path), text));
    json_t *content = progress_read(&student->workspace);
    CU_ASSERT_EQUAL(json_object_size(json_object_get(content, "labs")), 0);
    json_decref(content);
    snprintf(aside, sizeof aside, "%s.aside-%d", path, number);
    char *kept = support_read_file(aside, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kept);
    CU_ASSERT_STRING_EQUAL(kept, text);
    free(kept);
    CU_ASSERT_EQUAL(access(path, F_OK), -1);
}

static void keeps_aside_what_it_cannot_understand(void)
{
    struct student student;
    enrol(&student, "scan");
    expect_aside(&student, "{\"schema\": \"lockstep/progress/v2\", \"labs\": {}, \"files\": {}}", 1);
    expect_aside(&student, "{\"schema\": \"lockstep/progress/v1\", \"labs\": [], \"files\": {}}", 2);
    expect_aside(&student, "not JSON at all \377\376", 3);
    expect_aside(&student, "", 4);
    expect_aside(&student, "[1, 2", 5);
    CU_ASSERT(record(&student, 40, "aa"));
    json_t *content = progress_read(&student.workspace);
    CU_ASSERT_EQUAL(number_at(progress_entry(content, &student.key), "latest", "score"), 40);
    json_decref(content);
    support_remove_tree(student.folder);
}

static void survives_members_of_other_kinds(void)
{
    static const char *const entries[] = {
        "7",
        "[]",
        "null",
        "{\"latest\": 3, \"best\": [], \"hints\": \"x\"}",
        "{\"latest\": {\"sha256\": 5, \"state\": 1, \"score\": \"x\", \"cause\": 9}, \"hints\": {\"fuel\": {\"step\": -4}}}",
        "{\"latest\": {\"state\": \"of grace\", \"cause\": {\"line\": \"x\"}}, \"hints\": {\"fuel\": {\"step\": 9999999}}}",
    };
    struct student student;
    char path[SUPPORT_PATH_BYTES], text[512];
    enrol(&student, "scan");
    for (size_t i = 0; i < SUPPORT_COUNT(entries); i++) {
        snprintf(text, sizeof text, "{\"schema\": \"lockstep/progress/v1\", \"labs\": {\"scan\": %s}, \"files\": {}}",
                 entries[i]);
        CU_ASSERT_FATAL(support_write_text(progress_path(&student, path), text));
        json_t *content = progress_read(&student.workspace);
        struct standing standing;
        standing_find(&student.workspace, content, labs_find("scan"), &standing);
        CU_ASSERT_EQUAL(standing.score, 0);
        CU_ASSERT_EQUAL(progress_hints_used(standing.entry), 0);
        CU_ASSERT_PTR_NOT_NULL(standing_current(&student.workspace, content));
        json_decref(content);
        CU_ASSERT(progress_record_hint(&student.workspace, &student.key, "fuel", 1));
        CU_ASSERT(record(&student, 40, "aa"));
    }
    support_remove_tree(student.folder);
}

static void loses_nothing_when_many_write_at_once(void)
{
    struct student student;
    enrol(&student, "scan");
    for (int i = 0; i < labs_count(); i++)
        if (fork() == 0) {
            write_lab(&student, labs_get(i), "text\n");
            char path[KIT_PATH_BYTES];
            workspace_lab_file(&student.workspace, labs_get(i), path);
            progress_key_for(&student.workspace, labs_get(i), path, &student.key);
            for (int k = 1; k <= 5; k++)
                record(&student, 10 * k + i, "aa");
            _exit(0);
        }
    while (wait(NULL) > 0) {}
    json_t *content = progress_read(&student.workspace);
    for (int i = 0; i < labs_count(); i++) {
        struct standing standing;
        standing_find(&student.workspace, content, labs_get(i), &standing);
        CU_ASSERT_EQUAL(standing.score, 50 + i);
    }
    json_decref(content);
    support_remove_tree(student.folder);
}

static void works_without_progress_where_nothing_can_be_kept(void)
{
    struct student student;
    char mark[SUPPORT_PATH_BYTES];
    enrol(&student, "scan");
    support_join(mark, student.folder, ".lockstep");
    CU_ASSERT_EQUAL(rmdir(mark), 0);
    CU_ASSERT(support_write_text(mark, "a file where the folder should be\n"));
    CU_ASSERT_FALSE(record(&student, 40, "aa"));
    CU_ASSERT_FALSE(progress_record_hint(&student.workspace, &student.key, "fuel", 1));
    json_t *content = progress_read(&student.workspace);
    CU_ASSERT_PTR_NULL(progress_entry(content, &student.key));
    json_decref(content);
    support_remove_tree(student.folder);
}

/* ---- the course --------------------------------------------------------------------------------------------------- */

static void leads_from_lab_to_lab(void)
{
    struct student student;
    enrol(&student, "doublify");
    json_t *content = progress_read(&student.workspace);
    CU_ASSERT_PTR_EQUAL(standing_current(&student.workspace, content), labs_get(0));
    json_decref(content);
    CU_ASSERT(record(&student, 100, "aa"));
    content = progress_read(&student.workspace);
    CU_ASSERT_PTR_EQUAL(standing_current(&student.workspace, content), labs_get(1));
    CU_ASSERT_PTR_EQUAL(standing_next(&student.workspace, content, labs_get(labs_count() - 1)), labs_get(1));
    struct standing standing;
    standing_find(&student.workspace, content, labs_get(0), &standing);
    CU_ASSERT_EQUAL(standing.state, STANDING_SOLVED);
    CU_ASSERT(standing.changed);
    standing_find(&student.workspace, content, labs_get(1), &standing);
    CU_ASSERT_EQUAL(standing.state, STANDING_ABSENT);
    CU_ASSERT_PTR_EQUAL(standing_latest(&student.workspace, content), labs_get(1));
    json_decref(content);
    support_remove_tree(student.folder);
}

static void the_latest_lab_is_the_one_that_was_just_spoilt(void)
{
    struct student student;
    enrol(&student, "doublify");
    CU_ASSERT(record(&student, 100, "aa"));
    CU_ASSERT(record(&student, 7, "bb"));
    json_t *content = progress_read(&student.workspace);
    CU_ASSERT_PTR_EQUAL(standing_latest(&student.workspace, content), labs_get(0));
    CU_ASSERT_PTR_EQUAL(standing_current(&student.workspace, content), labs_get(1));
    json_decref(content);
    support_remove_tree(student.folder);
}

static void names_the_ladder_of_a_cause(void)
{
    static const struct {
        const char *cause, *heading;
    } rows[] = {
        {"{\"code\": \"out_of_bounds\", \"pattern\": null, \"metric\": null}", "out_of_bounds"},
        {"{\"code\": \"wrong_value\", \"pattern\": \"tail\", \"metric\": null}", "wrong_value tail"},
        {"{\"code\": \"budget\", \"pattern\": null, \"metric\": \"global_sectors\"}", "budget global_sectors"},
        {"{}", ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char heading[80];
        json_t *cause = json_loads(rows[i].cause, 0, NULL);
        cause_heading(cause, heading, sizeof heading);
        CU_ASSERT_STRING_EQUAL(heading, rows[i].heading);
        json_decref(cause);
    }
}

/* ---- what has changed --------------------------------------------------------------------------------------------- */

/* Two tests and a budget. */
#define LATEST(cause, first, second, points)                                              \
    "{\"score\": " #points ", \"cause\": " cause ", \"tests\": [" first ", " second "], " \
    "\"performance\": [{\"metric\": \"m\", \"score\": " #points "}]}"
#define PASSES(name)      "{\"name\": \"" name "\", \"state\": \"pass\"}"
#define FAILS(name, code) "{\"name\": \"" name "\", \"state\": \"fail\", \"code\": \"" code "\", \"line\": 7}"
#define CAUSE_OF(code)    "{\"code\": \"" code "\", \"line\": 7}"

static void says_what_is_different_between_two_gradings(void)
{
    static const char race[] = LATEST(CAUSE_OF("race_shared"), FAILS("a", "race_shared"), FAILS("b", "race_shared"), 0);
    static const char half[] = LATEST(CAUSE_OF("out_of_bounds"), FAILS("a", "out_of_bounds"), PASSES("b"), 0);
    static const char full[] = LATEST("null", PASSES("a"), PASSES("b"), 5);
    static const char broken[] = LATEST(CAUSE_OF("compile"), FAILS("a", "compile"), FAILS("b", "compile"), 0);
    static const struct {
        const char *before, *after, *text;
    } rows[] = {
        {race, half, "1 more case passes; gone: race in shared memory; new: out of bounds at line 7"},
        {half, race, "1 case fails that passed before: b; gone: out of bounds; new: race in shared memory at line 7"},
        {half, full, "all 2 cases pass now; gone: out of bounds; +5 points for m"},
        {full, race, "2 cases fail that passed before: a, b; new: race in shared memory at line 7; -5 points for m"},
        {race, race, "the verdict has not changed"},
        {full, full, "as good as before"},
        {broken, half, "it compiles now"},
        {half, broken, "it does not compile any more"},
        {"null", half, ""},
        {"[3]", half, ""},
        {"{\"tests\": 7, \"performance\": \"x\", \"cause\": []}", full, "+5 points"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char text[400], cut[16];
        json_t *before = json_loads(rows[i].before, JSON_DECODE_ANY, NULL), *after = json_loads(rows[i].after, 0, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(before);
        CU_ASSERT_PTR_NOT_NULL_FATAL(after);
        changes_write(before, after, text, sizeof text);
        if (strcmp(text, rows[i].text) != 0)
            fprintf(stderr, "row %zu: %s\n", i, text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
        changes_write(before, after, cut, sizeof cut);
        CU_ASSERT(strncmp(cut, text, strlen(cut)) == 0 && strlen(cut) < sizeof cut);
        json_decref(before);
        json_decref(after);
    }
}

/* ---- the student's folder ----------------------------------------------------------------------------------------- */

static void finds_the_nearest_folder_that_is_marked(void)
{
    struct student student;
    struct workspace found;
    char inner[SUPPORT_PATH_BYTES], deep[SUPPORT_PATH_BYTES], file[SUPPORT_PATH_BYTES], real[PATH_MAX];
    enrol(&student, "scan");
    unsetenv("LOCKSTEP_FOLDER");
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(student.folder, real));
    support_join(inner, student.folder, "inner");
    mkdir(inner, 0777);
    support_join(deep, inner, "deep");
    mkdir(deep, 0777);
    support_join(file, deep, "scan.cu");
    workspace_find_for(file, &found);
    CU_ASSERT_STRING_EQUAL(found.root, real);
    CU_ASSERT_FALSE(found.is_kit);
    char mark[SUPPORT_PATH_BYTES];
    mkdir(support_join(mark, inner, ".lockstep"), 0777);
    workspace_find_for(file, &found);
    CU_ASSERT(strcmp(found.root + strlen(real), "/inner") == 0);
    setenv("LOCKSTEP_FOLDER", student.folder, 1);
    workspace_find_for(file, &found);
    CU_ASSERT_STRING_EQUAL(found.root, real);
    setenv("LOCKSTEP_FOLDER", "", 1);
    workspace_find_for(file, &found);
    CU_ASSERT(found.is_kit);
    CU_ASSERT_FALSE(found.keeps_progress);
    support_remove_tree(student.folder);
}

/* A folder that somebody handed in may hold links to anywhere. */
static void writes_through_no_link(void)
{
    struct student student;
    struct workspace found;
    char other[SUPPORT_PATH_BYTES], mark[SUPPORT_PATH_BYTES], inner[SUPPORT_PATH_BYTES], file[SUPPORT_PATH_BYTES],
        real[PATH_MAX];
    enrol(&student, "scan");
    unsetenv("LOCKSTEP_FOLDER");
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(student.folder, real));
    mkdir(support_join(other, student.folder, "other"), 0777);
    mkdir(support_join(inner, student.folder, "inner"), 0777);
    CU_ASSERT_EQUAL(symlink(other, support_join(mark, inner, ".lockstep")), 0);
    workspace_find_for(support_join(file, inner, "scan.cu"), &found);
    CU_ASSERT_STRING_EQUAL(found.root, real); /* not inner, which a link marks */
    snprintf(student.workspace.root, sizeof student.workspace.root, "%s", inner);
    CU_ASSERT_FALSE(record(&student, 100, "abc"));
    CU_ASSERT_EQUAL(rmdir(other), 0); /* it is empty */
    setenv("LOCKSTEP_FOLDER", "", 1);
    support_remove_tree(student.folder);
}

/* A link in its place is not followed, and a pipe does not hold it. */
static void reads_only_a_file_of_its_own(void)
{
    struct student student;
    char path[SUPPORT_PATH_BYTES], other[SUPPORT_PATH_BYTES], aside[SUPPORT_PATH_BYTES + 32];
    struct stat facts;
    enrol(&student, "scan");
    CU_ASSERT(record(&student, 40, "aa"));
    CU_ASSERT_EQUAL(rename(progress_path(&student, path), support_join(other, student.folder, "other.json")), 0);
    CU_ASSERT_EQUAL(symlink(other, path), 0);
    json_t *content = progress_read(&student.workspace);
    CU_ASSERT_PTR_NULL(progress_entry(content, &student.key));
    json_decref(content);
    CU_ASSERT_EQUAL(mkfifo(path, 0666), 0);
    content = progress_read(&student.workspace);
    CU_ASSERT_PTR_NULL(progress_entry(content, &student.key));
    json_decref(content);
    for (int number = 1; number <= 2; number++) {
        snprintf(aside, sizeof aside, "%s.aside-%d", path, number);
        CU_ASSERT_EQUAL(lstat(aside, &facts), 0);
    }
    CU_ASSERT(record(&student, 50, "bb"));
    support_remove_tree(student.folder);
}

static void keeps_no_progress_in_ci(void)
{
    struct workspace found;
    unsetenv("LOCKSTEP_FOLDER");
    setenv("CI", "true", 1);
    workspace_find(&found);
    CU_ASSERT_FALSE(found.keeps_progress);
    unsetenv("CI");
    setenv("LOCKSTEP_FOLDER", "", 1);
}

/* What is printed to be copied into a shell. */
static void names_a_file_as_a_shell_takes_it(void)
{
    static const struct {
        const char *path, *words;
    } rows[] = {{"mine/scan.cu", "mine/scan.cu"},
                {"labs/scan/try.cu", "labs/scan/try.cu"},
                {"try.cu", "try.cu --lab scan"},
                {"my try/scan.cu", "'my try/scan.cu'"},
                {"it's/scan.cu", "'it'\\''s/scan.cu'"},
                {"-x/scan.cu", "'-x/scan.cu'"},
                {"\303\274ben/scan.cu", "'\303\274ben/scan.cu'"},
                {"a\n::error/scan.cu", "$'a\\x0a::error/scan.cu'"},
                {"it's\t\\/scan.cu", "$'it\\'s\\t\\\\/scan.cu'"},
                {"\342\200\256/scan.cu", "$'\\xe2\\x80\\xae/scan.cu'"}};
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct progress_key key = {.lab = labs_find("scan")};
        snprintf(key.path, sizeof key.path, "%s", rows[i].path);
        char *words = progress_key_words(&key);
        CU_ASSERT_STRING_EQUAL(words, rows[i].words);
        free(words);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(names_a_file_as_a_shell_takes_it),
    SUPPORT_TEST(keeps_the_latest_grading_and_the_best),
    SUPPORT_TEST(counts_hints_by_cause),
    SUPPORT_TEST(keeps_aside_what_it_cannot_understand),
    SUPPORT_TEST(survives_members_of_other_kinds),
    SUPPORT_TEST(loses_nothing_when_many_write_at_once),
    SUPPORT_TEST(works_without_progress_where_nothing_can_be_kept),
    SUPPORT_TEST(leads_from_lab_to_lab),
    SUPPORT_TEST(the_latest_lab_is_the_one_that_was_just_spoilt),
    SUPPORT_TEST(names_the_ladder_of_a_cause),
    SUPPORT_TEST(says_what_is_different_between_two_gradings),
    SUPPORT_TEST(finds_the_nearest_folder_that_is_marked),
    SUPPORT_TEST(writes_through_no_link),
    SUPPORT_TEST(reads_only_a_file_of_its_own),
    SUPPORT_TEST(keeps_no_progress_in_ci),
};

int progress_suite_register(void)
{
    return support_register("progress", tests, SUPPORT_COUNT(tests));
}
