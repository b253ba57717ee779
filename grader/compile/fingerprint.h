/* Fingerprints of PTX: which short stretches of instructions a module has, whatever its registers, labels, names and
 * numbers are called. Two modules that share many of them, beyond what the lab gives everyone, are worth a person's look.
 *
 * Every instruction becomes its opcode and the kinds of its operands; every FINGERPRINT_GRAM of them in a row are hashed,
 * and of each FINGERPRINT_WINDOW hashes in a row the smallest is kept (winnowing: Schleimer, Wilkerson, Aiken, 2003), so
 * that any shared stretch of GRAM + WINDOW - 1 instructions leaves a shared fingerprint.
 */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/language/ptx/summary.h"

enum { FINGERPRINT_GRAM = 6, FINGERPRINT_WINDOW = 4, FINGERPRINT_MAX = 4096 };

/* Fingerprints of the functions of a summary, whose text is still there: rising, each once; further ones than
 * FINGERPRINT_MAX are left out. prints has room for those. Returns how many. */
size_t fingerprint_ptx(const struct ptx_summary *summary, uint64_t *prints);

/* As an array of hexadecimal texts, and back: fingerprint_read owns nothing but what it returns (free), [*count]. */
json_t *fingerprint_json(const uint64_t *prints, size_t count);
uint64_t *fingerprint_read(const json_t *array, size_t *count);

#endif
