/* Suites that go wrong in every way a suite can: the runner must call none of them good but `good`. */
#include "tests/support.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void passes(void)
{
    CU_ASSERT(true);
}

static void fails(void)
{
    CU_ASSERT_EQUAL(1 + 1, 3);
}

static void crashes(void)
{
    raise(SIGKILL); /* a signal that no sanitizer turns into an exit status */
}

static void leaves(void)
{
    exit(0);
}

static void hangs(void)
{
    sleep(3600);
}

static void leaks(void)
{
    static void *volatile last;
    last = malloc(77);
    last = NULL;
    CU_ASSERT(!last);
}

static void skips(void)
{
    support_skip("there is no %s", "reason");
}

static int refuses(void)
{
    return 1;
}

static const struct support_test good[] = {SUPPORT_TEST(passes)};
static const struct support_test failing[] = {SUPPORT_TEST(passes), SUPPORT_TEST(fails)};
static const struct support_test crashing[] = {
    SUPPORT_TEST(passes), SUPPORT_TEST(crashes), {"never_runs", passes, CLASS_OF_SUITE}};
static const struct support_test leaving[] = {SUPPORT_TEST(leaves)};
static const struct support_test hanging[] = {SUPPORT_TEST(hangs)};
static const struct support_test leaking[] = {SUPPORT_TEST(leaks)};

static const struct support_test skipping[] = {SUPPORT_TEST(passes), SUPPORT_TEST(skips)};
static const struct support_test mixed[] = {SUPPORT_TEST(passes), SUPPORT_TEST_OF(host, fails)};

int skipping_suite_register(void)
{
    return support_register("skipping", skipping, SUPPORT_COUNT(skipping));
}
int mixed_suite_register(void)
{
    return support_register("mixed", mixed, SUPPORT_COUNT(mixed));
}
int elsewhere_suite_register(void)
{
    return support_register("elsewhere", good, SUPPORT_COUNT(good));
}
int good_suite_register(void)
{
    return support_register("good", good, SUPPORT_COUNT(good));
}
int failing_suite_register(void)
{
    return support_register("failing", failing, SUPPORT_COUNT(failing));
}
int crashing_suite_register(void)
{
    return support_register("crashing", crashing, SUPPORT_COUNT(crashing));
}
int leaving_suite_register(void)
{
    return support_register("leaving", leaving, SUPPORT_COUNT(leaving));
}
int hanging_suite_register(void)
{
    return support_register("hanging", hanging, SUPPORT_COUNT(hanging));
}
int unprepared_suite_register(void)
{
    return support_register_with("unprepared", refuses, NULL, good, SUPPORT_COUNT(good));
}
int unclean_suite_register(void)
{
    return support_register_with("unclean", NULL, refuses, good, SUPPORT_COUNT(good));
}
int empty_suite_register(void)
{
    return support_register("empty", good, 0);
}
int leaking_suite_register(void)
{
    return support_register("leaking", leaking, SUPPORT_COUNT(leaking));
}
