/* What findings read: names that compilers made, the text of sources, and expressions in it. */
#include <stdio.h>
#include <string.h>

#include "runtime/language/demangle.h"
#include "runtime/language/expression.h"
#include "runtime/language/numba.h"
#include "runtime/language/source.h"
#include "tests/support.h"

#define NUMBA_NAME(types) "_ZN8__main__5scaleB2v1B10cw51cXTLSUE" types
#define NUMBA_VECTOR      "5ArrayIfLi1E1C7mutable7alignedE"
#define NUMBA_MATRIX      "5ArrayIdLi2E1C8readonly7alignedE"

static void finds_the_argument_of_numbas_parameters(void)
{
    static const struct {
        const char *name;
        unsigned parameters, parameter;
        int argument;
    } cases[] = {
        {NUMBA_NAME("x" NUMBA_VECTOR NUMBA_VECTOR), 15, 0, 0},
        {NUMBA_NAME("x" NUMBA_VECTOR NUMBA_VECTOR), 15, 1, 1},
        {NUMBA_NAME("x" NUMBA_VECTOR NUMBA_VECTOR), 15, 7, 1},
        {NUMBA_NAME("x" NUMBA_VECTOR NUMBA_VECTOR), 15, 8, 2},
        {NUMBA_NAME("x" NUMBA_VECTOR NUMBA_VECTOR), 15, 14, 2},
        {NUMBA_NAME(NUMBA_MATRIX "Dhi"), 11, 8, 0},
        {NUMBA_NAME(NUMBA_MATRIX "Dhi"), 11, 9, 1},
        {NUMBA_NAME(NUMBA_MATRIX "Dhi"), 11, 10, 2},
        {NUMBA_NAME("10float32_2ai"), 2, 1, 1},
        {"_Z5scaleB2v1" NUMBA_VECTOR "f", 8, 7, 1},
        {NUMBA_NAME("i8UniTupleIxLi3EE" NUMBA_VECTOR), 11, 3, 1}, /* what is left is the tuple's */
        {NUMBA_NAME("i8UniTupleIxLi3EE" NUMBA_VECTOR), 11, 4, 2},
        {NUMBA_NAME("8UniTupleIxLi3EE8UniTupleIxLi3EE"), 6, 4, -1},
        {NUMBA_NAME(NUMBA_VECTOR), 8, 4, -1},
        {"_Z5scalePfi", 2, 0, -1}, /* C++ */
        {"scale", 2, 0, -1},
        {"_Z", 2, 0, -1},
        {NUMBA_NAME("5ArrayIfLi1"), 7, 0, -1},
        {NUMBA_NAME("99999999999999999999x"), 7, 0, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(numba_argument_of(cases[i].name, cases[i].parameters, cases[i].parameter), cases[i].argument);
}

static void finds_the_names_of_python_arguments(void)
{
    static const char text[] = "def scale(a):\n    return a\n\n@cuda.jit\ndef scale_all(x):\n    pass\n\n@cuda.jit\n"
                               "def scale ( count, values: 'f[:, :]' = (1, 2),\n            out, *rest):\n    pass\n";
    char name[16] = "";
    CU_ASSERT_TRUE(numba_argument_name(text, sizeof text - 1, "scale", 9, 0, name, sizeof name));
    CU_ASSERT_STRING_EQUAL(name, "count");
    CU_ASSERT_TRUE(numba_argument_name(text, sizeof text - 1, "scale", 8, 1, name, sizeof name));
    CU_ASSERT_STRING_EQUAL(name, "values");
    CU_ASSERT_TRUE(numba_argument_name(text, sizeof text - 1, "scale", 8, 2, name, sizeof name));
    CU_ASSERT_STRING_EQUAL(name, "out");
    CU_ASSERT_TRUE(numba_argument_name(text, sizeof text - 1, "scale", 1, 0, name, sizeof name));
    CU_ASSERT_STRING_EQUAL(name, "a");
    CU_ASSERT_FALSE(numba_argument_name(text, sizeof text - 1, "scale", 9, 3, name, sizeof name));
    CU_ASSERT_FALSE(numba_argument_name(text, sizeof text - 1, "other", 9, 0, name, sizeof name));
    CU_ASSERT_FALSE(numba_argument_name("def f(", 6, "f", 1, 0, name, sizeof name));
}

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
        {"_Z1kIN18cooperative_groups4__v112thread_blockEEvv", "k<cooperative_groups::thread_block>"},
        {"_ZN12_GLOBAL__N_11kEv", "k"},
        {"_Z1kIKfLj3ELc65ELb1ELl4EEvv", "k<float const, 3, 65, true, 4>"},
        {"_Z1kIZ1gvEUlvE_Z1gvE1xEvv", "k<lambda, x>"},
        {"_Z1kIZ1gvEUt_EvT_", "k<nameless>"},
        {"_ZN8__main__8doublifyB2v1B10cw51cXTLSUE5ArrayIfLi2E1C7mutable7alignedE", "doublify"}, /* Numba's */
        {"_ZN3one4make12_3clocals_3e6kernelB2v1Ex", "one::make::kernel"},                       /* <locals> */
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
        {"\n#define SUM bb + bb\naaa * SUM", "aaa*bb + bb", "3*2 + 2", 8},
        {"\n#define SUM (bb + bb)\naaa * SUM", "aaa*SUM", "3*3", 9},
        {"\n#define LESS a - bb\n#define TWICE 2 * LESS\nTWICE - LESS", "2*a - bb - a - bb", "2*1 - 2 - 1 - 2", -3},
        {"(char)(aa * 100)", "(char)(aa*100)", "(char)(2*100)", -56},
        {"short(aa * 40000)", "(short)(aa*40000)", "(short)(2*40000)", 14464},
        {"static_cast<unsigned char>(255 + aa)", "(unsigned char)(255 + aa)", "(unsigned char)(255 + 2)", 1},
        {"a < bb and not (aaa == bb)", "a < bb && !(aaa == bb)", "1 < 2 && !(3 == 2)", 1},
        {"a << bb + 8", "a << bb + 8", "1 << (2 + 8)", 1024},
        {"0 <= a < bb", "0 <= a < bb", "(0 <= 1) < 2", 1},
        {"aaa & bb == 2", "aaa & bb == 2", "3 & (2 == 2)", 1},
        {"a + bb * aaa << 1", "a + bb*aaa << 1", "(1 + 2*3) << 1", 14},
        {"a bitor 4 xor 1", "a | 4 ^ 1", "1 | 4 ^ 1", 5},
        {"40 / sizeof(unsigned)", "40/sizeof(unsigned)", "40/4", 10},
        {"aaa * sizeof(unsigned long)", "aaa*sizeof(unsigned long)", "3*8", 24},
        {"aaa * sizeof(float)", "aaa*sizeof(float)", "3*4", 12},
    };
    static const char *const refused[] = {
        "(float)a", "a +", "a b", "f(a)",      "a[1]",          "a / 0",           "unknown + 1",     "a ? b : c",
        "1.5",      "(a",  "",    "sizeof(a)", "sizeof(int *)", "a - sizeof(int)", "-1 < sizeof(int)"};
    struct expression expression;
    for (size_t i = 0; i < SUPPORT_COUNT(expressions); i++) {
        struct source *source = source_create(expressions[i].text, strlen(expressions[i].text));
        struct expression_names names = {.value = letters, .context = source};
        size_t first = 0;
        while (first < source->token_count && source->tokens[first].defined)
            first++;
        CU_ASSERT_TRUE(expression_evaluate(source, first, source->token_count, &names, &expression));
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

/* Every part that can recurse or repeat itself, as long as it goes and longer. */
static void survives_hostile_names(void)
{
    static const char *const parts[] = {"P",    "K",     "N",    "I",      "J",    "Z",   "L",      "F",        "A1_",
                                        "DpT_", "S_",    "1aI",  "N1aI",   "Dv4_", "T_",  "M",      "X",        "cl",
                                        "Ul",   "UlvE_", "St",   "TL0__",  "DTcl", "PFv", "IS_S_E", "1aIS_S_E", "_ZN",
                                        "U5x",  "Kb",    "IL_Z", "NS_1aE", "sZ",   "sr",  "gs",     "on",       "cv"};
    static const char *const starts[] = {"_ZN", "_Z1aI1bI", "_ZZ1avE"};
    char name[8192], text[192];
    for (size_t s = 0; s < SUPPORT_COUNT(starts); s++)
        for (size_t i = 0; i < SUPPORT_COUNT(parts); i++)
            for (size_t k = 0; k < SUPPORT_COUNT(parts); k++)
                for (size_t length = 250; length < sizeof name; length = length * 16 - 1000 + 24 * (length == 250)) {
                    size_t used = (size_t)snprintf(name, sizeof name, "%s", starts[s]);
                    while (used < length - 16)
                        used += (size_t)snprintf(name + used, sizeof name - used, "%s%s", parts[i], parts[k]);
                    demangle_function(name, text, sizeof text);
                    CU_ASSERT_TRUE(memchr(text, 0, sizeof text) != NULL);
                    demangle_variable(name, text, sizeof text);
                    demangle_function(name, text, 1);
                    CU_ASSERT_EQUAL(text[0], 0);
                }
    /* b<a<>, a<>>, b<b<a<>, a<>>, b<a<>, a<>>> ...: each of thirty parts is twice as long as the one before. */
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t used = (size_t)snprintf(name, sizeof name, "_Z1fI1aIiiE");
    for (int i = 0; i < 30; i++) {
        int last = 2 * i + 1; /* S1_ is a<int, int>, S3_ the first b<...> */
        char part[4] = {last < 36 ? digits[last] : '1', last < 36 ? '\0' : digits[last - 36], '\0'};
        used += (size_t)snprintf(name + used, sizeof name - used, "1bIS%s_S%s_E", part, part);
    }
    snprintf(name + used, sizeof name - used, "Evv");
    demangle_function(name, text, sizeof text);
    SUPPORT_CONTAINS(text, "f<a<int, int>, b<a<int, int>, a<int, int> >, b<b<a<int, int>, a<int, int> >, b<a<int, int>, a");
    CU_ASSERT_EQUAL(strlen(text), sizeof text - 1);
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

/* Whoever counts lines goes on from what #line says. */
static void counts_no_line_beyond_what_an_int_holds(void)
{
    static const char *const numbers[] = {
        "-2147483648",          "-1", "2147483647", "2147483648", "9223372036854775807", "-9223372036854775808",
        "99999999999999999999", "",   "LINE",       "1073741825"};
    for (size_t i = 0; i < SUPPORT_COUNT(numbers); i++) {
        char text[128];
        snprintf(text, sizeof text, "\n#line %s\n\n\n\nfirst\n#line 30\nsecond\n", numbers[i]);
        struct source *source = source_create(text, strlen(text));
        CU_ASSERT_PTR_NOT_NULL_FATAL(source);
        CU_ASSERT_EQUAL_FATAL(source->token_count, 2);
        CU_ASSERT(source->tokens[0].line >= 0 && source->tokens[0].line < 100);
        CU_ASSERT_EQUAL(source->tokens[1].line, 30);
        source_destroy(source);
    }
    struct source *last = source_create("#line 1073741824\nfirst\n", 23);
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT_EQUAL(last->tokens[0].line, 1 << 30);
    source_destroy(last);
}

/* What no condition of the compiler's can change. */
static void leaves_out_what_if_0_leaves_out(void)
{
    static const char text[] =
        "#if 0\n#if X\nno\n#endif\n#line 900\n#else\none\n#endif\n#if 1\ntwo\n#elif Y\nno\n#else\nno\n"
        "#endif\n#if 0 // 1\nno\n#elif Z\nthree\n#else\nfour\n#endif\n#if 00\nfive\n#endif\n";
    static const struct {
        const char *word;
        int line;
    } words[] = {{"one", 7}, {"two", 10}, {"three", 19}, {"four", 21}, {"five", 24}};
    struct source *source = source_create(text, sizeof text - 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_EQUAL_FATAL(source->token_count, SUPPORT_COUNT(words));
    for (size_t i = 0; i < SUPPORT_COUNT(words); i++) {
        CU_ASSERT_TRUE(source_token_is(&source->tokens[i], words[i].word));
        CU_ASSERT_EQUAL(source->tokens[i].line, words[i].line);
    }
    source_destroy(source);
}

static void knows_literals_and_other_names_of_types(void)
{
    static const char text[] = "a R\"x(one \" )\"\n)x\" b \"c\\\nd\" e u8R\"(\n)\"\nf 'g' R\"bad\nh "
                               "typedef unsigned long word;\nusing number = const int;\n#error isn't it\ni \"end";
    static const struct {
        const char *word;
        int line;
        enum source_token_kind kind;
    } words[] = {{"a", 1, SOURCE_WORD},         {"R\"x(one \" )\"\n)x\"", 1, SOURCE_LITERAL},
                 {"b", 2, SOURCE_WORD},         {"\"c\\\nd\"", 2, SOURCE_LITERAL},
                 {"e", 3, SOURCE_WORD},         {"u8R\"(\n)\"", 3, SOURCE_LITERAL},
                 {"f", 5, SOURCE_WORD},         {"'g'", 5, SOURCE_LITERAL},
                 {"R\"bad", 5, SOURCE_LITERAL}, {"h", 6, SOURCE_WORD}};
    struct source *source = source_create(text, sizeof text - 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_FATAL(source->token_count > SUPPORT_COUNT(words) + 2);
    for (size_t i = 0; i < SUPPORT_COUNT(words); i++) {
        CU_ASSERT_TRUE(source_token_is(&source->tokens[i], words[i].word));
        CU_ASSERT_EQUAL(source->tokens[i].line, words[i].line);
        CU_ASSERT_EQUAL(source->tokens[i].kind, words[i].kind);
    }
    const struct source_token *last = &source->tokens[source->token_count - 1];
    CU_ASSERT_TRUE(source_token_is(last, "\"end"));
    CU_ASSERT_TRUE(source_token_is(last - 1, "i"));
    struct source_token word = {.text = "word", .length = 4}, number = {.text = "number", .length = 6};
    const struct source_macro *type = source_find_alias(source, &word);
    CU_ASSERT_TRUE(type && type->count == 2 && source_token_is(&source->tokens[type->first], "unsigned"));
    type = source_find_alias(source, &number);
    CU_ASSERT_TRUE(type && type->count == 2 && source_token_is(&source->tokens[type->first], "const"));
    CU_ASSERT_PTR_NULL(source_find_alias(source, last));
    source_destroy(source);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(reads_the_names_of_functions),
    SUPPORT_TEST(finds_the_argument_of_numbas_parameters),
    SUPPORT_TEST(finds_the_names_of_python_arguments),
    SUPPORT_TEST(reads_the_names_of_variables),
    SUPPORT_TEST(evaluates_expressions),
    SUPPORT_TEST(survives_deep_and_long_expressions),
    SUPPORT_TEST(finds_functions_and_macros),
    SUPPORT_TEST(survives_hostile_names),
    SUPPORT_TEST(counts_no_line_beyond_what_an_int_holds),
    SUPPORT_TEST(leaves_out_what_if_0_leaves_out),
    SUPPORT_TEST(knows_literals_and_other_names_of_types),
    SUPPORT_TEST(counts_lines_across_splices_comments_and_directives),
};

int source_suite_register(void)
{
    return support_register("source", tests, SUPPORT_COUNT(tests));
}
