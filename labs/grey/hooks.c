/* A picture in grey. */
#include <stdio.h>

#include "grader/lab/compare.h"
#include "grader/lab/hooks.h"

enum { COLOUR, GREY };

void fill_only_blue(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)random;
    size_t pitch = lab->columns(lab, the_case, COLOUR);
    unsigned char *colour = data->array[COLOUR].bytes;
    for (size_t i = 0; i < data->count[COLOUR]; i++) {
        if (i % pitch % 3 != 2) {
            colour[i] = 0;
        }
    }
}

/* What the student may have computed of a pixel instead. What does not fit into a byte loses its upper bits. */
static unsigned mean(unsigned red, unsigned green, unsigned blue)
{
    return (red + green + blue) / 3;
}

static unsigned each_divided(unsigned red, unsigned green, unsigned blue)
{
    return 77 * red / 256 + 150 * green / 256 + 29 * blue / 256;
}

static unsigned last_divided(unsigned red, unsigned green, unsigned blue)
{
    return 77 * red + 150 * green + 29 * blue / 256;
}

static unsigned not_divided(unsigned red, unsigned green, unsigned blue)
{
    return 77 * red + 150 * green + 29 * blue;
}

static unsigned divided_by_255(unsigned red, unsigned green, unsigned blue)
{
    return (77 * red + 150 * green + 29 * blue) / 255;
}

static unsigned rounded(unsigned red, unsigned green, unsigned blue)
{
    return (77 * red + 150 * green + 29 * blue + 128) / 256;
}

static unsigned zero(unsigned red, unsigned green, unsigned blue)
{
    (void)red, (void)green, (void)blue;
    return 0;
}

static unsigned first_channel(unsigned red, unsigned green, unsigned blue)
{
    (void)green, (void)blue;
    return red;
}

static unsigned second_channel(unsigned red, unsigned green, unsigned blue)
{
    (void)red, (void)blue;
    return green;
}

static unsigned third_channel(unsigned red, unsigned green, unsigned blue)
{
    (void)red, (void)green;
    return blue;
}

/* A byte from 128 on as a number with a sign. */
static int with_sign(unsigned byte)
{
    return byte < 128 ? (int)byte : (int)byte - 256;
}

static unsigned signed_bytes(unsigned red, unsigned green, unsigned blue)
{
    return (unsigned)((77 * with_sign(red) + 150 * with_sign(green) + 29 * with_sign(blue)) / 256);
}

#define WEIGHTED(name, r, g, b)                                       \
    static unsigned name(unsigned red, unsigned green, unsigned blue) \
    {                                                                 \
        (void)red, (void)green, (void)blue;                           \
        return ((r) * red + (g) * green + (b) * blue) / 256;          \
    }
WEIGHTED(weights_29_150_77, 29, 150, 77)
WEIGHTED(weights_150_77_29, 150, 77, 29)
WEIGHTED(weights_77_29_150, 77, 29, 150)
WEIGHTED(weights_150_29_77, 150, 29, 77)
WEIGHTED(weights_29_77_150, 29, 77, 150)
WEIGHTED(first_weighed, 77, 0, 0)
WEIGHTED(second_weighed, 0, 150, 0)
WEIGHTED(third_weighed, 0, 0, 29)

static const struct {
    unsigned (*formula)(unsigned red, unsigned green, unsigned blue);
    const char *pattern, *what, *question;
} mistakes[] = {
#define ORDER "In which order do the three bytes of a pixel lie, and which weight belongs to which?"
    {weights_29_150_77, "channels", "(29 red + 150 green + 77 blue) / 256", ORDER},
    {weights_150_77_29, "channels", "(150 red + 77 green + 29 blue) / 256", ORDER},
    {weights_77_29_150, "channels", "(77 red + 29 green + 150 blue) / 256", ORDER},
    {weights_150_29_77, "channels", "(150 red + 29 green + 77 blue) / 256", ORDER},
    {weights_29_77_150, "channels", "(29 red + 77 green + 150 blue) / 256", ORDER},
    {mean, "weights", "the mean of the three channels, (red + green + blue) / 3", "Which weights does the contract give?"},
    {each_divided, "division", "77 red / 256 + 150 green / 256 + 29 blue / 256, with a remainder dropped three times",
     "What is divided first, and what is added first?"},
    {last_divided, "division", "77 red + 150 green + 29 blue / 256, of which a byte keeps the lower 8 bits",
     "What does / 256 divide?"},
    {not_divided, "division", "77 red + 150 green + 29 blue, of which a byte keeps the lower 8 bits",
     "How large can that sum be, and what fits into a byte?"},
    {zero, "division", "0", "If something is divided by 256 on its way there, how large is it at that moment?"},
    {signed_bytes, "sign", "what comes out if bytes from 128 on count as negative numbers",
     "Of which type are the numbers that the kernel reads?"},
    {divided_by_255, "division", "(77 red + 150 green + 29 blue) / 255", "What do the three weights add up to?"},
    {rounded, "rounding", "the same quotient rounded to the nearest whole number",
     "Which way does the contract round, and which way does the kernel?"},
    {first_channel, "one_channel", "the first byte of its pixel, red", "Where do the other two channels come in?"},
    {second_channel, "one_channel", "the second byte of its pixel, green", "Where do the other two channels come in?"},
    {third_channel, "one_channel", "the third byte of its pixel, blue", "Where do the other two channels come in?"},
    {first_weighed, "one_channel", "77 red / 256, without green and blue", "Where do the other two channels come in?"},
    {second_weighed, "one_channel", "150 green / 256, without red and blue", "Where do the other two channels come in?"},
    {third_weighed, "one_channel", "29 blue / 256, without red and green", "Where do the other two channels come in?"},
};

/* Where the student may have looked for the three bytes of a pixel instead. */
struct place {
    size_t first, step; /* of red, and from each of them to the next */
};

static struct place without_gaps(size_t row, size_t column, size_t width, size_t pitch)
{
    (void)pitch;
    return (struct place){3 * (row * width + column), 1};
}

static struct place byte_of_the_column(size_t row, size_t column, size_t width, size_t pitch)
{
    (void)width;
    return (struct place){row * pitch + column, 1};
}

static struct place byte_of_the_pixel(size_t row, size_t column, size_t width, size_t pitch)
{
    (void)pitch;
    return (struct place){row * width + column, 1};
}

static struct place thirds_of_the_pitch(size_t row, size_t column, size_t width, size_t pitch)
{
    (void)width;
    return (struct place){3 * (row * (pitch / 3) + column), 1};
}

static struct place parts_of_the_row(size_t row, size_t column, size_t width, size_t pitch)
{
    return (struct place){row * pitch + column, width};
}

static const struct {
    struct place (*place)(size_t row, size_t column, size_t width, size_t pitch);
    const char *what, *question;
} places[] = {
    {without_gaps, "bytes 3 * (row * width + column) and the two behind it, as if the rows of colour had no gaps",
     "How many bytes is it from the beginning of one row to that of the next?"},
    {byte_of_the_column, "bytes row * pitch + column and the two behind it",
     "How many bytes does a pixel take, and how many are thus before the one in this column?"},
    {byte_of_the_pixel, "bytes row * width + column and the two behind it",
     "How many bytes does a pixel take, and how many does a row?"},
    {thirds_of_the_pitch, "bytes 3 * (row * (pitch / 3) + column) and the two behind it",
     "Is the pitch a multiple of 3, and what becomes of the remainder?"},
    {parts_of_the_row,
     "bytes row * pitch + column, width bytes further and 2 * width further, as if a row had all its red bytes first",
     "In which order do the bytes of two neighbouring pixels lie?"},
};

enum { FEW = 6 }; /* pixels that cannot all be there by chance */

/* Every pixel follows the formula, the right ones too, and enough of them tell it from the right one. */
static bool follows(const struct lab *lab, const struct lab_wrong *wrong, int mistake)
{
    const unsigned char *colour = wrong->data->array[COLOUR].bytes, *got = wrong->got;
    size_t width = (size_t)wrong->the_case->size[1], pitch = lab->columns(lab, wrong->the_case, COLOUR), different = 0;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        const unsigned char *pixel = &colour[i / width * pitch + 3 * (i % width)];
        if (got[i] != (unsigned char)mistakes[mistake].formula(pixel[0], pixel[1], pixel[2])) {
            return false;
        }
        different += got[i] != got[0];
    }
    return wrong->bad_count >= FEW && (different >= FEW || mistakes[mistake].formula == zero);
}

/* The same for bytes that lie elsewhere; what lies behind the last row is not known. */
static bool is_from(const struct lab *lab, const struct lab_wrong *wrong, int place)
{
    const unsigned char *colour = wrong->data->array[COLOUR].bytes, *got = wrong->got;
    size_t width = (size_t)wrong->the_case->size[1], pitch = lab->columns(lab, wrong->the_case, COLOUR), different = 0;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        struct place from = places[place].place(i / width, i % width, width, pitch);
        if (from.first + 2 * from.step >= wrong->data->count[COLOUR]) {
            continue;
        }
        const unsigned char *red = &colour[from.first];
        if (got[i] != (77 * red[0] + 150 * red[from.step] + 29 * red[2 * from.step]) / 256) {
            return false;
        }
        different += got[i] != got[0];
    }
    return wrong->bad_count >= FEW && different >= FEW;
}

/* Weights of textbooks, in floating point. */
static const struct {
    double red, green, blue;
    const char *what;
} textbooks[] = {
    {0.299, 0.587, 0.114, "0.299 red + 0.587 green + 0.114 blue"},
    {0.2126, 0.7152, 0.0722, "0.2126 red + 0.7152 green + 0.0722 blue"},
    {0.21, 0.72, 0.07, "0.21 red + 0.72 green + 0.07 blue"},
    {0.21, 0.71, 0.07, "0.21 red + 0.71 green + 0.07 blue"},
    {0.3, 0.59, 0.11, "0.3 red + 0.59 green + 0.11 blue"},
    {1 / 3.0, 1 / 3.0, 1 / 3.0, "a third of each channel"},
};

/* Rounded, or with the fraction dropped: one of the two for every pixel. Sums in float may be a little off. */
static bool is_of_textbook(const struct lab *lab, const struct lab_wrong *wrong, int textbook)
{
    const unsigned char *colour = wrong->data->array[COLOUR].bytes, *got = wrong->got;
    const double little = 1e-3;
    size_t width = (size_t)wrong->the_case->size[1], pitch = lab->columns(lab, wrong->the_case, COLOUR), different = 0;
    bool dropped = true, nearest = true;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        const unsigned char *pixel = &colour[i / width * pitch + 3 * (i % width)];
        double exact = textbooks[textbook].red * pixel[0] + textbooks[textbook].green * pixel[1]
                       + textbooks[textbook].blue * pixel[2];
        dropped = dropped && got[i] > exact - 1 - little && got[i] < exact + little;
        nearest = nearest && got[i] > exact - 0.5 - little && got[i] < exact + 0.5 + little;
        different += got[i] != got[0];
    }
    return (dropped || nearest) && wrong->expected->count >= 4 * FEW && wrong->bad_count >= 4 && different >= FEW;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    const char *grey = wrong->names[GREY] ? wrong->names[GREY] : "grey";
    for (int i = 0; i < HOOKS_COUNT(mistakes); i++) {
        if (follows(lab, wrong, i)) {
            *pattern = mistakes[i].pattern;
            snprintf(message, message_bytes, "Every element of %s is %s. %s", grey, mistakes[i].what, mistakes[i].question);
            return true;
        }
    }
    for (int i = 0; i < HOOKS_COUNT(textbooks); i++) {
        if (is_of_textbook(lab, wrong, i)) {
            *pattern = "weights";
            snprintf(message, message_bytes,
                     "Every element of %s is %s, as a whole number. Which weights does the contract give?", grey,
                     textbooks[i].what);
            return true;
        }
    }
    for (int i = 0; i < HOOKS_COUNT(places); i++) {
        if (is_from(lab, wrong, i)) {
            *pattern = "place";
            snprintf(message, message_bytes, "Every element of %s is made from %s. %s", grey, places[i].what,
                     places[i].question);
            return true;
        }
    }
    return false;
}
