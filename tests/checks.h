/* Checks: kernels with comments that say how to launch them and what must be found (tests/dialect.h has their form).
 *
 *     // check: KERNEL grid=2,1 block=64 PARAMETER=KIND:VALUE ...
 *     // expect: silent
 *     // expect: CODE line=LABEL line2=LABEL array=NAME says=WORDS ...
 *     // expect-more: KERNEL CODE ...
 *     // exactly: CODE line=LABEL ...
 *     // mark: TEXT
 *
 * Every finding must be expected; every `expect` must be found, an `expect-more` may be. With `exactly`, of which there may
 * be several, the findings are these, one for one and in this order. The marks of a finding are exactly the texts of
 * `mark`, where there are any. The code `any` is every code; `race` is any race that is an error.
 *
 *     word of `check`      meaning
 *     grid block           x,y,z; default: 1
 *     shared               bytes of dynamic shared memory; default: 0
 *     cooperative          1: all blocks are resident
 *     repeat               number of launches; default: 1
 *     result               the CUresult of launch or synchronisation; default: 0 with `silent` and `exactly`, else any
 *     checks fuel          LOCKSTEP_CHECKS and LOCKSTEP_FUEL, only where each check has its own process (checks_run_file())
 *     direct               1: launch with cuLaunchKernel, because lockstep_launch() refuses some launches itself; only where
 *                          each check has its own process
 *     NAME=KIND:VALUE      a parameter, in the order of the kernel's:
 *         int:V            a number
 *         zero:N           an array of N 4-byte words of zero
 *         ints:N           the same, described as an array of int: findings name the index of an element
 *         input:N          the same, protected against writes
 *         freed:N          the same, freed before the launch
 *         poison:N         an array that was never written
 *         out:N            the same, and it is looked at afterwards
 *         words:V,V,...    an array of these words
 *         beside:N         no parameter: an array of N words that lies beside those above
 *
 *     word of `expect`     what it leaves out may be anything
 *     line line2           labels; line=LABEL..LABEL is any line from one to the other. With `exactly`, no line2 means that
 *                          there is none
 *     lines=LABEL,LABEL    line and line2: which of the two comes later depends on the order of the warps
 *     array index          what is accessed
 *     block thread         x of the block and of the thread
 *     count                number of times that it happened
 *     severity             with `exactly`: error unless it says otherwise
 *     in inside            function of `line`; function of a header that contains the access
 *     from=LABEL,LABEL     the calls that led to `line`, innermost first
 *     says                 a part of the message, with _ for each blank, or with a dash before it what the message must
 *                          not contain; up to three
 */
#ifndef TESTS_CHECKS_H
#define TESTS_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lockstep.h"

enum { CHECKS_MAX_EXPECTED = 12, CHECKS_MAX_PARAMETERS = 12, CHECKS_MAX_MARKS = 4, CHECKS_MAX_SAYS = 3 };

enum checks_word {
    CHECKS_LINE,
    CHECKS_LINE2,
    CHECKS_FROM,
    CHECKS_ARRAY,
    CHECKS_INDEX,
    CHECKS_BLOCK,
    CHECKS_THREAD,
    CHECKS_COUNT,
    CHECKS_SEVERITY,
    CHECKS_IN,
    CHECKS_INSIDE,
    CHECKS_WORDS
};

struct checks_expectation {
    char code[32], words[CHECKS_WORDS][64], says[CHECKS_MAX_SAYS][160]; /* "" where left out */
    bool optional, exact, found, either_way;
};

struct checks_parameter {
    char name[32], kind[16];
    int value;  /* number, or how many words */
    int *words; /* [value] of kind words, else NULL; owned */
};

struct check {
    char name[64], checks[16], fuel[16];
    lockstep_shape shape;
    int repeat, result; /* result: CHECKS_ANY_RESULT, else a CUresult */
    bool silent, exact, direct;
    struct checks_parameter parameters[CHECKS_MAX_PARAMETERS];
    size_t parameter_count;
    struct checks_expectation expected[CHECKS_MAX_EXPECTED];
    size_t expected_count;
    char marks[CHECKS_MAX_MARKS][64];
    size_t mark_count;
};

enum { CHECKS_ANY_RESULT = -1 };

/* Reads the text of a `check`, into which it writes. What makes no sense is a failed assertion. */
void checks_read(char *text, struct check *check);
void checks_clear(struct check *check);

/* Launches the kernel and waits for its end. Returns the CUresult; not 0 either for any other failure, which is printed. */
int checks_launch(lockstep_device *device, lockstep_module *module, const struct check *check);

/* Runs every check of a file, of which there are at least so many, as assertions. LOCKSTEP_FINDINGS names `findings`. The
 * checks run on *device, which is opened again after one that faults; where `device` is NULL each runs in a process of its
 * own, and the calling one must not have opened a device. */
void checks_run_file(const char *path, const char *findings, lockstep_device **device, size_t at_least);

#endif
