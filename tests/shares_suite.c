/* Which shard grades what: every unit once, the same in every process, about equally much for each. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/cluster/shares.h"

static const char *const core_labs[] = {"doublify", "vector_add", "pi", "scan", "matmul_tiled", "histogram"};
enum { LABS = sizeof core_labs / sizeof *core_labs, STUDENTS = 5000, UNITS = STUDENTS * LABS, SHARDS_MAX = 64 };

static char keys[UNITS][24];

/* In another order for another `first`. */
static struct share *make_units(size_t first)
{
    struct share *units = calloc(UNITS, sizeof *units);
    for (size_t i = 0; i < UNITS; i++) {
        size_t number = (first + 7 * i) % UNITS; /* 7 and UNITS have no divisor in common */
        snprintf(keys[number], sizeof keys[number], "%08zx", number * 2654435761u % 4294967296u);
        units[i] = (struct share){keys[number], shares_cost_of_lab(core_labs[number % LABS]), 0, number};
    }
    return units;
}

/* The least and the most that a shard has to do, in milliseconds. */
static void measure(const struct share *units, uint32_t shards, uint64_t *least, uint64_t *most, uint64_t *total)
{
    uint64_t loads[SHARDS_MAX] = {0};
    *total = *most = 0;
    for (size_t i = 0; i < UNITS; i++) {
        CU_ASSERT_FATAL(units[i].shard >= 1 && units[i].shard <= shards);
        loads[units[i].shard - 1] += units[i].milliseconds;
        *total += units[i].milliseconds;
    }
    *least = loads[0];
    for (uint32_t i = 0; i < shards; i++) {
        *least = loads[i] < *least ? loads[i] : *least;
        *most = loads[i] > *most ? loads[i] : *most;
    }
}

static void shares_of_thirty_thousand_gradings_are_equal_within_a_percent(void)
{
    static const uint32_t counts[] = {1, 2, 4, 8, 64};
    struct share *units = make_units(0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t least, most, total;
        shares_divide(units, UNITS, counts[i]);
        measure(units, counts[i], &least, &most, &total);
        CU_ASSERT(100 * (most - least) <= most);
        CU_ASSERT(100 * total >= 99 * most * counts[i]); /* so eight take an eighth of the time, within a percent */
    }
    free(units);
}

static void the_order_of_the_units_changes_nothing(void)
{
    struct share *left = make_units(0), *right = make_units(1234);
    size_t different = 0;
    shares_divide(left, UNITS, 7);
    shares_divide(right, UNITS, 7);
    for (size_t i = 0; i < UNITS; i++)
        different += strcmp(left[i].key, right[i].key) != 0 || left[i].shard != right[i].shard
                     || left[i].number != right[i].number;
    CU_ASSERT_EQUAL(different, 0);
    free(left);
    free(right);
}

static void a_plan_on_disk_is_kept_and_what_it_lacks_is_divided(void)
{
    char path[] = "/tmp/lockstep-shares-XXXXXX", message[512];
    int file = mkstemp(path);
    struct share written[3] = {{"a", 10, 2, 0}, {"b", 20, 2, 1}, {"c", 30, 2, 2}};
    struct share units[5] = {{"e", 5, 0, 0}, {"d", 5, 0, 1}, {"c", 30, 0, 2}, {"b", 20, 0, 3}, {"a", 10, 0, 4}};
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    CU_ASSERT(!shares_read(path, units, 5, 2)); /* empty */
    CU_ASSERT(shares_write(path, written, 3, 2, message, sizeof message));
    CU_ASSERT(!shares_read(path, units, 5, 3)); /* of another number of shards */
    CU_ASSERT_EQUAL(units[0].shard, 0);
    CU_ASSERT(shares_read(path, units, 5, 2));
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(units[i].shard, units[i].key[0] <= 'c' ? 2 : 1);
    unlink(path);
}

static void a_lab_that_the_table_lacks_costs_something(void)
{
    CU_ASSERT(shares_cost_of_lab("vector_add") > 5 * shares_cost_of_lab("doublify"));
    CU_ASSERT(shares_cost_of_lab("of_somebody_else") >= shares_cost_of_lab("doublify"));
    CU_ASSERT(shares_cost_of_lab("of_somebody_else") <= shares_cost_of_lab("vector_add"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(shares_of_thirty_thousand_gradings_are_equal_within_a_percent),
    SUPPORT_TEST(the_order_of_the_units_changes_nothing),
    SUPPORT_TEST(a_plan_on_disk_is_kept_and_what_it_lacks_is_divided),
    SUPPORT_TEST(a_lab_that_the_table_lacks_costs_something),
};

int shares_suite_register(void)
{
    return support_register("shares", tests, SUPPORT_COUNT(tests));
}
