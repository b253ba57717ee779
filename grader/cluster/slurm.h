/* Slurm, by its own commands: sbatch, squeue, scontrol, scancel. Every function waits a minute at most for an answer. */
#ifndef SLURM_H
#define SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A job ID: a number. */
typedef char slurm_job[24];

/* Some jobs, while they are in the queue. */
struct slurm_look {
    enum { SLURM_QUEUED, SLURM_GONE, SLURM_SILENT } state; /* SILENT: the controller does not answer */
    size_t running, waiting;                               /* tasks of all of them */
    char reason[100];                                      /* why those wait, by Slurm's word; "" none */
};

/* How many tasks an array may have (MaxArraySize - 1); 0, with a message, where Slurm is missing or does not answer. */
uint32_t slurm_array_limit(char *message, size_t message_bytes);

/* Submits a script.
 *   after   a job that must have ended before, however; NULL: none
 *   job     out
 * Returns false with Slurm's own words in the message. */
bool slurm_submit(const char *script, const char *after, slurm_job job, char *message, size_t message_bytes);

/* Would Slurm run the script, some time? Returns false with Slurm's own words in the message. */
bool slurm_try(const char *script, char *message, size_t message_bytes);

/*   jobs   IDs with commas between */
void slurm_look(const char *jobs, struct slurm_look *look, char *message, size_t message_bytes);

void slurm_cancel(const char *job);

/* The text as one word of a shell; owned by the caller. */
char *slurm_quoted(const char *text);

/* May a line of a script that sbatch reads contain the text? Not with control characters, quotes or backslashes. */
bool slurm_is_plain(const char *text);

#endif
