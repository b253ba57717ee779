/* What the launches of the process have shown about each barrier, kept until the process ends: a later launch may need
 * it. */
#include "runtime/emulator/observe/races/need_notes.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/barrier_lines.h"

enum { MOST_NOTES = 256 }; /* barriers of a process that are reported */

struct note {
    struct finding finding;
    bool needed;
    uint64_t launches; /* that did not need it */
};

static struct note *notes[MOST_NOTES];
static size_t note_count;

static bool same_place(const struct finding *a, const struct finding *b)
{
    return a->line == b->line && a->ptx_line == b->ptx_line && strcmp(a->file, b->file) == 0
           && (a->line || strcmp(a->kernel, b->kernel) == 0);
}

/* Made when it is new; NULL when there is no room. */
static struct note *note_of(const struct finding *finding)
{
    for (size_t i = 0; i < note_count; i++)
        if (same_place(&notes[i]->finding, finding))
            return notes[i];
    struct note *note = note_count < MOST_NOTES ? calloc(1, sizeof *note) : NULL;
    if (!note)
        return NULL;
    note->finding = *finding;
    notes[note_count++] = note;
    return note;
}

void need_note(const struct barrier_line *line)
{
    struct note *note = note_of(line->finding);
    if (!note)
        return;
    note->needed |= line->verdict == BARRIER_NEEDED;
    note->launches += line->verdict == BARRIER_NEEDLESS;
}

void need_report(void)
{
    for (size_t i = 0; i < note_count; i++) {
        struct finding *finding = &notes[i]->finding;
        finding->has_thread = false;
        finding->count = 1;
        finding_text(finding,
                     "no conflict needed the barrier at %s in %llu launch%s: without it, whatever two threads share would "
                     "have been ordered all the same",
                     finding->where, (unsigned long long)notes[i]->launches, notes[i]->launches == 1 ? "" : "es");
        if (!notes[i]->needed && notes[i]->launches)
            finding_report(finding);
        free(notes[i]);
    }
    note_count = 0;
}
