/* Where the lanes of one request of a warp went, as lines of text.
 *
 *     bytes 0..31           |  0  .  .  .  .  .  .  . |      a sector of 32 bytes: lane 0 takes its first word
 *     bytes 1024..1055      |  1  .  .  .  .  .  .  . |
 *     and 30 more sectors
 */
#include "grader/judge/budget.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32, SECTOR_BYTES = 32, WORDS = SECTOR_BYTES / 4, BANKS = 32, SHOWN = 6 };

/* Two arrays are that far apart, or a multiple of it (memory.h): offsets count from the array of the first lane. */
#define ARRAY_BYTES (INT64_C(1) << 40)

struct drawing {
    char *text;
    size_t bytes, used;
};

static __attribute__((format(printf, 2, 3))) void draw(struct drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(drawing->text + drawing->used, drawing->bytes - drawing->used, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < drawing->bytes - drawing->used)
        drawing->used += (size_t)length;
    else
        drawing->text[drawing->used] = '\0'; /* what does not fit is left out whole */
}

/* ---- global memory ------------------------------------------------------------------------------------------------- */

/* Sectors in the order in which the lanes meet them. Returns how many. */
static int list_sectors(const struct tally_request *request, int64_t sectors[LANES * 5])
{
    int count = 0;
    for (int lane = 0; lane < LANES; lane++) {
        if (request->offset[lane] < 0)
            continue;
        int64_t last = (request->offset[lane] + request->bytes - 1) / SECTOR_BYTES;
        for (int64_t sector = request->offset[lane] / SECTOR_BYTES; sector <= last && count < LANES * 5; sector++) {
            bool known = false;
            for (int i = 0; i < count && !known; i++)
                known = sectors[i] == sector;
            if (!known)
                sectors[count++] = sector;
        }
    }
    return count;
}

static void draw_sector(struct drawing *drawing, const struct tally_request *request, int64_t sector)
{
    char range[48];
    int64_t begin = sector * SECTOR_BYTES % ARRAY_BYTES;
    snprintf(range, sizeof range, "%lld..%lld", (long long)begin, (long long)(begin + SECTOR_BYTES - 1));
    draw(drawing, "bytes %-17s |", range);
    for (int word = 0; word < WORDS; word++) {
        int64_t start = sector * SECTOR_BYTES + (int64_t)4 * word;
        int first = -1, more = 0;
        for (int lane = 0; lane < LANES; lane++)
            if (request->offset[lane] >= 0 && request->offset[lane] < start + 4
                && request->offset[lane] + request->bytes > start) {
                more += first >= 0;
                first = first < 0 ? lane : first;
            }
        if (first < 0)
            draw(drawing, "  . ");
        else
            draw(drawing, " %2d%c", first, more > 0 ? '+' : ' ');
    }
    draw(drawing, "|\n");
}

static void draw_sectors(struct drawing *drawing, const struct tally_request *request)
{
    int64_t sectors[LANES * 5];
    int count = list_sectors(request, sectors);
    int64_t array = 0;
    for (int i = 0; i < count && i < SHOWN; i++) {
        int64_t own = sectors[i] * SECTOR_BYTES / ARRAY_BYTES;
        if (own != array)
            draw(drawing, own == 0 ? "in the first array again:\n" : "in another array:\n");
        array = own;
        draw_sector(drawing, request, sectors[i]);
    }
    if (count > SHOWN)
        draw(drawing, "and %d more sectors; ", count - SHOWN);
    if (request->bytes < 4)
        draw(drawing, "in the boxes, 4 bytes each: which lane works there; +: several do\n");
    else
        draw(drawing, "in the boxes: which lane takes that word%s\n", count > SHOWN ? "" : "; +: several do");
}

/* ---- shared memory ------------------------------------------------------------------------------------------------- */

/* Is it the first lane that needs its word of the bank? Others that need the same word come for nothing. */
static bool needs_another_word(const struct tally_request *request, int lane, int bank)
{
    bool needs = request->offset[lane] >= 0 && request->offset[lane] / 4 % BANKS == bank;
    for (int other = 0; other < lane && needs; other++)
        needs = request->offset[other] < 0 || request->offset[other] / 4 != request->offset[lane] / 4;
    return needs;
}

static bool shares_words(const struct tally_request *request, int bank)
{
    for (int lane = 0; lane < LANES; lane++)
        if (request->offset[lane] >= 0 && request->offset[lane] / 4 % BANKS == bank
            && !needs_another_word(request, lane, bank))
            return true;
    return false;
}

static void list_lanes(struct drawing *drawing, const struct tally_request *request, int bank, bool words)
{
    int listed = 0;
    for (int lane = 0; lane < LANES; lane++)
        if (needs_another_word(request, lane, bank) && listed++ < SHOWN)
            draw(drawing, " %4lld", words ? (long long)(request->offset[lane] / 4) : (long long)lane);
    draw(drawing, "%s", listed > SHOWN ? " ..." : "");
}

/* The bank with the most different words, and the lanes that need them. */
static void draw_banks(struct drawing *drawing, const struct tally_request *request)
{
    int worst = 0, most = 0;
    for (int bank = 0; bank < BANKS; bank++) {
        int different = 0;
        for (int lane = 0; lane < LANES; lane++)
            different += needs_another_word(request, lane, bank);
        if (different > most) {
            most = different;
            worst = bank;
        }
    }
    draw(drawing, "lanes that need bank %-2d :", worst);
    list_lanes(drawing, request, worst, false);
    draw(drawing, "\nthe words that they need:");
    list_lanes(drawing, request, worst, true);
    draw(drawing, "\nword w is in bank w %% 32; a bank delivers one word per pass\n");
    if (shares_words(request, worst))
        draw(drawing, "of lanes that need the same word, only the first is listed\n");
}

void budget_draw(const struct tally_request *request, char *picture, size_t picture_bytes)
{
    struct drawing drawing = {picture, picture_bytes, 0};
    int lanes = 0;
    picture[0] = '\0';
    for (int lane = 0; lane < LANES; lane++)
        lanes += request->offset[lane] >= 0;
    int least = (lanes * request->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    bool global = strcmp(request->space, "global") == 0;
    if (request->units == 0 || request->units <= (global ? least : (lanes * request->bytes + 127) / 128))
        return;
    if (global)
        draw_sectors(&drawing, request);
    else
        draw_banks(&drawing, request);
}
