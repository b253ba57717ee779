/* Sums over a window: what is taken for the elements beyond the ends, and windows of another length. */
#include <stdio.h>

#include "grader/lab/hooks.h"

enum { RADIUS = 3 };

/* What is taken for element `k` when that is beyond the ends. */
enum beyond { NOTHING, LAST_ELEMENT, MIRRORED, AROUND };

static int32_t element(const int32_t *in, int64_t n, int64_t k, enum beyond beyond)
{
    if (k >= 0 && k < n) {
        return in[k];
    }
    switch (beyond) {
    case NOTHING: return 0;
    case LAST_ELEMENT: return in[k < 0 ? 0 : n - 1];
    case MIRRORED: return in[k < 0 ? -k : 2 * (n - 1) - k];
    default: return in[k < 0 ? k + n : k - n];
    }
}

/* Is every element of the output the sum of in[i + first] to in[i + last]? */
static bool is_window(const struct lab_wrong *wrong, int64_t first, int64_t last, enum beyond beyond)
{
    const int32_t *in = wrong->data->array[0].i, *got = wrong->got;
    int64_t n = (int64_t)wrong->expected->count;
    for (int64_t i = 0; i < n; i++) {
        uint32_t sum = 0;
        for (int64_t k = i + first; k <= i + last; k++) {
            sum += (uint32_t)element(in, n, k, beyond);
        }
        if (got[i] != (int32_t)sum) {
            return false;
        }
    }
    return true;
}

static void write_place(int64_t offset, char *text, size_t bytes)
{
    if (offset == 0) {
        snprintf(text, bytes, "in[i]");
    } else {
        snprintf(text, bytes, "in[i %c %lld]", offset < 0 ? '-' : '+', (long long)(offset < 0 ? -offset : offset));
    }
}

static bool classify_window(const struct lab_wrong *wrong, const char **pattern, char *message, size_t message_bytes)
{
    char from[32], to[32];
    for (int64_t first = -2 * RADIUS - 2; first <= 2 * RADIUS + 2; first++) {
        for (int64_t last = first; last <= 2 * RADIUS + 2; last++) {
            if (!is_window(wrong, first, last, NOTHING)) {
                continue;
            }
            *pattern = "window";
            write_place(first, from, sizeof from);
            write_place(last, to, sizeof to);
            if (first == last) {
                snprintf(message, message_bytes,
                         "Every element out[i] is %s alone. Which seven cells does thread 0 add, and which elements are in "
                         "them?",
                         from);
            } else {
                snprintf(message, message_bytes,
                         "Every element out[i] is the sum of %s to %s, and should be that of in[i - 3] to in[i + 3]. Which "
                         "cell does thread 0 begin with, which one does it end with, and which elements are in them?",
                         from, to);
            }
            return true;
        }
    }
    return false;
}

/* Does every element lack in[i] alone? */
static bool lacks_middle(const struct lab_wrong *wrong)
{
    const int32_t *in = wrong->data->array[0].i, *got = wrong->got;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        if (got[i] != (int32_t)(wrong->expected->i[i] - in[i])) {
            return false;
        }
    }
    return true;
}

/* Is every sum divided by 7? */
static bool is_mean(const struct lab_wrong *wrong)
{
    const int32_t *got = wrong->got;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        if (got[i] != wrong->expected->i[i] / (2 * RADIUS + 1)) {
            return false;
        }
    }
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    (void)lab;
    static const char *const taken[] = {
        [LAST_ELEMENT] = "the first or the last element once more",
        [MIRRORED] = "the elements on the other side of that end, as in a mirror",
        [AROUND] = "the elements at the other end, as if the array were a ring",
    };
    /* In a few elements that are all alike, one kind of end looks like another. */
    if (wrong->expected->count < 4 * RADIUS) {
        return false;
    }
    for (enum beyond beyond = LAST_ELEMENT; beyond <= AROUND; beyond++) {
        if (is_window(wrong, -RADIUS, RADIUS, beyond)) {
            *pattern = "ends";
            snprintf(
                message, message_bytes,
                "Only the first and the last three sums are wrong: for a place beyond an end they contain %s. What does such a "
                "place count as here?",
                taken[beyond]);
            return true;
        }
    }
    if (lacks_middle(wrong)) {
        *pattern = "middle";
        snprintf(
            message, message_bytes,
            "Every sum lacks the element in the middle of its window: out[i] has no in[i]. Which line adds a thread's own "
            "cell?");
        return true;
    }
    if (is_mean(wrong)) {
        *pattern = "mean";
        snprintf(message, message_bytes, "Every element is the sum divided by 7. Should out[i] hold the sum or the mean?");
        return true;
    }
    return classify_window(wrong, pattern, message, message_bytes);
}
