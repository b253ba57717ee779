#include "grader/judge/origin_weigh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/compare.h"
#include "grader/sandbox/child.h"

/* Runs, their work (cases_work.c: a core does about 100 million units a second), and the elements that weights are kept
 * for. */
#define MOST_RUNS    300
#define MOST_WORK    UINT64_C(40000000)
#define MOST_WEIGHTS (1u << 21)
/* Of a run with whole numbers, each input has one digit of the result: of 64 values, -32 to 31. Floats are exact to 2^24. Of
 * few integers, one may count as often as a block has threads: they have digits of 1024 values. */
#define FLOAT_DIGITS 4
#define HALF_DIGITS  3 /* a half has room for 64^2, not for 64^3 */
#define INT_DIGITS   5
#define FEW_INPUTS   32

struct digits {
    int64_t base;
    int count;
};

static struct digits digits_for(size_t count, enum lab_type input, bool is_float)
{
    bool few = count <= FEW_INPUTS && !is_float;
    return few ? (struct digits){1024, 3}
               : (struct digits){64, input == LAB_FLOAT16 ? HALF_DIGITS
                                     : is_float           ? FLOAT_DIGITS
                                                          : INT_DIGITS};
}

/* ---- runs with other inputs ---------------------------------------------------------------------------------------- */

/* What the inputs are: of the array that is weighed, every `step`-th element from `first` on has the next power of a digit's base. */
struct inputs {
    const struct lab_weighing *weighing;
    int array;
    size_t first, step;
    enum { ZEROS, ONES, DIGITS, VALUES, SAME, ALL_ZEROS, WHOLE, AS_THEY_ARE, OTHERS, ALL_OTHERS } kind;
    int32_t value; /* of SAME */
    int64_t base;  /* of DIGITS */
};

static void set(const struct lab *lab, const struct lab_data *data, int array, size_t i, int64_t value)
{
    enum lab_type type = lab->arrays[array].type;
    if (types_is_float(type))
        types_set_float(type, data->array[array].bytes, i, (double)value);
    else
        types_set_integer(type, data->array[array].bytes, i, value);
}

/* All values but the last, each at one place, and not at its own. */
static int32_t value_at(size_t i)
{
    return (int32_t)((i * 101 + 17) % 255);
}

static void change(const void *context, const struct lab *lab, struct lab_data *data)
{
    const struct inputs *inputs = context;
    for (int k = 0; k < inputs->weighing->array_count; k++) {
        int array = inputs->weighing->arrays[k];
        bool own = array == inputs->array,
             whole = inputs->kind == WHOLE || inputs->kind == OTHERS || inputs->kind == ALL_OTHERS;
        if (inputs->kind == AS_THEY_ARE || (inputs->kind == OTHERS && !own))
            continue;
        int64_t value = inputs->kind == ALL_ZEROS ? 0
                        : !own                    ? inputs->weighing->other
                        : inputs->kind == ONES    ? 1
                        : inputs->kind == SAME    ? inputs->value
                        : inputs->kind == VALUES  ? 255
                                                  : 0;
        size_t shift = inputs->kind == ALL_OTHERS && own ? 3 : 0;
        for (size_t i = 0; i < data->count[array]; i++)
            set(lab, data, array, i, whole ? 1 + (int64_t)((i * 7 + (size_t)k * 5 + shift) % 11) : value);
    }
    size_t count = data->count[inputs->array];
    int64_t power = 1;
    for (size_t i = inputs->first; inputs->kind == DIGITS && i < count; i += inputs->step, power *= inputs->base)
        set(lab, data, inputs->array, i, power);
    for (size_t i = 0; inputs->kind == VALUES && i < 255 && inputs->first + i < count; i++)
        set(lab, data, inputs->array, inputs->first + i, value_at(i));
}

struct weigher {
    struct cases_work *work;
    int index, output, runs;
    uint64_t cost;
    const void *got; /* of the last run */
    const struct lab_expected *expected;
    size_t count;
};

static bool run_with(struct weigher *weigher, const struct inputs *inputs)
{
    struct cases_work *work = weigher->work;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    if (weigher->runs == MOST_RUNS || weigher->cost > MOST_WORK)
        return false;
    work->change = change;
    work->change_context = inputs;
    cases_work_run(work, weigher->index, weigher->runs > 0, false, &data, &run, &reply);
    work->change = NULL;
    weigher->runs++;
    weigher->cost += reply.work;
    if (work->open) {
        child_file_clear(work->session.child.findings);
        child_file_clear(work->session.child.output);
        child_file_clear(work->session.child.counters);
    }
    const struct plan_output *where = &reply.outputs[weigher->output];
    if (reply.outcome != RUN_RAN || !where->present || where->count != run.expect->outputs[weigher->output].count)
        return false;
    weigher->got = work->memory.bytes + work->memory.output_offset + where->offset;
    weigher->expected = &run.expect->outputs[weigher->output];
    weigher->count = where->count;
    return true;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------- */

static double got_value(const struct weigher *weigher, size_t i)
{
    return types_get_value(weigher->expected->type, weigher->got, i);
}

static double want_value(const struct weigher *weigher, size_t i)
{
    return weigher->expected->f ? weigher->expected->f[i]
                                : types_integer_value(weigher->expected->type, weigher->expected->i[i]);
}

/* Takes the digits of a result apart. Returns false when it has others. */
static bool take_digits(double value, bool is_float, int digits, int64_t base, int16_t digit[INT_DIGITS])
{
    memset(digit, 0, INT_DIGITS * sizeof *digit);
    if (!(fabs(value) < 0x1p33) || value != rint(value))
        return false;
    int64_t rest = is_float ? (int64_t)value : (int64_t)(int32_t)(uint32_t)(int64_t)value;
    for (int k = 0; k < digits; k++) {
        int64_t low = ((rest + base / 2) % base + base) % base - base / 2;
        digit[k] = (int16_t)low;
        rest = (rest - low) / base;
    }
    return rest == 0;
}

static bool weigh_array(struct weigher *weigher, const struct lab_weighing *weighing, int which,
                        struct origin_weights *weights)
{
    struct inputs inputs = {.weighing = weighing, .array = weighing->arrays[which], .kind = ZEROS};
    size_t count = weights->count[which], outputs = weights->outputs;
    if (!run_with(weigher, &inputs))
        return false;
    bool is_float = weigher->expected->f != NULL, good = true;
    struct digits shape = digits_for(count, weigher->work->input->setup.lab->arrays[inputs.array].type, is_float);
    int digits = shape.count;
    inputs.base = shape.base;
    weights->base = shape.base;
    double *zero = allocate_zeroed(outputs * sizeof *zero), *zero_want = allocate_zeroed(outputs * sizeof *zero_want);
    for (size_t o = 0; o < outputs; o++) {
        zero[o] = got_value(weigher, o);
        zero_want[o] = want_value(weigher, o);
        weights->whole[o] &= which == 0 || weights->constant[o] == zero[o];
        weights->constant[o] = zero[o];
    }
    inputs.kind = DIGITS;
    inputs.step = (count + (size_t)digits - 1) / (size_t)digits;
    for (inputs.first = 0; inputs.first < inputs.step && good; inputs.first++) {
        good = run_with(weigher, &inputs);
        for (size_t o = 0; o < outputs && good; o++) {
            int16_t own[INT_DIGITS], want[INT_DIGITS];
            weights->whole[o] &= take_digits(got_value(weigher, o) - zero[o], is_float, digits, shape.base, own)
                                 && take_digits(want_value(weigher, o) - zero_want[o], is_float, digits, shape.base, want);
            for (size_t k = 0, i = inputs.first; i < count && weights->whole[o]; i += inputs.step, k++) {
                weights->own[which][o * count + i] = own[k];
                weights->want[which][o * count + i] = want[k];
            }
        }
    }
    inputs.kind = ONES;
    good = good && run_with(weigher, &inputs);
    for (size_t o = 0; o < outputs && good; o++) {
        int64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += weights->own[which][o * count + i];
        weights->whole[o] &= got_value(weigher, o) - zero[o] == (double)sum;
    }
    free(zero);
    free(zero_want);
    return good;
}

static double element(const struct lab *lab, const struct lab_data *data, int array, size_t i)
{
    return types_get_value(lab->arrays[array].type, data->array[array].bytes, i);
}

/* Where each A[row][k] counts as often as B[k][column], and nothing else does: adds the products. Returns false elsewhere. */
static bool add_products(const struct origin_weights *weights, const struct lab *lab, const struct lab_data *data,
                         const int arrays[2], const size_t columns[2], size_t o, double *sum, double *absolute)
{
    size_t row = o / columns[1], column = o % columns[1];
    int64_t rest = 0;
    *sum = *absolute = 0;
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < weights->count[which]; i++)
            rest += weights->own[which][o * weights->count[which] + i] != 0;
    for (size_t k = 0; k < columns[0]; k++) {
        size_t a = row * columns[0] + k, b = k * columns[1] + column;
        int weight = weights->own[0][o * weights->count[0] + a];
        double product = element(lab, data, arrays[0], a) * element(lab, data, arrays[1], b);
        if (weight != weights->own[1][o * weights->count[1] + b])
            return false;
        rest -= weight != 0 ? 2 : 0;
        *sum += weight * product;
        *absolute += fabs(weight * product);
    }
    return rest == 0;
}

/* Do the weights give what the case left in element o? Products cannot be added up: their two lists of factors must be
 * equally long. */
static bool gives(const struct origin_weights *weights, const struct lab *lab, const struct lab_data *data,
                  const size_t columns[2], size_t o, double got, bool is_float)
{
    double sum = weights->constant[o], absolute = fabs(sum);
    int64_t factors[ORIGIN_ARRAYS] = {0};
    if (!(fabs(weights->constant[o]) < 0x1p62 && fabs(got) < 0x1p62) && !is_float)
        return false;
    uint32_t bits = is_float ? 0 : (uint32_t)(int64_t)weights->constant[o];
    for (int which = 0; which < weights->array_count; which++)
        for (size_t i = 0; i < weights->count[which]; i++) {
            int weight = weights->own[which][o * weights->count[which] + i], array = lab->weighing.arrays[which];
            if (weight == 0)
                continue;
            double value = is_float ? element(lab, data, array, i) : 0;
            sum += weight * value;
            absolute += fabs(weight * value);
            bits += is_float ? 0
                             : (uint32_t)weight
                                   * (uint32_t)types_get_integer(lab->arrays[array].type, data->array[array].bytes, i);
            factors[which] += weight;
        }
    if (lab->weighing.other != 0) {
        double products;
        if (factors[0] != factors[1])
            return false;
        return !add_products(weights, lab, data, lab->weighing.arrays, columns, o, &products, &absolute)
               || fabs(weights->constant[o] + products - got) <= 1e-5 * (fabs(weights->constant[o]) + absolute);
    }
    return is_float ? fabs(sum - got) <= 1e-5 * absolute : bits == (uint32_t)(int64_t)got;
}

/* Does the array make no difference to the wrong elements? Other elements in this array must leave all of them as they are,
 * both with the inputs of the case's second run and with whole numbers: of these none is small. */
static void find_unread(struct weigher *weigher, const struct lab_weighing *weighing, const bool *bad,
                        struct origin_weights *weights)
{
    size_t bytes = types_get(weigher->expected->type)->bytes;
    char *before = allocate_zeroed((weights->outputs + 1) * bytes);
    for (int which = 0; which < weights->array_count && weighing->other != 0; which++) {
        bool same = true;
        for (int whole = 0; whole < 2 && same; whole++) {
            struct inputs inputs = {.weighing = weighing, .array = weighing->arrays[which]};
            inputs.kind = whole ? WHOLE : AS_THEY_ARE;
            same = run_with(weigher, &inputs);
            if (same)
                memcpy(before, weigher->got, weights->outputs * bytes);
            inputs.kind = whole ? ALL_OTHERS : OTHERS;
            same = same && run_with(weigher, &inputs);
            for (size_t o = 0; o < weights->outputs && same; o++)
                same = !bad[o] || memcmp(before + o * bytes, (const char *)weigher->got + o * bytes, bytes) == 0;
        }
        weights->unread[which] = same;
    }
    free(before);
}

bool origin_weigh_sums(struct cases_work *work, int index, int output, const void *got, const bool *bad,
                       const struct lab_data *data, struct origin_weights *weights)
{
    const struct lab *lab = work->input->setup.lab;
    const struct lab_weighing *weighing = &lab->weighing;
    struct weigher weigher = {.work = work, .index = index, .output = output};
    struct inputs ones = {.weighing = weighing, .array = weighing->arrays[0], .kind = ONES};
    memset(weights, 0, sizeof *weights);
    size_t inputs = 0, columns[2] = {0, 0};
    for (int i = 0; i < weighing->array_count && lab->columns; i++)
        columns[i] = lab->columns(lab, plan_case(&work->input->setup, index), weighing->arrays[i]);
    for (int i = 0; i < weighing->array_count; i++)
        inputs += weights->count[i] = data->count[weighing->arrays[i]];
    if (inputs == 0 || inputs / FLOAT_DIGITS > MOST_RUNS || !run_with(&weigher, &ones)) /* and loads the module */
        return false;
    weights->array_count = weighing->array_count;
    size_t outputs = weights->outputs = weigher.count;
    if (outputs * inputs > MOST_WEIGHTS)
        return false;
    bool is_float = weigher.expected->f != NULL;
    weights->known = allocate_zeroed(outputs * sizeof *weights->known);
    weights->whole = allocate_zeroed(outputs * sizeof *weights->whole);
    weights->right = allocate_zeroed(outputs * sizeof *weights->right);
    weights->constant = allocate_zeroed(outputs * sizeof *weights->constant);
    memset(weights->whole, true, outputs * sizeof *weights->whole);
    bool good = true;
    for (int i = 0; i < weights->array_count && good; i++) {
        weights->own[i] = allocate_zeroed(outputs * weights->count[i] * sizeof *weights->own[i]);
        weights->want[i] = allocate_zeroed(outputs * weights->count[i] * sizeof *weights->want[i]);
        good = weigh_array(&weigher, weighing, i, weights);
    }
    struct inputs inputs_zero = {.weighing = weighing, .array = weighing->arrays[0], .kind = ALL_ZEROS};
    good = good && run_with(&weigher, &inputs_zero);
    for (size_t o = 0; o < outputs && good; o++) /* of a product, nothing is left when one factor is 0 */
        weights->whole[o] &= weights->constant[o] == got_value(&weigher, o);
    struct inputs whole = {.weighing = weighing, .array = weighing->arrays[0], .kind = WHOLE};
    good = good && run_with(&weigher, &whole);
    for (size_t o = 0; o < outputs && good; o++)
        weights->right[o] = compare_element(weigher.expected, weigher.got, o);
    if (good)
        find_unread(&weigher, weighing, bad, weights);
    for (size_t o = 0; o < outputs && good; o++) {
        double value = types_get_value(weigher.expected->type, got, o);
        weights->known[o] = weights->whole[o] && gives(weights, lab, data, columns, o, value, is_float);
    }
    return good;
}

void origin_weights_clear(struct origin_weights *weights)
{
    for (int i = 0; i < ORIGIN_ARRAYS; i++) {
        free(weights->own[i]);
        free(weights->want[i]);
    }
    free(weights->known);
    free(weights->whole);
    free(weights->right);
    free(weights->constant);
    memset(weights, 0, sizeof *weights);
}

/* ---- counts -------------------------------------------------------------------------------------------------------- */

enum { BINS = 256, OTHER_BIN = 255 };

/* What a bin holds after the last run. */
static int32_t bin_of(const struct weigher *weigher, size_t bin)
{
    return (int32_t)types_get_integer(weigher->expected->type, weigher->got, bin);
}

/* The only bin that is not 0; -1: there are more, or none. */
static int32_t only_bin(const struct weigher *weigher)
{
    int32_t found = -1;
    for (size_t bin = 0; bin < weigher->count; bin++)
        if (bin_of(weigher, bin) != 0) {
            if (found >= 0)
                return -1;
            found = (int32_t)bin;
        }
    return found;
}

/* The first bin that has less than the data give it, or `other`. */
static int32_t first_low(const int32_t *got, const int32_t *values, size_t count, int32_t other)
{
    int64_t want[BINS] = {0};
    for (size_t i = 0; i < count; i++)
        want[values[i] & (BINS - 1)]++;
    for (int32_t bin = 0; bin < BINS; bin++)
        if (got[bin] < want[bin])
            return bin;
    return other;
}

/* Of the runs with the first two values. */
static void compare_bins(const int32_t *first, const int32_t *second, struct origin_counts *counts)
{
    counts->same_bins = counts->same_places = counts->scaled = true;
    for (size_t bin = 0; bin < BINS; bin++) {
        counts->same_bins &= first[bin] == second[bin];
        counts->same_places &= (first[bin] == 0) == (second[bin] == 0);
        counts->scaled &= (int64_t)first[bin] * counts->value[1] == (int64_t)second[bin] * counts->value[0];
    }
}

bool origin_weigh_counts(struct cases_work *work, int index, int output, const int32_t *got, const int32_t *own,
                         size_t count, struct origin_counts *counts)
{
    const struct lab_weighing *weighing = &work->input->setup.lab->weighing;
    struct weigher weigher = {.work = work, .index = index, .output = output};
    struct inputs inputs = {.weighing = weighing, .array = weighing->arrays[0], .kind = SAME};
    const int32_t values[3] = {5, 200, first_low(got, own, count, 5)};
    int32_t bins_of[2][BINS];
    memset(counts, 0, sizeof *counts);
    counts->count = count;
    if (counts->count / OTHER_BIN > MOST_RUNS)
        return false;
    counts->times = allocate_zeroed((counts->count + 1) * sizeof *counts->times);
    for (int i = 0; i < 3; i++) {
        inputs.value = counts->value[i] = values[i];
        if (!run_with(&weigher, &inputs) || weigher.count != BINS)
            return false;
        counts->bin[i] = only_bin(&weigher);
        for (int bin = BINS - 1; bin >= 0; bin--) {
            bool filled = bin_of(&weigher, (size_t)bin) != 0;
            counts->filled[i] += filled;
            counts->lowest[i] = filled ? bin : counts->lowest[i];
        }
        counts->none[i] = counts->filled[i] == 0;
        for (size_t bin = 0; bin < BINS && i < 2; bin++)
            bins_of[i][bin] = bin_of(&weigher, bin);
        if (i == 1)
            compare_bins(bins_of[0], bins_of[1], counts);
        counts->collide |= counts->bin[i] >= 0 && bin_of(&weigher, (size_t)counts->bin[i]) < (int32_t)counts->count;
    }
    inputs.kind = VALUES;
    for (inputs.first = 0; inputs.first < counts->count; inputs.first += OTHER_BIN) {
        if (!run_with(&weigher, &inputs) || weigher.count != BINS)
            return false;
        for (size_t i = 0; i < OTHER_BIN && inputs.first + i < counts->count; i++)
            counts->times[inputs.first + i] = bin_of(&weigher, (size_t)value_at(i));
    }
    int64_t bins[BINS] = {0};
    for (int bin = 0; bin < BINS; bin++)
        counts->sum += got[bin];
    counts->known = counts->all_once = counts->all_same = counts->kept = true;
    for (size_t i = 0; i < counts->count; i++)
        counts->kept &= got[own[i] & (BINS - 1)] != 0;
    for (size_t i = 0; i < counts->count; i++) {
        bins[own[i] & (BINS - 1)] += counts->times[i];
        counts->all_once &= counts->times[i] == 1;
        counts->all_same &= counts->times[i] == counts->times[0];
    }
    for (int bin = 0; bin < BINS; bin++)
        counts->known &= bins[bin] == got[bin];
    return true;
}

void origin_counts_clear(struct origin_counts *counts)
{
    free(counts->times);
    memset(counts, 0, sizeof *counts);
}
