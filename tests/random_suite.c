/* grader/random: the same seed gives the same inputs everywhere, and inputs have the range and the spread that labs ask
 * for. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/random.h"

#define COUNT 4096

static struct lab_random start(uint64_t seed, const char *lab, const char *the_case, unsigned run)
{
    struct lab_random random;
    random_init(&random, seed, lab, the_case, run);
    return random;
}

/* Numbers written down once: whoever changes the generator changes every printed seed's meaning. */
static void seed_repeats_exactly_on_every_machine(void)
{
    struct lab_random random = start(42, "vector_add", "n = 257", 1);
    float floats[11];
    int32_t integers[9];
    CU_ASSERT_EQUAL(lab_random_bits(&random), 0x8ab3be8eu);
    CU_ASSERT_EQUAL(lab_random_bits(&random), 0x6c17be38u);
    lab_random_fill_float(&random, floats, 11, -1.0f, 1.0f);
    CU_ASSERT_EQUAL(floats[0], -0x1.e0284ap-1f);
    CU_ASSERT_EQUAL(floats[7], -0x1.b942cep-1f);
    CU_ASSERT_EQUAL(floats[10], 0x1.f816d8p-2f);
    lab_random_fill_int(&random, integers, 9, -5, 1000);
    CU_ASSERT_EQUAL(integers[0], 675);
    CU_ASSERT_EQUAL(integers[7], 850);
    CU_ASSERT_EQUAL(integers[8], 66);
    CU_ASSERT_EQUAL(random_poison(7, 123), 0x2bdbe56fu);
}

static void seed_lab_case_and_run_each_change_the_numbers(void)
{
    struct lab_random same = start(1, "lab", "case", 0),
                      others[] = {
                          start(2, "lab", "case", 0), start(1, "lac", "case", 0),
                          start(1, "lab", "casf", 0), start(1, "lab", "case", 1),
                          start(1, "labc", "ase", 0), start(UINT64_C(1) << 63 | 1, "lab", "case", 0),
                      };
    struct lab_random again = start(1, "lab", "case", 0);
    CU_ASSERT_EQUAL(memcmp(&same, &again, sizeof same), 0);
    for (size_t i = 0; i < SUPPORT_COUNT(others); i++) {
        CU_ASSERT_NOT_EQUAL(memcmp(&same, &others[i], sizeof same), 0);
    }
}

static void floats_lie_in_the_half_open_range(void)
{
    static const float ranges[][2] = {{-1, 1}, {0, 1}, {-100, 100}, {1, 1.0000001f}, {-3e38f, 3e38f * 0.1f}};
    static float array[COUNT + 3];
    for (size_t r = 0; r < SUPPORT_COUNT(ranges); r++) {
        struct lab_random random = start(r, "lab", "case", 0);
        lab_random_fill_float(&random, array, SUPPORT_COUNT(array), ranges[r][0], ranges[r][1]);
        for (size_t i = 0; i < SUPPORT_COUNT(array); i++) {
            CU_ASSERT_FATAL(array[i] >= ranges[r][0] && array[i] < ranges[r][1]);
            float single = lab_random_float(&random, ranges[r][0], ranges[r][1]);
            CU_ASSERT_FATAL(single >= ranges[r][0] && single < ranges[r][1]);
        }
    }
}

static void floats_spread_evenly_and_have_random_low_bits(void)
{
    static float array[COUNT];
    struct lab_random random = start(3, "lab", "case", 0);
    double sum = 0, squares = 0;
    int odd = 0, halves = 0;
    lab_random_fill_float(&random, array, COUNT, -1.0f, 1.0f);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t bits;
        memcpy(&bits, &array[i], sizeof bits);
        sum += (double)array[i];
        squares += (double)array[i] * (double)array[i];
        odd += bits & 1;
        halves += (double)array[i] * 2 == rint((double)array[i] * 2);
    }
    /* Five standard deviations: sqrt(1/3 / COUNT) of the mean, sqrt(4/45 / COUNT) of the mean square. */
    CU_ASSERT(fabs(sum / COUNT) < 5 * sqrt(1.0 / 3 / COUNT));
    CU_ASSERT(fabs(squares / COUNT - 1.0 / 3) < 5 * sqrt(4.0 / 45 / COUNT));
    CU_ASSERT(odd > COUNT / 3);
    CU_ASSERT(halves <= 1);
}

static void integers_lie_in_range_and_reach_both_ends(void)
{
    static int32_t array[COUNT];
    struct lab_random random = start(4, "lab", "case", 0);
    int counts[16] = {0};
    lab_random_fill_int(&random, array, COUNT, -8, 8);
    for (size_t i = 0; i < COUNT; i++) {
        CU_ASSERT_FATAL(array[i] >= -8 && array[i] < 8);
        counts[array[i] + 8]++;
        CU_ASSERT_FATAL(lab_random_below(&random, 7) < 7);
    }
    for (int i = 0; i < 16; i++) {
        CU_ASSERT(counts[i] > COUNT / 32 && counts[i] < COUNT / 8);
    }
}

static void integers_may_span_half_of_all_values(void)
{
    static int32_t array[COUNT];
    struct lab_random random = start(5, "lab", "case", 0);
    lab_random_fill_int(&random, array, COUNT, INT32_MIN, INT32_MAX);
    int negative = 0;
    for (size_t i = 0; i < COUNT; i++) {
        negative += array[i] < 0;
        CU_ASSERT_FATAL(array[i] < INT32_MAX);
    }
    CU_ASSERT(negative > COUNT / 3 && negative < COUNT * 2 / 3);
}

static void fill_writes_no_further_than_asked(void)
{
    for (size_t count = 0; count < 20; count++) {
        int32_t integers[24];
        float floats[24];
        struct lab_random random = start(6, "lab", "case", 0);
        memset(integers, 0x55, sizeof integers);
        memset(floats, 0x55, sizeof floats);
        lab_random_fill_int(&random, integers, count, 0, 10);
        lab_random_fill_float(&random, floats, count, 0, 1);
        for (size_t i = 0; i < 24; i++) {
            uint32_t bits;
            memcpy(&bits, &floats[i], sizeof bits);
            CU_ASSERT_EQUAL(integers[i] == 0x55555555, i >= count);
            CU_ASSERT_EQUAL(bits == 0x55555555, i >= count);
        }
    }
}

static int by_value(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void poison_words_differ_from_element_to_element_and_key_to_key(void)
{
    static uint32_t words[COUNT];
    random_poison_fill(11, 1000, words, COUNT);
    int same = 0;
    for (size_t i = 0; i < COUNT; i++) {
        CU_ASSERT_EQUAL_FATAL(words[i], random_poison(11, 1000 + i));
        same += words[i] == random_poison(12, 1000 + i);
    }
    CU_ASSERT(same == 0);
    qsort(words, COUNT, sizeof *words, by_value);
    for (size_t i = 1; i < COUNT; i++) {
        CU_ASSERT_NOT_EQUAL_FATAL(words[i], words[i - 1]);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(seed_repeats_exactly_on_every_machine),
    SUPPORT_TEST(seed_lab_case_and_run_each_change_the_numbers),
    SUPPORT_TEST(floats_lie_in_the_half_open_range),
    SUPPORT_TEST(floats_spread_evenly_and_have_random_low_bits),
    SUPPORT_TEST(integers_lie_in_range_and_reach_both_ends),
    SUPPORT_TEST(integers_may_span_half_of_all_values),
    SUPPORT_TEST(fill_writes_no_further_than_asked),
    SUPPORT_TEST(poison_words_differ_from_element_to_element_and_key_to_key),
};

int random_suite_register(void)
{
    return support_register("random", tests, SUPPORT_COUNT(tests));
}
