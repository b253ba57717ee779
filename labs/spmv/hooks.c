/* Sparse matrix times vector, in CSR form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/lab/hooks.h"
#include "grader/lab/tolerance.h"

enum { STARTS, COLUMNS, VALUES, X, Y };
enum { BLOCK = 256, WARP = 32 };

/* Kinds of values, as lab.yaml lists them. */
enum { RANDOM, EQUAL, BANDED, EMPTY_ROWS, LONG_ROWS, POWER_LAW };

struct matrix {
    int64_t rows, width, entries;
    const int32_t *starts, *columns;
    const float *values, *x;
};

static struct matrix matrix_of(const struct lab_case *the_case, const struct lab_data *data)
{
    return (struct matrix){the_case->size[0],     the_case->size[1],      (int64_t)data->count[VALUES],
                           data->array[STARTS].i, data->array[COLUMNS].i, data->array[VALUES].f,
                           data->array[X].f};
}

/* ---- the matrix ----------------------------------------------------------------------------------------------------- */

/* Rows that entries of this kind may be in: in EMPTY_ROWS those with row % 3 == 1, the first and the last one never. */
static bool has_entries(int kind, int64_t row)
{
    return kind != EMPTY_ROWS || row % 3 == 1;
}

/* Adds `left` entries, each to a random row, or to the next one that has room. Of sizes without room for all of them, which no case of
 * the lab has but somebody may ask for, rows get too long. */
static void scatter(const struct lab_case *the_case, struct lab_random *random, int64_t left, int32_t *lengths)
{
    int64_t rows = the_case->size[0], width = the_case->size[1];
    for (; left > 0; left--) {
        int64_t row = lab_random_below(random, (uint32_t)rows);
        for (int64_t tried = 0; tried < rows && (lengths[row] >= width || !has_entries(the_case->values, row)); tried++)
            row = (row + 1) % rows;
        lengths[row]++;
    }
}

static void shuffle(struct lab_random *random, int32_t *lengths, int64_t rows)
{
    for (int64_t row = rows - 1; row > 0; row--) {
        int64_t other = lab_random_below(random, (uint32_t)row + 1);
        int32_t length = lengths[row];
        lengths[row] = lengths[other];
        lengths[other] = length;
    }
}

/* How many entries each row has. */
static void draw_lengths(const struct lab_case *the_case, struct lab_random *random, int64_t entries, int32_t *lengths)
{
    int64_t rows = the_case->size[0], width = the_case->size[1], left = entries;
    double sum = 0;
    for (int64_t row = 0; row < rows; row++)
        sum += pow((double)(row + 8), -0.75);
    for (int64_t row = 0; row < rows; row++) {
        int64_t length = 0, most = width;
        if (the_case->values == EQUAL || the_case->values == BANDED)
            length = entries / rows;
        else if (the_case->values == POWER_LAW)
            length = (int64_t)((double)entries * pow((double)(row + 8), -0.75) / sum), most = 64 * entries / rows;
        lengths[row] = (int32_t)(length < most ? length : most);
    }
    if (the_case->values == POWER_LAW)
        shuffle(random, lengths, rows);
    if (the_case->values == LONG_ROWS && rows > 1) { /* neighbours, so that they are in the same block more often than not */
        int64_t row = lab_random_below(random, (uint32_t)rows - 1);
        lengths[row] = (int32_t)(6 * entries / 10);
        lengths[row + 1] = (int32_t)(3 * entries / 10);
    }
    for (int64_t row = 0; row < rows; row++)
        left -= lengths[row];
    scatter(the_case, random, left, lengths);
}

/* Columns of one row, in ascending order, each at most once: close to the diagonal, close together, or anywhere. */
static void draw_columns(const struct lab_case *the_case, struct lab_random *random, int64_t row, int64_t length,
                         int32_t *columns)
{
    int64_t rows = the_case->size[0], width = the_case->size[1], span = width, first = 0;
    if (the_case->values == BANDED)
        span = length < width ? length : width;
    if (the_case->values == POWER_LAW)
        span = length + length / 2 < width ? length + length / 2 : width;
    if (the_case->values == BANDED)
        first = row * width / rows - length / 2;
    else
        first = lab_random_below(random, (uint32_t)(width - span) + 1);
    first = first < 0 ? 0 : first > width - span ? width - span : first;
    /* Each column is drawn from a piece of its own. */
    for (int64_t k = 0; k < length; k++) {
        int64_t begin = k * span / length, end = (k + 1) * span / length;
        columns[k] = (int32_t)(first + begin + (end > begin ? lab_random_below(random, (uint32_t)(end - begin)) : 0));
    }
}

void fill_matrix(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab;
    int32_t *starts = data->array[STARTS].i;
    draw_lengths(the_case, random, (int64_t)data->count[VALUES], starts);
    int32_t begin = 0;
    for (int64_t row = 0; row < the_case->size[0]; row++) {
        int32_t length = starts[row];
        draw_columns(the_case, random, row, length, data->array[COLUMNS].i + begin);
        starts[row] = begin;
        begin += length;
    }
    starts[the_case->size[0]] = begin;
}

void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                    const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)plan, (void)output;
    struct matrix m = matrix_of(the_case, data);
    for (int64_t row = 0; row < m.rows; row++) {
        double sum = 0, absolute = 0;
        for (int64_t k = m.starts[row]; k < m.starts[row + 1]; k++) {
            double product = (double)m.values[k] * (double)m.x[m.columns[k]];
            sum += product;
            absolute += fabs(product);
        }
        expected->f[row] = sum;
        expected->bound[row] = tolerance_sum(m.starts[row + 1] - m.starts[row], 1, absolute);
    }
    expected->rule =
        "6 sqrt(entries of the row) u times the sum of |values[k] x[columns[k]]|, where u = 2^-24: a sum of that many "
        "products, in any order";
}

/* ---- wrong results -------------------------------------------------------------------------------------------------- */

/* How often entry number `place` of a row of `length` counts in the row's result, when a mistake is made: 0 or more. */
typedef int64_t times_fn(int64_t place, int64_t length, int64_t row);

static int64_t once(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length;
}

static int64_t first_32(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < WARP && place < length;
}

static int64_t last_32(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place >= length - WARP && place < length;
}

static int64_t last_one(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place == length - 1;
}

static int64_t but_the_last(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length - 1;
}

static int64_t but_the_first(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place > 0 && place < length;
}

static int64_t one_more(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place <= length;
}

static int64_t every_lane_goes_on(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place >= length ? 0 : place < WARP ? place + 1 : WARP;
}

static int64_t every_lane_has_all(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length ? WARP : 0;
}

static int64_t lane_0(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length && place % WARP == 0;
}

static int64_t without_distance_16(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length && place % WARP < 16;
}

static int64_t without_distance_1(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length && place % 2 == 0;
}

static int64_t lane_0_32_times(int64_t place, int64_t length, int64_t row)
{
    return WARP * lane_0(place, length, row);
}

static int64_t lane_31(int64_t place, int64_t length, int64_t row)
{
    (void)row;
    return place < length && place % WARP == WARP - 1;
}

static int64_t lane_of_the_row(int64_t place, int64_t length, int64_t row)
{
    return place < length && place % WARP == row % WARP;
}

/* What entry k adds to its row, when a mistake is made. */
typedef double term_fn(const struct matrix *m, int64_t row, int64_t k);

static double product(const struct matrix *m, int64_t row, int64_t k)
{
    (void)row;
    return (double)m->values[k] * (double)m->x[m->columns[k]];
}

static double x_of_entry(const struct matrix *m, int64_t row, int64_t k)
{
    (void)row;
    return k < m->width ? (double)m->values[k] * (double)m->x[k] : (double)NAN;
}

static double x_of_place(const struct matrix *m, int64_t row, int64_t k)
{
    int64_t place = k - m->starts[row];
    return place < m->width ? (double)m->values[k] * (double)m->x[place] : (double)NAN;
}

static double x_of_row(const struct matrix *m, int64_t row, int64_t k)
{
    return row < m->width ? (double)m->values[k] * (double)m->x[row] : (double)NAN;
}

static double column_number(const struct matrix *m, int64_t row, int64_t k)
{
    (void)row;
    return (double)m->values[k] * (double)m->columns[k];
}

static double value_alone(const struct matrix *m, int64_t row, int64_t k)
{
    (void)row;
    return (double)m->values[k];
}

static double x_alone(const struct matrix *m, int64_t row, int64_t k)
{
    (void)row;
    return (double)m->x[m->columns[k]];
}

static double value_of_column(const struct matrix *m, int64_t row, int64_t k)
{
    (void)row;
    return m->columns[k] < m->entries ? (double)m->values[m->columns[k]] * (double)m->x[m->columns[k]] : (double)NAN;
}

/* Mistakes: which entries are in a result, and what each of them adds. */
static const struct mistake {
    times_fn *times;
    term_fn *term;
    bool from_0; /* the entries are counted from the matrix's first one on, not from the row's */
    const char *pattern, *what;
} mistakes[] = {
    {first_32, product, false, "tail",
     "the first 32 entries of its row alone. A row may have more: 32 lanes have to come back for the rest."},
    {last_32, product, false, "replaced",
     "the last 32 entries of its row alone: the last one that each of 32 lanes has seen. Where is a product added to those before "
     "it?"},
    {last_one, product, false, "replaced",
     "the last entry of its row alone: what came before it is not added to it, or does not get to the lane that stores."},
    {without_distance_16, product, false, "steps",
     "the entries of 16 lanes alone, the first 16 of each 32 entries. With which distance do lanes 16 to 31 hand on their "
     "sums?"},
    {without_distance_1, product, false, "steps",
     "every second entry of its row, from its first one on: those of the even lanes. With which distance do odd lanes hand on "
     "their sums?"},
    {lane_0, product, false, "own_total",
     "every 32nd entry of its row, from its first one on: what one lane of 32 adds up for itself."},
    {but_the_last, product, false, "tail", "all entries of its row but the last one. Where does the loop end?"},
    {but_the_first, product, false, "left_out",
     "all entries of its row but the first one. Where does the loop begin, and which lane has the whole sum?"},
    {one_more, product, false, "one_more",
     "the entries of its row and one more, the first one behind them: entry starts[row + 1] belongs to the next row."},
    {every_lane_goes_on, product, false, "counted_again",
     "the entries of its row several times: entry 0 of a row once, entry 1 twice, and so on up to 32 times. So it comes out "
     "where 32 lanes begin one entry apart, and each of them goes on to the next entry."},
    {every_lane_has_all, product, false, "counted_again",
     "each entry of its row 32 times: every lane adds up all of them. Which ones are its own?"},
    {once, product, true, "rows",
     "as many entries as its row has, but the first ones of the whole matrix. The row's own begin at starts[row]."},
    {once, x_of_entry, false, "formula",
     "values[k] * x[k] added up: it is columns[k] that says which element of x an entry needs."},
    {once, x_of_place, false, "formula",
     "its entries' values times x[0], x[1], x[2], ... in turn: it is columns[k] that says which element of x an entry needs."},
    {once, x_of_row, false, "formula",
     "values[k] * x[row] added up: it is columns[k] that says which element of x an entry needs."},
    {once, column_number, false, "formula",
     "values[k] * columns[k] added up: the number of the column itself, not the element of x that is there."},
    {once, value_alone, false, "formula", "values[k] added up: nothing is multiplied by x."},
    {once, x_alone, false, "formula", "x[columns[k]] added up: nothing is multiplied by values[k]."},
    {once, value_of_column, false, "formula",
     "values[c] * x[c] added up, with c = columns[k]: columns[k] is a place in x, while k is the place in values."},
    {lane_0_32_times, product, false, "own_lane",
     "32 times what lane 0 has added up: at each of five shuffles it adds its own sum once more. From which side does a shuffle "
     "bring another lane's sum to lane 0?"},
    {lane_31, product, false, "replaced",
     "what lane 31 has added up, and nothing else: each shuffle brings another lane's sum instead of the lane's own, to which it "
     "should be added."},
    {lane_of_the_row, product, false, "own_total",
     "every 32nd entry of its row alone, in row r from entry r % 32 of the row on: one lane's part, and the other 31 lanes are in "
     "other rows."},
};

static bool is_near(double got, double value, double absolute)
{
    return fabs(got - value) <= 1e-5 * (absolute + fabs(value));
}

/* Are all results what this mistake leads to? Zeros alone would fit too much. */
static bool fits(const struct matrix *m, const struct mistake *mistake, const float *got)
{
    int64_t telling = 0;
    for (int64_t row = 0; row < m->rows; row++) {
        int64_t begin = mistake->from_0 ? 0 : m->starts[row], length = m->starts[row + 1] - m->starts[row];
        double sum = 0, absolute = 0;
        for (int64_t place = 0; place <= length && begin + place < m->entries; place++) {
            int64_t times = mistake->times(place, length, row);
            double term = times > 0 ? (double)times * mistake->term(m, row, begin + place) : 0;
            sum += term;
            absolute += fabs(term);
        }
        if (!is_near((double)got[row], sum, absolute))
            return false;
        telling += absolute > 0;
    }
    return telling >= 2;
}

/* Is result `row` the sum over all entries up to the end of the row, those of the rows before among them? */
static bool has_all_before(const struct matrix *m, const float *got)
{
    double sum = 0, absolute = 0;
    for (int64_t row = 0, k = 0; row < m->rows; row++) {
        for (; k < m->starts[row + 1]; k++) {
            sum += product(m, row, k);
            absolute += fabs(product(m, row, k));
        }
        if (!is_near((double)got[row], sum, absolute))
            return false;
    }
    return true;
}

/* What the transposed matrix gives, which has y's length only where the matrix is a square. */
static bool is_transposed(const struct matrix *m, const float *got)
{
    if (m->rows != m->width)
        return false;
    double *sums = calloc((size_t)m->rows, sizeof *sums), *absolute = calloc((size_t)m->rows, sizeof *absolute);
    bool same = sums && absolute;
    for (int64_t row = 0; row < m->rows && same; row++)
        for (int64_t k = m->starts[row]; k < m->starts[row + 1]; k++) {
            double term = (double)m->values[k] * (double)m->x[row];
            sums[m->columns[k]] += term;
            absolute[m->columns[k]] += fabs(term);
        }
    for (int64_t row = 0; row < m->rows && same; row++)
        same = is_near((double)got[row], sums[row], absolute[row]);
    free(sums);
    free(absolute);
    return same;
}

/* Are all results whole numbers, where fractions are expected, and off by no more than the fractions that each entry may lose? */
static bool are_whole(const struct matrix *m, const struct lab_wrong *wrong)
{
    const float *got = wrong->got;
    int64_t fractions = 0, others = 0;
    for (int64_t row = 0; row < m->rows; row++) {
        double most = m->starts[row + 1] - m->starts[row];
        if (got[row] != rintf(got[row]) || fabs((double)got[row] - wrong->expected->f[row]) > most)
            return false;
        others += got[row] != 0 && got[row] != got[0];
        fractions += wrong->expected->f[row] != rint(wrong->expected->f[row]);
    }
    return fractions >= 3 && others > 0;
}

/* ---- sums that other rows get into ------------------------------------------------------------------------------------ */

/* How the 32 lanes of a warp join their parts. */
enum join { JOIN_DOWN, JOIN_XOR, JOIN_NOT, JOIN_KINDS };

/* Joins the lanes' sums, and likewise what rounding may have done to them. */
static void join_lanes(enum join join, double lanes[WARP], double absolute[WARP])
{
    for (int distance = WARP / 2; distance > 0 && join != JOIN_NOT; distance /= 2) {
        double old[WARP], old_absolute[WARP];
        memcpy(old, lanes, sizeof old);
        memcpy(old_absolute, absolute, sizeof old_absolute);
        for (int lane = 0; lane < WARP; lane++) {
            int other = join == JOIN_XOR ? lane ^ distance : lane + distance < WARP ? lane + distance : lane;
            lanes[lane] += old[other];
            absolute[lane] += old_absolute[other];
        }
    }
}

/* Adds the row's products to the lanes' sums; where lanes are not joined, one thread has them all. */
static void add_row(const struct matrix *m, int64_t row, enum join join, double lanes[WARP], double absolute[WARP])
{
    for (int64_t k = m->starts[row]; k < m->starts[row + 1]; k++) {
        int64_t lane = join == JOIN_NOT ? 0 : (k - m->starts[row]) % WARP;
        lanes[lane] += product(m, row, k);
        absolute[lane] += fabs(product(m, row, k));
    }
}

/* Are all results those of sums that a warp, or a thread, begins once and goes on with from a row to the next one? Sets the first
 * row that has another one's. */
static bool goes_on(const struct matrix *m, const float *got, enum join join, int64_t *first)
{
    double lanes[WARP] = {0}, absolute[WARP] = {0};
    int64_t carried = 0, fresh = 0;
    for (int64_t row = 0; row < m->rows; row++) {
        double own[WARP] = {0}, own_absolute[WARP] = {0};
        add_row(m, row, join, lanes, absolute);
        add_row(m, row, join, own, own_absolute);
        join_lanes(join, lanes, absolute);
        join_lanes(join, own, own_absolute);
        bool as_own = is_near((double)got[row], own[0], own_absolute[0]);
        if (!as_own && !is_near((double)got[row], lanes[0], absolute[0]))
            return false;
        *first = !as_own && carried == 0 ? row : *first;
        carried += !as_own;
        fresh += as_own;
        if (as_own) { /* the first of a warp's rows, or all before it were empty */
            memcpy(lanes, own, sizeof lanes);
            memcpy(absolute, own_absolute, sizeof absolute);
        }
    }
    return carried >= 2 && fresh >= 1;
}

/* Are all results those of shuffles among threads of which thread t of a block has row t % R and part t / R, where R is the number
 * of the block's rows? */
static bool joins_rows(const struct matrix *m, const float *got, int64_t block_rows, enum join join)
{
    int64_t telling = 0;
    for (int64_t row = 0; row < m->rows && block_rows > 1 && block_rows <= WARP; row++) {
        double lanes[WARP] = {0}, absolute[WARP] = {0};
        int64_t base = row / block_rows * block_rows;
        for (int64_t lane = 0; lane < WARP; lane++) {
            int64_t of = base + lane % block_rows, part = lane / block_rows;
            for (int64_t k = of < m->rows ? m->starts[of] + part : 0; of < m->rows && k < m->starts[of + 1]; k += WARP) {
                lanes[lane] += product(m, of, k);
                absolute[lane] += fabs(product(m, of, k));
            }
        }
        join_lanes(join, lanes, absolute);
        if (!is_near((double)got[row], lanes[row - base], absolute[row - base]))
            return false;
        telling += absolute[row - base] > 0;
    }
    return telling >= 2;
}

static bool classify_joined(const struct matrix *m, const struct lab_wrong *wrong, const char **pattern, char *message,
                            size_t message_bytes)
{
    const char *y = wrong->names[Y] ? wrong->names[Y] : "y";
    int64_t first = 0, block_rows = wrong->elements_per_block / WARP;
    for (int join = 0; join < JOIN_KINDS; join++)
        if (goes_on(m, wrong->got, (enum join)join, &first)) {
            *pattern = "not_reset";
            snprintf(
                message, message_bytes,
                "%s[%lld] has the entries of row %lld and, besides, what is left in the sum from row %lld; each other wrong "
                "result goes on in the same way from a row before it. What is in the sum when a row begins?",
                y, (long long)first, (long long)first, (long long)first - 1);
            return true;
        }
    for (int join = 0; join < JOIN_NOT; join++)
        if (joins_rows(m, wrong->got, block_rows, (enum join)join)) {
            *pattern = "rows_of_a_warp";
            snprintf(
                message, message_bytes,
                "The results are those of shuffles among lanes that have different rows: neighbouring threads have "
                "neighbouring rows, and threads %lld apart have the same one. A shuffle joins the lanes of a warp, and those "
                "are 32 neighbouring threads. Which threads must have row 0?",
                (long long)block_rows);
            return true;
        }
    return false;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    struct matrix m = matrix_of(wrong->the_case, wrong->data);
    const float *got = wrong->got;
    if (wrong->bad_count < 2) /* one result may be what it is by many ways */
        return false;
    for (int i = 0; i < HOOKS_COUNT(mistakes); i++) {
        if (fits(&m, &mistakes[i], got)) {
            *pattern = mistakes[i].pattern;
            snprintf(message, message_bytes, "Every result is made of %s", mistakes[i].what);
            return true;
        }
    }
    if (are_whole(&m, wrong)) {
        *pattern = "whole";
        snprintf(
            message, message_bytes,
            "Every result is a whole number: the fractions are lost. Of which type is the variable that adds the products "
            "up?");
        return true;
    }
    if (has_all_before(&m, got)) {
        *pattern = "rows";
        snprintf(
            message, message_bytes,
            "Every result has the entries of its row and those of all rows before it: the walk begins at the first entries "
            "of the matrix, not at starts[row].");
        return true;
    }
    if (classify_joined(&m, wrong, pattern, message, message_bytes))
        return true;
    if (is_transposed(&m, got)) {
        *pattern = "transposed";
        snprintf(
            message, message_bytes,
            "The result is the product with the transposed matrix: each entry has been taken for one of row columns[k].");
        return true;
    }
    return false;
}
