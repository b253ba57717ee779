/* Findings: what the emulated driver says about the program it runs. The codes are in findings.def. */
#ifndef EMULATOR_FINDING_H
#define EMULATOR_FINDING_H

#include <stdbool.h>
#include <stdint.h>

enum finding_code {
#define FINDING(code, text, severity, hint) FINDING_##code,
#include "runtime/emulator/checks/findings.def"
#undef FINDING
    FINDING_CODE_COUNT
};

enum finding_severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct finding {
    enum finding_code code;
    enum finding_severity severity;
    char kernel[128];        /* readable name; "" when no kernel is involved */
    char file[256];          /* as in the PTX's .file; "" unknown */
    int line;                /* 0 unknown */
    char file2[256];         /* the other access, where two are involved */
    int line2;
    char array[64];
    int64_t index;           /* element; meaningful when has_index */
    int64_t columns;         /* > 0: index is row * columns + column */
    bool has_index;
    uint32_t thread[3], block[3];
    bool has_thread;
    uint64_t count;          /* how many events this finding stands for, this one included */
    uint64_t launch;         /* number of the launch in the process, from 1; 0: of none */
    char message[512];       /* one or two sentences, plain text */
    const char *hint;        /* a question of its own; NULL: that of the code */
};

/* Opens the sink named by settings_get(); called by the first report, may be called earlier to fail early. */
void finding_open(void);

/* Reports a finding that arises outside a launch (a refused launch, a leak, a copy out of range): written and flushed at
 * once. Severity comes from the table. Nothing is written when LOCKSTEP_CHECKS=none. */
void finding_report(const struct finding *finding);

/* Writes the message, printf-style; returns the finding. */
struct finding *finding_text(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The findings of one launch, grouped: the same code at the same lines on the same array counts once. Making the set counts
 * the launch. */
struct finding_set;
struct finding_set *finding_set_create(void);   /* NULL when out of memory */
void finding_set_destroy(struct finding_set *set);

/* Adds a finding to its group; the first of a group gives the message. Returns the number of the group, -1 when out of
 * memory. */
int finding_collect(struct finding_set *set, const struct finding *finding);

/* The same once more: for places that report again and again and remember their group. */
void finding_repeat(struct finding_set *set, int group);

/* Writes the groups to the sink, first cause first, and empties the set. */
void finding_set_flush(struct finding_set *set);

/* How many findings of severity error this process has reported, and how many launches it has begun. */
uint64_t finding_error_count(void);
uint64_t finding_launch_count(void);

/* Says at the end of the process what was found in all: to LOCKSTEP_SUMMARY as one JSON object, and on stderr, where the
 * findings went, when there are any or more than faults was looked for. */
void finding_summarise(void);

/* Severity of a code, from the table. */
enum finding_severity finding_code_severity(enum finding_code code);

/* Name of a code as it stands in result files: "out_of_bounds". */
const char *finding_code_name(enum finding_code code);

#endif
