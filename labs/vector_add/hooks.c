/* Add two vectors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grader/lab/compare.h"
#include "grader/lab/hooks.h"

enum { A, B, C };

void fill_cancelling(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                     struct lab_data *data)
{
    (void)lab, (void)the_case, (void)random;
    const float *a = data->array[A].f;
    for (size_t i = 0; i < data->count[B]; i++) {
        data->array[B].f[i] = i % 2 == 0 ? -a[i] : -a[i] * (1.0f + 0x1p-20f);
    }
}

void fill_magnitudes(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                     struct lab_data *data)
{
    (void)lab, (void)the_case;
    for (size_t i = 0; i < data->count[A]; i++) {
        data->array[A].f[i] *= ldexpf(1.0f, (int)lab_random_below(random, 60) - 30);
    }
}

void fill_special(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    static const float special[] = {INFINITY, -INFINITY, NAN, -0.0f, 0.0f, 0x1p-149f, -0x1.8p-127f, 0x1.fffffep127f};
    (void)lab, (void)the_case;
    for (int array = A; array <= B; array++) {
        for (size_t i = 0; i < data->count[array]; i++) {
            if (lab_random_below(random, 2) == 0) {
                data->array[array].f[i] = special[lab_random_below(random, HOOKS_COUNT(special))];
            }
        }
    }
}

/* What the student may have computed instead. */
static float mistaken(int which, float a, float b)
{
    switch (which) {
    case 0: return a;
    case 1: return b;
    case 2: return a - b;
    default: return a * b;
    }
}

/* The distance of the element of `moved` that makes the sum with the one of `fixed` in the same place, the same for all
 * wrong elements; 0: there is none. */
static int64_t find_shift(const struct lab_wrong *wrong, const float *fixed, const float *moved)
{
    enum { MOST_ELEMENTS = 1 << 18 };
    const float *got = wrong->got;
    size_t count = wrong->expected->count, first = wrong->first_bad;
    for (size_t at = 0; at < count && count <= MOST_ELEMENTS; at++) {
        size_t same = 0, telling = 0;
        int64_t shift = (int64_t)at - (int64_t)first;
        if (fixed[first] + moved[at] != got[first] || shift == 0)
            continue;
        for (size_t i = first; i < count; i++) {
            int64_t other = (int64_t)i + shift;
            if (compare_element(wrong->expected, got, i))
                continue;
            if (other < 0 || other >= (int64_t)count || fixed[i] + moved[other] != got[i])
                break;
            same++;
            telling += got[i] != 0 && isfinite(got[i]);
        }
        if (telling >= 4 && same == wrong->bad_count)
            return shift;
    }
    return 0;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    const char *const *names = wrong->names;
    const char *first = names[A] ? names[A] : "a", *second = names[B] ? names[B] : "b";
    const float *a = wrong->data->array[A].f, *b = wrong->data->array[B].f, *got = wrong->got;
    for (int which = 0; which < 4; which++) {
        size_t same = 0, telling = 0;
        for (size_t i = wrong->first_bad; i < wrong->expected->count; i++) {
            if (!compare_element(wrong->expected, got, i)) {
                if (!(got[i] == mistaken(which, a[i], b[i]))) {
                    break;
                }
                same++;
                telling += got[i] != 0 && isfinite(got[i]); /* zeros and infinities come out of many a formula */
            }
        }
        if (telling >= 4 && same == wrong->bad_count) {
            *pattern = which < 2 ? "?other" : "other"; /* why one of the two is missing can be measured */
            snprintf(message, message_bytes, "Every wrong element of %s is exactly ", names[C] ? names[C] : "c");
            size_t used = strlen(message);
            if (which < 2)
                snprintf(message + used, message_bytes - used, "the element of %s in the same place. What should it be?",
                         which == 0 ? first : second);
            else
                snprintf(message + used, message_bytes - used, "the element of %s %s that of %s. What should it be?", first,
                         which == 2 ? "minus" : "times", second);
            return true;
        }
    }
    for (int which = A; which <= B; which++) {
        int64_t shift = which == A ? find_shift(wrong, b, a) : find_shift(wrong, a, b);
        const char *moved = which == A ? first : second, *fixed = which == A ? second : first;
        size_t i = wrong->first_bad;
        if (shift == 0)
            continue;
        *pattern = "?moved"; /* on which way it gets there can be measured */
        snprintf(
            message, message_bytes,
            "%s[%zu] is %s[%zu] + %s[%lld]; in every wrong element, the one of %s is %lld place%s too far to the %s. Which "
            "line computes %s[%zu], and with which index does it read %s?",
            names[C] ? names[C] : "c", i, fixed, i, moved, (long long)i + (long long)shift, moved,
            (long long)(shift < 0 ? -shift : shift), shift == 1 || shift == -1 ? "" : "s", shift < 0 ? "left" : "right",
            names[C] ? names[C] : "c", i, moved);
        return true;
    }
    return false;
}
