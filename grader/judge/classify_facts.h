/* What the classifier goes by, and what it finds. */
#ifndef GRADER_CLASSIFY_FACTS_H
#define GRADER_CLASSIFY_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/compare.h"
#include "grader/lab/lab.h"

/* The facts about one wrong output. Everything is borrowed. */
struct classify_input {
    const struct lab *lab;
    struct lab_wrong wrong; /* as lab->classify gets it; first_bad and bad_count from the comparison */
    const struct compare_result *comparison;
    const struct compare_unwritten *unwritten; /* NULL: not known, or the array is not an output that was poisoned */
    int run;                                   /* 0 or 1 */
    const struct lab_expected *first_expected; /* in run 1: what run 0 expected of this output; NULL: not kept */
    bool first_run_right;                      /* in run 1: run 0 was right */
    uint64_t blocks;                           /* of the largest launch; 0: not known */
    const char *output_name;                   /* as the student calls its array; NULL: as in lab->outputs */
};

struct classify_result {
    const char *code;    /* "wrong_value", "near_miss" or "never_written" */
    const char *pattern; /* one of checks.md's for wrong_value, else NULL; static */
    bool explained;      /* the message says more than the bare facts */
    bool by_lab;         /* the lab recognised it: the values are exactly those of a mistake */
    bool open;           /* … or only says what is wrong, not why */
    bool certain;        /* a lab is sure of it, however few elements there are */
    bool closed;         /* what the elements are made of is not the question */
    bool rare;           /* shown by unusual inputs: another test shows more */
    bool asks;           /* it ends with a question */
    char expected[64];   /* first bad element: the value expected, as shown to the student */
    char actual[64];     /* and the value got */
    char message[1024];  /* two or three sentences: first bad element, what the pattern is, one question */
};

#endif
