/* Pictures in host memory: read from a lab's files, written as PNG. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Labs' modules call these. */
#pragma GCC visibility push(default)

struct picture {
    size_t columns, rows, channels; /* channels: 1 grey, 3 red, green, blue */
    uint8_t *pixels;                /* [rows * columns * channels], owned */
};

/* Columns and rows of a picture that is read are at most so many. */
#define PICTURE_MOST 16384

/* Reads a PNM file (P2, P3, P5, P6; at most 255 per channel) or a PNG file, as grey or as red, green, blue:
 * `channels` 1 or 3.
 * Returns false with a sentence that names the file when it cannot be read, or is no such picture. Clear in either case. */
bool picture_read(const char *path, size_t channels, struct picture *picture, char *message, size_t message_bytes);

/* Encodes as PNG. Returns the bytes, [*bytes], which the caller frees; NULL when that fails. */
uint8_t *picture_png(const struct picture *picture, size_t *bytes);

void picture_clear(struct picture *picture);

#pragma GCC visibility pop

#endif
