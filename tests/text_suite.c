/* Source files as editors and web pages make them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/language/text.h"
#include "tests/support.h"

/* What becomes of bytes[count]; "" when memory is short. Reading it again must change nothing. */
static const char *reading(const char *bytes, size_t count)
{
    static char kept[4096];
    size_t length = 0, again_length = 0;
    char *text = text_read(bytes, count, &length), *again = text ? text_read(text, length, &again_length) : NULL;
    kept[0] = '\0';
    if (text && again && length < sizeof kept) {
        CU_ASSERT_EQUAL(text[length], '\0');
        CU_ASSERT(again_length == length && memcmp(again, text, length) == 0);
        memcpy(kept, text, length + 1);
    }
    free(text);
    free(again);
    return kept;
}
#define READS(bytes, text) CU_ASSERT_STRING_EQUAL(reading(bytes, sizeof(bytes) - 1), text)

static void leaves_ordinary_text_alone(void)
{
    READS("", "");
    READS("int i = 0;\r\n// \xc3\xa4\xe2\x80\x99\n\tprintf(\"\xc2\xa0\xe2\x80\x8b\");\n\f\v", /* CR LF, UTF-8, blanks */
          "int i = 0;\r\n// \xc3\xa4\xe2\x80\x99\n\tprintf(\"\xc2\xa0\xe2\x80\x8b\");\n\f\v");
    READS("a\xe2\x80\x99z \xef\xbc\x9b", "a\xe2\x80\x99z \xef\xbc\x9b"); /* named, not replaced */
}

static void leaves_byte_order_marks_out(void)
{
    READS("\xef\xbb\xbfint i;\n", "int i;\n");
    READS("\xef\xbb\xbf\xef\xbb\xbfint i;\n", "int i;\n");
    READS("\xef\xbb\xbf", "");
}

/* Writes ASCII and U+00E4, for '~', as UTF-16. */
static size_t widen(const char *text, bool big, bool mark, char *to)
{
    size_t used = 0;
    for (const char *at = mark ? text - 1 : text; at < text || *at; at++) {
        unsigned point = at < text ? 0xfeff : *at == '~' ? 0xe4 : (unsigned char)*at;
        to[used++] = (char)(big ? point >> 8 : point);
        to[used++] = (char)(big ? point : point >> 8);
    }
    return used;
}

static void reads_utf16_of_both_orders_with_and_without_a_mark(void)
{
    static const char plain[] = "!// a ~\r\nint i = 0; // second line of some length\n";
    char wide[256];
    for (int form = 0; form < 4; form++) {
        size_t bytes = widen(plain + 1, form & 1, form & 2, wide);
        CU_ASSERT_STRING_EQUAL(reading(wide, bytes), "// a \xc3\xa4\r\nint i = 0; // second line of some length\n");
        wide[bytes] = 'x'; /* half a character at the end */
        CU_ASSERT_STRING_EQUAL(reading(wide, bytes + 1), "// a \xc3\xa4\r\nint i = 0; // second line of some length\n");
    }
    READS("\xff\xfe\x3d\xd8\x00\xde;\0", "\xf0\x9f\x98\x80;");         /* a pair of surrogates */
    READS("\xff\xfe\x3d\xd8;\0\x00\xde", "\xef\xbf\xbd;\xef\xbf\xbd"); /* halves of pairs */
}

static void keeps_zero_bytes_for_whoever_names_them(void)
{
    size_t bytes = 0;
    char *text = text_read("a\0b\n\"c\0d\"", 9, &bytes);
    CU_ASSERT_FATAL(text != NULL);
    CU_ASSERT(bytes == 9 && memcmp(text, "a\0b\n\"c\0d\"", 9) == 0);
    free(text);
}

static void ends_lines_where_old_editors_do(void)
{
    READS("one\rtwo\r\nthree\nfour\r", "one\ntwo\r\nthree\nfour\n");
    READS("// one\rtwo", "// one\ntwo");
}

static void reads_blanks_of_typography_as_spaces(void)
{
    READS("int\xc2\xa0i\xe3\x80\x80=\xe2\x80\xaf 1;\xe2\x80\xa8", "int i =  1; ");
    READS("3\xc2\xa0+ 1'000\xc2\xa0;", "3 + 1'000 ;"); /* behind numbers, one with a separator */
}

static void leaves_out_what_nobody_sees(void)
{
    READS("thread\xe2\x80\x8bIdx.x\xef\xbb\xbf; /* so\xc2\xad"
          "ft */",
          "threadIdx.x; /* soft */");
}

static void changes_nothing_between_quotes(void)
{
    READS("\"\xc2\xa0\" '\xe2\x80\x8b' R\"(\xc2\xa0\"\n\xc2\xa0)\"\xc2\xa0",
          "\"\xc2\xa0\" '\xe2\x80\x8b' R\"(\xc2\xa0\"\n\xc2\xa0)\" ");
    READS("\"a\\\"\xa0\" \xa0", "\"a\\\"\xa0\"  ");
    READS("\"open\xc2\xa0\nint\xc2\xa0i", "\"open\xc2\xa0\nint i"); /* a literal ends with its line */
}

static void takes_other_bytes_for_windows_1252(void)
{
    READS("int\xa0i; // M\xfcller \x93x\x94", "int i; // M\xc3\xbcller \xe2\x80\x9cx\xe2\x80\x9d");
    READS("a \x96 1; \xc3", "a \xe2\x80\x93 1; \xc3\x83");
    READS("\xed\xa0\x80", "\xc3\xad \xe2\x82\xac"); /* a surrogate in UTF-8 is malformed */
}

static void knows_lookalikes(void)
{
    struct text_lookalike found;
    char storage[2];
    CU_ASSERT_FATAL(text_find_lookalike(0x2019, &found, storage));
    CU_ASSERT_STRING_EQUAL(found.type, "'");
    CU_ASSERT_FATAL(text_find_lookalike(0xff1b, &found, storage));
    CU_ASSERT_STRING_EQUAL(found.type, ";");
    CU_ASSERT_FATAL(text_find_lookalike(0x202e, &found, storage));
    CU_ASSERT_STRING_EQUAL(found.type, "");
    CU_ASSERT_FALSE(text_find_lookalike('a', &found, storage));
    CU_ASSERT_FALSE(text_find_lookalike(0xff5f, &found, storage));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(leaves_ordinary_text_alone),
    SUPPORT_TEST(leaves_byte_order_marks_out),
    SUPPORT_TEST(reads_utf16_of_both_orders_with_and_without_a_mark),
    SUPPORT_TEST(keeps_zero_bytes_for_whoever_names_them),
    SUPPORT_TEST(ends_lines_where_old_editors_do),
    SUPPORT_TEST(reads_blanks_of_typography_as_spaces),
    SUPPORT_TEST(leaves_out_what_nobody_sees),
    SUPPORT_TEST(changes_nothing_between_quotes),
    SUPPORT_TEST(takes_other_bytes_for_windows_1252),
    SUPPORT_TEST(knows_lookalikes),
};

int text_suite_register(void)
{
    return support_register("text", tests, SUPPORT_COUNT(tests));
}
