/* A module's summary on its way from the child that compiled to the grader. The child reads hostile text: what comes from it
 * is unpacked with distrust. */
#ifndef SUMMARY_RECORD_H
#define SUMMARY_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/ptx/summary.h"

/* Entries and constants, without bodies: [*bytes], owned by the caller (free). */
char *summary_pack(const struct ptx_summary *summary, size_t *bytes);

/* Fills an empty summary. Returns false when the record is not what summary_pack makes; the summary must be cleared anyway.
 * */
bool summary_unpack(const char *record, size_t bytes, struct ptx_summary *summary);

#endif
