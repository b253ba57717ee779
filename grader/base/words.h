/* Sentences made of other modules' records. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

#include "runtime/lockstep.h"

/* What happened and what to do about it, as sentences: "no NVIDIA driver on this machine. Install ..." */
void words_error(const lockstep_error *error, char *text, size_t text_bytes);

#endif
