/* What `hint`, `watch` and `reset` are about: a lab's file in the student's folder, or a file that was named. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stdbool.h>

#include "grader/grading/progress.h"
#include "grader/grading/workspace.h"
#include "grader/options/options.h"

struct subject {
    struct workspace workspace;
    struct progress_key key;
};

/* Finds the subject of a command from its arguments, LAB or FILE; without one, the lab that is worked on. Returns false,
 * with the reason on stderr, when there is none, or when the file does not exist. */
bool subject_find(const struct options *options, struct subject *subject);

/* Makes the lab's file in the student's folder the subject. Returns false, with the reason in message, when it is not there.
 */
bool subject_take_lab(struct subject *subject, const struct lab *lab, char *message, size_t message_bytes);

/* For a command that shows what kernels of a lab do: is it a lab on kernels? If it asks for a whole program, says so on stderr.
 *   command   "trace" */
bool subject_has_kernels(const struct subject *subject, const char *command);

#endif
