/* y = a * x + y: special values, and what else a kernel may have made of the three numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grader/lab/compare.h"
#include "grader/lab/hooks.h"

enum { X, Y };

/* What the kernel calls its parameters. */
struct names {
    const char *a, *x, *y;
};

/* Half of both arrays. Without the largest floats: there, a * x may be infinite where fma(a, x, y) is not. */
void fill_special(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    static const float special[] = {INFINITY, -INFINITY, NAN, -0.0f, 0.0f, 0x1p-149f, -0x1.8p-127f};
    (void)lab, (void)the_case;
    for (int array = X; array <= Y; array++)
        for (size_t i = 0; i < data->count[array]; i++)
            if (lab_random_below(random, 2) == 0)
                data->array[array].f[i] = special[lab_random_below(random, HOOKS_COUNT(special))];
}

enum formula {
    PRODUCT,
    OTHER_SCALED,
    BOTH_SCALED,
    Y_SUBTRACTED,
    PRODUCT_SUBTRACTED,
    NOT_SCALED,
    Y_TWICE,
    TWICE,
    ALL_MULTIPLIED,
    ALL_ADDED,
    A_ADDED,
    WHOLE_A,
    SQUARED,
    FORMULAS
};

static double value_of(enum formula formula, double a, double x, double y)
{
    switch (formula) {
    case PRODUCT: return a * x;
    case OTHER_SCALED: return x + a * y;
    case BOTH_SCALED: return a * (x + y);
    case Y_SUBTRACTED: return a * x - y;
    case PRODUCT_SUBTRACTED: return y - a * x;
    case NOT_SCALED: return x + y;
    case Y_TWICE: return a * x + 2 * y;
    case TWICE: return 2 * a * x + y;
    case ALL_MULTIPLIED: return a * x * y;
    case ALL_ADDED: return a + x + y;
    case A_ADDED: return a * x + y + a;
    case WHOLE_A: return trunc(a) * x + y;
    default: return a * x * x + y;
    }
}

/* The words of a formula name a, x and y as {a}, {x} and {y}. */
static const struct {
    const char *pattern, *words, *question;
} formulas[FORMULAS] = {
    [PRODUCT] = {"formula", "{a} * {x}[i] alone", "What became of the number that was there before?"},
    [OTHER_SCALED] = {"formula", "{x}[i] + {a} * {y}[i]", "Which of the two arrays does the factor belong to?"},
    [BOTH_SCALED] = {"formula", "{a} * ({x}[i] + {y}[i])", "Which of the two arrays does the factor belong to?"},
    [Y_SUBTRACTED] = {"formula", "{a} * {x}[i] - {y}[i]", "Which sign does each of the two have?"},
    [PRODUCT_SUBTRACTED] = {"formula", "{y}[i] - {a} * {x}[i]", "Which sign does each of the two have?"},
    [NOT_SCALED] = {"formula", "{x}[i] + {y}[i]", "What became of the factor?"},
    [Y_TWICE] = {"formula", "{a} * {x}[i] + 2 * {y}[i]", "How often is the number added that was there before?"},
    [TWICE] = {"twice", "2 * {a} * {x}[i] + {y}[i]", "Which two steps, or which two threads, have added the product?"},
    [ALL_MULTIPLIED] = {"formula", "{a} * {x}[i] * {y}[i]", "What is multiplied, and what is added?"},
    [ALL_ADDED] = {"formula", "{a} + {x}[i] + {y}[i]", "What is multiplied, and what is added?"},
    [A_ADDED] = {"formula", "{a} * {x}[i] + {y}[i] + {a}", "What is multiplied, and what is added?"},
    [WHOLE_A] = {"typed", "made with {a} cut off to a whole number", "Which line cuts it off?"},
    [SQUARED] = {"formula", "{a} * {x}[i] * {x}[i] + {y}[i]", "What is multiplied, and what is added?"},
};

/* Writes the words with the names that the kernel's parameters have. Too long, they are cut off. */
static void write_words(char *to, size_t bytes, const char *words, const struct names *names)
{
    size_t at = 0;
    while (*words) {
        const char *name = !strncmp(words, "{a}", 3)   ? names->a
                           : !strncmp(words, "{x}", 3) ? names->x
                           : !strncmp(words, "{y}", 3) ? names->y
                                                       : NULL;
        int count = name ? snprintf(to + at, bytes - at, "%s", name) : snprintf(to + at, bytes - at, "%c", *words);
        at = at + (size_t)count < bytes ? at + (size_t)count : bytes - 1;
        words += name ? 3 : 1;
    }
}

/* Within what a handful of roundings may do. */
static bool is_near(double got, double value, double a, double x, double y)
{
    return fabs(got - value) <= 0x1p-21 * (fabs(a) * (1 + fabs(x) + fabs(y) + fabs(x * y) + x * x) + fabs(x) + fabs(y));
}

static bool is_of(const struct lab_wrong *wrong, enum formula formula)
{
    const float *x = wrong->data->array[X].f, *y = wrong->data->array[Y].f, *got = wrong->got;
    double a = wrong->data->scalar[0].f;
    size_t same = 0, telling = 0;
    for (size_t i = wrong->first_bad; i < wrong->expected->count; i++) {
        if (compare_element(wrong->expected, got, i))
            continue;
        double value = value_of(formula, a, x[i], y[i]);
        if (isfinite(value) && !is_near(got[i], value, a, x[i], y[i]))
            return false;
        same++;
        telling += isfinite(value) && got[i] != 0;
    }
    return telling >= 4 && same == wrong->bad_count;
}

/* ---- a number that is read before the loop ---------------------------------------------------------------------------- */

/* Which number of an element is that of the first element in its thread's walk. */
enum kept { KEPT_Y, KEPT_X, KEPT_BOTH, KEPT_KINDS };

/* Where element i's walk begins: walks of every `step`-th element, or of `step` neighbours. */
static size_t walk_begin(size_t i, size_t step, bool neighbours)
{
    return neighbours ? i / step * step : i % step;
}

static bool is_kept(const struct lab_wrong *wrong, enum kept kept, size_t step, bool neighbours)
{
    const float *x = wrong->data->array[X].f, *y = wrong->data->array[Y].f, *got = wrong->got;
    double a = wrong->data->scalar[0].f;
    size_t telling = 0;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        size_t begin = walk_begin(i, step, neighbours);
        double own_x = x[kept == KEPT_Y ? i : begin], own_y = y[kept == KEPT_X ? i : begin];
        double value = a * own_x + own_y;
        if (isfinite(value) && isfinite(got[i]) ? !is_near(got[i], value, a, own_x, own_y)
                                                : isfinite(value) != (bool)isfinite(got[i]))
            return false;
        telling += begin != i && isfinite(value) && !compare_element(wrong->expected, got, i);
    }
    return telling >= 4;
}

/* The walk's step: the first element that is wrong is the second of thread 0; of neighbours, the first right one behind it is the
 * first of thread 1. */
static bool find_kept(const struct lab_wrong *wrong, enum kept *kept, size_t *step, bool *neighbours)
{
    size_t behind = wrong->first_bad;
    while (behind < wrong->expected->count && !compare_element(wrong->expected, wrong->got, behind))
        behind++;
    for (int kind = 0; kind < KEPT_KINDS && wrong->first_bad > 0; kind++) {
        *kept = (enum kept)kind;
        for (int way = 0; way < 2; way++) {
            *neighbours = way == 1;
            *step = *neighbours ? behind : wrong->first_bad;
            if ((!*neighbours || (wrong->first_bad == 1 && behind > 1)) && is_kept(wrong, *kept, *step, *neighbours))
                return true;
        }
    }
    return false;
}

static bool classify_kept(const struct lab_wrong *wrong, const struct names *names, const char **pattern, char *message,
                          size_t message_bytes)
{
    static const char *const asks[KEPT_KINDS] = {"Is {y}", "Is {x}", "Are {x} and {y}"};
    enum kept kept;
    size_t step, at = wrong->first_bad;
    bool neighbours;
    if (!find_kept(wrong, &kept, &step, &neighbours))
        return false;
    size_t begin = walk_begin(at, step, neighbours);
    const char *x = names->x, *y = names->y;
    char index[64], question[120];
    if (neighbours)
        snprintf(index, sizeof index, "i / %zu * %zu", step, step);
    else
        snprintf(index, sizeof index, "i %% %zu", step);
    write_words(question, sizeof question, asks[kept], names);
    snprintf(
        message, message_bytes,
        "%s[%zu] is %s * %s[%zu] + %s[%zu]; every wrong element i has %s[%s] where it needs %s[i]%s. %s read again in each turn "
        "of the loop?",
        y, at, names->a, x, kept == KEPT_Y ? at : begin, y, kept == KEPT_X ? at : begin, kept == KEPT_Y ? y : x, index,
        kept == KEPT_Y ? y : x, kept == KEPT_BOTH ? ", and the other number likewise" : "", question);
    *pattern = "kept_number";
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    struct names names = {
        .a = wrong->scalar_names[0] ? wrong->scalar_names[0] : lab->scalars[0].name,
        .x = wrong->names[X] ? wrong->names[X] : lab->arrays[X].name,
        .y = wrong->names[Y] ? wrong->names[Y] : lab->arrays[Y].name,
    };
    char words[120];
    if (classify_kept(wrong, &names, pattern, message, message_bytes))
        return true;
    for (int formula = 0; formula < FORMULAS; formula++) {
        if (!is_of(wrong, formula))
            continue;
        *pattern = formulas[formula].pattern;
        write_words(words, sizeof words, formulas[formula].words, &names);
        snprintf(message, message_bytes, "Every wrong element of %s is %s. %s", names.y, words, formulas[formula].question);
        return true;
    }
    return false;
}
