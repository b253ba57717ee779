/* Length-prefixed records over a socket: how the grader talks with its children. The sender may be hostile: a record longer
 * than the reader allows ends the conversation.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_status {
    RECORD_OK,
    RECORD_END,     /* the other side closed or died */
    RECORD_TIMEOUT, /* nothing complete before the deadline */
    RECORD_BAD,     /* longer than allowed */
};

/* Writes one record. Returns false when the other side is gone. */
bool record_write(int channel, uint32_t type, const void *payload, size_t bytes);

/* Waits until something can be read, or the other side is gone. Returns false when the deadline passes before. */
bool record_wait(int channel, int64_t deadline_ms);

/* Reads one record.
 *   deadline_ms   on the clock of record_now_ms; -1: wait for ever
 *   max_bytes     longest payload accepted
 *   payload       out: heap memory with a NUL after the end, owned by the caller; NULL unless RECORD_OK
 */
enum record_status record_read(int channel, int64_t deadline_ms, size_t max_bytes, uint32_t *type, void **payload,
                               size_t *bytes);

/* Milliseconds of the monotonic clock. */
int64_t record_now_ms(void);

/* For tests: the clock that record_now_ms() reads from now on; NULL: the machine's. */
void record_set_clock(int64_t (*now_ms)(void));

#endif
