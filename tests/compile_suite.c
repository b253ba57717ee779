#include "tests/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/printable.h"
#include "runtime/compile/advice.h"
#include "runtime/compile/advice_warn.h"
#include "runtime/compile/diagnostics.h"
#include "runtime/compile/nvrtc.h"
#include "runtime/lockstep.h"

static lockstep_error error;

static lockstep_status compile(const char *source, lockstep_compiled *compiled)
{
    lockstep_compile_request request = {.source = source,
                                        .source_bytes = strlen(source),
                                        .file_name = "work/kernel.cu",
                                        .major = 8,
                                        .minor = 0,
                                        .no_cache = true};
    memset(&error, 0, sizeof error);
    return lockstep_compile(&request, compiled, &error);
}

/* The n-th diagnostic, or an empty one. */
static const lockstep_diagnostic *diagnostic(const lockstep_compiled *compiled, size_t n)
{
    static const lockstep_diagnostic none;
    return n < compiled->diagnostic_count ? &compiled->diagnostics[n] : &none;
}

/* Runs a test in a process of its own, for NVRTC stays loaded once it is. The body returns the line of the first claim that
 * does not hold, 0 when all do. */
static void run_apart(int (*body)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(body() % 256);
    CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child);
    if (status != 0)
        fprintf(stderr, "the process ended with status %d (line %d, modulo 256)\n", status, WEXITSTATUS(status));
    CU_ASSERT_EQUAL(status, 0);
}
#define CLAIM(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)

/* ---- good sources ------------------------------------------------------------------------------------------------- */

static const char good_source[] = "__global__ void add(const float *a, float *b, int n)\n"
                                  "{\n"
                                  "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                  "    if (i < n) b[i] = a[i] + 1.0f;\n"
                                  "}\n";

static void compiles_to_ptx_with_lines(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL_FATAL(compile(good_source, &compiled), LOCKSTEP_OK);
    CU_ASSERT_EQUAL(compiled.diagnostic_count, 0);
    CU_ASSERT_EQUAL(compiled.ptx_bytes, strlen(compiled.ptx));
    CU_ASSERT_FALSE(compiled.from_cache);
    SUPPORT_CONTAINS(compiled.ptx, ".target sm_80");
    SUPPORT_CONTAINS(compiled.ptx, ".entry _Z3addPKfPfi");
    SUPPORT_CONTAINS(compiled.ptx, "work/kernel.cu");
    SUPPORT_CONTAINS(compiled.ptx, ".loc\t1 4");
    lockstep_compiled_clear(&compiled);
    CU_ASSERT_PTR_NULL(compiled.ptx);
    lockstep_compiled_clear(&compiled);
    lockstep_compiled_clear(NULL);
}

static void compiles_an_empty_file(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("", &compiled), LOCKSTEP_OK);
    CU_ASSERT(compiled.ptx_bytes > 0 && !strstr(compiled.ptx, ".entry"));
    lockstep_compiled_clear(&compiled);
}

static void accepts_habitual_includes(void)
{
    static const char source[] =
        "#include <stdio.h>\n#include <cstdio>\n#include <stdint.h>\n#include <cstdint>\n#include <inttypes.h>\n"
        "#include <math.h>\n#include <cmath>\n#include <assert.h>\n#include <cassert>\n#include <stdlib.h>\n#include "
        "<cstdlib>\n"
        "#include <stddef.h>\n#include <cstddef>\n#include <limits.h>\n#include <climits>\n#include <float.h>\n#include "
        "<cfloat>\n"
        "#include <string.h>\n#include <cstring>\n#include <time.h>\n#include <ctime>\n#include <stdbool.h>\n#include "
        "<algorithm>\n"
        "#include <cuda.h>\n#include <cuda_runtime.h>\n#include \"cuda_runtime.h\"\n#include "
        "\"device_launch_parameters.h\"\n"
        "struct pair { int first, second; };\n"
        "__global__ void use(float *a, double *d, long *l, int n)\n"
        "{\n"
        "    assert(n > 0);\n"
        "    printf(\"%d %ld %lu\\n\", n, (int64_t)n, sizeof(size_t));\n"
        "    a[0] = INFINITY; a[1] = NAN; a[2] = FLT_MAX; a[3] = M_PI; a[4] = FLT_EPSILON; a[5] = HUGE_VALF;\n"
        "    d[0] = M_PI; d[1] = DBL_MAX; d[2] = HUGE_VAL; d[3] = M_SQRT2;\n"
        "    a[6] = std::sqrt(a[7]); a[8] = std::max(a[9], 2.0f); a[10] = std::pow(a[11], 2.0f); a[12] = fminf(a[13], "
        "1.0f);\n"
        "    l[0] = INT_MAX; l[1] = INT64_MIN; l[2] = (long)UINT64_MAX; l[3] = CHAR_BIT; l[4] = UINT_MAX; l[5] = RAND_MAX;\n"
        "    uint32_t u = UINT32_C(7); std::uint64_t v = u; std::size_t z = v; uint8_t b = (uint8_t)z; l[6] = b;\n"
        "    l[7] = offsetof(pair, second); uintptr_t p = (uintptr_t)a; l[8] = (long)p; bool t = true; l[9] = t;\n"
        "    void *q = NULL; l[10] = q == nullptr; memset(a + 20, 0, 4); std::memcpy(a + 21, a + 22, 4); free(malloc(8));\n"
        "}\n";
    lockstep_compiled compiled;
    lockstep_status status = compile(source, &compiled);
    if (status != LOCKSTEP_OK)
        fprintf(stderr, "%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(status, LOCKSTEP_OK);
    for (size_t at = 0; at < compiled.diagnostic_count; at++)
        fprintf(stderr, "line %d: %s\n", compiled.diagnostics[at].line, compiled.diagnostics[at].message);
    CU_ASSERT_EQUAL(compiled.diagnostic_count, 0);
    SUPPORT_CONTAINS(compiled.ptx, "vprintf");
    SUPPORT_CONTAINS(compiled.ptx, "__assertfail");
    SUPPORT_CONTAINS(compiled.ptx, "sqrt.rn.f32"); /* std::sqrt of a float stays in float */
    lockstep_compiled_clear(&compiled);
}

/* The primitives of asynchronous copies need no toolkit, and give the instructions that its header gives. */
static void has_the_primitives_of_asynchronous_copies(void)
{
    static const char source[] = "#include <cuda_pipeline.h>\n"
                                 "extern \"C\" __global__ void k(const float4 *in, float4 *out, int some)\n{\n"
                                 "    __shared__ float4 tile[64];\n"
                                 "    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);\n"
                                 "    __pipeline_memcpy_async(&tile[threadIdx.x + 16], &in[threadIdx.x], 8, some);\n"
                                 "    __pipeline_memcpy_async(&tile[threadIdx.x + 32], &in[threadIdx.x], 4);\n"
                                 "    __pipeline_commit();\n    __pipeline_wait_prior(2);\n    __pipeline_wait_prior(12);\n"
                                 "    out[threadIdx.x] = tile[threadIdx.x];\n}\n";
    lockstep_compiled compiled;
    CU_ASSERT_FALSE(lockstep_compile_needs_toolkit(
        &(lockstep_compile_request){.source = source, .source_bytes = sizeof source - 1, .file_name = "k.cu"}));
    CU_ASSERT_EQUAL(compile(source, &compiled), LOCKSTEP_OK);
    CU_ASSERT_EQUAL(compiled.diagnostic_count, 0);
    SUPPORT_CONTAINS(compiled.ptx, "cp.async.cg.shared.global");
    SUPPORT_CONTAINS(compiled.ptx, "cp.async.ca.shared.global");
    SUPPORT_CONTAINS(compiled.ptx, "cp.async.commit_group;");
    SUPPORT_CONTAINS(compiled.ptx, "cp.async.wait_group 2;");
    SUPPORT_CONTAINS(compiled.ptx, "cp.async.wait_group 8;");
    CU_ASSERT_PTR_NULL(strstr(compiled.ptx, "cp.async.wait_group 0;"));
    CU_ASSERT_PTR_NULL(strstr(compiled.ptx, "trap"));
    lockstep_compiled_clear(&compiled);
}

static void takes_cuda_headers_from_the_toolkit(void)
{
    const struct nvrtc *nvrtc = NULL;
    CU_ASSERT_EQUAL_FATAL(nvrtc_get(&nvrtc, &error), LOCKSTEP_OK);
    if (!nvrtc->include[0][0]) {
        support_skip("NVRTC has no toolkit around it to take headers from");
        return;
    }
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(
        compile("#include <stdint.h>\n#include <float.h>\n#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n"
                "__global__ void k(float *a) { a[0] = __half2float(__float2half(a[1]) * __float2half(2.0f)) + FLT_MAX;\n"
                "    cooperative_groups::this_thread_block().sync(); }\n",
                &compiled),
        LOCKSTEP_OK);
    lockstep_compiled_clear(&compiled);
}

static void compiles_for_the_nearest_known_architecture(void)
{
    lockstep_compiled compiled;
    lockstep_compile_request request = {.source = good_source,
                                        .source_bytes = sizeof good_source - 1,
                                        .file_name = "k.cu",
                                        .major = 99,
                                        .minor = 9,
                                        .no_cache = true};
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_OK);
    CU_ASSERT(compiled.ptx && strstr(compiled.ptx, ".target sm_") && !strstr(compiled.ptx, "sm_999"));
    lockstep_compiled_clear(&compiled);
    request.major = 1;
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_NO_COMPILER);
    SUPPORT_CONTAINS(error.message, "not for 1.9");
    CU_ASSERT_PTR_NULL(compiled.ptx);
    request.major = 0;
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_INVALID_ARGUMENT);
}

static void passes_options_on(void)
{
    lockstep_compiled compiled;
    const char *const options[] = {"-DADDEND=41.0f", "--std=c++14"};
    const char *source = "static_assert(__cplusplus == 201402L, \"\"); __global__ void k(float *a) { *a += ADDEND; }\n";
    lockstep_compile_request request = {.source = source,
                                        .source_bytes = strlen(source),
                                        .file_name = "k.cu",
                                        .major = 8,
                                        .options = options,
                                        .option_count = 2,
                                        .no_cache = true};
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_OK);
    CU_ASSERT(compiled.ptx && strstr(compiled.ptx, "0f42240000"));
    lockstep_compiled_clear(&compiled);
    const char *const nonsense[] = {"--no-such-option"};
    request.options = nonsense;
    request.option_count = 1;
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_INVALID_ARGUMENT);
    SUPPORT_CONTAINS(error.message, "--no-such-option");
}

/* ---- diagnostics -------------------------------------------------------------------------------------------------- */

static void places_errors_first_error_first(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("__global__ void k(float *a, int n)\n"
                            "{\n"
                            "    int i = threadIdx.x\n"
                            "    n = 1;\n"
                            "\ta[i] = undefined_name;\n"
                            "}\n",
                            &compiled),
                    LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT_EQUAL(error.status, LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT_PTR_NULL(compiled.ptx);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->severity, LOCKSTEP_ERROR);
    CU_ASSERT_STRING_EQUAL(diagnostic(&compiled, 0)->file, "work/kernel.cu");
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, 4);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->column, 5);
    CU_ASSERT_STRING_EQUAL(diagnostic(&compiled, 0)->message, "expected a \";\"");
    CU_ASSERT_EQUAL(diagnostic(&compiled, 1)->line, 5);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 1)->column, 9);
    SUPPORT_CONTAINS(
        error.message,
        "work/kernel.cu:4:5: expected a \";\". The statement that ends at line 3 lacks its semicolon. (and 1 more)");
    lockstep_compiled_clear(&compiled);
}

static void keeps_warnings_of_a_source_that_compiles(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("__global__ void k(float *a)\n{\n    int unused;\n}\n", &compiled), LOCKSTEP_OK);
    CU_ASSERT_EQUAL(compiled.diagnostic_count, 1);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->severity, LOCKSTEP_WARNING);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, 3);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->column, 9);
    CU_ASSERT_STRING_EQUAL(diagnostic(&compiled, 0)->message, "variable \"unused\" was declared but never referenced");
    lockstep_compiled_clear(&compiled);
}

static void gives_notes_and_joins_continuations(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("__device__ void f(int a) {}\n"
                            "__device__ void f(float a) {}\n"
                            "__global__ void k() { f(\"abc\"); }\n",
                            &compiled),
                    LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT_STRING_EQUAL(diagnostic(&compiled, 0)->message,
                           "no instance of overloaded function \"f\" matches the argument "
                           "list; argument types are: (const char [4])");
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->column, 23);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 1)->severity, LOCKSTEP_NOTE);
    CU_ASSERT(diagnostic(&compiled, 1)->line == 1 || diagnostic(&compiled, 1)->line == 2);
    lockstep_compiled_clear(&compiled);
}

static void explains_missing_headers_and_host_functions(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("#include <iostream>\n", &compiled), LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, 1);
    SUPPORT_CONTAINS(diagnostic(&compiled, 0)->message, "iostream");
    SUPPORT_CONTAINS(diagnostic(&compiled, 0)->advice, "host's C++ library");
    SUPPORT_CONTAINS(error.message, "host's C++ library");
    lockstep_compiled_clear(&compiled);
    CU_ASSERT_EQUAL(compile("int helper(int a) { return a; }\n__global__ void k(int *a) { *a = helper(1); }\n", &compiled),
                    LOCKSTEP_COMPILE_ERROR);
    bool advice = false;
    for (size_t at = 0; at < compiled.diagnostic_count; at++) {
        CU_ASSERT_PTR_NULL(strstr(compiled.diagnostics[at].message, "-default-device"));
        advice |= strstr(compiled.diagnostics[at].advice, "Line 2 calls it: write __device__") != NULL;
    }
    CU_ASSERT(advice);
    lockstep_compiled_clear(&compiled);
}

static void escapes_control_characters(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("#error \033[31mred\007\n", &compiled), LOCKSTEP_COMPILE_ERROR);
    SUPPORT_CONTAINS(diagnostic(&compiled, 0)->message, "\\x1b[31mred\\x07");
    for (const char *at = error.message; *at; at++)
        CU_ASSERT((unsigned char)*at >= ' ');
    lockstep_compiled_clear(&compiled);
}

static void refuses_a_binary_file(void)
{
    static const char source[] = "// first\n// sec\0ond\n__global__ void k() {}\n";
    lockstep_compiled compiled;
    lockstep_compile_request request = {
        .source = source, .source_bytes = sizeof source - 1, .file_name = "k.cu", .major = 8};
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, 2);
    SUPPORT_CONTAINS(diagnostic(&compiled, 0)->message, "not a text file");
    lockstep_compiled_clear(&compiled);
    CU_ASSERT_EQUAL(compile("\x80\x81{{{", &compiled), LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT(compiled.diagnostic_count > 0);
    lockstep_compiled_clear(&compiled);
}

static void parses_logs_that_try_to_confuse(void)
{
    static const char log[] = "odd (1): error: name(7).cu(12): error #20-D: first\n"
                              "  file.cu(99): error: quoted, not a message\n"
                              "      ^\n"
                              "\n"
                              "error: has no place\n"
                              "nvrtc: error: failed to open builtins\n"
                              "k.cu(99999999999999999999): error: huge number\n"
                              "Remark: The warnings can be suppressed\n"
                              "2 errors detected in the compilation of \"k.cu\".\n"
                              "k.cu(3): warning #177-D: last, without an end";
    struct diagnostics found = {NULL, 0, 0};
    CU_ASSERT_FATAL(diagnostics_parse(log, sizeof log - 1, &found));
    CU_ASSERT_EQUAL_FATAL(found.count, 4);
    CU_ASSERT_STRING_EQUAL(found.entries[0].file, "odd ");
    CU_ASSERT_EQUAL(found.entries[0].line, 1);
    CU_ASSERT_EQUAL(found.entries[0].column, 5);
    CU_ASSERT_STRING_EQUAL(found.entries[1].message, "has no place");
    CU_ASSERT_EQUAL(found.entries[1].line, 0);
    CU_ASSERT_STRING_EQUAL(found.entries[2].message, "failed to open builtins");
    CU_ASSERT_EQUAL(found.entries[3].severity, LOCKSTEP_WARNING);
    CU_ASSERT_STRING_EQUAL(found.entries[3].message, "last, without an end");
    free(found.entries);
    /* every beginning of a log must be safe to read */
    for (size_t bytes = 0; bytes < sizeof log; bytes++) {
        char *copy = malloc(bytes + 1);
        memcpy(copy, log, bytes);
        found = (struct diagnostics){NULL, 0, 0};
        CU_ASSERT(diagnostics_parse(copy, bytes, &found));
        free(found.entries);
        free(copy);
    }
}

/* tests/compile_errors.txt, taken apart: "==== name", "line column kind" of the first error (of the first warning that is
 * explained where there is no error; 0 0 -: neither), the advice or -, "----", the source. */
struct mistake {
    char *name, *place, *advice, *source;
};

static size_t split_mistakes(char *text, struct mistake *mistakes, size_t most)
{
    size_t count = 0;
    for (char *at = strstr(text, "==== "); at && count < most; count++) {
        struct mistake *mistake = &mistakes[count];
        mistake->name = at + 5;
        mistake->place = strchr(mistake->name, '\n');
        mistake->advice = mistake->place ? strchr(mistake->place + 1, '\n') : NULL;
        mistake->source = mistake->advice ? strstr(mistake->advice + 1, "\n----\n") : NULL;
        if (!mistake->source)
            return count;
        at = strstr(mistake->source, "\n==== ");
        *mistake->place++ = *mistake->advice++ = *mistake->source = '\0';
        mistake->source += 6;
        if (at) {
            *at = '\0';
            at++;
        }
    }
    return count;
}

static void explains_the_mistakes_of_first_kernels(void)
{
    enum { MOST = 600 };
    static struct mistake mistakes[MOST];
    size_t bytes = 0, seen = 0;
    char *text = support_read_file("tests/compile_errors.txt", &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    size_t count = split_mistakes(text, mistakes, MOST);
    CU_ASSERT(count > 200);
    for (size_t i = 0; i < count; i++) {
        lockstep_compiled compiled;
        const lockstep_diagnostic none = {0}, *first = NULL;
        char place[64];
        compile(mistakes[i].source, &compiled);
        for (size_t k = 0; k < compiled.diagnostic_count; k++) {
            const lockstep_diagnostic *one = &compiled.diagnostics[k];
            bool better = !first || (one->severity == LOCKSTEP_ERROR && first->severity != LOCKSTEP_ERROR);
            if (better && (one->severity == LOCKSTEP_ERROR || one->advice[0] != '\0'))
                first = one;
        }
        first = first ? first : &none;
        seen += first->advice[0] != '\0';
        snprintf(place, sizeof place, "%d %d %s", first->line, first->column, first->kind[0] ? first->kind : "-");
        const char *advice = first->advice[0] ? first->advice : "-";
        if (strcmp(place, mistakes[i].place) != 0 || strcmp(advice, mistakes[i].advice) != 0)
            fprintf(stderr, "%s: %s\n%s\n", mistakes[i].name, place, advice);
        CU_ASSERT_STRING_EQUAL(place, mistakes[i].place);
        CU_ASSERT_STRING_EQUAL(advice, mistakes[i].advice);
        lockstep_compiled_clear(&compiled);
    }
    CU_ASSERT(seen > 180);
    free(text);
}

/* Whatever a source says, and wherever a compiler may place its message. */
static void explains_no_source_to_death(void)
{
    enum { MOST = 600, STEP = 11 };
    static struct mistake mistakes[MOST];
    static const char *const messages[] = {
#define ADVICE(kind, part, condition, sentence) part,
#include "runtime/compile/advice.def"
#undef ADVICE
    };
    size_t bytes = 0, given = 0, which = 0;
    char *text = support_read_file("tests/compile_errors.txt", &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    size_t count = split_mistakes(text, mistakes, MOST);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(mistakes[i].source);
        for (size_t cut = i % STEP; cut <= length; cut += STEP) {
            lockstep_diagnostic entry = {.severity = LOCKSTEP_ERROR, .file = "k.cu"};
            struct diagnostics one = {&entry, 1, 1};
            char *exact = malloc(cut + 1); /* so that a sanitizer sees what is read behind it */
            memcpy(exact, mistakes[i].source, cut);
            snprintf(entry.message, sizeof entry.message, "%s \"a\" x \"float *\" argument types are: (int, int)",
                     messages[which++ % SUPPORT_COUNT(messages)]);
            entry.line = (int)(which % 9) - 1;
            entry.column = (int)(which % 31);
            advice_give(exact, cut, "k.cu", &one);
            given += entry.advice[0] != '\0';
            struct diagnostics own = {NULL, 0, 0};
            CU_ASSERT(advice_warn(exact, cut, "k.cu", &own));
            free(own.entries);
            free(exact);
        }
    }
    CU_ASSERT(given > 100);
    free(text);
}

static void leaves_messages_about_headers_alone(void)
{
    lockstep_diagnostic entry = {.severity = LOCKSTEP_ERROR, .file = "other.h", .line = 1, .column = 1};
    struct diagnostics one = {&entry, 1, 1};
    snprintf(entry.message, sizeof entry.message, "identifier \"blockidx\" is undefined");
    advice_give("x", 1, "k.cu", &one);
    CU_ASSERT_STRING_EQUAL(entry.advice, "");
    snprintf(entry.file, sizeof entry.file, "k.cu");
    advice_give("x", 1, "k.cu", &one);
    CU_ASSERT_STRING_EQUAL(entry.advice, "Did you mean blockIdx?");
}

static void warns_of_what_is_legal_and_hardly_meant(void)
{
    static const struct {
        const char *condition;
        int column; /* of the warning in the line; 0: none */
        const char *message;
    } rows[] = {
        {"if (n = *a) *a = 1;", 11, "This = stores a value"},
        {"if (n == 3);", 16, "This ; ends the if"},
        {"for (int i = 0; i < n; i++); { *a += 1; }", 32, "This ; is all that the loop repeats"},
        {"for (int i = 0; i < n; i++) { *a += 1; }", 0, ""},
        {"for (n = 0; a[n] > 0; n++); *a = n;", 0, ""},
        {"if (0 <= n < 3) *a = 1;", 11, "This comparison gives 0 or 1"},
        {"if (0 <= n && n < 3) *a = 1;", 0, ""},
        {"*(int *)a = (n < 3) + (n < 4);", 0, ""},
        {"if (0 <= n and n < 3) *a = 1;", 0, ""},
        {"if (not (n <= 3 or n > 5)) *a = 1;", 0, ""},
        {"if (n == 1 or 2) *a = 1;", 16, "This || always"},
        {"if (n == 1 || 2) *a = 1;", 16, "This || always"},
        {"if (n == 1 || n == 2 || a[2]) *a = 1;", 0, ""},
        {"*a = 2 ^ n;", 12, "This ^ is the exclusive or"},
        {"*a = n ^ 2;", 0, ""},
        {"*a = (float)(n ^ 2);", 20, "This ^ is the exclusive or"},
        {"*a = (float)(n ^ 4);", 0, ""},
        {"a[threadIdx.y * blockDim.y + threadIdx.x] = 1;", 7, "This multiplies threadIdx.y by blockDim.y"},
        {"a[threadIdx.x + threadIdx.y * blockDim.y] = 1;", 21, "This multiplies threadIdx.y by blockDim.y"},
        {"a[threadIdx.y * blockDim.x + threadIdx.x] = 1;", 0, ""},
        {"a[blockIdx.y * blockDim.y + threadIdx.y] = 1;", 0, ""},
        {"*a = __shfl_down_sync(~0u, n, 16, 16);", 10, "This shuffle has a width of 16"},
        {"for (int d = warpSize; d > 0; d /= 2) n += __shfl_down_sync(~0u, n, d); *a = n;", 48,
         "This shuffle gives each lane its own value in the turn with d = 32: "},
        {"for (int d = 1; d < 32; d <<= 1) n += __shfl_up_sync(~0u, n, d, 16); *a = n;", 43,
         "This shuffle has a width of 16"},
        {"for (int d = 1; d < 16; d *= 2) n += __shfl_up_sync(~0u, n, d, 16); *a = n;", 0, ""},
        {"for (int d = 16; d > 0; d /= 2) n += __shfl_down_sync(~0u, n, d); *a = n;", 0, ""},
        {"for (int d = 16; d > 0; d /= 2) n += __shfl_xor_sync(~0u, n, d, 16); *a = n;", 0, ""},
        {"*a = __shfl_sync(~0u, n, 32);", 10, "This shuffle counts lanes from 0 to 31"},
        {"*a = __shfl_sync(~0u, n, 31) + __shfl_sync(~0u, n, n + 1);", 0, ""},
        {"n =+ 1; *a = n;", 7, "This =+ stores"},
        {"n =-1; *a = n;", 0, ""},
        {"*a = 2,0 * n;", 11, "This comma ends the assignment"},
        {"int i = 2, k = 0; *a = i + k; for (i = 0, k = 1; i < n; i++, k++) *a += k;", 0, ""},
        {"if (n > 0 & a[n - 1] > 0) *a = 1;", 15, "This & evaluates both"},
        {"if ((n & 1) == 0) *a = 1;", 0, ""},
        {"if (n & 1 == 0) *a = 1;", 11, "This & comes after the comparison"},
        {"*a = n & (n < 3);", 0, ""},
        {"while (*(volatile unsigned *)&a[n] == 0) ;", 0, ""},
        {"if (*(float *)&a[n] == 0) *a = 1;", 0, ""},
        {"*a = a != 0 && (char *)&a[1] == (char *)a;", 0, ""},
        {"if ((n) & 1 == 0) *a = 1;", 13, "This & comes after the comparison"},
        {"if (sizeof(int) & n == 4) *a = 1;", 21, "This & comes after the comparison"},
        {"if (n == 3) *a = 1;", 0, ""},
        {"if ((n = 3)) *a = 1;", 0, ""},
        {"if (n == 3); else *a = 1;", 0, ""},
        {"if (int m = n) *a = m;", 0, ""},
        {"if (float *p = a) *p = 1;", 0, ""},
        {"if (int m = n; m > 3) *a = 1;", 0, ""},
        {"while (n = 3); // if (n = 3);", 0, ""},
        {"if (a[n = 3] > 1) *a = 1;", 0, ""},
        {"float *p = 0; p[n] = 1; a[0] = p[1];", 12, "p is a null pointer, and nothing else"},
        {"float *p = NULL; if (n > 3) p = a; p[n] = 1;", 0, ""},
        {"float *p = nullptr; float **q = &p; *q = a; p[n] = 1;", 0, ""},
        {"float *p = 0; a[n] = p == 0;", 0, ""},
        {"if (n <= 3 && n != 2 && n >= 1) *a = 1;", 0, ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char source[240];
        lockstep_compiled compiled;
        snprintf(source, sizeof source, "__global__ void k(float *a, int n) {\n    %s\n}\n", rows[i].condition);
        CU_ASSERT_EQUAL(compile(source, &compiled), LOCKSTEP_OK);
        const lockstep_diagnostic *last = diagnostic(&compiled, compiled.diagnostic_count - 1);
        bool ours = strncmp(last->message, "This ", 5) == 0 || strstr(last->message, "is a null pointer");
        CU_ASSERT_EQUAL(ours ? last->column : 0, rows[i].column);
        CU_ASSERT_EQUAL(ours ? last->line : 2, 2);
        CU_ASSERT(!ours || (last->severity == LOCKSTEP_WARNING && strstr(last->message, rows[i].message)));
        lockstep_compiled_clear(&compiled);
    }
}

static void warns_of_arguments_tickets_and_exchanges(void)
{
    static const struct {
        const char *body;
        int column; /* of the warning in the line; 0: none */
        const char *message;
    } rows[] = {
        {"a[0] = part(n, i);", 8, "part takes i before n, as line 1 says"},
        {"a[0] = part(i, n);", 0, ""},
        {"a[0] = part(n, n);", 0, ""},
        {"int tile = atomicAdd(count, 1); a[tile * blockDim.x + t] = 0;", 12, "so each has a tile of its own"},
        {"const unsigned tile = atomicAdd(count, 1); a[tile * 256 + threadIdx.x] = 0;", 23, "so each has a tile of its own"},
        {"int place = atomicAdd(count, 1); a[place] = 0;", 0, ""},
        {"__shared__ int tile; if (t == 0) tile = atomicAdd(count, 1); __syncthreads(); a[tile * 256 + t] = 0;", 0, ""},
        {"if (t > i) { a[t] = *b; float *h = a; a = b; b = h; } *a = 1;", 32, "This exchanges a and b only in the threads"},
        {"if (n > i) { float *h = a; a = b; b = h; } *a = 1;", 0, ""},
        {"if (t > i) a[t] = *b; float *h = a; a = b; b = h; *a = 1;", 0, ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char source[400];
        lockstep_compiled compiled;
        snprintf(
            source, sizeof source,
            "__device__ float part(int i, int n) { return 1.0f * i / n; }\n"
            "__global__ void k(float *a, float *b, int *count, int n, int i) { int t = threadIdx.x; if (t > n) return;\n"
            "%s}\n",
            rows[i].body);
        CU_ASSERT_EQUAL(compile(source, &compiled), LOCKSTEP_OK);
        CU_ASSERT_EQUAL(compiled.diagnostic_count, rows[i].column > 0);
        CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->column, rows[i].column);
        CU_ASSERT_PTR_NOT_NULL(strstr(diagnostic(&compiled, 0)->message, rows[i].message));
        lockstep_compiled_clear(&compiled);
    }
}

static void warns_of_indentation_and_of_macros_without_parentheses(void)
{
    static const struct {
        const char *text;
        int line; /* of the warning; 0: none */
        const char *message;
    } rows[] = {
        {"    if (n > 3)\n        a[1] = 2;\n        a[0] = 1;\n", 4, "Without braces only the statement in line 5"},
        {"    if (n > 3)\n        a[1] = 2;\n    else\n        a[2] = 1;\n        a[0] = 1;\n", 6, "belongs to this else"},
        {"    if (n > 3)\n        a[1] = 2;\n    a[0] = 1;\n", 0, ""},
        {"    if (n > 3) {\n        a[1] = 2;\n        a[0] = 1;\n    }\n", 0, ""},
        {"    for (int i = 0; i < n; i++)\n        if (i > 3)\n            a[i] = 2;\n", 0, ""},
        {"    a[0] = 2 * SUM;\n", 4, "SUM is replaced by its text, which has no parentheses around it: the *"},
        {"    a[0] = n - SUM;\n", 4, "the - next to it"},
        {"    a[0] = n + SUM;\n", 0, ""},
        {"    a[0] = 2 * WHOLE;\n", 0, ""},
        {"    if (n < SUM)\n        a[SUM] = 2;\n", 0, ""},
        {"#define START(i) (i * 2)\n    a[START(n + 1)] = 2;\n", 5,
         "START is replaced by its text, with n + 1 in it as it is written: the * there"},
        {"#define START(i) (i * 2)\n    a[START(n)] = 2;\n", 0, ""},
        {"#define START(i) (i * 2)\n    a[START((n + 1))] = 2;\n", 0, ""},
        {"#define SAFE(i) ((i) * 2)\n    a[SAFE(n + 1)] = 2;\n", 0, ""},
        {"#define NEXT(i) (i + 1)\n    a[NEXT(n - 1)] = 2;\n", 0, ""},
        {"#define NEXT(i) i + 1\n    a[2 * NEXT(n)] = 2;\n", 5,
         "NEXT is replaced by its text, which has no parentheses around it: the *"},
        {"#define NEXT(i) i + 1\n    a[2 + NEXT(n)] = 2;\n", 0, ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char source[400];
        lockstep_compiled compiled;
        snprintf(source, sizeof source,
                 "#define SUM n + 1\n#define WHOLE (n + 1)\n__global__ void k(float *a, int n) {\n%s}\n", rows[i].text);
        CU_ASSERT_EQUAL(compile(source, &compiled), LOCKSTEP_OK);
        CU_ASSERT_EQUAL(compiled.diagnostic_count, rows[i].line > 0);
        CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, rows[i].line);
        CU_ASSERT_PTR_NOT_NULL(strstr(diagnostic(&compiled, 0)->message, rows[i].message));
        lockstep_compiled_clear(&compiled);
    }
}

static void warns_of_what_does_something_else_than_it_looks_like(void)
{
    static const struct {
        const char *text; /* from line 1 on; the kernel takes `int *a, float *b, int n` */
        const char *kind; /* of the warning; "": none */
        int line;
        const char *message;
    } rows[] = {
        {"__device__ void add(float sum, const float *b)\n{\n    sum += b[0];\n}\n"
         "KERNEL { float s = 0; add(s, b); b[1] = s; }",
         "by_value", 3, "sum is a copy of what the call of add passes."},
        {"__device__ void add(float &sum, const float *b)\n{\n    sum += b[0];\n}\n"
         "KERNEL { float s = 0; add(s, b); b[1] = s; }",
         "", 0, ""},
        {"__device__ void add(float sum, float *b)\n{\n    sum += b[0];\n    b[0] = sum;\n}\nKERNEL { add(1, b); }", "", 0,
         ""},
        {"KERNEL { float s = 0; for (int k = 0; k < n; k++)\n s = fmaf(s, b[k], b[k + 1]); b[0] = s; }", "fma_order", 2,
         "fmaf(a, b, c) is a * b + c. So s is multiplied here"},
        {"KERNEL { float s = 0; for (int k = 0; k < n; k++)\n s = fmaf(b[k], b[k + 1], s); b[0] = s; }", "", 0, ""},
        {"KERNEL { float s = 0; for (int k = 0; k < n; k++)\n s = fmaf(s, 2.0f, b[k]); b[0] = s; }", "", 0, ""},
        {"KERNEL {\n for (unsigned left = n; left > 0; left -= 16) b[left] = 1; }", "countdown", 2,
         "left is unsigned, so it is never below 0"},
        {"KERNEL {\n for (int left = n; left > 0; left -= 16) b[left] = 1; }", "", 0, ""},
        {"KERNEL {\n for (unsigned d = 128; d > 0; d -= 16) b[d] = 1; }", "", 0, ""},
        {"KERNEL {\n for (unsigned left = n; left > 0; left -= 1) b[left] = 1; }", "", 0, ""},
        {"#define BINS 256\nKERNEL {\n for (unsigned char v = 0; v < BINS; v++) b[v] = n; }", "narrow", 3,
         "v has a type of 8 bits, in which no number is above 255. So v < BINS is always true."},
        {"KERNEL {\n for (unsigned char v = 0; v < 255; v++) b[v] = n; }", "", 0, ""},
        {"KERNEL {\n unsigned char *c = (unsigned char *)a; c[n] = 0; }", "bytes", 2,
         "c counts single bytes, and an element of a has 4 of them: c[i] is one byte of a[i / 4]."},
        {"KERNEL {\n unsigned *c = (unsigned *)a; c[n] = 0; }", "", 0, ""},
        {"KERNEL {\n float *c = b + n * sizeof(float); c[0] = 0; }", "sizeof", 2, "What is added to b counts elements"},
        {"KERNEL {\n float *c = b + n / sizeof(float); c[0] = 0; }", "", 0, ""},
        {"KERNEL {\n __shared__ unsigned short c[64]; c[n] = 0; atomicAdd((int *)&c[n], 1); a[0] = c[0]; }", "wide", 2,
         "An element of c has 2 bytes, and through this pointer 4 are accessed"},
        {"KERNEL {\n __shared__ unsigned c[64]; c[n] = 0; atomicAdd((int *)&c[n], 1); a[0] = c[0]; }", "", 0, ""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char source[400];
        lockstep_compiled compiled;
        const char *kernel = strstr(rows[i].text, "KERNEL");
        snprintf(source, sizeof source, "%.*s__global__ void k(int *a, float *b, int n)%s\n", (int)(kernel - rows[i].text),
                 rows[i].text, kernel + strlen("KERNEL"));
        CU_ASSERT_EQUAL(compile(source, &compiled), LOCKSTEP_OK);
        CU_ASSERT_EQUAL(compiled.diagnostic_count, rows[i].line > 0);
        CU_ASSERT_STRING_EQUAL(diagnostic(&compiled, 0)->kind, rows[i].kind);
        CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, rows[i].line);
        CU_ASSERT_PTR_NOT_NULL(strstr(diagnostic(&compiled, 0)->message, rows[i].message));
        lockstep_compiled_clear(&compiled);
    }
}

/* What editors and web pages make of a source that is right: lines and columns of what is wrong in it stay those of the
 * file. */
static void reads_files_as_editors_save_them(void)
{
    static const char *const texts[] = {
        "\xef\xbb\xbf__global__ void k(float *a)\n{\n    a[0] = x;\n}\n",
        "__global__ void k(float *a)\r{\r    a[0] = x;\r}\r",
        "__global__ void k(float *a)\r\n{\r\n    a[0] = x;\r\n}\r\n",
        "__global__\xc2\xa0void k(float *a)\n{\n\xc2\xa0   a[0] = x;\n}\n",
        "\f__global__ void k(float *a)\n{\n  \xe2\x80\x8b  a[0] = x;\n}\n",
    };
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        lockstep_compiled compiled;
        CU_ASSERT_EQUAL(compile(texts[i], &compiled), LOCKSTEP_COMPILE_ERROR);
        CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->line, 3);
        CU_ASSERT_EQUAL(diagnostic(&compiled, 0)->column, 12);
        CU_ASSERT_STRING_EQUAL(diagnostic(&compiled, 0)->message, "identifier \"x\" is undefined");
        lockstep_compiled_clear(&compiled);
    }
}

static void prints_utf8_and_hides_nothing(void)
{
    static const char tricky[] = "gr\xc3\xb6\xc3\x9f"
                                 "e\t\xe2\x80\xae"
                                 "x\xc3"
                                 "(\xf0\x9f\x98\x80\x7f";
    char text[64] = "", small[10] = "";
    printable_append(text, sizeof text, tricky, sizeof tricky - 1);
    CU_ASSERT_STRING_EQUAL(text, "gr\xc3\xb6\xc3\x9f"
                                 "e \\xe2\\x80\\xaex\\xc3(\xf0\x9f\x98\x80\\x7f");
    CU_ASSERT_EQUAL(printable_append(small, sizeof small,
                                     "gr\xc3\xb6\xc3\x9f"
                                     "er als Platz",
                                     17),
                    9);
    CU_ASSERT_STRING_EQUAL(small, "gr\xc3\xb6\xc3\x9f...");
    char exact[6] = "";
    printable_append(exact, sizeof exact, "12345", 5);
    CU_ASSERT_STRING_EQUAL(exact, "12345");
}

/* Wide characters take two columns, those that combine none, and a malformed byte takes one. */
static void counts_columns_as_a_terminal_does(void)
{
    static const struct {
        const char *text;
        int columns;
        const char *printed; /* NULL: as it is */
    } rows[] = {
        {"scan", 4, NULL},
        {"gr\xc3\xb6\xc3\x9f", 4, NULL},                                        /* precomposed */
        {"gro\xcc\x88\xc3\x9f", 4, NULL},                                       /* o, combining diaeresis */
        {"\xe6\x89\xab\xe6\x8f\x8f", 4, NULL},                                  /* two Han characters */
        {"\xed\x95\x9c\xea\xb8\x80", 4, NULL},                                  /* two Hangul syllables */
        {"\xef\xbd\xb6", 1, NULL},                                              /* half-width katakana */
        {"\xf0\x9f\x98\x80!", 3, NULL},                                         /* emoji */
        {"a\xcc\x80\xcc\x81\xcc\x82z", 2, NULL},                                /* three on one letter */
        {"\xf0\x9f\x91\xa9\xe2\x80\x8d", 2, "\xf0\x9f\x91\xa9\\xe2\\x80\\x8d"}, /* emoji, zero-width joiner */
        {"\xff(", 2, "\\xff("},
        {"\xe6\x89", 2, "\\xe6\\x89"},                   /* cut off */
        {"\xc0\xaf", 2, "\\xc0\\xaf"},                   /* overlong */
        {"\xed\xa0\x80", 3, "\\xed\\xa0\\x80"},          /* half a surrogate pair */
        {"\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        char printed[64] = "";
        printable_append(printed, sizeof printed, rows[i].text, strlen(rows[i].text));
        CU_ASSERT_EQUAL(printable_columns(rows[i].text, strlen(rows[i].text)), rows[i].columns);
        CU_ASSERT_STRING_EQUAL(printed, rows[i].printed ? rows[i].printed : rows[i].text);
    }
}

/* ---- finding NVRTC ------------------------------------------------------------------------------------------------ */

static void tells_version_and_path(void)
{
    int version = 0;
    char path[512] = "";
    CU_ASSERT_EQUAL(lockstep_compiler_find(&version, path, sizeof path, &error), LOCKSTEP_OK);
    CU_ASSERT(version >= 1200 && version < 1400);
    SUPPORT_CONTAINS(path, "libnvrtc.so");
    CU_ASSERT_EQUAL(lockstep_compiler_find(NULL, NULL, 0, NULL), LOCKSTEP_OK);
}

static lockstep_status compile_with(const char *nvrtc)
{
    lockstep_compiled compiled;
    setenv("LOCKSTEP_NVRTC", nvrtc, 1);
    return compile(good_source, &compiled);
}

static char folder[SUPPORT_PATH_BYTES];

static int without_nvrtc(void)
{
    CLAIM(compile_with(folder) == LOCKSTEP_NO_COMPILER);
    CLAIM(error.status == LOCKSTEP_NO_COMPILER && strcmp(error.call, "dlopen") == 0);
    CLAIM(strstr(error.message, folder) && strstr(error.remedy, "ci/setup"));
    CLAIM(compile_with("none") == LOCKSTEP_NO_COMPILER && strstr(error.message, "switches NVRTC off"));
    CLAIM(lockstep_compiler_find(NULL, NULL, 0, &error) == LOCKSTEP_NO_COMPILER);
    return 0;
}

static void says_how_to_get_nvrtc_when_there_is_none(void)
{
    CU_ASSERT_FATAL(support_temporary_directory(folder));
    run_apart(without_nvrtc);
    support_remove_tree(folder);
}

static int with_another_major(void)
{
    char fake[SUPPORT_PATH_BYTES];
    CLAIM(compile_with(support_build_path("tests/fake_nvrtc/libnvrtc.so.14", fake)) == LOCKSTEP_NO_COMPILER);
    CLAIM(strstr(error.message, fake) && strstr(error.message, "14.2") && strstr(error.message, "supports major versions"));
    CLAIM(compile_with(support_build_path("tests/fake_nvrtc", fake)) == LOCKSTEP_NO_COMPILER);
    CLAIM(strstr(error.message, "14.2"));
    return 0;
}

static void refuses_another_major_version(void)
{
    run_apart(with_another_major);
}

static int with_a_damaged_library(void)
{
    char path[SUPPORT_PATH_BYTES];
    support_join(path, folder, "libnvrtc.so.13");
    CLAIM(support_write_text(path, "not a library\n"));
    CLAIM(compile_with(folder) == LOCKSTEP_NO_COMPILER);
    CLAIM(strstr(error.message, "cannot be loaded") && strstr(error.message, path));
    return 0;
}

static void says_why_a_library_cannot_be_loaded(void)
{
    CU_ASSERT_FATAL(support_temporary_directory(folder));
    run_apart(with_a_damaged_library);
    support_remove_tree(folder);
}

static int compile_without_files(void)
{
    lockstep_compiled compiled;
    struct rlimit none = {0, 0}; /* no file can be opened any more */
    CLAIM(lockstep_compiler_find(NULL, NULL, 0, &error) == LOCKSTEP_OK);
    CLAIM(setrlimit(RLIMIT_NOFILE, &none) == 0);
    CLAIM(open("/dev/null", O_RDONLY) < 0);
    CLAIM(compile("#include <stdio.h>\n#include <math.h>\n"
                  "__global__ void k(double *a) { printf(\"%f\", sin(a[0]) / pow(a[1], M_PI)); }\n",
                  &compiled)
          == LOCKSTEP_OK);
    lockstep_compiled_clear(&compiled);
    CLAIM(compile("__global__ void k( {}\n", &compiled) == LOCKSTEP_COMPILE_ERROR);
    lockstep_compiled_clear(&compiled);
    return 0;
}

static void needs_no_file_after_the_warm_up(void)
{
    run_apart(compile_without_files);
}

static void survives_null_arguments(void)
{
    lockstep_compiled compiled;
    lockstep_compile_request request = {.source = NULL, .file_name = "k.cu", .major = 8};
    CU_ASSERT_EQUAL(lockstep_compile(&request, &compiled, NULL), LOCKSTEP_INVALID_ARGUMENT);
    CU_ASSERT_EQUAL(lockstep_compile(NULL, &compiled, &error), LOCKSTEP_INVALID_ARGUMENT);
    CU_ASSERT_EQUAL(lockstep_compile(&request, NULL, &error), LOCKSTEP_INVALID_ARGUMENT);
    char text[256];
    lockstep_error_format(&error, text, sizeof text);
    SUPPORT_CONTAINS(text, "LOCKSTEP_INVALID_ARGUMENT: lockstep_compile: ");
    CU_ASSERT_STRING_EQUAL(lockstep_status_name(LOCKSTEP_IO_ERROR), "LOCKSTEP_IO_ERROR");
    CU_ASSERT_STRING_EQUAL(lockstep_status_name((lockstep_status)99), "unknown status");
}

/* What a reader sees of a source: lines of other letters than these are left out. */
static void check_seen(const char *source, const char *letters, const char *option)
{
    lockstep_compiled compiled;
    lockstep_compile_request request = {.source = source,
                                        .source_bytes = strlen(source),
                                        .file_name = "work/kernel.cu",
                                        .major = 8,
                                        .no_cache = true,
                                        .options = &option,
                                        .option_count = option ? 1 : 0};
    CU_ASSERT_EQUAL_FATAL(lockstep_compile(&request, &compiled, &error), LOCKSTEP_OK);
    CU_ASSERT_FALSE(compiled.seen_unknown);
    const char *seen = compiled.seen ? compiled.seen : source;
    CU_ASSERT_EQUAL(strlen(seen), strlen(source));
    for (const char *at = strstr(source, "int is_"); at; at = strstr(at + 1, "int is_")) {
        size_t offset = (size_t)(at - source);
        bool meant = strchr(letters, at[7]) != NULL, told = seen[offset] == 'i';
        if (meant != told)
            fprintf(stderr, "%.8s is %s\n%s\n", at, told ? "seen" : "not seen", source);
        CU_ASSERT_EQUAL(told, meant);
    }
    for (size_t i = 0; seen[i] != '\0' && i < strlen(source); i++)
        CU_ASSERT_FATAL(seen[i] == source[i] || (seen[i] == ' ' && source[i] != '\n'));
    lockstep_compiled_clear(&compiled);
}

static void sees_what_the_compiler_sees(void)
{
    check_seen("typedef int is_a;\n", "a", NULL);
    check_seen("#if 0\ntypedef int is_a;\n# else /* if 0\n*/\ntypedef int is_b;\n#endif\ntypedef int is_c;\n", "bc", NULL);
    check_seen(
        "#define N (2 * 3)\n#if N > 5\ntypedef int is_a;\n#elif N\ntypedef int is_b;\n#else\ntypedef int is_c;\n#endif\n",
        "a", NULL);
    check_seen(
        "#define N 1 - 1\n#if N\ntypedef int is_a;\n#elif \\\n 1\ntypedef int is_b;\n#elif 1\ntypedef int is_c;\n#endif\n",
        "b", NULL);
    check_seen("#ifdef __CUDACC_RTC__\ntypedef int is_a;\n#endif\n#if __CUDA_ARCH__ >= 800\ntypedef int is_b;\n#endif\n",
               "ab", NULL);
    check_seen("#include <limits.h>\n#ifndef INT_MAX\ntypedef int is_a;\n#else\ntypedef int is_b;\n#endif\n", "b", NULL);
    check_seen("#define A\n#undef A\n#if !defined A\n#define B\n#endif\n#ifdef B\ntypedef int is_a;\n#endif\n", "a", NULL);
    check_seen("#ifdef FROM_OUTSIDE\ntypedef int is_a;\n#else\ntypedef int is_b;\n#endif\n", "a", "-DFROM_OUTSIDE");
    check_seen("#ifdef FROM_OUTSIDE\ntypedef int is_a;\n#else\ntypedef int is_b;\n#endif\n", "b", "-w");
    check_seen(
        "#if 0\n#if 1\ntypedef int is_a;\n#else\ntypedef int is_b;\n#endif\n#error no\n'\n#endif\ntypedef int is_c;\n", "c",
        NULL);
}

static void reads_no_conditionals_where_the_compiler_reads_none(void)
{
    check_seen("/*\n#if 0\n*/\ntypedef int is_a;\n// #if 0 \\\n#if 0\ntypedef int is_b;\n", "ab", NULL);
    check_seen("static __device__ const char text[] = R\"(\n#if 0\n)\";\ntypedef int is_a;\n", "a", NULL);
    check_seen("%:if 0\ntypedef int is_a;\n%:endif\ntypedef int is_b;\n", "b", NULL);
    check_seen("__device__ int x = 1 ? 2\n: 3; __device__ int y = 7 %\n4;\ntypedef int is_a;\n", "a", NULL);
}

static void sees_lines_as_they_are_numbered(void)
{
    check_seen(
        "#if __LINE__ == 1\n#if __LINE__ == 2\ntypedef int is_a;\n#endif\n\n#if __LINE__ == 6\ntypedef int is_b;\n#endif\n#endif\n",
        "ab", NULL);
}

/* A condition that depends on the text between the directives, or a source that is not read to its end. */
static void says_what_it_does_not_know(void)
{
    lockstep_compiled compiled;
    CU_ASSERT_EQUAL(compile("#if __COUNTER__\ntypedef int a;\n#endif\n", &compiled), LOCKSTEP_OK);
    CU_ASSERT(compiled.seen_unknown);
    lockstep_compiled_clear(&compiled);
    CU_ASSERT_EQUAL(compile("#line 7\n#if __LINE__ < 7\ntypedef int a;\n#endif\n", &compiled), LOCKSTEP_OK);
    CU_ASSERT(compiled.seen_unknown);
    lockstep_compiled_clear(&compiled);
    CU_ASSERT_EQUAL(compile("#include \"nowhere.h\"\n#ifdef A\ntypedef int a;\n#endif\n", &compiled),
                    LOCKSTEP_COMPILE_ERROR);
    CU_ASSERT(compiled.seen_unknown);
    lockstep_compiled_clear(&compiled);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(says_how_to_get_nvrtc_when_there_is_none), /* before anything loads one */
    SUPPORT_TEST(refuses_another_major_version),
    SUPPORT_TEST(says_why_a_library_cannot_be_loaded),
    SUPPORT_TEST(compiles_to_ptx_with_lines),
    SUPPORT_TEST(compiles_an_empty_file),
    SUPPORT_TEST(accepts_habitual_includes),
    SUPPORT_TEST(has_the_primitives_of_asynchronous_copies),
    SUPPORT_TEST(takes_cuda_headers_from_the_toolkit),
    SUPPORT_TEST(compiles_for_the_nearest_known_architecture),
    SUPPORT_TEST(passes_options_on),
    SUPPORT_TEST(places_errors_first_error_first),
    SUPPORT_TEST(keeps_warnings_of_a_source_that_compiles),
    SUPPORT_TEST(gives_notes_and_joins_continuations),
    SUPPORT_TEST(explains_missing_headers_and_host_functions),
    SUPPORT_TEST(escapes_control_characters),
    SUPPORT_TEST(refuses_a_binary_file),
    SUPPORT_TEST(parses_logs_that_try_to_confuse),
    SUPPORT_TEST(explains_the_mistakes_of_first_kernels),
    SUPPORT_TEST(explains_no_source_to_death),
    SUPPORT_TEST(leaves_messages_about_headers_alone),
    SUPPORT_TEST(warns_of_what_is_legal_and_hardly_meant),
    SUPPORT_TEST(warns_of_arguments_tickets_and_exchanges),
    SUPPORT_TEST(warns_of_indentation_and_of_macros_without_parentheses),
    SUPPORT_TEST(warns_of_what_does_something_else_than_it_looks_like),
    SUPPORT_TEST(reads_files_as_editors_save_them),
    SUPPORT_TEST(prints_utf8_and_hides_nothing),
    SUPPORT_TEST(counts_columns_as_a_terminal_does),
    SUPPORT_TEST(tells_version_and_path),
    SUPPORT_TEST(needs_no_file_after_the_warm_up),
    SUPPORT_TEST(sees_what_the_compiler_sees),
    SUPPORT_TEST(reads_no_conditionals_where_the_compiler_reads_none),
    SUPPORT_TEST(sees_lines_as_they_are_numbered),
    SUPPORT_TEST(says_what_it_does_not_know),
    SUPPORT_TEST(survives_null_arguments),
};

int compile_suite_register(void)
{
    return support_register("compile", tests, SUPPORT_COUNT(tests));
}
