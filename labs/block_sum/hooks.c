/* The sum of each block's piece, and its dot product. */
#include <stdint.h>
#include <stdio.h>

#include "grader/lab/hooks.h"

enum { X, Y };
enum { SUMS, PRODUCTS }; /* outputs */
enum { WARP = 32 };

/* Each kernel once, with an array of its own for the blocks' results. */
void launch_both(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    int64_t piece = lab_elements_per_block(run, "block_sum"), other = lab_elements_per_block(run, "dot");
    if (piece != other) {
        lab_refuse(
            run,
            "dot covers %lld elements per block, block_sum %lld: the two must be equal, so that the numbers of one block "
            "belong together",
            (long long)other, (long long)piece);
        return;
    }
    int64_t blocks = lab_blocks(run, "block_sum", n);
    if (blocks < 1) {
        return; /* the run has failed already and says why */
    }
    struct lab_argument sums = LAB_SCRATCH(lab_scratch(run, "sums", LAB_INT32, (size_t)blocks));
    struct lab_argument products = LAB_SCRATCH(lab_scratch(run, "products", LAB_INT32, (size_t)blocks));
    lab_launch(run, &(struct lab_launch){"block_sum", {n, 0}, {0, 0}, {LAB_ARRAY(X), sums, LAB_INT(n)}});
    lab_check_scratch(run, SUMS, (int)sums.value, 0, (size_t)blocks);
    lab_launch(run, &(struct lab_launch){"dot", {n, 0}, {0, 0}, {LAB_ARRAY(X), LAB_ARRAY(Y), products, LAB_INT(n)}});
    lab_check_scratch(run, PRODUCTS, (int)products.value, 0, (size_t)blocks);
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan;
    const int32_t *x = data->array[X].i, *y = data->array[Y].i;
    size_t n = data->count[X], piece = (size_t)expected->elements_per_block;
    for (size_t block = 0; block < expected->count; block++) {
        int64_t sum = 0;
        for (size_t i = block * piece; i < (block + 1) * piece && i < n; i++) {
            sum += output == SUMS ? (int64_t)x[i] : (int64_t)x[i] * y[i];
        }
        expected->i[block] = sum;
    }
    expected->bound = NULL;
    expected->rule = "only the exact result, because integers are added";
}

/* What a known mistake adds for an element, or leaves out. */
enum mistake {
    FIRST_WARP,
    FIRST_THREAD,
    LAST_THREAD,
    SHUFFLED_UP,
    LOWER_LANES,
    EVERY_SECOND,
    NOT_MULTIPLIED,
    FIRST_ALONE,
    SECOND_ALONE,
    SQUARES
};

static int64_t term(enum mistake mistake, int output, const struct lab_data *data, size_t i, size_t place, size_t piece)
{
    int64_t x = data->array[X].i[i], y = data->array[Y].i[i], right = output == SUMS ? x : x * y;
    switch (mistake) {
    case FIRST_WARP: return place < WARP ? right : 0;
    case FIRST_THREAD: return place == 0 ? right : 0;
    case LAST_THREAD: return place == piece - 1 ? right : 0;
    case SHUFFLED_UP: return place == 0 ? (int64_t)WARP * WARP * right : 0; /* doubled in each of 5 + 5 steps */
    case LOWER_LANES: return place % WARP < WARP / 2 ? right : 0;
    case EVERY_SECOND: return place % 2 == 0 ? right : 0;
    case NOT_MULTIPLIED: return x + y;
    case FIRST_ALONE: return x;
    case SECOND_ALONE: return y;
    default: return x * x;
    }
}

/* Does every block hold what the mistake would leave there? */
static bool explains(const struct lab_wrong *wrong, enum mistake mistake)
{
    const int32_t *got = wrong->got;
    size_t n = wrong->data->count[X], piece = (size_t)wrong->elements_per_block;
    for (size_t block = 0; block < wrong->expected->count; block++) {
        int64_t sum = 0;
        for (size_t i = block * piece; i < (block + 1) * piece && i < n; i++) {
            sum += term(mistake, wrong->output, wrong->data, i, i - block * piece, piece);
        }
        if (got[block] != sum) {
            return false;
        }
    }
    return true;
}

/* Does every block hold what belongs to the first one? */
static bool is_first_block_everywhere(const struct lab_wrong *wrong)
{
    const int32_t *got = wrong->got;
    for (size_t block = 0; block < wrong->expected->count; block++) {
        if (got[block] != wrong->expected->i[0]) {
            return false;
        }
    }
    return wrong->expected->count > 1;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    static const struct {
        const char *pattern, *message;
    } known[] = {
        [FIRST_WARP] =
            {"warp_sums",
             "Each block's result is the sum of its first 32 elements: that is what the first warp adds. How do the sums "
             "of the other warps come to the thread that stores?"},
        [FIRST_THREAD] = {"alone", "Each block's result holds its first element alone. Which step adds the others?"},
        [LAST_THREAD] =
            {"alone",
             "Each block's result is what its last thread has loaded. Which thread, and which cell, has the sum in the end?"},
        [SHUFFLED_UP] =
            {"upwards",
             "Each block's result is 1024 times its first term: in ten steps lane 0 got no value but its own, and added it. "
             "In which direction do the values have to go, so that lane 0 gets them?"},
        [LOWER_LANES] =
            {"lanes",
             "Of each 32 elements, one for each lane of a warp, only the first 16 are in the result. Which distance brings "
             "lane 16 to lane 0?"},
        [EVERY_SECOND] =
            {"pairs", "Only every second element is in the result. Which step adds neighbours, those at a distance of 1?"},
        [NOT_MULTIPLIED] =
            {"product",
             "The result is the sum of x[i] + y[i]. What should become of x[i] and y[i] before anything is added?"},
        [FIRST_ALONE] = {"product", "The result is the sum of x alone. Where does y come in?"},
        [SECOND_ALONE] = {"product", "The result is the sum of y alone. Where does x come in?"},
        [SQUARES] = {"product", "The result is the sum of x[i] * x[i]. Which of the two should be y[i]?"},
    };
    int64_t n = (int64_t)wrong->data->count[X];
    if (n < WARP - 1 || wrong->elements_per_block < 1) {
        return false; /* in so few elements one mistake looks like another */
    }
    if (is_first_block_everywhere(wrong)) {
        *pattern = "same_block";
        snprintf(
            message, message_bytes,
            "Every block's result is that of block 0. Which index should contain the number of the block, and does not?");
        return true;
    }
    for (enum mistake mistake = FIRST_WARP; mistake <= SQUARES; mistake++) {
        bool fits = mistake < NOT_MULTIPLIED || wrong->output == PRODUCTS;
        /* In a block that is not full, the last thread has nothing but a 0. */
        if (fits && (mistake != LAST_THREAD || n >= wrong->elements_per_block) && explains(wrong, mistake)) {
            *pattern = known[mistake].pattern;
            snprintf(message, message_bytes, "%s", known[mistake].message);
            return true;
        }
    }
    return false;
}
