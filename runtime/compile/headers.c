#include "runtime/compile/headers.h"

#include <string.h>

/* CUDA's C++ library (CCCL) declares the same names for NVRTC, in its own way: where the toolkit's headers take part, they
 * declare them. compile.c says so by this macro. */
#define TOOLKIT_FIRST(header) \
    "#if defined(__LOCKSTEP_TOOLKIT__) && __has_include(<" header ">)\n#include <" header ">\n#else\n"
#define TOOLKIT_END "#endif\n"

/* The types of 64-bit Linux: int64_t is long, as on the host, so that a struct shared with C has one layout. */
static const char stdint_text[] = "#pragma once\n" TOOLKIT_FIRST(
    "cuda/std/cstdint") "typedef signed char int8_t; typedef unsigned char uint8_t;\n"
                        "typedef short int16_t; typedef unsigned short uint16_t;\n"
                        "typedef int int32_t; typedef unsigned int uint32_t;\n"
                        "typedef long int64_t; typedef unsigned long uint64_t;\n"
                        "typedef signed char int_least8_t; typedef unsigned char uint_least8_t;\n"
                        "typedef short int_least16_t; typedef unsigned short uint_least16_t;\n"
                        "typedef int int_least32_t; typedef unsigned int uint_least32_t;\n"
                        "typedef long int_least64_t; typedef unsigned long uint_least64_t;\n"
                        "typedef signed char int_fast8_t; typedef unsigned char uint_fast8_t;\n"
                        "typedef long int_fast16_t; typedef unsigned long uint_fast16_t;\n"
                        "typedef long int_fast32_t; typedef unsigned long uint_fast32_t;\n"
                        "typedef long int_fast64_t; typedef unsigned long uint_fast64_t;\n"
                        "typedef long intptr_t; typedef unsigned long uintptr_t;\n"
                        "typedef long intmax_t; typedef unsigned long uintmax_t;\n"
                        "#define INT8_MIN (-128)\n#define INT8_MAX 127\n#define UINT8_MAX 255\n"
                        "#define INT16_MIN (-32767 - 1)\n#define INT16_MAX 32767\n#define UINT16_MAX 65535\n"
                        "#define INT32_MIN (-2147483647 - 1)\n#define INT32_MAX 2147483647\n#define UINT32_MAX 4294967295U\n"
                        "#define INT64_MIN (-9223372036854775807L - 1)\n#define INT64_MAX 9223372036854775807L\n"
                        "#define UINT64_MAX 18446744073709551615UL\n"
                        "#define INTPTR_MIN INT64_MIN\n#define INTPTR_MAX INT64_MAX\n#define UINTPTR_MAX UINT64_MAX\n"
                        "#define INTMAX_MIN INT64_MIN\n#define INTMAX_MAX INT64_MAX\n#define UINTMAX_MAX UINT64_MAX\n"
                        "#define SIZE_MAX UINT64_MAX\n#define PTRDIFF_MIN INT64_MIN\n#define PTRDIFF_MAX INT64_MAX\n"
                        "#define INT8_C(c) c\n#define INT16_C(c) c\n#define INT32_C(c) c\n#define INT64_C(c) c##L\n"
                        "#define UINT8_C(c) c\n#define UINT16_C(c) c\n#define UINT32_C(c) c##U\n#define UINT64_C(c) c##UL\n" TOOLKIT_END;

static const char cstdint_text[] = "#pragma once\n#include <stdint.h>\n"
                                   "namespace std {\n"
                                   "using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;\n"
                                   "using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;\n"
                                   "using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;\n"
                                   "}\n";

static const char inttypes_text[] =
    "#pragma once\n#include <stdint.h>\n"
    "#define PRId32 \"d\"\n#define PRIi32 \"i\"\n#define PRIu32 \"u\"\n#define PRIx32 \"x\"\n#define PRIX32 \"X\"\n"
    "#define PRId64 \"ld\"\n#define PRIi64 \"li\"\n#define PRIu64 \"lu\"\n#define PRIx64 \"lx\"\n#define PRIX64 \"lX\"\n";

static const char stddef_text[] =
    "#pragma once\n"
    "#ifndef NULL\n#define NULL 0\n#endif\n"
    "#ifndef offsetof\n#define offsetof(type, member) ((size_t)&((type *)0)->member)\n#endif\n";

static const char cstddef_text[] =
    "#pragma once\n#include <stddef.h>\n"
    "namespace std { using ::size_t; using ::ptrdiff_t; typedef decltype(nullptr) nullptr_t; }\n";

static const char limits_text[] = "#pragma once\n" TOOLKIT_FIRST(
    "cuda/std/climits") "#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
                        "#define CHAR_MIN SCHAR_MIN\n#define CHAR_MAX SCHAR_MAX\n"
                        "#define SHRT_MIN (-32767 - 1)\n#define SHRT_MAX 32767\n#define USHRT_MAX 65535\n"
                        "#define INT_MIN (-2147483647 - 1)\n#define INT_MAX 2147483647\n#define UINT_MAX 4294967295U\n"
                        "#define LONG_MIN (-9223372036854775807L - 1)\n#define LONG_MAX 9223372036854775807L\n"
                        "#define ULONG_MAX 18446744073709551615UL\n"
                        "#define LLONG_MIN (-9223372036854775807LL - 1)\n#define LLONG_MAX 9223372036854775807LL\n"
                        "#define ULLONG_MAX 18446744073709551615ULL\n" TOOLKIT_END;

/* For NVRTC, CUDA's library has no macros of its own here. */
static const char float_text[] =
    "#pragma once\n#ifndef FLT_RADIX\n"
    "#define FLT_RADIX 2\n#define FLT_MANT_DIG 24\n#define FLT_DIG 6\n#define FLT_MIN_EXP (-125)\n#define FLT_MAX_EXP 128\n"
    "#define FLT_MIN_10_EXP (-37)\n#define FLT_MAX_10_EXP 38\n"
    "#define FLT_EPSILON 1.19209290e-7f\n#define FLT_MIN 1.17549435e-38f\n#define FLT_MAX 3.40282347e+38f\n"
    "#define FLT_TRUE_MIN 1.40129846e-45f\n"
    "#define DBL_MANT_DIG 53\n#define DBL_DIG 15\n#define DBL_MIN_EXP (-1021)\n#define DBL_MAX_EXP 1024\n"
    "#define DBL_MIN_10_EXP (-307)\n#define DBL_MAX_10_EXP 308\n"
    "#define DBL_EPSILON 2.2204460492503131e-16\n#define DBL_MIN 2.2250738585072014e-308\n"
    "#define DBL_MAX 1.7976931348623157e+308\n#define DBL_TRUE_MIN 4.9406564584124654e-324\n"
    "#endif\n";

/* The functions are NVRTC's own; the constants are not. */
static const char math_text[] =
    "#pragma once\n"
    "#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n#define M_LOG10E 0.43429448190325182765\n"
    "#define M_LN2 0.69314718055994530942\n#define M_LN10 2.30258509299404568402\n"
    "#define M_PI 3.14159265358979323846\n#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n"
    "#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n"
    "#define M_2_SQRTPI 1.12837916709551257390\n"
    "#define M_SQRT2 1.41421356237309504880\n#define M_SQRT1_2 0.70710678118654752440\n"
    "#ifndef INFINITY\n#define INFINITY (__int_as_float(0x7f800000))\n#endif\n"
    "#ifndef NAN\n#define NAN (__int_as_float(0x7fc00000))\n#endif\n"
    "#ifndef HUGE_VALF\n#define HUGE_VALF INFINITY\n#endif\n"
    "#ifndef HUGE_VAL\n#define HUGE_VAL (__longlong_as_double(0x7ff0000000000000LL))\n#endif\n";

static const char cmath_text[] =
    "#pragma once\n#include <math.h>\n"
    "namespace std {\n"
    "using ::abs; using ::fabs; using ::fmod; using ::remainder; using ::fma; using ::fmax; using ::fmin; using ::fdim;\n"
    "using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;\n"
    "using ::pow; using ::sqrt; using ::cbrt; using ::hypot;\n"
    "using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;\n"
    "using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;\n"
    "using ::erf; using ::erfc; using ::tgamma; using ::lgamma;\n"
    "using ::ceil; using ::floor; using ::trunc; using ::round; using ::lround; using ::llround;\n"
    "using ::rint; using ::nearbyint;\n"
    "using ::frexp; using ::ldexp; using ::modf; using ::scalbn; using ::ilogb; using ::logb;\n"
    "using ::copysign; using ::nextafter;\n"
    "using ::isnan; using ::isinf; using ::isfinite; using ::signbit;\n"
    "using ::sqrtf; using ::fabsf; using ::fmaf; using ::fmaxf; using ::fminf; using ::expf; using ::logf; using ::powf;\n"
    "using ::sinf; using ::cosf; using ::tanf; using ::floorf; using ::ceilf; using ::roundf; using ::truncf;\n"
    "}\n";

static const char stdlib_text[] = "#pragma once\n#include <stddef.h>\n"
                                  "#define EXIT_SUCCESS 0\n#define EXIT_FAILURE 1\n#define RAND_MAX 2147483647\n";

static const char cstdlib_text[] =
    "#pragma once\n#include <stdlib.h>\nnamespace std { using ::size_t; using ::malloc; using ::free; using ::abs; }\n";

static const char cstring_text[] =
    "#pragma once\n#include <stddef.h>\nnamespace std { using ::size_t; using ::memcpy; using ::memset; }\n";

static const char cstdio_text[] = "#pragma once\n#include <stddef.h>\nnamespace std { using ::size_t; using ::printf; }\n";

static const char ctime_text[] = "#pragma once\nnamespace std { using ::clock_t; using ::clock; }\n";

/* std::max and similar from <algorithm> and <utility>: host functions with nvcc, but small enough to have here. */
static const char algorithm_text[] =
    "#pragma once\n"
    "namespace std {\n"
    "template <class T> __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }\n"
    "template <class T> __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }\n"
    "template <class T> __device__ void swap(T &a, T &b) { T c = a; a = b; b = c; }\n"
    "}\n";

/* Asynchronous copies by the primitives of CUDA's C interface, for a compiler without a toolkit around it. Sizes and counts are
 * constants in PTX: each has its own instruction, of which the optimiser keeps one. */
#define COPY(kind, bytes)                                                                      \
    "if (size == " bytes ") asm volatile(\"cp.async." kind ".shared.global [%0], [%1], " bytes \
    ", %2;\" ::\"r\"(to), \"l\"(from), \"r\"((unsigned)(size - zero_fill)) : \"memory\");\n"
#define WAIT(groups) "case " groups ": asm volatile(\"cp.async.wait_group " groups ";\" ::: \"memory\"); break;\n"
static const char cuda_pipeline_text[] =
    "#pragma once\n#include <stddef.h>\n"
    "static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ shared,\n"
    "    const void *__restrict__ global, size_t size, size_t zero_fill = 0)\n{\n"
    "unsigned to = (unsigned)__cvta_generic_to_shared(shared);\n"
    "size_t from = __cvta_generic_to_global(global);\n" COPY("ca", "4") COPY("ca", "8")
        COPY("cg", "16") "if (size != 4 && size != 8 && size != 16) __trap();\n}\n"
                         "static __device__ __forceinline__ void __pipeline_commit()\n"
                         "{ asm volatile(\"cp.async.commit_group;\" ::: \"memory\"); }\n"
                         "static __device__ __forceinline__ void __pipeline_wait_prior(size_t prior)\n"
                         "{\nswitch (prior) {\n" WAIT("0") WAIT("1") WAIT("2") WAIT("3") WAIT("4") WAIT("5") WAIT("6")
                             WAIT("7")
    /* to wait for more than was asked for is right, too */
    "default: asm volatile(\"cp.async.wait_group 8;\" ::: \"memory\");\n}\n}\n";

/* NVRTC itself declares all that the header offers device code. */
static const char empty_text[] = "#pragma once\n";

#define HEADERS(row)                                                                                                        \
    row("stdio.h", stddef_text) row("cstdio", cstdio_text) row("stdint.h", stdint_text) row("cstdint", cstdint_text)        \
        row("inttypes.h", inttypes_text) row("cinttypes", inttypes_text) row("stddef.h", stddef_text)                       \
            row("cstddef", cstddef_text) row("limits.h", limits_text) row("climits", limits_text)                           \
                row("float.h", float_text) row("cfloat", float_text) row("math.h", math_text) row("cmath", cmath_text)      \
                    row("math_functions.h", math_text) row("stdlib.h", stdlib_text) row("cstdlib", cstdlib_text)            \
                        row("string.h", stddef_text) row("cstring", cstring_text) row("algorithm", algorithm_text)          \
                            row("utility", algorithm_text) row("time.h", empty_text) row("ctime", ctime_text)               \
                                row("assert.h", empty_text) row("cassert", empty_text) row("stdbool.h", empty_text)         \
                                    row("cstdbool", empty_text) row("cuda.h", empty_text) row("cuda_runtime.h", empty_text) \
                                        row("cuda_runtime_api.h", empty_text) row("device_launch_parameters.h", empty_text) \
                                            row("device_functions.h", empty_text)                                           \
                                                row("device_atomic_functions.h", empty_text)                                \
                                                    row("sm_30_intrinsics.h", empty_text)                                   \
                                                        row("vector_functions.h", empty_text)

#define NAME(name, text) name,
#define TEXT(name, text) text,
/* In place of headers of the toolkit, which have more, and which others of the toolkit include. Last. */
#define INSTEAD_OF_TOOLKIT(row) row("cuda_pipeline.h", cuda_pipeline_text)
static const char *const header_names[] = {HEADERS(NAME) INSTEAD_OF_TOOLKIT(NAME)};
static const char *const header_texts[] = {HEADERS(TEXT) INSTEAD_OF_TOOLKIT(TEXT)};
enum { HEADER_COUNT = sizeof header_names / sizeof header_names[0] };
#define ONE(name, text) +1

void headers_get(bool beside_toolkit, const char *const **names, const char *const **texts, int *count)
{
    *names = header_names;
    *texts = header_texts;
    *count = HEADER_COUNT - (beside_toolkit ? 0 INSTEAD_OF_TOOLKIT(ONE) : 0);
}

bool headers_has(const char *name, size_t length)
{
    for (int at = 0; at < HEADER_COUNT; at++)
        if (strlen(header_names[at]) == length && memcmp(header_names[at], name, length) == 0)
            return true;
    return false;
}
