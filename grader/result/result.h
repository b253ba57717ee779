/* What a grading found: the model behind terminal and result file (grader/result/result.schema.json). Texts are owned by
 * the lab's result; strings from the student are escaped when they are shown, not when they are kept.
 */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/estimate/estimate.h"
#include "grader/lab/picture.h"
#include "runtime/lockstep.h"

enum result_state {
    RESULT_PASS,
    RESULT_FAIL,
    RESULT_ERROR,         /* the submission does not compile, or nothing of it could run */
    RESULT_HARNESS_ERROR, /* our fault: no points either way */
    RESULT_SKIPPED,       /* not judged; the message says why */
    RESULT_INCONCLUSIVE,  /* timing noise */
};

const char *result_state_name(enum result_state state);

/* A place in the source and the function that it is in. */
struct result_frame {
    char function[96], file[256]; /* "" unknown */
    int line;                     /* 0: no frame */
};

/* Part of a line of the student's file; column, from 1, and width in bytes. */
struct result_mark {
    int line, column, width;
};

enum { RESULT_MAX_CALLS = 6, RESULT_MAX_MARKS = 6 };

struct result_finding {
    char code[32];    /* stable name: "out_of_bounds" */
    char pattern[32]; /* of a wrong_value, or as findings.c names it; "" else */
    lockstep_severity severity;
    char kernel[128], file[256], file2[256], array[64]; /* "" unknown */
    char output[32];    /* of a comparison: the lab's name of what was compared, "dest", "pi"; "" else */
    char unwritten[64]; /* of an uninitialized value: the array that was never written; "" unknown */
    int64_t unwritten_index;
    int line, line2; /* 0 unknown */
    int index_count; /* 0: no index; 1: index[0]; 2: row, column */
    int64_t index[2];
    bool has_thread;
    uint32_t thread[3], block[3];
    bool has_thread2; /* of a race: the other thread, which the message names like the first */
    uint32_t thread2[3], block2[3];
    bool tells_values; /* the message says what was expected and what came */
    bool asks;         /* it ends with a question of its own: the hint is not shown */
    uint64_t count;
    char message[1200];
    char hint[512];
    bool explained;             /* of a wrong_value: the message says more than which element is wrong */
    bool by_lab;                /* of a wrong_value: the lab recognised the values as those of a mistake */
    bool open;                  /* of a wrong_value: the message leaves open why */
    bool proven;                /* of a wrong_value: what it is made of was measured */
    bool weak;                  /* of a comparison: too few elements to show a pattern; another test shows it better */
    bool whole;                 /* of a comparison: not one element is right, or was written */
    bool before;                /* of a never_written: the work of a kernel that runs before the one that read it */
    bool follows;               /* of a comparison: what it was computed from is wrong, too */
    bool spoilt;                /* of a kernel that found wrong places, counted by the kernels before it, in its arrays */
    char cured_by[24];          /* kind of the repair that is proven to cure it (repairs.def); "" none is */
    char schedule[24];          /* name of the order of threads in which it was found; "": rising order */
    char function[96];          /* that `line` is in; "" unknown */
    struct result_frame inside; /* the access itself, where it is in a header */
    struct result_frame called_from[RESULT_MAX_CALLS]; /* the calls that led to `line`, innermost first */
    int called_from_count;
    int ptx_line, ptx_line2;                    /* where the PTX has no source lines; 0 else */
    struct result_mark marks[RESULT_MAX_MARKS]; /* the expressions that are meant */
    int mark_count;
    int index_race;       /* line of a read that has a race and that the index is made of; 0: none */
    char arithmetic[400]; /* how the index came about; "" unknown */
    char remark[480];     /* "The grid has 1024 threads for 1000 elements."; the compiler's own words; "" none */
    char handout[160];    /* section that explains the class: "handouts/vector_add.md, The guard"; "" none */
    char warning[40];     /* ladder of the warning that explains it, which question and hints are about; "" none */
    bool lab_note;        /* costs nothing and belongs to no cause: shown last */
};

struct result_findings {
    struct result_finding *list; /* owned */
    size_t count, capacity;
};

/* What the message tells by itself, so that nobody says it again: which threads it is about. */
bool result_finding_tells_threads(const struct result_finding *finding);

/* What the finding's count counts, in the plural; NULL: threads other than the one that it names. */
const char *result_finding_events(const struct result_finding *finding);

/* Is this file, which a finding or a diagnostic names ("": none), the one that was graded? `#line` and headers name others, whose
 * lines are not those of its text.
 *   path   of the file graded; NULL: of text that is not a file */
bool result_is_own_file(const char *file, const char *path);

/* Adds a copy, or counts it with one that has the same code, place and array. Returns the entry in the list. */
struct result_finding *result_findings_add(struct result_findings *findings, const struct result_finding *finding);
/* Whether a diagnostic is not worth a place before the first cause: no warning, or one that is seldom the mistake itself. */
bool result_is_idle_warning(const lockstep_diagnostic *diagnostic);

/* Whether one of them has the code. */
bool result_findings_have(const struct result_findings *findings, const char *code);

/* Is it a finding about a barrier that not all threads reach? */
bool result_code_is_barrier(const char *code);

/* What came of running a test whose values were right in other orders of its threads. */
struct result_order {
    int tried;         /* how many; 0: none */
    char schedule[24]; /* the first in which it went wrong; "" none … */
    char place[128];   /* … the first wrong element, "out[5]"; "": it failed, or did not end */
    char expected[64], actual[64];
};

/* What was expected of a picture, what came out, and how far they are apart: all of it, or a part around the first wrong
 * element. */
struct result_picture {
    char array[64];
    size_t column, row; /* where the part begins */
    struct picture expected, got, difference;
};

/* What the kernels of a test printed in one of its runs: the first, or the second where only that one went wrong, or printed. */
struct result_printed {
    char *text;     /* at most 64 KB; owned, NULL: nothing */
    uint64_t bytes; /* in all */
};

struct result_test {
    char name[128];
    const char *purpose; /* the lab's */
    bool hidden;
    enum result_state state;
    int score, max_score;
    char message[1600];              /* first cause, for one line */
    char place[128];                 /* first wrong element, "out[5]"; "" none */
    char expected[64], actual[64];   /* of that element; "" none */
    struct result_findings findings; /* first cause first */
    struct result_order order;
    struct result_picture *picture; /* of a wrong output that is a picture; NULL: none; owned */
    struct result_printed printed;
    bool never_written;          /* of that element: `actual` is words */
    bool on_gpu;                 /* the case ran on the GPU too … */
    enum result_state gpu_state; /* … with this outcome */
    int halvings;                /* so often its size was halved, on a device with little memory … */
    int slow_halvings;           /* … and so often because the kernel takes too long */
    bool left_little;            /* … or because other tests had left too little work */
    bool not_run;                /* other tests had cost too much: nothing is known; left_little: a part was right */
};

struct result_budget {
    const char *track; /* "counters" or "time" */
    const char *metric;
    const char *title;              /* of the metric, for people */
    double value, reference, ideal; /* NAN: not applicable */
    double ratio;                   /* NAN: not measured */
    double full_at, zero_at;        /* NAN: no bound */
    double low, high;               /* interval of the ratio; NAN for exact counters */
    enum result_state state;
    int score, max_score;
    const char *why;     /* derivation; "" none */
    const char *pattern; /* of the hints: "misaligned", "repeated"; "" or NULL none */
    char message[512];   /* why it was skipped, where it was lost, what a time means; "" none */
    int line;            /* of the student's file, where most of it was spent; 0 none */
    char picture[1024];  /* where the lanes of that line's worst request went, lines of text; "" none */
};

struct result_counter {
    const char *name;
    double value;
};

#define RESULT_COUNTERS_MAX 40

/* How long the timing case would take on a GPU, as far as the counters tell. */
struct result_estimate {
    struct estimate own, reference; /* without a GPU: none */
    const char *the_case;           /* whose time it is */
};

enum result_piece_kind { RESULT_TO_DEVICE, RESULT_TO_HOST, RESULT_KERNEL, RESULT_PIECE_KINDS };

/* A copy or a kernel of a program, and when it would run: timeline.h says in which model. */
struct result_piece {
    enum result_piece_kind kind;
    char stream[40];  /* "stream 2", "the default stream" */
    char kernel[128]; /* its name; "" of a copy */
    int line;         /* 0 unknown */
    uint64_t bytes;   /* of a copy */
    double start_us, end_us;
};

/* What a program gave the device to do in the case where this is counted, in the order of its calls. */
struct result_timeline {
    const char *the_case;        /* its name; NULL: there is no timeline */
    struct result_piece *pieces; /* owned, [piece_count] */
    size_t piece_count;
    double us;          /* until the last piece ends */
    double in_a_row_us; /* were there one piece at a time */
};

enum result_cure {
    RESULT_UNTRIED, /* nothing fits the cause, or it is a hidden test's alone */
    RESULT_CURED,   /* every test that ran with the repair passes */
    RESULT_PARTLY,  /* with it, some of the failing tests pass; in none of the others is the cause left */
    RESULT_REMAINS, /* with it, the cause is gone from the smallest test that has it, which still fails: `other` */
    RESULT_NO_CURE, /* the cause stays, whatever was tried: more than one kind of repair */
};

/* What came of repairs that were tried for the lab's first cause (runtime/tables/repairs.def), on visible tests alone. */
struct result_repair {
    enum result_cure cure;
    char kind[24];     /* CURED, PARTLY, REMAINS: the row; "" else */
    int line, line2;   /* where; 0: not at a line */
    char array[64];    /* "" none */
    int cures, of;     /* of CURED: tests that pass, of those that ran; of PARTLY: of those that failed */
    char other[32];    /* of PARTLY and REMAINS: code of what is left */
    char tried[128];   /* kinds that were tried, with a blank after each */
    int runs;          /* what it took */
    char message[480]; /* one sentence; "" nothing to say */
};

struct result_lab {
    const char *lab;  /* folder's name */
    const char *path; /* of the file graded, as the user gave it */
    enum result_state state;
    int score, max_score;
    char message[1600];
    lockstep_diagnostic *diagnostics; /* owned */
    size_t diagnostic_count;
    struct result_findings notes; /* about the whole: kernel_missing, signature, launch_setting, optimized_away,
                                     * barrier_needless */
    struct result_repair repair;  /* of the first cause */
    const char *plan;             /* NULL: none complete */
    struct result_test *tests;    /* owned, [test_count] */
    int test_count;
    struct result_budget *budgets; /* owned, [budget_count] */
    int budget_count;
    struct result_counter counters[RESULT_COUNTERS_MAX];
    int counter_count;
    struct result_estimate estimate;
    struct result_timeline timeline; /* of a lab on programs that asks for overlap */
    uint64_t *fingerprint;           /* of the compiled module (fingerprint.h); owned; NULL: it did not compile */
    size_t fingerprint_count;
    double seconds;              /* wall time of the grading; 0: not told */
    lockstep_device_info device; /* that the verdict is about: the GPU when it was used; meaningful when has_device */
    bool has_device;
};

/* What a timeline is and is not, a sentence or two for people. */
extern const char result_timeline_model[];

/* Has every test passed? */
bool result_all_pass(const struct result_lab *result);

/* For words that depend on it: is this kind of repair (a row of repairs.def) proven to be the cure? Was it tried? Was it
 * tried without being the cure? */
bool result_is_cured_by(const struct result_lab *lab, const char *kind);
bool result_was_tried(const struct result_lab *lab, const char *kind);
bool result_is_not_cured_by(const struct result_lab *lab, const char *kind);

void result_picture_destroy(struct result_picture *picture);

/* The test whose printf output is shown: the one that is reported, if its kernels printed anything, else the first whose did.
 * -1: none. */
int result_printed_test(const struct result_lab *lab);

void result_lab_clear(struct result_lab *lab);

#endif
