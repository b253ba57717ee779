/* Who grades what, where several processes, perhaps on several machines, grade into one folder.
 *
 *   WRITER       a process at work: "HOST.NAMESPACE.PID.START". It is touched every 20 seconds while the process lives
 *   KEY.N        a claim on a grading: a symbolic link whose target is the name of the writer. Links are made in one step
 *                or not at all, also on NFS, so only one process gets each. N counts the takers: a claim of a process that is
 *                dead is not removed, the next taker makes KEY.N+1
 *
 * A writer is dead when its file is gone, when its process is (on the same machine), or when its file was last touched two minutes
 * before one's own. Both times come from the file server, so clocks need not agree. A claim is kept after the grading is, because
 * NFS may show other machines the grading late.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct claims {
    char *folder; /* owned; NULL: not open */
    char writer[200];
    pid_t beat; /* the process that touches the writer's file; 0: none */
};

/* Makes the folder if need be, and the file of this writer. Close in either case. Returns false with a message. */
bool claims_open(const char *folder, struct claims *claims, char *message, size_t message_bytes);

/* Claims a key: CLAIMS_OTHER when a process that is alive has it, CLAIMS_FAILED with a message when nothing can be written. */
enum claims_answer { CLAIMS_MINE, CLAIMS_OTHER, CLAIMS_FAILED };
enum claims_answer claims_take(const struct claims *claims, const char *key, char *message, size_t message_bytes);

/* Ends the writer: its claims are free for others. */
void claims_close(struct claims *claims);

/* Removes all claims in a folder. Only when no writer is at work. */
void claims_clear(const char *folder);

/* How many writers are at work there. */
size_t claims_count_writers(const char *folder);

/* The name of this machine, as messages show it: what Slurm calls the node, else its host name. */
const char *claims_machine(void);

#endif
