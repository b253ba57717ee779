/* What findings read: names that compilers made, the text of sources, and expressions in it. */
#include <stdio.h>
#include <string.h>

#include "runtime/language/demangle.h"
#include "runtime/language/expression.h"
#include "runtime/language/source.h"
#include "tests/support.h"

static void reads_the_names_of_functions(void)
{
    static const struct {
        const char *name, *readable;
    } names[] = {
        {"vector_add", "vector_add"},
        {"_Z3addPfi", "add"},
        {"_Z5scaleIfLi256EEvPT_PKS0_P8particlei", "scale<float, 256>"},
        {"_ZN18cooperative_groups4__v112thread_block4syncEv", "cooperative_groups::thread_block::sync"},
        {"_ZN34_INTERNAL_a5198786_4_t_cu_5685c4b26device3runEv", "device::run"},
        {"_ZN3foo3barINS_3bazIiEELb1EE3runEPS2_", "foo::bar<foo::baz<int>, true>::run"},
        {"_Z6kernelIN3foo3BarEJifLin3EEEvT_", "kernel<foo::Bar, int, float, -3>"},
        {"_ZZ5scaleIfEvPT_ENKUliE_clEi", "lambda::operator()"},
        {"_ZplRK6float3S1_", "operator+"},
        {"_Z4sortIXadL_Z4lessiiEEEvPi", "sort"}, /* beyond us: the plain name */
        {"_Z", "_Z"},
        {"_ZN", "_ZN"},
        {"_Z9999999999999999999foo", "_Z9999999999999999999foo"},
        {"", ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char text[128];
        demangle_function(names[i].name, text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, names[i].readable);
    }
    char cut[8];
    demangle_function("_Z5scaleIfLi256EEvPT_", cut, sizeof cut);
    CU_ASSERT_STRING_EQUAL(cut, "scale<f");
}

static void reads_the_names_of_variables(void)
{
    char text[64];
    demangle_variable("_ZZ6kernelE4tile", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "tile");
    demangle_variable("_ZZ5scaleIfLi256EEvPT_PKS0_P8particleiE4tile", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "tile");
    demangle_variable("_ZN5space5totalE", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "total");
    demangle_variable("counter", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "counter");
}

/* Every name is worth its number of letters. */
static size_t letters(void *context, size_t at, size_t end, int64_t *value)
{
    const struct source *source = context;
    (void)end;
    *value = source->tokens[at].length;
    return source_token_is(&source->tokens[at], "unknown") ? 0 : 1;
}

static void evaluates_expressions(void)
{
    static const struct {
        const char *text, *shown, *numbers;
        long long value;
    } expressions[] = {
        {"aaa * bb+c", "aaa*bb + c", "3*2 + 1", 7},
        {"(aaa + 1) * 2 - -bb", "(aaa + 1)*2 - -bb", "(3 + 1)*2 - -2", 10},
        {"(int)aaaa % 3u", "aaaa%3u", "4%3u", 1},
        {"a << 4 | bb & 3", "a << 4 | bb & 3", "1 << 4 | 2 & 3", 18},
        {"7 / 2 * 2", "7/2*2", "7/2*2", 6},
        {"0x10 - 3 - 2", "0x10 - 3 - 2", "0x10 - 3 - 2", 11},
        {"a /* one */ + // rest\n bb", "a + bb", "1 + 2", 3},
    };
    static const char *const refused[] = {"a +",         "a b",       "f(a)", "a[1]", "a / 0",
                                          "unknown + 1", "a ? b : c", "1.5",  "(a",   ""};
    struct expression expression;
    for (size_t i = 0; i < SUPPORT_COUNT(expressions); i++) {
        struct source *source = source_create(expressions[i].text, strlen(expressions[i].text));
        struct expression_names names = {.value = letters, .context = source};
        CU_ASSERT_TRUE(expression_evaluate(source, 0, source->token_count, &names, &expression));
        CU_ASSERT_EQUAL(expression.value, expressions[i].value);
        CU_ASSERT_STRING_EQUAL(expression.text, expressions[i].shown);
        CU_ASSERT_STRING_EQUAL(expression.numbers, expressions[i].numbers);
        source_destroy(source);
    }
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        struct source *source = source_create(refused[i], strlen(refused[i]));
        struct expression_names names = {.value = letters, .context = source};
        CU_ASSERT_FALSE(expression_evaluate(source, 0, source->token_count, &names, &expression));
        source_destroy(source);
    }
}

static void survives_deep_and_long_expressions(void)
{
    char text[4096];
    struct expression expression;
    memset(text, '(', sizeof text);
    struct source *source = source_create(text, sizeof text);
    struct expression_names names = {.value = letters, .context = source};
    CU_ASSERT_FALSE(expression_evaluate(source, 0, source->token_count, &names, &expression));
    source_destroy(source);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 ? '+' : 'a';
    source = source_create(text, sizeof text - 1);
    names.context = source;
    CU_ASSERT_FALSE(expression_evaluate(source, 0, source->token_count, &names, &expression));
    source_destroy(source);
}

static void finds_functions_and_macros(void)
{
    static const char text[] = "#define WIDTH (16 + 1)\r\n#define TWICE(x) ((x) * 2)\r\n"
                               "void add(int *a);   // add(int b) {\r\n"
                               "template <typename T, int N>\r\n"
                               "__global__ void add(T *a, const int (&sizes)[2], int count)\r\n"
                               "{ a[0] = '{' + \"}\"[0]; if (count) { a[1] = 1; } }\r\nint after;";
    struct source *source = source_create(text, sizeof text - 1);
    struct source_function function;
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_TRUE_FATAL(source_find_function(source, "add", 0, &function));
    CU_ASSERT_EQUAL(source->tokens[function.name].line, 5);
    CU_ASSERT_EQUAL(function.parameter_count, 3);
    CU_ASSERT_TRUE(source_token_is(&source->tokens[function.parameters[0]], "a"));
    CU_ASSERT_TRUE(source_token_is(&source->tokens[function.parameters[2]], "count"));
    CU_ASSERT_TRUE(source_token_is(&source->tokens[function.last + 1], "int"));
    CU_ASSERT_TRUE(source_token_is(&source->tokens[function.template_first], "typename"));
    CU_ASSERT_FALSE(source_find_function(source, "after", 0, &function));
    struct source_token width = {.text = "WIDTH", .length = 5}, twice = {.text = "TWICE", .length = 5};
    const struct source_macro *macro = source_find_macro(source, &width);
    CU_ASSERT_TRUE(macro && macro->count == 5);
    CU_ASSERT_PTR_NULL(source_find_macro(source, &twice));
    source_destroy(source);
}

static void counts_lines_across_splices_comments_and_directives(void)
{
    static const char text[] = "\xEF\xBB\xBFone /* two\nlines */ two \\\n three\n#line 40\nforty\n#line 7 \"other\"\nelse";
    static const struct {
        const char *word;
        int line;
        bool own;
    } words[] = {{"one", 1, true}, {"two", 2, true}, {"three", 3, true}, {"forty", 40, true}, {"else", 7, false}};
    struct source *source = source_create(text, sizeof text - 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_EQUAL_FATAL(source->token_count, SUPPORT_COUNT(words));
    for (size_t i = 0; i < SUPPORT_COUNT(words); i++) {
        CU_ASSERT_TRUE(source_token_is(&source->tokens[i], words[i].word));
        CU_ASSERT_EQUAL(source->tokens[i].line, words[i].line);
        CU_ASSERT_EQUAL(source->tokens[i].own, words[i].own);
    }
    source_destroy(source);
    CU_ASSERT_PTR_NULL(source_create("a\0b", 3));
    CU_ASSERT_PTR_NULL(source_read("/dev/zero"));
    CU_ASSERT_PTR_NULL(source_read("/nowhere"));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(reads_the_names_of_functions), SUPPORT_TEST(reads_the_names_of_variables),
    SUPPORT_TEST(evaluates_expressions),        SUPPORT_TEST(survives_deep_and_long_expressions),
    SUPPORT_TEST(finds_functions_and_macros),   SUPPORT_TEST(counts_lines_across_splices_comments_and_directives),
};

int source_suite_register(void)
{
    return support_register("source", tests, SUPPORT_COUNT(tests));
}
