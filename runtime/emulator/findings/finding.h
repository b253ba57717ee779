/* Findings: what the emulated driver says about the program it runs. The codes are in findings.def. */
#ifndef EMULATOR_FINDING_H
#define EMULATOR_FINDING_H

#include <stdbool.h>
#include <stdint.h>

enum finding_code {
#define STAGE(stage, order, heading)
#define FINDING(code, raised_by, stage, severity, in_lab, title, question, meaning, often, advice) FINDING_##code,
#include "runtime/tables/findings.def"
#undef FINDING
#undef STAGE
    FINDING_CODE_COUNT
};

enum finding_severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

enum {
    FINDING_MAX_CALLS = 6,
    FINDING_MAX_MARKS = 6,
    WHERE_BYTES = 80,
    ARITHMETIC_BYTES = 400,
    REMARK_BYTES = 400,
    FINDING_MAX_LOADS = 4
};

/* A place in the source, and its function. */
struct finding_frame {
    char function[96]; /* readable name; "" unknown */
    char file[256];    /* "" unknown */
    int line;          /* 0: no frame */
};

/* The part of a line of the student's file that is meant: `column` and `width` in bytes, columns from 1. */
struct finding_mark {
    int line, column, width;
};

struct finding {
    enum finding_code code;
    enum finding_severity severity;
    char kernel[128]; /* readable name; "" when no kernel is involved */
    char file[256];   /* as in the PTX's .file; "" unknown */
    int line;         /* 0 unknown */
    char file2[256];  /* the other access, where two are involved */
    int line2;
    int ptx_line, ptx_line2;                             /* of the PTX text, where line or line2 is unknown; else 0 */
    char where[WHERE_BYTES], where2[WHERE_BYTES];        /* both in words: "line 14", "PTX line 57" */
    char function[96];                                   /* readable name of the function that contains `line`; "" unknown */
    struct finding_frame inside;                         /* the access itself, when it is in a header; line 0: at `line` */
    struct finding_frame called_from[FINDING_MAX_CALLS]; /* the calls that led to `line`, innermost first */
    int called_from_count;
    char array[64];
    char label[64];              /* what the program calls it, where array is the source's own name; "" the same */
    char parameter[64];          /* name of the kernel's parameter that points to it; "" none, or unknown */
    char member[32];             /* of a structure: ".y"; "" none, or unknown */
    int64_t index;               /* element; meaningful when has_index */
    bool is_scalar;              /* a variable in shared memory that is not an array: its name alone says which */
    int64_t columns;             /* > 0: index is row * columns + column */
    int64_t rows, depth_columns; /* of an array of three dimensions, by which its elements are named; 0: it has fewer */
    bool has_cell;               /* the source says which row and column were meant: they are not those of index */
    int64_t cell[2];             /* row, column */
    bool has_index;
    int64_t elements;       /* of the array, where an index is beyond it; 0 unknown */
    unsigned element_bytes; /* that the index counts; 0: nothing is reported about an index beyond it */
    bool in_shared;
    char unwritten[64]; /* of an uninitialized value: the array that was never written; "" none, or unknown */
    int64_t unwritten_index;
    uint32_t thread[3], block[3];
    bool has_thread;
    uint32_t thread2[3], block2[3]; /* of the other access of a race; the message names both threads then */
    bool has_thread2;
    const char *access, *access2; /* of a race, what each does: "read", "write", "atomic"; NULL else */
    uint64_t count;               /* how many events this finding represents, including this one */
    uint64_t launch;              /* number of the launch in the process, from 1; 0: of none */
    char message[512];            /* one or two sentences, plain text */
    const char *hint;             /* a specific question; NULL: `question`, or that of the code */
    char question[96];            /* the same where it names a line; "" else */
    const char *pattern;          /* which of several mistakes the code means here: "variable"; NULL unknown */
    struct finding_mark marks[FINDING_MAX_MARKS];
    int mark_count;
    char arithmetic[ARITHMETIC_BYTES]; /* "i = blockIdx.x*blockDim.x + threadIdx.x = 3*256 + 232 = 1000"; "" unknown */
    const void *index_loads[FINDING_MAX_LOADS]; /* struct ptx_instruction: loads that make up the address; NULL: no more */
    int index_race;                             /* line of one of them that has a race; 0: none */
    const void *freed_in[2];   /* of freed memory: where in the program it was freed (driver/origin.h); NULL */
    const void *filled_in;     /* of filled memory: the call that filled it (struct call_place); NULL */
    char remark[REMARK_BYTES]; /* a fact that explains it: "The grid has 1024 threads for 1000 elements."; "" none */
};

/* Opens the sink named by settings_get(); called by the first report, may be called earlier to fail early. */
void finding_open(void);

/* Reports a finding that arises outside a launch (a refused launch, a leak, a copy out of range): written and flushed at
 * once. Severity comes from the table. Nothing is written when LOCKSTEP_CHECKS=none. */
void finding_report(const struct finding *finding);

/* The same as a warning, where the code stands for an error elsewhere. */
void finding_report_warning(const struct finding *finding);

/* Keeps a finding that counts for less if the program turns out to know of it: of one held, the program's place is found now.
 * Until it is released, or another finding is reported, which it comes before. Only one is held. */
void finding_hold(const struct finding *finding);
bool finding_is_held(void);

/* Reports what is held, as a note with this remark where the program knows of it; NULL: as what it is. */
void finding_release(const char *knows);

/* A sentence that every finding of a launch ends with from now on, since the program did not ask for the launch directly:
 * "Launched by …". Borrowed; NULL: none. Returns the one before. */
const char *finding_set_origin(const char *sentence);

/* Whom to let complete each finding before it is written: set once. */
void finding_watch(void (*complete)(struct finding *finding));

/* Writes the message, printf-style; returns the finding. */
struct finding *finding_text(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The findings of one launch, grouped: the same code at the same lines on the same array counts once. Making the set counts
 * the launch. */
struct finding_set;
struct finding_set *finding_set_create(void); /* NULL when out of memory */
void finding_set_destroy(struct finding_set *set);

/* Adds a finding to its group; the first of a group gives the message. Returns the number of the group, -1 when out of
 * memory. */
int finding_collect(struct finding_set *set, const struct finding *finding);

/* A load has a race that is an error: findings about addresses computed from it get its line. */
void finding_set_note_race(struct finding_set *set, const void *load, int line);
bool finding_set_is_empty(const struct finding_set *set);

/* For places that report again and again: what one instruction reports about one thing is described once. The key
 * combines the instruction's site, a code, and what it is about; finding_repeat counts it once more and returns false when
 * it is new, finding_collect_as adds it and remembers the key. */
uint64_t finding_key(const void *where, enum finding_code code, uint64_t what);
bool finding_repeat(struct finding_set *set, uint64_t key);
void finding_collect_as(struct finding_set *set, uint64_t key, const struct finding *finding);

/* Writes the groups to the sink, first cause first, and empties the set. */
void finding_set_flush(struct finding_set *set);

/* "tile[3][5]", "c[1000]": the element that the finding is about. */
enum { ELEMENT_BYTES = 128 };
const char *finding_element(const struct finding *finding, char text[ELEMENT_BYTES]);

/* How many launches this process has begun. */
uint64_t finding_launch_count(void);

/* Reports at the end of the process what was found in all: to LOCKSTEP_SUMMARY as one JSON object, and on stderr, if
 * findings went there and there are any. */
void finding_summarise(void);

/* Severity of a code, from the table. */
enum finding_severity finding_code_severity(enum finding_code code);

#endif
