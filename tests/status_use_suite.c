/* Whether a program looks at what a call returned, by the code behind the call. */
#include "runtime/emulator/machine/status_use.h"

#include "tests/support.h"

#define CODE(...)           \
    (const unsigned char[]) \
    {                       \
        __VA_ARGS__         \
    }

static enum status_use find(const unsigned char *code)
{
    const void *frames[] = {code, NULL};
    return status_use_find(frames, 2);
}

#define IS(use, code) CU_ASSERT_EQUAL(find(code), STATUS_##use)

static void sees_a_status_that_is_used(void)
{
    IS(READ, CODE(0x85, 0xc0, 0x75, 0x02));       /* test eax, eax */
    IS(READ, CODE(0x89, 0x45, 0xfc));             /* mov [rbp-4], eax */
    IS(READ, CODE(0x41, 0x89, 0xc4));             /* mov r12d, eax */
    IS(READ, CODE(0x83, 0xf8, 0x02));             /* cmp eax, 2 */
    IS(READ, CODE(0x48, 0x8b, 0x7c, 0x24, 0x08,   /* mov rdi, [rsp+8] */
                  0x89, 0xc6));                   /* mov esi, eax */
    IS(READ, CODE(0xeb, 0x01, 0xcc, 0x85, 0xc0)); /* jmp over a byte; test eax, eax */
}

static void sees_a_status_that_is_thrown_away(void)
{
    IS(IGNORED, CODE(0xb8, 0x00, 0x00, 0x00, 0x00));             /* mov eax, 0 */
    IS(IGNORED, CODE(0x31, 0xc0));                               /* xor eax, eax */
    IS(IGNORED, CODE(0x48, 0x8d, 0x45, 0xe0));                   /* lea rax, [rbp-32] */
    IS(IGNORED, CODE(0x8b, 0x44, 0x24, 0x0c));                   /* mov eax, [rsp+12] */
    IS(IGNORED, CODE(0xbf, 1, 0, 0, 0, 0xe8, 0, 0, 0, 0));       /* mov edi, 1; call */
    IS(IGNORED, CODE(0x41, 0x89, 0xf8, 0x4c, 0x89, 0xe7, 0xe8)); /* other registers; call */
}

static void follows_the_return_of_a_wrapper(void)
{
    const unsigned char *wrapper = CODE(0xc9, 0xc3); /* leave; ret */
    const void *read[] = {wrapper, CODE(0x85, 0xc0)}, *thrown[] = {wrapper, CODE(0x31, 0xc0)};
    CU_ASSERT_EQUAL(status_use_find(read, 2), STATUS_READ);
    CU_ASSERT_EQUAL(status_use_find(thrown, 2), STATUS_IGNORED);
    CU_ASSERT_EQUAL(status_use_find(thrown, 1), STATUS_UNKNOWN); /* nothing is known of what comes after */
}

static void says_of_unknown_code_that_it_is_unknown(void)
{
    IS(UNKNOWN, CODE(0xc5, 0xf8, 0x77)); /* vzeroupper */
    IS(UNKNOWN, CODE(0xff, 0xe2));       /* jmp rdx */
    IS(UNKNOWN, CODE(0xeb, 0xfe));       /* jmp to itself */
    CU_ASSERT_EQUAL(status_use_find(NULL, 0), STATUS_UNKNOWN);
}

int status_use_suite_register(void)
{
    static const struct support_test tests[] = {
        SUPPORT_TEST(sees_a_status_that_is_used),
        SUPPORT_TEST(sees_a_status_that_is_thrown_away),
        SUPPORT_TEST(follows_the_return_of_a_wrapper),
        SUPPORT_TEST(says_of_unknown_code_that_it_is_unknown),
    };
    return support_register("status_use", tests, SUPPORT_COUNT(tests));
}
