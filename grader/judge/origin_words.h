/* Puts into words what a wrong element is made of. */
#ifndef ORIGIN_WORDS_H
#define ORIGIN_WORDS_H

#include "grader/judge/origin_log.h"
#include "grader/judge/origin_weigh.h"
#include "grader/result/result.h"
#include "runtime/language/source.h"

/* Of one wrong output of one case. Borrowed. */
struct origin_subject {
    const char *place;                                          /* of the element: "out[5]", "C[1][0]", "sum" */
    size_t element;                                             /* its index */
    const char *output_name;                                    /* of the array it lies in */
    const char *input[ORIGIN_ARRAYS], *recorded[ORIGIN_ARRAYS]; /* names of the arrays weighed, shown and in the log */
    size_t columns[ORIGIN_ARRAYS];                              /* their row lengths; 0: one-dimensional */
    const bool *bad;                                            /* [outputs] */
    size_t bad_count, outputs;
    const struct origin_log *log;
    bool is_float;
    bool of_halves;     /* the inputs are */
    bool products;      /* of the two inputs */
    bool others;        /* there are inputs that are not weighed */
    const char *before; /* the elements are those of an array before this: "the first step"; NULL: of an input */
    int launches;       /* that came before the output was handed over */
    const struct origin_element *stored; /* who stored the element; NULL: not known */
    const char *left_out_by;             /* a later kernel that stores to none of the wrong elements; NULL: there is none */
    int left_out_line;                   /* where it stores other elements of the array; 0: it does not */
    const struct source *source;         /* NULL: there is none */
    int try_line;                        /* an `if` asks once for this lock (repair_source_find_try); 0: none does */
    const char *try_name;                /* … of this name */
    int tile;         /* elements of a block; of products, columns of A that are loaded at a time; 0 unknown */
    bool uses_shared; /* else nothing is known of tiles */
};

/* Writes what the weights say: facts, then a question. Returns the pattern, NULL when they say nothing. */
const char *origin_words_sums(const struct origin_subject *subject, const struct origin_weights *weights, char *text,
                              size_t text_bytes);

/* Whether of the products that are missing the elements of one factor are read, and those of the other are not. */
bool origin_words_one_unread(const struct origin_subject *subject, const struct origin_weights *weights);
/* The line of the atomic operation that the last launch executes once for each of the elements. 0: there is none, or more. */
int origin_words_line_of_each(const struct origin_log *log, int launches, int64_t elements);

/* line: set to where it happens, where that is known better */
const char *origin_words_counts(const struct origin_subject *subject, const struct origin_counts *counts, char *text,
                                size_t text_bytes, int *line);

#endif
