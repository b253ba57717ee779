/* Text in JSON. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/* A string with everything that is not printable escaped; null for "". New reference. */
json_t *result_json_text(const char *text);

/* Writes text[bytes] with everything that is not printable escaped, line by line, so that line ends stay. */
void json_text_escape(char *target, size_t target_bytes, const char *text, size_t bytes);

/* Base64 of bytes, which the caller frees. */
char *json_text_base64(const uint8_t *bytes, size_t count);

/* The bytes of base64 text that json_text_base64 wrote, which the caller frees; NULL when it is none. */
uint8_t *json_text_decode(const char *text, size_t *count);

#endif
