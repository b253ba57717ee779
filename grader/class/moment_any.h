/* Times as learning systems and spreadsheets write them, besides those of moment.h:
 *
 *   2026-10-14 21:13:22.000000000 Z      Gradescope
 *   Tuesday, 13 October 2026, 11:58 PM   Moodle; also "October 13, 2026, 11:58 PM" and "Oct 13 2026 at 23:58"
 *   10/26/2026 17:00, 26/10/2026 5:00 PM spreadsheets; 26.10.2026 17:00
 */
#ifndef BATCH_MOMENT_ANY_H
#define BATCH_MOMENT_ANY_H

#include <stdbool.h>
#include <stdint.h>

/* What 10/11/2026 means. */
enum moment_order { MOMENT_NO_ORDER, MOMENT_DAY_FIRST, MOMENT_MONTH_FIRST };

/* Reads a time of submission, without regard to case. As moment_read: a time without an offset needs a zone, a date without
 * a time is the end of that day, and it returns NULL, or why it is not a moment. Names of days and months are English. */
const char *moment_read_any(const char *text, const char *zone, enum moment_order order, int64_t *utc);

/* Is this reason of moment_read_any a question about the order of day and month? No other line of the table can be trusted
 * either before that is answered. */
bool moment_is_ambiguous(const char *why);

#endif
