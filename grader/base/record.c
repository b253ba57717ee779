#include "grader/base/record.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"

struct header {
    uint32_t type;
    uint32_t reserved;
    uint64_t bytes;
};

static int64_t (*clock_of_test)(void);

void record_set_clock(int64_t (*now_ms)(void))
{
    clock_of_test = now_ms;
}

int64_t record_now_ms(void)
{
    struct timespec now;
    if (clock_of_test)
        return clock_of_test();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool write_whole(int channel, const char *data, size_t bytes)
{
    while (bytes > 0) {
        /* MSG_NOSIGNAL: a dead reader is an answer, not a SIGPIPE. */
        ssize_t written = send(channel, data, bytes, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        bytes -= (size_t)written;
    }
    return true;
}

bool record_write(int channel, uint32_t type, const void *payload, size_t bytes)
{
    struct header header = {type, 0, bytes};
    return write_whole(channel, (const char *)&header, sizeof header) && write_whole(channel, payload, bytes);
}

bool record_wait(int channel, int64_t deadline_ms)
{
    for (;;) {
        int wait_ms = -1;
        if (deadline_ms >= 0) {
            int64_t left = deadline_ms - record_now_ms();
            if (left <= 0)
                return false;
            wait_ms = left > 1000000 ? 1000000 : (int)left;
        }
        struct pollfd ready = {channel, POLLIN, 0};
        int count = poll(&ready, 1, wait_ms);
        if (count > 0 || (count < 0 && errno != EINTR))
            return true; /* reading tells which */
    }
}

static enum record_status read_whole(int channel, int64_t deadline_ms, char *data, size_t bytes)
{
    while (bytes > 0) {
        if (!record_wait(channel, deadline_ms))
            return RECORD_TIMEOUT;
        ssize_t got = read(channel, data, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return RECORD_END;
        data += got;
        bytes -= (size_t)got;
    }
    return RECORD_OK;
}

enum record_status record_read(int channel, int64_t deadline_ms, size_t max_bytes, uint32_t *type, void **payload,
                               size_t *bytes)
{
    struct header header;
    *payload = NULL;
    *bytes = 0;
    enum record_status status = read_whole(channel, deadline_ms, (char *)&header, sizeof header);
    if (status != RECORD_OK)
        return status;
    if (header.bytes > max_bytes)
        return RECORD_BAD;
    char *data = allocate_zeroed((size_t)header.bytes + 1);
    status = read_whole(channel, deadline_ms, data, (size_t)header.bytes);
    if (status != RECORD_OK) {
        free(data);
        return status;
    }
    *type = header.type;
    *payload = data;
    *bytes = (size_t)header.bytes;
    return RECORD_OK;
}
