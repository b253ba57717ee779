/* From what drivers and children leave behind to the result: records, findings, counters, order of diagnosis, points, JSON.
 */
#include "tests/support.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/record.h"
#include "grader/compile/submission.h"
#include "grader/judge/budget.h"
#include "grader/judge/findings.h"
#include "grader/judge/tally.h"
#include "grader/lab/labs.h"
#include "grader/result/diagnose.h"
#include "grader/result/excerpt.h"
#include "grader/result/report.h"
#include "grader/result/result_json.h"
#include "grader/result/result_source.h"
#include "grader/sandbox/child.h"

/* ---- records and children ----------------------------------------------------------------------------------------- */

static void carries_records_in_order(void)
{
    int ends[2];
    uint32_t type;
    void *payload;
    size_t bytes;
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CU_ASSERT(record_write(ends[0], 3, "abc", 3));
    CU_ASSERT(record_write(ends[0], 4, NULL, 0));
    CU_ASSERT_EQUAL(record_read(ends[1], -1, 16, &type, &payload, &bytes), RECORD_OK);
    CU_ASSERT_EQUAL(type, 3);
    CU_ASSERT_EQUAL(bytes, 3);
    CU_ASSERT_STRING_EQUAL(payload, "abc");
    free(payload);
    CU_ASSERT_EQUAL(record_read(ends[1], -1, 16, &type, &payload, &bytes), RECORD_OK);
    CU_ASSERT_EQUAL(bytes, 0);
    free(payload);
    CU_ASSERT_EQUAL(record_read(ends[1], record_now_ms() + 20, 16, &type, &payload, &bytes), RECORD_TIMEOUT);
    close(ends[0]);
    CU_ASSERT_EQUAL(record_read(ends[1], -1, 16, &type, &payload, &bytes), RECORD_END);
    CU_ASSERT_PTR_NULL(payload);
    close(ends[1]);
}

static void refuses_records_that_are_too_long(void)
{
    int ends[2];
    uint32_t type;
    void *payload;
    size_t bytes;
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CU_ASSERT(record_write(ends[0], 1, "0123456789", 10));
    CU_ASSERT_EQUAL(record_read(ends[1], -1, 9, &type, &payload, &bytes), RECORD_BAD);
    CU_ASSERT_PTR_NULL(payload);
    close(ends[0]);
    close(ends[1]);
}

static void look_at_secret(void *context)
{
    /* The page is not there: reading it must end the child. */
    volatile const char *secret = context;
    record_write(CHILD_CHANNEL, 1, (const char *)&secret[0], secret[0] == 42 ? 1 : 0);
}

static void keeps_secrets_out_of_children(void)
{
    struct child child;
    struct child_end end;
    uint32_t type;
    void *payload;
    size_t bytes;
    char *secret = allocate_secret(4096);
    secret[0] = 42;
    CU_ASSERT_FATAL(child_start(&child, SANDBOX_OWN, look_at_secret, secret));
    CU_ASSERT_EQUAL(record_read(child.channel, record_now_ms() + 5000, 16, &type, &payload, &bytes), RECORD_END);
    child_stop(&child, &end);
    CU_ASSERT(end.signalled || end.code != 0);
    CU_ASSERT_EQUAL(secret[0], 42);
    allocate_release_secret(secret, 4096);
}

static void print_and_hang(void *context)
{
    (void)context;
    fputs("printed", stdout);
    fflush(stdout);
    fputs("logged", stderr);
    record_write(CHILD_CHANNEL, 9, NULL, 0);
    for (;;)
        pause();
}

static void captures_output_and_stops_a_hanging_child(void)
{
    struct child child;
    uint32_t type;
    void *payload;
    size_t bytes;
    uint64_t length;
    CU_ASSERT_FATAL(child_start(&child, SANDBOX_OWN, print_and_hang, NULL));
    CU_ASSERT_EQUAL(record_read(child.channel, record_now_ms() + 5000, 16, &type, &payload, &bytes), RECORD_OK);
    free(payload);
    CU_ASSERT_EQUAL(record_read(child.channel, record_now_ms() + 20, 16, &type, &payload, &bytes), RECORD_TIMEOUT);
    child_kill(&child, NULL);
    char *output = child_file_read(child.output, 100, &length), *log = child_file_read(child.log, 3, &length);
    CU_ASSERT_STRING_EQUAL(output, "printed");
    CU_ASSERT_STRING_EQUAL(log, "log");
    free(output);
    free(log);
    child_stop(&child, NULL);
}

/* ---- findings and counters ---------------------------------------------------------------------------------------- */

static struct plan_setup *new_setup(void)
{
    struct plan_setup *setup = allocate_zeroed(sizeof *setup);
    setup->lab = labs_find("vector_add");
    setup->timing_case = setup->lab->timing_case;
    strcpy(setup->parameter_names[0][2], "sum");
    return setup;
}

static void reads_findings_and_names_parameters_as_the_student_does(void)
{
    static const char text[] =
        "{\"code\":\"out_of_bounds\",\"severity\":\"error\",\"kernel\":\"vector_add\",\"file\":\"/x/mine/a.cu\",\"line\":14,"
        "\"array\":\"vector_add_param_2\",\"index\":1000,\"thread\":[232,0,0],\"block\":[3,0,0],\"count\":24,"
        "\"message\":\"write vector_add_param_2[1000]\"}\n"
        "no json\n"
        "{\"code\":\"race_shared\",\"severity\":\"warning\",\"kernel\":\"k\",\"file\":null,\"line\":null,\"index\":[2,3],"
        "\"count\":null,\"message\":\"m\"}\n"
        "{\"code\":\"out_of_bou";
    struct plan_setup *setup = new_setup();
    struct result_findings findings = {0};
    CU_ASSERT_EQUAL(findings_read(text, strlen(text), setup, "mine/a.cu", &findings), 2);
    CU_ASSERT_EQUAL_FATAL(findings.count, 2);
    CU_ASSERT_STRING_EQUAL(findings.list[0].array, "sum");
    CU_ASSERT_STRING_EQUAL(findings.list[0].message, "write sum[1000]");
    CU_ASSERT_STRING_EQUAL(findings.list[0].file, "mine/a.cu");
    CU_ASSERT_EQUAL(findings.list[0].line, 14);
    CU_ASSERT_EQUAL(findings.list[0].count, 24);
    CU_ASSERT(findings.list[0].has_thread);
    CU_ASSERT_EQUAL(findings.list[0].block[0], 3);
    CU_ASSERT_EQUAL(findings.list[1].severity, LOCKSTEP_WARNING);
    CU_ASSERT_EQUAL(findings.list[1].index_count, 2);
    CU_ASSERT_EQUAL(findings.list[1].index[1], 3);
    CU_ASSERT_EQUAL(findings.list[1].count, 1);
    free(findings.list);
    free(setup);
}

static void names_what_a_code_leaves_open(void)
{
    static const char source[] = "kernel\n    if (i >= n) return;\n    if (i < n) {\n";
    static const struct {
        const char *rest, *pattern;
    } rows[] = {
        {"\"code\":\"early_exit\",\"line\":2", ""},
        {"\"code\":\"early_exit\",\"line\":3", "passed_by"},
        {"\"code\":\"early_exit\",\"line\":1", "passed_by"},
        {"\"code\":\"early_exit\",\"line\":4000", "passed_by"},
        {"\"code\":\"early_exit\",\"line\":null", ""},
        {"\"code\":\"uninitialized\",\"pattern\":\"variable\"", "variable"},
        {"\"code\":\"uninitialized\",\"pattern\":null", ""},
        {"\"code\":\"out_of_bounds\",\"index\":-1,\"pattern\":\"negative\"", "negative"}, /* the driver says it */
        {"\"code\":\"out_of_bounds\",\"index\":1000", ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char text[200];
        struct plan_setup *setup = new_setup();
        struct result_findings findings = {0};
        setup->source = source;
        setup->source_bytes = sizeof source - 1;
        snprintf(text, sizeof text, "{%s,\"message\":\"m\"}\n", rows[i].rest);
        findings_read(text, strlen(text), setup, "a.cu", &findings);
        CU_ASSERT_EQUAL_FATAL(findings.count, 1);
        CU_ASSERT_STRING_EQUAL(findings.list[0].pattern, rows[i].pattern);
        free(findings.list);
        free(setup);
    }
}

static void adds_counters_over_launches(void)
{
    static const char text[] =
        "{\"kernel\":\"a\",\"counters\":{\"global_load_sectors\":10,\"global_store_sectors\":5,\"warp_instructions\":4,"
        "\"thread_instructions\":64,\"max_thread_share\":0.25}}\n"
        "{\"kernel\":\"b\",\"counters\":{\"global_load_sectors\":1,\"global_atomic_sectors\":2,\"max_thread_share\":0.125}}"
        "\n";
    struct tally tally;
    tally_read(text, strlen(text), &tally);
    CU_ASSERT(tally.present);
    CU_ASSERT_EQUAL(tally_get(&tally, "global_load_sectors"), 11);
    CU_ASSERT_EQUAL(tally_get(&tally, "global_sectors"), 18);
    CU_ASSERT_EQUAL(tally_get(&tally, "issued_lane_slots"), 128);
    CU_ASSERT_EQUAL(tally_get(&tally, "lane_efficiency"), 0.5);
    CU_ASSERT_EQUAL(tally_get(&tally, "max_thread_share"), 0.25);
    CU_ASSERT(isnan(tally_get(&tally, "no_such_metric")));
    tally_read("", 0, &tally);
    CU_ASSERT_FALSE(tally.present);
}

/* Every lab's budgets speak of metrics that exist. */
static void knows_every_metric_of_the_labs(void)
{
    struct tally tally = {.present = true};
    tally.value[TALLY_warp_instructions] = 1;
    for (int i = 0; i < labs_count(); i++)
        for (int k = 0; k < labs_get(i)->budget_count; k++)
            CU_ASSERT_FALSE(isnan(tally_get(&tally, labs_get(i)->budgets[k].metric)));
}

/* ---- diagnosis ---------------------------------------------------------------------------------------------------- */

static void add(struct result_findings *findings, const char *code, const char *pattern, lockstep_severity severity,
                int line)
{
    struct result_finding finding = {.severity = severity, .line = line, .count = 2};
    strcpy(finding.code, code);
    strcpy(finding.pattern, pattern);
    finding.explained = pattern[0] != '\0' && strcmp(pattern, "other") != 0;
    result_findings_add(findings, &finding);
}

static void counts_the_same_place_once(void)
{
    struct result_findings findings = {0};
    add(&findings, "race_shared", "", LOCKSTEP_ERROR, 3);
    add(&findings, "race_shared", "", LOCKSTEP_ERROR, 3);
    add(&findings, "race_shared", "", LOCKSTEP_ERROR, 4);
    CU_ASSERT_EQUAL(findings.count, 2);
    CU_ASSERT_EQUAL(findings.list[0].count, 4);
    free(findings.list);
}

static void puts_causes_before_consequences(void)
{
    static const char *const order[] = {"out_of_bounds", "early_exit",  "uninitialized",  "race_shared",
                                        "never_written", "wrong_value", "race_same_value"};
    struct result_findings findings = {0};
    add(&findings, "race_same_value", "", LOCKSTEP_WARNING, 1);
    add(&findings, "wrong_value", "tail", LOCKSTEP_ERROR, 0);
    add(&findings, "race_shared", "", LOCKSTEP_ERROR, 1);
    add(&findings, "never_written", "", LOCKSTEP_ERROR, 0);
    add(&findings, "uninitialized", "", LOCKSTEP_ERROR, 2);
    add(&findings, "early_exit", "", LOCKSTEP_WARNING, 1);
    add(&findings, "out_of_bounds", "", LOCKSTEP_ERROR, 3);
    diagnose_sort(&findings);
    for (size_t i = 0; i < findings.count; i++)
        CU_ASSERT_STRING_EQUAL(findings.list[i].code, order[i]);
    free(findings.list);
}

/* Line 7 is read before line 5 has written: the race is why nobody had written yet. Line 9 has no race. */
static void puts_poison_behind_the_race_that_let_it_be_read(void)
{
    struct result_findings findings = {0};
    add(&findings, "uninitialized", "", LOCKSTEP_ERROR, 20);
    findings.list[0].line2 = 7;
    strcpy(findings.list[0].array, "s");
    add(&findings, "race_shared", "", LOCKSTEP_ERROR, 5);
    findings.list[1].line2 = 7;
    diagnose_sort(&findings);
    CU_ASSERT_STRING_EQUAL(findings.list[0].code, "race_shared");
    findings.list[1].line2 = 9;
    diagnose_sort(&findings);
    CU_ASSERT_STRING_EQUAL(findings.list[0].code, "uninitialized");
    free(findings.list);
}

/* The index of line 3 is poison: where it leads is chance. That of line 4 is not. */
static void puts_an_address_behind_the_poison_that_it_is_made_from(void)
{
    struct result_findings findings = {0};
    add(&findings, "out_of_bounds", "", LOCKSTEP_ERROR, 3);
    add(&findings, "uninitialized", "", LOCKSTEP_ERROR, 3);
    diagnose_sort(&findings);
    CU_ASSERT_STRING_EQUAL(findings.list[0].code, "uninitialized");
    add(&findings, "barrier_divergent", "", LOCKSTEP_ERROR, 5);
    diagnose_sort(&findings);
    CU_ASSERT_STRING_EQUAL(findings.list[0].code, "uninitialized");
    add(&findings, "out_of_bounds", "", LOCKSTEP_ERROR, 4);
    diagnose_sort(&findings);
    CU_ASSERT_EQUAL(findings.list[0].line, 4);
    free(findings.list);
}

static void fails_a_test_for_errors_and_two_warnings_only(void)
{
    struct result_finding finding = {.severity = LOCKSTEP_WARNING, .code = "race_same_value"};
    CU_ASSERT_FALSE(diagnose_fails(&finding));
    strcpy(finding.code, "early_exit");
    CU_ASSERT(diagnose_fails(&finding));
    strcpy(finding.code, "race_volatile");
    CU_ASSERT(diagnose_fails(&finding));
    strcpy(finding.code, "barrier_needless");
    finding.severity = LOCKSTEP_NOTE;
    CU_ASSERT_FALSE(diagnose_fails(&finding));
    finding.severity = LOCKSTEP_ERROR;
    CU_ASSERT(diagnose_fails(&finding));
}

static void shows_near_misses_first_when_they_outnumber_plain_wrong_values(void)
{
    struct result_test list[3] = {{.state = RESULT_FAIL}, {.state = RESULT_FAIL}, {.state = RESULT_FAIL}};
    struct result_lab lab = {.tests = list, .test_count = 3};
    add(&list[0].findings, "wrong_value", "other", LOCKSTEP_ERROR, 0);
    add(&list[1].findings, "near_miss", "", LOCKSTEP_ERROR, 0);
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 0);
    add(&list[2].findings, "near_miss", "", LOCKSTEP_ERROR, 0);
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 1);
    list[0].findings.list[0].explained = true;
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 0);
    for (int i = 0; i < 3; i++)
        free(list[i].findings.list);
}

/* The second test ran without looking for races. */
static void shows_the_race_of_one_test_before_the_poison_of_another(void)
{
    struct result_test list[2] = {{.state = RESULT_FAIL}, {.state = RESULT_FAIL}};
    struct result_lab lab = {.tests = list, .test_count = 2};
    add(&list[0].findings, "uninitialized", "", LOCKSTEP_ERROR, 7);
    strcpy(list[0].findings.list[0].array, "s");
    add(&list[1].findings, "race_shared", "", LOCKSTEP_ERROR, 7);
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 1);
    list[1].findings.list[0].line = 8;
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 0);
    free(list[0].findings.list);
    free(list[1].findings.list);
}

static void shows_an_explained_value_before_bare_facts(void)
{
    struct result_test list[2] = {{.state = RESULT_FAIL}, {.state = RESULT_FAIL}};
    struct result_lab lab = {.tests = list, .test_count = 2};
    add(&list[0].findings, "wrong_value", "other", LOCKSTEP_ERROR, 0);
    add(&list[1].findings, "wrong_value", "other", LOCKSTEP_ERROR, 0);
    list[1].findings.list[0].explained = true;
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 1);
    free(list[0].findings.list);
    free(list[1].findings.list);
}

static void shows_a_recognised_pattern_before_an_unrecognised_one(void)
{
    struct result_test list[3] = {{.state = RESULT_PASS}, {.state = RESULT_FAIL}, {.state = RESULT_FAIL}};
    struct result_lab lab = {.tests = list, .test_count = 3};
    add(&list[1].findings, "wrong_value", "other", LOCKSTEP_ERROR, 0);
    add(&list[2].findings, "wrong_value", "shifted", LOCKSTEP_ERROR, 0);
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 2);
    add(&list[1].findings, "out_of_bounds", "", LOCKSTEP_ERROR, 1);
    diagnose_sort(&list[1].findings);
    CU_ASSERT_EQUAL(diagnose_first_test(&lab), 1);
    free(list[1].findings.list);
    free(list[2].findings.list);
}

/* ---- points ------------------------------------------------------------------------------------------------------- */

static void gives_linear_credit_rounded_down(void)
{
    CU_ASSERT_EQUAL(budget_points(1.0, 1.05, 3.0, 15), 15);
    CU_ASSERT_EQUAL(budget_points(1.05, 1.05, 3.0, 15), 15);
    CU_ASSERT_EQUAL(budget_points(3.0, 1.05, 3.0, 15), 0);
    CU_ASSERT_EQUAL(budget_points(99.0, 1.05, 3.0, 15), 0);
    CU_ASSERT_EQUAL(budget_points(1.5, 1.0, 2.0, 15), 7);
    CU_ASSERT_EQUAL(budget_points(1.25, 1.0, 2.0, 4), 3);
    CU_ASSERT_EQUAL(budget_points(NAN, 1.0, 2.0, 4), 0);
    CU_ASSERT_EQUAL(budget_points(INFINITY, 1.0, 2.0, 4), 0);
}

static void gives_linear_credit_where_more_is_better(void)
{
    CU_ASSERT_EQUAL(budget_points(0.9, 0.8, 0.4, 10), 10);
    CU_ASSERT_EQUAL(budget_points(0.6, 0.8, 0.4, 10), 5);
    CU_ASSERT_EQUAL(budget_points(0.3, 0.8, 0.4, 10), 0);
}

static void earns_nothing_for_wrong_results(void)
{
    static const struct lab_budget budget = {"global_sectors", LAB_BUDGET_REFERENCE, NULL, 1.0, 2.0, 10, "why"};
    static const struct lab_case the_case = {.name = "n = 5"};
    struct tally own = {.present = true}, reference = {.present = true};
    struct result_budget result;
    own.value[TALLY_global_load_sectors] = 10;
    reference.value[TALLY_global_load_sectors] = 10;
    budget_judge(NULL, &budget, &the_case, 0, &own, &reference, true, false, &result);
    CU_ASSERT_EQUAL(result.state, RESULT_PASS);
    CU_ASSERT_EQUAL(result.score, 10);
    budget_judge(NULL, &budget, &the_case, 0, &own, &reference, false, false, &result);
    CU_ASSERT_EQUAL(result.state, RESULT_SKIPPED);
    CU_ASSERT_EQUAL(result.score, 0);
    reference.present = false;
    budget_judge(NULL, &budget, &the_case, 0, &own, &reference, true, false, &result);
    CU_ASSERT_EQUAL(result.state, RESULT_HARNESS_ERROR);
}

/* ---- JSON and text ------------------------------------------------------------------------------------------------- */

static void escapes_what_could_steer_a_terminal(void)
{
    json_t *text = result_json_text("a\033[31mb\nc\r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    const char *value = json_string_value(text);
    CU_ASSERT_PTR_NULL(strchr(value, '\033'));
    CU_ASSERT_PTR_NULL(strchr(value, '\r'));
    CU_ASSERT_PTR_NOT_NULL(strchr(value, '\n'));
    json_decref(text);
    text = result_json_text("\xff\xfe");
    CU_ASSERT(json_is_string(text));
    json_decref(text);
    text = result_json_text("");
    CU_ASSERT(json_is_null(text));
    json_decref(text);
    text = result_json_number(INFINITY);
    CU_ASSERT(json_is_null(text));
    json_decref(text);
}

static void writes_a_result_whole_or_not_at_all(void)
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES], message[512] = "";
    json_t *result = json_pack("{s:i}", "a", 1);
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    support_join(path, directory, "r.json");
    CU_ASSERT(result_json_write(result, path, message, sizeof message));
    CU_ASSERT_FALSE(result_json_write(result, "/dev/full", message, sizeof message));
    SUPPORT_CONTAINS(message, "No space left");
    support_join(path, directory, "missing/r.json");
    CU_ASSERT_FALSE(result_json_write(result, path, message, sizeof message));
    SUPPORT_CONTAINS(message, "No such file");
    /* A folder in the file's place cannot be replaced; no temporary file stays behind. */
    support_join(path, directory, "folder");
    CU_ASSERT_EQUAL(mkdir(path, 0777), 0);
    CU_ASSERT_FALSE(result_json_write(result, path, message, sizeof message));
    struct support_result listing;
    CU_ASSERT(support_run_simple(&listing, "ls", "-A", directory, (char *)NULL));
    CU_ASSERT_STRING_EQUAL(listing.output, "folder\nr.json\n");
    support_result_clear(&listing);
    support_remove_tree(directory);
    json_decref(result);
}

/* Runs a printer into memory. */
#define PRINTED(text, file, call)                      \
    char *text = NULL;                                 \
    size_t text##_bytes = 0;                           \
    FILE *file = open_memstream(&text, &text##_bytes); \
    call;                                              \
    fclose(file)

static void wraps_at_eighty_columns_and_keeps_line_ends(void)
{
    char words[400] = "first\n";
    for (int i = 0; i < 60; i++)
        strcat(words, "abcd ");
    PRINTED(text, file, paint_wrapped(file, 4, words, false, PAINT_PLAIN));
    CU_ASSERT_EQUAL(strncmp(text, "    first\n    abcd", 18), 0);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        CU_ASSERT(strlen(line) <= PAINT_COLUMNS);
    free(text);
}

#define MARK(l, c, w) (&(struct result_mark){.line = (l), .column = (c), .width = (w)})

static void marks_the_lines_of_a_finding(void)
{
    PRINTED(text, file, excerpt_print(file, "one\ntwo\nthree\nfour\nfive\n", 4, 2, MARK(4, 2, 1), 1, false));
    CU_ASSERT_STRING_EQUAL(text, "        1 | one\n    >   2 | two\n        3 | three\n    >   4 | four\n          |  ^\n"
                                 "        5 | five\n");
    free(text);
    PRINTED(nothing, other, excerpt_print(other, "one\n", 7, 0, NULL, 0, false));
    CU_ASSERT_EQUAL(nothing_bytes, 0);
    free(nothing);
}

/* A second place in another file is not a line of the excerpt. */
static void marks_no_line_of_another_file(void)
{
    struct result_finding finding = {
        .code = "race_shared", .line = 1, .line2 = 3, .file = "/a/one.cu", .file2 = "/a/one.cu"};
    PRINTED(both, file, report_explanation(file, &finding, "one\ntwo\nthree\n", false));
    CU_ASSERT_STRING_EQUAL(both, "\n    >   1 | one\n        2 | two\n    >   3 | three\n");
    free(both);
    strcpy(finding.file2, "/a/two.h");
    PRINTED(one, other, report_explanation(other, &finding, "one\ntwo\nthree\n", false));
    CU_ASSERT_STRING_EQUAL(one, "\n    >   1 | one\n        2 | two\n");
    free(one);
}

/* `#line 2 "other.cu"` and headers: line 2 of the text is another one. */
static void quotes_no_line_for_a_place_in_another_file(void)
{
    const struct lab *lab = labs_find("doublify");
    struct result_finding finding = {.code = "signature", .line = 2, .file = "/a/one.cu"};
    struct result_lab result = {.path = "/a/one.cu", .state = RESULT_ERROR, .notes = {.list = &finding, .count = 1}};
    PRINTED(own, file, report_cause(file, &result, lab, "one\ntwo\n", false));
    CU_ASSERT_PTR_NOT_NULL(strstr(own, ">   2 | two"));
    free(own);
    json_t *quoted = result_source_json(&result, "one\ntwo\n");
    CU_ASSERT_EQUAL(json_array_size(quoted), 2);
    json_decref(quoted);
    strcpy(finding.file, "/a/other.cu");
    PRINTED(others, other, report_cause(other, &result, lab, "one\ntwo\n", false));
    CU_ASSERT_PTR_NULL(strstr(others, " | "));
    CU_ASSERT_PTR_NOT_NULL(strstr(others, "other.cu:2"));
    free(others);
    quoted = result_source_json(&result, "one\ntwo\n");
    CU_ASSERT_EQUAL(json_array_size(quoted), 0);
    json_decref(quoted);
}

/* A tab is shown as one blank, an umlaut is two bytes, a byte that is not UTF-8 is shown as four characters; the line may end
 * with CR LF, the text without any end. */
static void puts_carets_below_what_is_shown(void)
{
    PRINTED(text, file, excerpt_print(file, "\ta\xC3\xA4\xFF[i] = 1;\r\nb", 1, 0, MARK(1, 6, 3), 1, false));
    CU_ASSERT_STRING_EQUAL(text, "    >   1 |  a\xC3\xA4\\xff[i] = 1;\n          |        ^^^\n        2 | b\n");
    free(text);
    PRINTED(beyond, other, excerpt_print(other, "short", 1, 0, MARK(1, 4, 30), 1, false));
    CU_ASSERT_STRING_EQUAL(beyond, "    >   1 | short\n"); /* a mark that does not fit the line marks nothing */
    free(beyond);
}

static void shows_the_marked_part_of_a_long_line(void)
{
    char source[600];
    memset(source, 'x', sizeof source);
    for (size_t i = 0; i < 4; i++)
        source[300 + i] = "a[i]"[i];
    strcpy(source + 590, "\nnext\n");
    PRINTED(text, file, excerpt_print(file, source, 1, 0, MARK(1, 301, 4), 1, false));
    char *first = strtok(text, "\n"), *second = strtok(NULL, "\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(second);
    CU_ASSERT(strlen(first) <= PAINT_COLUMNS && strlen(second) <= PAINT_COLUMNS);
    CU_ASSERT_EQUAL(strstr(first, "a[i]") - first, strchr(second, '^') - second);
    free(text);
}

static void shows_all_marks_of_a_long_line_where_they_fit(void)
{
    static const char source[] =
        "                    later[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];\nnext\n";
    struct result_mark marks[3] = {{.line = 1}, {.line = 1}, {.line = 1}};
    static const char *const words[] = {"now[i]", "now[i + 1]", "now[i - 1]"};
    for (int i = 0; i < 3; i++) {
        marks[i].column = (int)(strstr(source, words[i]) - source) + 1;
        marks[i].width = (int)strlen(words[i]);
    }
    PRINTED(text, file, excerpt_print(file, source, 1, 0, marks, 3, false));
    char *first = strtok(text, "\n"), *second = strtok(NULL, "\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(second);
    CU_ASSERT(strlen(first) <= PAINT_COLUMNS);
    for (int i = 0; i < 3; i++) {
        const char *word = strstr(first, words[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(word);
        CU_ASSERT_EQUAL(strspn(second + (word - first), "^"), strlen(words[i]));
    }
    free(text);
}

static void counts_lines_as_the_compiler_does(void)
{
    static const char source[] = "one\n#line 40\nforty\nnext\n#line 1 \"other.cu\"\nelsewhere\n";
    PRINTED(text, file, excerpt_print(file, source, 41, 0, NULL, 0, false));
    CU_ASSERT_STRING_EQUAL(text, "       40 | forty\n    >  41 | next\n");
    free(text);
    PRINTED(nothing, other, excerpt_print(other, source, 2, 0, NULL, 0, false)); /* a line of the other file */
    CU_ASSERT_EQUAL(nothing_bytes, 0);
    free(nothing);
}

/* The lines of a result: around what is named, each once, rising; the first cause's whatever else there is. */
static void keeps_the_lines_that_are_named(void)
{
    static char source[4000];
    struct result_test tests[2] = {{.state = RESULT_FAIL}, {.state = RESULT_FAIL}};
    struct result_lab lab = {.tests = tests, .test_count = 2, .state = RESULT_FAIL};
    struct result_finding many = {.code = "wrong_value"}, first = {.code = "out_of_bounds", .line = 302, .line2 = 301};
    source[0] = '\0';
    for (int line = 1; line < 303; line++)
        sprintf(source + strlen(source), "line %d\n", line);
    strcat(source, "\xff\t");
    for (many.line = 1; many.line < 300; many.line += 5)
        result_findings_add(&tests[0].findings, &many);
    result_findings_add(&tests[1].findings, &first);
    json_t *lines = result_source_json(&lab, source);
    size_t count = json_array_size(lines);
    CU_ASSERT(count > 190 && count <= 200);
    json_t *last = json_array_get(lines, count - 1), *before = json_array_get(lines, count - 2);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(last, "line")), 303);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(last, "text")), "\\xff ");
    CU_ASSERT(json_is_true(json_object_get(last, "altered")));
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(before, "text")), "line 302");
    CU_ASSERT_PTR_NULL(json_object_get(before, "altered"));
    json_decref(lines);
    tests[1].findings.list[0].line = INT_MAX; /* #line 2147483647 */
    json_decref(result_source_json(&lab, source));
    lines = result_source_json(&lab, NULL);
    CU_ASSERT_EQUAL(json_array_size(lines), 0);
    json_decref(lines);
    free(tests[0].findings.list);
    free(tests[1].findings.list);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static enum submission_status status_of(const char *path, char message[1024])
{
    struct submission submission;
    submission_read(path, &submission);
    enum submission_status status = submission.status;
    strcpy(message, submission.message);
    CU_ASSERT_EQUAL(submission.source != NULL, status == SUBMISSION_READ);
    submission_clear(&submission);
    return status;
}

static void tells_unfit_files_from_unreadable_ones(void)
{
    char directory[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES], message[1024];
    CU_ASSERT_FATAL(support_temporary_directory(directory));
    support_join(path, directory, "a.cu");
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNREADABLE);
    support_write_text(path, " \n\t\n");
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNFIT);
    SUPPORT_CONTAINS(message, "empty");
    support_write_file(path, "int\0a", 5);
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNFIT);
    SUPPORT_CONTAINS(message, "line 1, column 4: there is a zero byte here");
    support_write_file(path, "// \xc3\xa4\r\n \xc3\xa4\0\0x", 12);
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNFIT);
    SUPPORT_CONTAINS(message, "line 2, column 3: there is a zero byte here");
    support_write_file(path, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16);
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNFIT);
    SUPPORT_CONTAINS(message, "binary");
    support_write_file(path, "\xff\xfe/\0/\0 \0x\0\n\0", 12);
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_READ);
    CU_ASSERT_EQUAL(truncate(path, 300 << 10), 0);
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNFIT);
    SUPPORT_CONTAINS(message, "too large");
    support_write_text(path, "// fine\n");
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_READ);
    unlink(path);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    CU_ASSERT_EQUAL(status_of(path, message), SUBMISSION_UNREADABLE);
    CU_ASSERT_EQUAL(status_of(directory, message), SUBMISSION_UNREADABLE);
    SUPPORT_CONTAINS(message, "folder");
    support_remove_tree(directory);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(carries_records_in_order),
    SUPPORT_TEST(refuses_records_that_are_too_long),
    SUPPORT_TEST(keeps_secrets_out_of_children),
    SUPPORT_TEST(captures_output_and_stops_a_hanging_child),
    SUPPORT_TEST(reads_findings_and_names_parameters_as_the_student_does),
    SUPPORT_TEST(names_what_a_code_leaves_open),
    SUPPORT_TEST(adds_counters_over_launches),
    SUPPORT_TEST(knows_every_metric_of_the_labs),
    SUPPORT_TEST(counts_the_same_place_once),
    SUPPORT_TEST(puts_causes_before_consequences),
    SUPPORT_TEST(puts_poison_behind_the_race_that_let_it_be_read),
    SUPPORT_TEST(puts_an_address_behind_the_poison_that_it_is_made_from),
    SUPPORT_TEST(fails_a_test_for_errors_and_two_warnings_only),
    SUPPORT_TEST(shows_near_misses_first_when_they_outnumber_plain_wrong_values),
    SUPPORT_TEST(shows_the_race_of_one_test_before_the_poison_of_another),
    SUPPORT_TEST(shows_an_explained_value_before_bare_facts),
    SUPPORT_TEST(shows_a_recognised_pattern_before_an_unrecognised_one),
    SUPPORT_TEST(gives_linear_credit_rounded_down),
    SUPPORT_TEST(gives_linear_credit_where_more_is_better),
    SUPPORT_TEST(earns_nothing_for_wrong_results),
    SUPPORT_TEST(escapes_what_could_steer_a_terminal),
    SUPPORT_TEST(writes_a_result_whole_or_not_at_all),
    SUPPORT_TEST(wraps_at_eighty_columns_and_keeps_line_ends),
    SUPPORT_TEST(marks_the_lines_of_a_finding),
    SUPPORT_TEST(marks_no_line_of_another_file),
    SUPPORT_TEST(quotes_no_line_for_a_place_in_another_file),
    SUPPORT_TEST(puts_carets_below_what_is_shown),
    SUPPORT_TEST(shows_the_marked_part_of_a_long_line),
    SUPPORT_TEST(shows_all_marks_of_a_long_line_where_they_fit),
    SUPPORT_TEST(counts_lines_as_the_compiler_does),
    SUPPORT_TEST(keeps_the_lines_that_are_named),
    SUPPORT_TEST(tells_unfit_files_from_unreadable_ones),
};

int result_suite_register(void)
{
    return support_register("result", tests, SUPPORT_COUNT(tests));
}
