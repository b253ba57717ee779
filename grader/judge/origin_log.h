/* Who stored what, as the emulated driver recorded it (LOCKSTEP_ACCESSES). */
#ifndef ORIGIN_LOG_H
#define ORIGIN_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { ORIGIN_LAUNCHES = 64 };

struct origin_log {
    json_t *launches[ORIGIN_LAUNCHES]; /* owned; in order */
    int count;
};

struct origin_thread {
    uint32_t thread[3], block[3];
};

/* The loads and stores of an element in one launch. */
struct origin_element {
    const char *kernel; /* borrowed from the log */
    int64_t loads, stores;
    int first_load_line, load_line, first_line, last_line; /* load_line: of the last load; 0 unknown */
    bool atomic;                                           /* the last store */
    struct origin_thread first_load, last_load, first_store, last_store;
};

void origin_log_read(const char *text, uint64_t bytes, struct origin_log *log);
void origin_log_clear(struct origin_log *log);

/* An element of an array of that name in launch `launch`, from 0. Returns false when it is not recorded. */
bool origin_log_find(const struct origin_log *log, int launch, const char *array, uint64_t index,
                     struct origin_element *element);

/* Does launch `launch` store to any element of the array? */
bool origin_log_is_stored(const struct origin_log *log, int launch, const char *array);

/* Adds up the loads of an array in all launches before `end`. Returns -1 where they are not known. */
int64_t origin_log_loads(const struct origin_log *log, int end, const char *array);

/* "(5, 0, 0) of block (1, 0, 0)" */
void origin_thread_write(const struct origin_thread *thread, char *text, size_t text_bytes);

#endif
