/* What the elements of a wrong output are made of: measured by runs of the same case with other inputs (lab.h, struct
 * lab_weighing), and believed only where it gives what the case itself left. */
#ifndef ORIGIN_WEIGH_H
#define ORIGIN_WEIGH_H

#include "grader/judge/cases_work.h"

enum { ORIGIN_ARRAYS = 2 };

struct origin_weights {
    int array_count;
    size_t outputs, count[ORIGIN_ARRAYS];
    /* [outputs][count]: how often each element of the input array counts in the output element, and how often it should.
     * Owned. */
    int16_t *own[ORIGIN_ARRAYS], *want[ORIGIN_ARRAYS];
    bool unread[ORIGIN_ARRAYS]; /* other elements in this array change no wrong element; the rest as in an ordinary run */
    bool *known;      /* [outputs]: the weights give the value that the case left, and constant is what they leave over */
    bool *right;      /* [outputs]: with whole numbers as all inputs it is right */
    bool *whole;      /* [outputs]: with whole numbers as inputs, it is a sum */
    double *constant; /* [outputs]: what it is when all inputs are 0 */
    int64_t base;     /* the inputs were powers of it */
};

/* Of LAB_SUMS.
 *   index, output   case and wrong output
 *   got             [outputs] what run 0 of the case left there
 *   bad             [outputs] which of it is wrong
 *   data            its inputs, in memory of the caller's
 * Returns false when the runs would cost too much, or did not end as they should. Clear in either case. */
bool origin_weigh_sums(struct cases_work *work, int index, int output, const void *got, const bool *bad,
                       const struct lab_data *data, struct origin_weights *weights);
void origin_weights_clear(struct origin_weights *weights);

/* Of LAB_COUNTS: how often each element of the array is counted. */
struct origin_counts {
    size_t count;
    int32_t *times; /* [count]: owned */
    bool known;     /* these counts give the values that the case left */
    bool all_once;  /* each element counts once, as long as all values differ */
    bool collide;   /* with all elements equal, some are not counted */
    bool kept;      /* no bin that an element belongs to is 0: of updates that meet, the last one stays */
    bool all_same;  /* each as often as the first */
    /* With all elements of value[i], they are counted in bin[i], -1: in none, or in several. The last is the value of the
     * first bin that is too low, or the first value again. */
    int32_t value[3], bin[3];
    int filled[3], lowest[3]; /* how many bins are not 0 then, and the first of them */
    bool none[3];             /* all bins are 0 then */
    bool same_bins;           /* with the first two values, the bins are the same … */
    bool same_places;         /* … or the same ones are not 0 */
    bool scaled;              /* … and what is in them is to the first value as it is to the second */
    int64_t sum;              /* of all bins that the case itself left */
};
/*   got     [256] what run 0 of the case left
 *   values  [count] the elements that were counted */
bool origin_weigh_counts(struct cases_work *work, int index, int output, const int32_t *got, const int32_t *values,
                         size_t count, struct origin_counts *counts);
void origin_counts_clear(struct origin_counts *counts);

#endif
