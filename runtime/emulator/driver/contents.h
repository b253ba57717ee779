/* The bytes that the device's memory got, for who looks for results among them: lines of the record of calls (call_log.h). */
#ifndef EMULATOR_CONTENTS_H
#define EMULATOR_CONTENTS_H

#include <stdint.h>
#include <stdio.h>

/* Where the lines go; before that, nothing is written. */
void contents_open(FILE *file);

/* What kernels have stored, what the host has put where kernels read it, or one element of a fill. After a few MiB a line says
 * that the rest is left out.
 *   at      address of the first byte, for the alignment of what the bytes hold
 *   times   how often they follow one another */
enum contents_of { CONTENTS_KERNEL, CONTENTS_HOST, CONTENTS_FILL };
void contents_write(enum contents_of of, uint64_t at, const uint8_t *bytes, uint64_t count, uint64_t times);

/* Not all of it is known: that line. */
void contents_write_cut(void);

#endif
