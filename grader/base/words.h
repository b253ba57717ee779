/* Sentences made of other modules' records. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

#include "runtime/lockstep.h"

/* What happened and what to do about it, as sentences: "no NVIDIA driver on this machine. Install ..." */
void words_error(const lockstep_error *error, char *text, size_t text_bytes);

/* A path as one word of a command line that can be copied into a shell: as it is, in quotes, or, where it holds what a
 * terminal must not see, with that as \xNN in $'...'. The caller frees it. */
char *words_shell(const char *path);

#endif
