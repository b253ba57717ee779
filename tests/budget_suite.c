/* grader/budget_place, budget_draw: which line a missed budget was spent on, and what its requests looked like. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "grader/judge/budget.h"
#include "grader/lab/labs.h"

/* Two launches; line 6 loads and stores without neighbours, line 9 with; line 12 conflicts in shared memory. */
static const char counters[] =
    "{\"kernel\":\"a\",\"counters\":{\"global_load_sectors\":3400,\"global_store_sectors\":1600},\"lines\":["
    "{\"line\":6,\"warp_instructions\":500,\"thread_instructions\":500,\"global_load_requests\":100,"
    "\"global_load_sectors\":3200,\"global_store_requests\":50,\"global_store_sectors\":1600},"
    "{\"line\":9,\"warp_instructions\":100,\"thread_instructions\":3200,\"global_load_requests\":50,"
    "\"global_load_sectors\":200}]}\n"
    "{\"kernel\":\"b\",\"counters\":{\"global_load_sectors\":400},\"lines\":["
    "{\"line\":9,\"warp_instructions\":100,\"thread_instructions\":3200,\"global_load_requests\":100,"
    "\"global_load_sectors\":400},"
    "{\"line\":12,\"warp_instructions\":40,\"thread_instructions\":1280,\"shared_load_requests\":10,"
    "\"shared_load_wavefronts\":85,\"shared_store_requests\":10,\"shared_store_wavefronts\":10}]}\n";

static const char *place(const char *metric, int line)
{
    static char text[256];
    struct tally tally;
    const char *pattern;
    text[0] = '\0';
    tally_read(counters, strlen(counters), &tally);
    const struct tally_line *found = budget_place(metric, &tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_EQUAL(found ? found->line : 0, line);
    return text;
}

static void adds_lines_over_launches(void)
{
    struct tally tally;
    tally_read(counters, strlen(counters), &tally);
    CU_ASSERT_EQUAL_FATAL(tally.line_count, 3);
    CU_ASSERT_EQUAL(tally.lines[1].line, 9);
    CU_ASSERT_EQUAL(tally_line_get(&tally.lines[1], "global_load_sectors"), 600);
    CU_ASSERT_EQUAL(tally_line_get(&tally.lines[0], "global_sectors"), 4800);
}

static void names_the_line_with_the_largest_share(void)
{
    CU_ASSERT_STRING_EQUAL(place("global_sectors", 6),
                           "line 6: 100 warp loads, 32 sectors each; 32 neighbouring words of 4 bytes fit in 4");
    CU_ASSERT_STRING_EQUAL(place("shared_wavefronts", 12),
                           "line 12: 10 warp loads, 8.5 passes each; 1 is enough when no two lanes need different "
                           "words of one bank");
    CU_ASSERT_STRING_EQUAL(place("issued_lane_slots", 6),
                           "line 6 executes 68 % of the instructions, with 1.0 of 32 lanes active");
    CU_ASSERT_STRING_EQUAL(place("global_load_requests", 9), "line 9: 150 warp loads, 60 % of all requests");
}

/* Of what a line stores twice, not of what all lines load: the reference stores once. */
static void names_the_kind_that_the_reference_has_less_of(void)
{
    static const char twice[] =
        "{\"kernel\":\"a\",\"counters\":{\"global_load_requests\":20,\"global_load_sectors\":80,"
        "\"global_store_requests\":20,\"global_store_sectors\":80},\"lines\":["
        "{\"line\":4,\"warp_instructions\":10,\"thread_instructions\":320,\"global_load_requests\":10,"
        "\"global_load_sectors\":40,\"global_store_requests\":10,\"global_store_sectors\":40},"
        "{\"line\":5,\"warp_instructions\":10,\"thread_instructions\":320,\"global_load_requests\":10,"
        "\"global_load_sectors\":40,\"global_store_requests\":10,\"global_store_sectors\":40}]}\n";
    static const char once[] = "{\"kernel\":\"a\",\"counters\":{\"global_load_requests\":20,\"global_load_sectors\":80,"
                               "\"global_store_requests\":10,\"global_store_sectors\":40}}\n";
    char text[512];
    const char *pattern;
    struct tally tally, reference;
    tally_read(twice, strlen(twice), &tally);
    tally_read(once, strlen(once), &reference);
    CU_ASSERT_PTR_NOT_NULL(budget_place("global_sectors", &tally, &reference, &pattern, text, sizeof text));
    CU_ASSERT_STRING_EQUAL(text,
                           "line 4: 10 warp stores, line 5: 10; with all lines, the kernels have 20, and the reference "
                           "solution 10. None takes more than it needs, so it is their number that counts");
    CU_ASSERT_STRING_EQUAL(pattern, "repeated");
}

static double share_of(const char *launches)
{
    struct tally tally;
    tally_read(launches, strlen(launches), &tally);
    return tally_get(&tally, "max_thread_share");
}

#define LAUNCH(instructions, bytes, share)                                                                          \
    "{\"kernel\":\"k\",\"counters\":{\"busiest_block_instructions\":" #instructions ",\"dram_bytes_ideal\":" #bytes \
    ",\"max_thread_share\":" #share "}}\n"

/* The last pass over a few sums; a pass over all elements beside one whose instructions are many. */
static void a_launch_is_small_by_its_work_and_by_what_it_touches(void)
{
    CU_ASSERT_EQUAL(share_of(LAUNCH(9000, 400000, 0.01) LAUNCH(90, 1600, 0.5)), 0.01);
    CU_ASSERT_EQUAL(share_of(LAUNCH(9000, 400000, 0.01) LAUNCH(90, 200000, 0.5)), 0.5);
    CU_ASSERT_EQUAL(share_of(LAUNCH(9000, 400000, 0.01) LAUNCH(9000, 1600, 0.5)), 0.5);
    CU_ASSERT_EQUAL(share_of(LAUNCH(9000, 400000, 0.25)), 0.25);
}

/* Line 9 has more sectors, but needs them; line 7 has more than it needs. */
static void names_the_line_that_wastes(void)
{
    static const char lines[] =
        "{\"kernel\":\"a\",\"counters\":{\"global_load_sectors\":560},\"lines\":["
        "{\"line\":7,\"warp_instructions\":10,\"thread_instructions\":320,\"global_load_requests\":5,"
        "\"global_load_sectors\":160},"
        "{\"line\":9,\"warp_instructions\":100,\"thread_instructions\":3200,\"global_load_requests\":100,"
        "\"global_load_sectors\":400}]}\n";
    char text[512];
    const char *pattern;
    struct tally tally;
    tally_read(lines, strlen(lines), &tally);
    const struct tally_line *found = budget_place("global_load_sectors", &tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_EQUAL(found ? found->line : 0, 7);
}

/* Neighbours that begin between two sectors are another mistake than words that lie apart. */
static void tells_what_begins_within_a_sector(void)
{
    char text[512];
    const char *pattern;
    struct tally *tally = calloc(1, sizeof *tally);
    struct tally_line *line = &tally->lines[0];
    tally->line_count = 1;
    *line = (struct tally_line){.line = 6, .worst = {.space = "global", .access = "load", .units = 5, .bytes = 4}};
    line->value[TALLY_global_load_requests] = 100;
    line->value[TALLY_global_load_sectors] = 500;
    for (int lane = 0; lane < 32; lane++)
        line->worst.offset[lane] = 8 + 4 * (31 - lane);
    budget_place("global_sectors", tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(pattern, "misaligned");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "begin within a sector"));
    line->worst.offset[31] = 8192;
    budget_place("global_sectors", tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(pattern, "");
    free(tally);
}

/* 32 bytes fit in one sector: 2 are one too many, unless the bytes begin within one. */
static void asks_less_of_bytes_than_of_words(void)
{
    char text[512];
    const char *pattern;
    struct tally *tally = calloc(1, sizeof *tally);
    struct tally_line *line = &tally->lines[0];
    tally->line_count = 1;
    *line = (struct tally_line){.line = 6, .worst = {.space = "global", .access = "store", .units = 2, .bytes = 1}};
    line->value[TALLY_global_store_requests] = 100;
    line->value[TALLY_global_store_sectors] = 200;
    for (int lane = 0; lane < 32; lane++)
        line->worst.offset[lane] = lane < 16 ? lane : 1000 + lane;
    budget_place("global_store_sectors", tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "line 6: 100 warp stores, 2 sectors each; 32 neighbouring bytes fit in 1");
    for (int lane = 0; lane < 32; lane++)
        line->worst.offset[lane] = 16 + lane;
    budget_place("global_store_sectors", tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(pattern, "misaligned");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the elements of a warp are neighbours"));
    line->worst.bytes = 2;
    for (int lane = 0; lane < 32; lane++)
        line->worst.offset[lane] = 64 * lane;
    line->value[TALLY_global_store_sectors] = 3200;
    budget_place("global_store_sectors", tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "line 6: 100 warp stores, 32 sectors each; 32 neighbours of 2 bytes fit in 2");
    free(tally);
}

static void names_the_line_at_which_exposed_copies_arrive(void)
{
    static const char copies[] =
        "{\"kernel\":\"k\",\"counters\":{\"async_copy_bytes\":600,\"async_exposed_bytes\":200},\"lines\":["
        "{\"line\":5,\"async_copy_bytes\":100},"
        "{\"line\":8,\"async_copy_bytes\":500,\"async_exposed_bytes\":200}]}\n";
    struct tally tally;
    const char *pattern;
    char text[512] = "";
    tally_read(copies, sizeof copies - 1, &tally);
    budget_place("async_exposed_bytes", &tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "line 8: 500 bytes arrive with its copies, and 200 of them are only waited for");
    budget_place("async_copy_bytes", &tally, NULL, &pattern, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "line 8: 500 bytes arrive with its copies");
}

static void names_no_line_where_there_is_none(void)
{
    CU_ASSERT_STRING_EQUAL(place("global_atomic_requests", 0), "");
    CU_ASSERT_STRING_EQUAL(place("no_such_metric", 0), "");
}

/* Every budget of every lab can be placed, but that of launches: they are the lab's, not a line's. */
static void knows_every_metric_of_the_labs(void)
{
    struct tally tally = {.present = true, .line_count = 1};
    const char *pattern;
    char text[512];
    tally.lines[0].line = 7;
    for (int i = 0; i < TALLY_COUNTER_COUNT; i++)
        tally.lines[0].value[i] = 1;
    for (int i = 0; i < labs_count(); i++)
        for (int k = 0; k < labs_get(i)->budget_count; k++)
            CU_ASSERT_PTR_EQUAL(budget_place(labs_get(i)->budgets[k].metric, &tally, NULL, &pattern, text, sizeof text),
                                strcmp(labs_get(i)->budgets[k].metric, "launches") == 0 ? NULL : &tally.lines[0]);
}

/* ---- points -------------------------------------------------------------------------------------------------------- */

static double ten(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan)
{
    (void)lab, (void)budget, (void)the_case, (void)plan;
    return 10;
}

static void expect_points(double value, int plan, enum result_state state, int points, const char *message)
{
    static const struct lab_budget budget = {.metric = "global_load_sectors",
                                             .base = LAB_BUDGET_IDEAL,
                                             .ideal = ten,
                                             .full_at = 1.5,
                                             .zero_at = 3.5,
                                             .points = 8,
                                             .least = {0.5},
                                             .too_little = "less than there is to do"};
    struct tally *own = calloc(1, sizeof *own);
    struct result_budget result;
    own->present = true;
    own->value[TALLY_global_load_sectors] = value;
    budget_judge(NULL, &budget, &(struct lab_case){.name = "n = 1"}, plan, own, own, true, false, &result);
    CU_ASSERT_EQUAL(result.score, points);
    CU_ASSERT_EQUAL(result.state, state);
    CU_ASSERT_STRING_EQUAL(result.message, message);
    free(own);
}

/* Less than any right solution needs is not better than ideal; in the other plan it may be. */
static void gives_nothing_for_too_little(void)
{
    expect_points(10, 0, RESULT_PASS, 8, "");
    expect_points(5, 0, RESULT_PASS, 8, "");
    expect_points(4, 0, RESULT_FAIL, 0, "less than there is to do");
    expect_points(0, 0, RESULT_FAIL, 0, "less than there is to do");
    expect_points(0, 1, RESULT_PASS, 8, "");
    expect_points(25, 0, RESULT_FAIL, 4, "");
}

/* ---- pictures ------------------------------------------------------------------------------------------------------ */

static const char *draw(const char *space, int units, int bytes, int64_t first, int64_t step)
{
    static char picture[1024];
    struct tally_request request = {.units = units, .bytes = bytes};
    strcpy(request.space, space);
    for (int lane = 0; lane < 32; lane++)
        request.offset[lane] = lane % 2 == 1 && bytes == 1 ? -1 : first + lane * step;
    budget_draw(&request, picture, sizeof picture);
    return picture;
}

static void draws_lanes_that_lie_apart(void)
{
    const char *picture = draw("global", 32, 4, 64, 1024);
    CU_ASSERT_PTR_EQUAL(strstr(picture, "bytes 64..95            |  0   .   .   .   .   .   .   . |\n"
                                        "bytes 1088..1119        |  1   .   .   .   .   .   .   . |\n"),
                        picture);
    CU_ASSERT_PTR_NOT_NULL(strstr(picture, "and 26 more sectors"));
}

static void draws_bytes_that_share_a_word(void)
{
    const char *picture = draw("global", 32, 1, 64, 1);
    CU_ASSERT_PTR_EQUAL(strstr(picture, "bytes 64..95            |  0+  4+  8+ 12+ 16+ 20+ 24+ 28+|\n"), picture);
    CU_ASSERT_PTR_NOT_NULL(strstr(picture, "in the boxes, 4 bytes each: which lane works there; +: several do\n"));
}

static void draws_lanes_that_straddle_sectors(void)
{
    const char *picture = draw("global", 5, 4, 20, 4);
    CU_ASSERT_PTR_EQUAL(strstr(picture, "bytes 0..31             |  .   .   .   .   .   0   1   2 |\n"), picture);
    CU_ASSERT_PTR_NOT_NULL(strstr(picture, "bytes 128..159          | 27  28  29  30  31   .   .   . |\n"));
}

static void names_the_bank_that_lanes_fight_for(void)
{
    CU_ASSERT_STRING_EQUAL(draw("shared", 8, 4, 0, 32), "lanes that need bank 0  :    0    4    8   12   16   20 ...\n"
                                                        "the words that they need:    0   32   64   96  128  160 ...\n"
                                                        "word w is in bank w % 32; a bank delivers one word per pass\n");
}

static void draws_nothing_of_requests_that_are_as_they_should_be(void)
{
    CU_ASSERT_STRING_EQUAL(draw("global", 4, 4, 0, 4), "");
    CU_ASSERT_STRING_EQUAL(draw("global", 16, 16, 0, 16), "");
    CU_ASSERT_STRING_EQUAL(draw("shared", 1, 4, 0, 4), "");
    CU_ASSERT_STRING_EQUAL(draw("global", 0, 4, 0, 4), "");
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_launch_is_small_by_its_work_and_by_what_it_touches),
    SUPPORT_TEST(adds_lines_over_launches),
    SUPPORT_TEST(names_the_line_with_the_largest_share),
    SUPPORT_TEST(names_the_kind_that_the_reference_has_less_of),
    SUPPORT_TEST(names_the_line_that_wastes),
    SUPPORT_TEST(tells_what_begins_within_a_sector),
    SUPPORT_TEST(asks_less_of_bytes_than_of_words),
    SUPPORT_TEST(names_the_line_at_which_exposed_copies_arrive),
    SUPPORT_TEST(names_no_line_where_there_is_none),
    SUPPORT_TEST(knows_every_metric_of_the_labs),
    SUPPORT_TEST(gives_nothing_for_too_little),
    SUPPORT_TEST(draws_lanes_that_lie_apart),
    SUPPORT_TEST(draws_bytes_that_share_a_word),
    SUPPORT_TEST(draws_lanes_that_straddle_sectors),
    SUPPORT_TEST(names_the_bank_that_lanes_fight_for),
    SUPPORT_TEST(draws_nothing_of_requests_that_are_as_they_should_be),
};

int budget_suite_register(void)
{
    return support_register("budget", tests, SUPPORT_COUNT(tests));
}
