#include "grader/result/json_text.h"

#include <string.h>

#include "grader/base/allocate.h"
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

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *json_text_base64(const uint8_t *bytes, size_t count)
{
    char *text = allocate_zeroed((count + 2) / 3 * 4 + 1), *at = text;
    for (size_t i = 0; i < count; i += 3, at += 4) {
        size_t left = count - i;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0)
                        | (left > 2 ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; k++)
            at[k] = k > (int)left ? '=' : base64[word >> (18 - 6 * k) & 63];
    }
    return text;
}

uint8_t *json_text_decode(const char *text, size_t *count)
{
    size_t length = strlen(text), end = length;
    while (end > 0 && length - end < 2 && text[end - 1] == '=')
        end--;
    if (length % 4 != 0 || strspn(text, base64) < end)
        return NULL;
    uint8_t *bytes = allocate_zeroed(length / 4 * 3 + 1);
    uint32_t word = 0;
    *count = 0;
    for (size_t i = 0; i < end; i++) {
        word = word << 6 | (uint32_t)(strchr(base64, text[i]) - base64);
        if (i % 4 > 0)
            bytes[(*count)++] = (uint8_t)(word >> (6 - 2 * (i % 4)));
    }
    return bytes;
}
