#include "grader/result/json_text.h"

#include <string.h>

#include "runtime/base/printable.h"

enum { TEXT_BYTES = 8192 };

void json_text_escape(char *target, size_t target_bytes, const char *text, size_t bytes)
{
    size_t used = 0;
    target[0] = '\0';
    for (const char *at = text, *end = text + bytes; at < end && used + 8 < target_bytes;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        used = printable_append(target, target_bytes - 1, at, length);
        at += length + 1;
        if (line_end && used + 2 < target_bytes) {
            target[used++] = '\n';
            target[used] = '\0';
        }
    }
}

json_t *result_json_text(const char *text)
{
    char escaped[TEXT_BYTES];
    json_text_escape(escaped, sizeof escaped, text, strlen(text));
    return text[0] == '\0' ? json_null() : json_string(escaped);
}
