/* What a program is given and what it gives back, as text: numbers in decimal (grader/lab/program.h). */
#ifndef PROGRAM_EXCHANGE_H
#define PROGRAM_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/compare.h"
#include "grader/lab/program.h"

/* The inputs of one run and what must come of them. */
struct exchange {
    const struct lab *lab;
    const struct lab_case *the_case;
    struct lab_data data;                          /* owned */
    struct lab_expected expected[LAB_MAX_OUTPUTS]; /* owned */
    size_t numbers;                                /* that the program must print */
    uint64_t input_bytes, output_bytes;            /* of the arrays, as a device holds them */
};

/* Draws the inputs and computes the results. */
void exchange_create(const struct lab *lab, const struct lab_case *the_case, uint64_t seed, struct exchange *exchange);
void exchange_clear(struct exchange *exchange);

/* The program's standard input. Returns the text, owned by the caller. */
char *exchange_write(const struct exchange *exchange);

/* What came back. */
struct exchange_answer {
    enum { EXCHANGE_RIGHT, EXCHANGE_WRONG, EXCHANGE_NO_NUMBER, EXCHANGE_TOO_FEW, EXCHANGE_TOO_MANY } kind;
    size_t count;      /* numbers that were there; NO_NUMBER: before the word */
    char word[64];     /* NO_NUMBER: what is none; TOO_MANY: the first too many */
    int output;        /* WRONG: index in lab->outputs */
    size_t index, bad; /* WRONG: the first wrong element, and how many are wrong */
    bool whole;        /* WRONG: each of them is the right one without its fraction */
    char expected[64], actual[64];
};

/* Reads and compares. A number may be off by half a unit of its sixth significant digit beside what the lab allows:
 * that is what printing it with %g loses. */
void exchange_read(const struct exchange *exchange, const char *text, uint64_t bytes, struct exchange_answer *answer);

#endif
