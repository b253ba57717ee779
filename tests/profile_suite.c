/* Device profiles and settings of the emulated driver. */
#include "runtime/emulator/settings/profile.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

static const char *const keys[] = {"7.5", "8.0", "8.6", "9.0"};

static void finds_every_documented_profile(void)
{
    for (size_t i = 0; i < SUPPORT_COUNT(keys); i++) {
        const struct profile *profile = profile_find(keys[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(profile);
        char key[16];
        snprintf(key, sizeof key, "%d.%d", profile->major, profile->minor);
        CU_ASSERT_STRING_EQUAL(key, keys[i]);
        SUPPORT_CONTAINS(profile->name, keys[i]);
    }
}

static void knows_no_other_profile(void)
{
    CU_ASSERT_PTR_NULL(profile_find(""));
    CU_ASSERT_PTR_NULL(profile_find("8"));
    CU_ASSERT_PTR_NULL(profile_find("8.00"));
    CU_ASSERT_PTR_NULL(profile_find("10.0"));
}

static void environment_picks_the_profile(void)
{
    unsetenv("LOCKSTEP_GPU");
    CU_ASSERT_PTR_EQUAL(profile_from_environment(), profile_find("8.0"));
    setenv("LOCKSTEP_GPU", "", 1);
    CU_ASSERT_PTR_EQUAL(profile_from_environment(), profile_find("8.0"));
    setenv("LOCKSTEP_GPU", "9.0", 1);
    CU_ASSERT_PTR_EQUAL(profile_from_environment(), profile_find("9.0"));
    setenv("LOCKSTEP_GPU", "6.1", 1);
    CU_ASSERT_PTR_NULL(profile_from_environment());
    unsetenv("LOCKSTEP_GPU");
}

/* The figures that the CUDA C++ Programming Guide gives for each compute capability. */
static void limits_are_those_of_the_programming_guide(void)
{
    static const struct {
        const char *key;
        uint32_t threads_per_sm, blocks_per_sm, shared_per_sm, shared_optin;
    } rows[] = {
        {"7.5", 1024, 16, 64 << 10, 64 << 10},
        {"8.0", 2048, 32, 164 << 10, 163 << 10},
        {"8.6", 1536, 16, 100 << 10, 99 << 10},
        {"9.0", 2048, 32, 228 << 10, 227 << 10},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct profile *profile = profile_find(rows[i].key);
        CU_ASSERT_PTR_NOT_NULL_FATAL(profile);
        CU_ASSERT_EQUAL(profile->max_threads_per_sm, rows[i].threads_per_sm);
        CU_ASSERT_EQUAL(profile->max_blocks_per_sm, rows[i].blocks_per_sm);
        CU_ASSERT_EQUAL(profile->shared_per_sm, rows[i].shared_per_sm);
        CU_ASSERT_EQUAL(profile->shared_per_block_optin, rows[i].shared_optin);
        CU_ASSERT_EQUAL(profile->shared_per_block_optin + profile->shared_reserved_per_block, profile->shared_per_sm);
        CU_ASSERT_EQUAL(profile->shared_per_block, 48 << 10);
        CU_ASSERT_EQUAL(profile->max_threads_per_block, 1024);
        CU_ASSERT_EQUAL(profile->max_block[2], 64);
        CU_ASSERT_EQUAL(profile->max_grid[0], 2147483647u);
        CU_ASSERT_EQUAL(profile->max_grid[1], 65535);
        CU_ASSERT_EQUAL(profile->registers_per_sm, 65536);
        CU_ASSERT_EQUAL(profile->constant_bytes, 65536);
    }
}

static const struct support_test tests[] = {
    SUPPORT_TEST(finds_every_documented_profile),
    SUPPORT_TEST(knows_no_other_profile),
    SUPPORT_TEST(environment_picks_the_profile),
    SUPPORT_TEST(limits_are_those_of_the_programming_guide),
};

int profile_suite_register(void)
{
    return support_register("profile", tests, SUPPORT_COUNT(tests));
}
