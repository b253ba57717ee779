/* Moments: "2026-10-05 23:59" in a time zone, and seconds since 1970 in UTC. */
#ifndef BATCH_MOMENT_H
#define BATCH_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOMENT_TEXT_BYTES 32

/* Does the system know this time zone ("Europe/Berlin", "UTC")? */
bool moment_is_zone(const char *zone);

/* Reads a date: YYYY-MM-DD, perhaps a T or a blank and HH:MM or HH:MM:SS, perhaps an offset (Z, +02:00, -0500). Without a
 * time it is the last second of that day.
 *   zone   for dates without an offset; "" or NULL: none is known
 *   utc    out: seconds since 1970
 * Returns NULL, or why it is not a moment, in words: not a date, no such day, an hour that the change to summer time leaves
 * out or that comes twice, no time zone. */
const char *moment_read(const char *text, const char *zone, int64_t *utc);

/* "2026-10-05T21:59:00Z" */
void moment_write(int64_t utc, char text[MOMENT_TEXT_BYTES]);

#endif
