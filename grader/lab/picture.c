#include "grader/lab/picture.h"

#include <ctype.h>
#include <errno.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

static bool refuse(const char *path, char *message, size_t message_bytes, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool refuse(const char *path, char *message, size_t message_bytes, const char *format, ...)
{
    int used = snprintf(message, message_bytes, "picture %.300s: ", path);
    va_list arguments;
    va_start(arguments, format);
    if (used > 0 && (size_t)used < message_bytes)
        vsnprintf(message + used, message_bytes - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static uint8_t grey_of(const uint8_t rgb[3])
{
    return (uint8_t)((2126u * rgb[0] + 7152u * rgb[1] + 722u * rgb[2] + 5000u) / 10000u); /* Rec. 709 */
}

/* Of a pixel with `from` channels makes one with `to`. */
static void convert(const uint8_t *pixel, size_t from, uint8_t *into, size_t to)
{
    for (size_t c = 0; c < to; c++)
        into[c] = from == to ? pixel[c] : from == 3 ? grey_of(pixel) : pixel[0];
}

/* ---- PNM ---------------------------------------------------------------------------------------------------------- */

/* The next number of the header, or of a file in plain text; -1 when there is none. Comments reach to the end of a line. */
static long read_number(FILE *file)
{
    int c = getc(file);
    while (isspace(c) || c == '#') {
        while (c == '#' && (c = getc(file)) != '\n' && c != EOF)
            c = '#';
        c = getc(file);
    }
    if (!isdigit(c))
        return -1;
    long number = 0;
    for (; isdigit(c); c = getc(file))
        number = number < 100000 ? 10 * number + (c - '0') : number;
    return number; /* one blank after the header has been read */
}

static bool read_pnm(FILE *file, const char *path, size_t channels, struct picture *picture, char *message,
                     size_t message_bytes)
{
    int kind = getc(file) == 'P' ? getc(file) - '0' : 0;
    if (kind != 2 && kind != 3 && kind != 5 && kind != 6)
        return refuse(path, message, message_bytes,
                      "it is neither a PNG file nor a PNM file of the kinds P2, P3, P5 and P6.");
    long columns = read_number(file), rows = read_number(file), most = read_number(file);
    if (columns < 1 || rows < 1 || columns > PICTURE_MOST || rows > PICTURE_MOST || most < 1 || most > 255)
        return refuse(path, message, message_bytes,
                      "expected 1 to %d columns, as many rows, and a largest value of 1 to 255 in its header.",
                      PICTURE_MOST);
    size_t own = kind == 3 || kind == 6 ? 3 : 1, count = (size_t)columns * (size_t)rows;
    picture->columns = (size_t)columns;
    picture->rows = (size_t)rows;
    picture->channels = channels;
    picture->pixels = allocate_zeroed(count * channels);
    for (size_t i = 0; i < count; i++) {
        uint8_t pixel[3] = {0};
        for (size_t c = 0; c < own; c++) {
            long value = kind < 4 ? read_number(file) : getc(file);
            if (value < 0 || value > most)
                return refuse(path, message, message_bytes, "it ends, or has a wrong value, at pixel %zu of %zu.", i, count);
            pixel[c] = (uint8_t)(value * 255 / most);
        }
        convert(pixel, own, picture->pixels + i * channels, channels);
    }
    return true;
}

/* ---- PNG ---------------------------------------------------------------------------------------------------------- */

static bool read_png(FILE *file, const char *path, size_t channels, struct picture *picture, char *message,
                     size_t message_bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_stdio(&image, file))
        return refuse(path, message, message_bytes, "%s.", image.message);
    if (image.width > PICTURE_MOST || image.height > PICTURE_MOST) {
        png_image_free(&image);
        return refuse(path, message, message_bytes, "it has more than %d columns or rows.", PICTURE_MOST);
    }
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    picture->columns = image.width;
    picture->rows = image.height;
    picture->channels = channels;
    picture->pixels = allocate_zeroed(PNG_IMAGE_SIZE(image));
    png_color black = {0, 0, 0}; /* behind what is transparent */
    if (!png_image_finish_read(&image, &black, picture->pixels, 0, NULL))
        return refuse(path, message, message_bytes, "%s.", image.message);
    return true;
}

uint8_t *picture_png(const struct picture *picture, size_t *bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->columns,
                       .height = (png_uint_32)picture->rows,
                       .format = picture->channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB};
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *png = allocate_zeroed(room);
    if (!png_image_write_to_memory(&image, png, &room, 0, picture->pixels, 0, NULL)) {
        free(png);
        return NULL;
    }
    *bytes = room;
    return png;
}

/* ---- either ------------------------------------------------------------------------------------------------------- */

bool picture_read(const char *path, size_t channels, struct picture *picture, char *message, size_t message_bytes)
{
    memset(picture, 0, sizeof *picture);
    FILE *file = fopen(path, "rb");
    if (!file)
        return refuse(path, message, message_bytes, "%s.", strerror(errno));
    int first = getc(file);
    rewind(file);
    bool good = first == 0x89 ? read_png(file, path, channels, picture, message, message_bytes)
                              : read_pnm(file, path, channels, picture, message, message_bytes);
    fclose(file);
    return good;
}

void picture_clear(struct picture *picture)
{
    free(picture->pixels);
    memset(picture, 0, sizeof *picture);
}
