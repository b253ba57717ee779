/* Double every element of an array, in place. */
#include <math.h>
#include <stdio.h>

#include "grader/lab/hooks.h"

enum { A };

void fill_special(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab, (void)the_case;
    /* Twice the smallest subnormal (2^-149) is not 0, twice the largest float is infinite. */
    static const float special[] = {
        INFINITY, -INFINITY, NAN, -0.0f, 0x1p-149f, -0x1.8p-127f, 0x1.fffffep127f, -0x1.fffffep127f,
    };
    float *a = data->array[A].f;
    size_t n = data->count[A];
    for (size_t i = 0; i < n; i += 1 + lab_random_below(random, 7)) {
        a[i] = special[lab_random_below(random, HOOKS_COUNT(special))];
    }
}

/* Every block worked on the elements of block 0, as with an index made of threadIdx alone: the others are untouched, and
 * those of block 0 doubled once a block (or, where the blocks raced, less often). */
static bool only_first_block_worked(const struct lab_wrong *wrong, const float *a, const float *got)
{
    size_t block = (size_t)wrong->elements_per_block;
    if (wrong->elements_per_block < 1 || wrong->expected->count <= block) {
        return false;
    }
    for (size_t i = block; i < wrong->expected->count; i++) {
        if (got[i] != a[i] && !isnan(a[i])) {
            return false;
        }
    }
    size_t changed = 0;
    for (size_t i = 0; i < block; i++) {
        float mantissa = frexpf(got[i], &(int){0});
        if (isfinite(got[i]) && mantissa != frexpf(a[i], &(int){0})) {
            return false;
        }
        changed += got[i] != a[i];
    }
    return changed >= block / 2;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    const float *a = wrong->data->array[A].f, *got = wrong->got;
    size_t count = wrong->expected->count, quadrupled = 0, truncated = 0, squared = 0;
    if (only_first_block_worked(wrong, a, got)) {
        *pattern = "tail";
        snprintf(
            message, message_bytes,
            "Every block worked on elements 0..%lld, and on no others. What makes thread 0 of block 1 different from thread "
            "0 of block 0?",
            (long long)wrong->elements_per_block - 1);
        return true;
    }
    size_t telling = 0; /* zeros and infinities come out of many a formula */
    for (size_t i = 0; i < count; i++) {
        bool right = (double)got[i] == wrong->expected->f[i] || isnan(a[i]);
        telling += !right && got[i] != 0 && isfinite(got[i]);
        quadrupled += !right && got[i] == 4.0f * a[i];
        squared += !right && got[i] == a[i] * a[i];
        truncated += !right && got[i] == 2.0f * truncf(a[i]);
    }
    if (telling >= 4 && quadrupled == wrong->bad_count) {
        *pattern = "doubled";
        snprintf(
            message, message_bytes,
            "Every wrong element is 4 times what it was, and should be twice what it was. Which operations make 4 of it, "
            "together or alone?");
        return true;
    }
    if (telling >= 4 && squared == wrong->bad_count) {
        *pattern = "squared";
        snprintf(message, message_bytes,
                 "Every wrong element is the square of what it was. By what is an element to be multiplied?");
        return true;
    }
    if (telling >= 4 && truncated == wrong->bad_count) {
        *pattern = "typed";
        snprintf(message, message_bytes,
                 "Every wrong element is twice what it was, with the fraction cut off first. Which line cuts it off?");
        return true;
    }
    return false;
}
