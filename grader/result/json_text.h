/* Text in JSON. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stddef.h>

#include <jansson.h>

/* A string with everything that is not printable escaped; null for "". New reference. */
json_t *result_json_text(const char *text);

/* Writes text[bytes] with everything that is not printable escaped, line by line, so that line ends stay. */
void json_text_escape(char *target, size_t target_bytes, const char *text, size_t bytes);

#endif
