#include "runtime/emulator/driver/contents.h"

#include <stdbool.h>
#include <stdlib.h>

#include "runtime/base/json.h"

enum { TEXT_LIMIT = 8 << 20 }; /* a program that stores for ever must not fill the disk */

static FILE *file; /* NULL: nothing is written */
static bool is_cut;
static uint64_t length;

void contents_write_cut(void)
{
    if (file && !is_cut)
        fputs("{\"call\":\"contents\",\"of\":\"cut\"}\n", file);
    is_cut = true;
}

void contents_write(enum contents_of of, uint64_t at, const uint8_t *bytes, uint64_t count, uint64_t times)
{
    static const char *const words[] = {[CONTENTS_KERNEL] = "kernel", [CONTENTS_HOST] = "host", [CONTENTS_FILL] = "fill"};
    enum { LINE = 128 };
    if (!file || is_cut || count == 0)
        return;
    char *hex = count < TEXT_LIMIT && length + 2 * count + LINE <= TEXT_LIMIT ? malloc(2 * count + 1) : NULL;
    if (!hex) {
        contents_write_cut();
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        hex[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    hex[2 * count] = '\0';
    struct json_line line;
    json_line_begin(&line);
    json_line_text(&line, "call", "contents");
    json_line_text(&line, "of", words[of]);
    json_line_integer(&line, "at", (int64_t)at);
    json_line_integer(&line, "times", (int64_t)times);
    json_line_text(&line, "hex", hex);
    json_line_end(&line, file);
    length += 2 * count + LINE;
    free(hex);
}

void contents_open(FILE *opened)
{
    file = opened;
}
