/* Lab 02: add two vectors. */
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
    return false;
}
