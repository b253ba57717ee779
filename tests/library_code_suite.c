/* Which findings are about code that is not the user's. */
#include "grader/commands/library_code.h"

#include <stdio.h>
#include <sys/stat.h>

#include "tests/support.h"

#define KERNEL "extern \"C\" __global__ void %s(int *x)\n{\n    if (threadIdx.x < 7)\n        x[0] = threadIdx.x;\n}\n"

static char folder[SUPPORT_PATH_BYTES], kept[SUPPORT_PATH_BYTES + 60], script[SUPPORT_PATH_BYTES + 60];

/* A kernel that was compiled while a program ran, the program, and a module beside it (NULL: none). */
static bool make(const char *kernel, const char *program, const char *module)
{
    char path[SUPPORT_PATH_BYTES + 60], text[400];
    if (!support_temporary_directory(folder))
        return false;
    snprintf(text, sizeof text, KERNEL, kernel);
    snprintf(path, sizeof path, "%s/sources", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/sources/0123456789abcdef", folder);
    mkdir(path, 0700);
    snprintf(kept, sizeof kept, "%s/sources/0123456789abcdef/k.cubin.cu", folder);
    snprintf(script, sizeof script, "%s/program.py", folder);
    snprintf(path, sizeof path, "%s/beside.py", folder);
    return support_write_text(kept, text) && support_write_text(script, program)
           && (!module || support_write_text(path, module));
}

static bool is_of_library(const char *code, const char *kernel, const char *file)
{
    char *arguments[] = {"python3", script, NULL};
    json_t *finding = json_pack("{s:s,s:s,s:s,s:i,s:s,s:i}", "code", code, "kernel", kernel, "file", file, "line", 4,
                                "file2", file, "line2", 4);
    bool answer = library_code_is(finding, arguments);
    json_decref(finding);
    return answer;
}

static void a_kernel_that_a_package_brings_is_the_packages(void)
{
    if (!make("cupy_scan", "import cupy\nprint(cupy.nonzero(cupy.arange(9)))\n", NULL))
        return;
    CU_ASSERT_TRUE(is_of_library("race_warp", "cupy_scan", kept));
    CU_ASSERT_TRUE(is_of_library("barrier_divergent", "cupyx_label", kept));
    CU_ASSERT_FALSE(is_of_library("out_of_bounds", "cupy_scan", kept)); /* addresses come from the caller */
    CU_ASSERT_FALSE(is_of_library("race_warp", "mine", kept));
    CU_ASSERT_FALSE(is_of_library("race_warp", "cupy_scan", script)); /* was there before the program ran */
    support_remove_tree(folder);
}

static void a_kernel_whose_text_the_user_has_is_the_users(void)
{
    if (!make("cupy_mine", "import cupy\nk = cupy.RawKernel(r'''" KERNEL "''' % name, name)\n", NULL))
        return;
    CU_ASSERT_FALSE(is_of_library("race_warp", "cupy_mine", kept));
    support_remove_tree(folder);
    if (!make("cupy_mine", "import beside\nbeside.run()\n", "TEXT = r'''\n" KERNEL "'''\n"))
        return;
    CU_ASSERT_FALSE(is_of_library("race_warp", "cupy_mine", kept));
    support_remove_tree(folder);
}

static void headers_and_installed_packages_are_libraries(void)
{
    CU_ASSERT_TRUE(is_of_library("race_shared", "k", "/usr/local/cuda/include/cub/block/block_scan.cuh"));
    CU_ASSERT_TRUE(is_of_library("race_shared", "k", "/opt/lib/python3.11/site-packages/package/scan.cu"));
    CU_ASSERT_FALSE(is_of_library("race_shared", "k", "/home/somebody/scan.cu"));
}

int library_code_suite_register(void)
{
    static const struct support_test tests[] = {
        SUPPORT_TEST(a_kernel_that_a_package_brings_is_the_packages),
        SUPPORT_TEST(a_kernel_whose_text_the_user_has_is_the_users),
        SUPPORT_TEST(headers_and_installed_packages_are_libraries),
    };
    return support_register("library_code", tests, SUPPORT_COUNT(tests));
}
