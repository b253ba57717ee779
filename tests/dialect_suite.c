/* The reader of the comments in which fixtures say what is expected of them. */
#include <string.h>

#include "tests/dialect.h"

#include "grader/lab/expectation.h"
#include "tests/support.h"

static void reads_entries_and_lines_of_code_in_their_order(void)
{
    static const struct {
        enum dialect_kind kind;
        int number;
        const char *word, *text;
    } rows[] = {
        {DIALECT_ENTRY, 2, "test", "adds"}, {DIALECT_ENTRY, 4, "near 1e-6", "f32 1  2   3"},
        {DIALECT_CODE, 7, NULL, NULL},      {DIALECT_ENTRY, 8, "prints", "a: b"},
        {DIALECT_CODE, 9, NULL, NULL},      {DIALECT_ENTRY, 10, "empty", ""},
        {DIALECT_END, 0, NULL, NULL},
    };
    static const char source[] = "/* a: comment */\n"
                                 "// test: adds\n"
                                 "//no: entry\n"
                                 "  //  near 1e-6: f32 1\n"
                                 "  //   | 2\n"
                                 "  //   |  3\n"
                                 "add(); // not: an entry\n"
                                 "// prints: a: b\n"
                                 "   \n"
                                 "// empty:";
    struct dialect dialect;
    dialect_begin(&dialect, source);
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        CU_ASSERT_EQUAL(dialect_next(&dialect), rows[i].kind);
        CU_ASSERT_FATAL(!dialect.word == !rows[i].word);
        CU_ASSERT(!rows[i].word || (strcmp(dialect.word, rows[i].word) == 0 && strcmp(dialect.text, rows[i].text) == 0));
        CU_ASSERT(rows[i].kind == DIALECT_END || dialect.number == rows[i].number);
    }
}

static void splits_words_at_their_first_equals_sign(void)
{
    static const char *const pairs[][2] = {{"code", ""}, {"line", "A"}, {"says", "x_!=_n"}, {"none", ""}};
    char text[] = "code  line=A says=x_!=_n none= ", *rest = text, *value;
    for (size_t i = 0; i < SUPPORT_COUNT(pairs); i++) {
        char *word = dialect_pair(&rest, &value);
        CU_ASSERT_PTR_NOT_NULL_FATAL(word);
        CU_ASSERT_STRING_EQUAL(word, pairs[i][0]);
        CU_ASSERT_STRING_EQUAL(value, pairs[i][1]);
    }
    CU_ASSERT_PTR_NULL(dialect_pair(&rest, &value));
}

static void finds_the_nearest_label_below(void)
{
    static const char source[] = "first(); //@A\nshared(); //@AB\nsecond(); //@A\n";
    CU_ASSERT_EQUAL(dialect_line_of(source, source, "A"), 1);
    CU_ASSERT_EQUAL(dialect_line_of(source, strstr(source, "shared"), "A"), 3);
    CU_ASSERT_EQUAL(dialect_line_of(source, strstr(source, "second"), "AB"), 2);
    CU_ASSERT_EQUAL(dialect_line_of(source, source, "B"), 0);
}

static void reads_the_first_line_of_a_wrong_version(void)
{
    static const struct {
        const char *source, *code, *second;
        int line;
    } rows[] = {
        {"// expect: fuel - why\n", "fuel", "", 0},
        {"// expect: race_shared|deadlock line=12 - why - and how\n", "race_shared|deadlock", "", 12},
        {"// expect: wrong_value tail|all line=3 - why\n", "wrong_value", "tail|all", 3},
        {"// expect: budget loads - why\nvoid f();\n", "budget", "loads", 0},
    };
    static const char *const none[] = {"", "// expect: fuel\nint a; // b - c\n", "\n// expect: fuel - why\n",
                                       "// expects: fuel - why\n"};
    struct expectation wrong;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        CU_ASSERT(expectation_read(rows[i].source, &wrong));
        CU_ASSERT_STRING_EQUAL(wrong.code, rows[i].code);
        CU_ASSERT_STRING_EQUAL(wrong.second, rows[i].second);
        CU_ASSERT_EQUAL(wrong.line, rows[i].line);
    }
    for (size_t i = 0; i < SUPPORT_COUNT(none); i++)
        CU_ASSERT_FALSE(expectation_read(none[i], &wrong));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(reads_entries_and_lines_of_code_in_their_order),
    SUPPORT_TEST(splits_words_at_their_first_equals_sign),
    SUPPORT_TEST(finds_the_nearest_label_below),
    SUPPORT_TEST(reads_the_first_line_of_a_wrong_version),
};

int dialect_suite_register(void)
{
    return support_register("dialect", tests, SUPPORT_COUNT(tests));
}
