/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's libraries: installed, missing, or lacking functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void each_opens_or_says_why(void **state)
{
    (void)state;
    struct cuda_library cuda;
    struct nvml_library nvml;
    struct error error = {0};
    if (cuda_library_open(&cuda, &error)) {
        assert_non_null(cuda.launch);
        cuda_library_close(&cuda);
    } else {
        assert_int_equal(error.code, ERROR_WORK);
        assert_non_null(strstr(error.text, "libcuda.so.1"));
    }
    assert_null(cuda.handle);
    cuda_library_close(&cuda);

    error = (struct error){0};
    if (nvml_library_open(&nvml, &error))
        nvml_library_close(&nvml);
    else
        assert_non_null(strstr(error.text, "libnvidia-ml.so.1"));
    assert_null(nvml.handle);
}

/* "13.0.88" or "13.0", as the compiler itself says. */
static void nvrtc_has_a_version_and_a_folder(void **state)
{
    (void)state;
    struct nvrtc_library nvrtc;
    struct error error = {0};
    if (!nvrtc_library_open(&nvrtc, &error)) {
        assert_non_null(strstr(error.text, "libnvrtc.so"));
        assert_non_null(strstr(error.hint, "CUDA Toolkit"));
        skip();
    }
    int major = 0, minor = 0, from_text[2] = {0};
    assert_int_equal(nvrtc.version_number(&major, &minor), NVRTC_SUCCESS);
    assert_int_equal(sscanf(nvrtc.version, "%d.%d", &from_text[0], &from_text[1]), 2);
    assert_int_equal(from_text[0], major);
    assert_int_equal(from_text[1], minor);
    assert_int_equal(access(nvrtc.folder, R_OK), 0);
    nvrtc_library_close(&nvrtc);
    assert_null(nvrtc.handle);
}

/* nvJitLink came with CUDA 12. */
static void the_linker_is_of_the_compiler_s_version(void **state)
{
    (void)state;
    struct nvrtc_library nvrtc = {.major = 99};
    struct jitlink_library jitlink;
    struct error error = {0};
    assert_false(jitlink_library_open(&jitlink, &nvrtc, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_string_equal(error.text, "NVIDIA's linker (libnvJitLink.so.99) was not found");
    assert_null(jitlink.handle);
    if (!nvrtc_library_open(&nvrtc, &error))
        skip();
    if (jitlink_library_open(&jitlink, &nvrtc, &error))
        assert_non_null(jitlink.complete);
    else
        assert_non_null(strstr(error.text, "libnvJitLink.so"));
    jitlink_library_close(&jitlink);
    jitlink_library_close(&jitlink);
    nvrtc_library_close(&nvrtc);
}

static char folder[] = "/tmp/tune-library-XXXXXX";

static void write_library(const char *name, const char *text)
{
    char source[128], command[512];
    snprintf(source, sizeof source, "%s/source.c", folder);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_true(snprintf(command, sizeof command, "cc -shared -fPIC -o %s/lib64/%s %s", folder, name, source) > 0);
    assert_int_equal(system(command), 0);
}

/* CUDA_HOME comes first; a library without the functions is refused and named. */
static void an_old_library_is_refused(void **state)
{
    (void)state;
    struct nvrtc_library nvrtc;
    struct error error = {0};
    char below[64];
    assert_non_null(mkdtemp(folder));
    snprintf(below, sizeof below, "mkdir %s/lib64", folder);
    assert_int_equal(system(below), 0);
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_library(names[i], "int nvrtcVersion(int *major, int *minor) { *major = 11; *minor = 0; return 0; }\n");
    assert_int_equal(setenv("CUDA_HOME", folder, 1), 0);
    bool opened = nvrtc_library_open(&nvrtc, &error);
    assert_int_equal(unsetenv("CUDA_HOME"), 0);
    assert_false(opened);
    assert_null(nvrtc.handle);
    assert_string_equal(error.text, "libnvrtc.so lacks the function nvrtcGetErrorString");
    assert_non_null(strstr(error.hint, "older than CUDA 11.2"));
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_opens_or_says_why),
        cmocka_unit_test(nvrtc_has_a_version_and_a_folder),
        cmocka_unit_test(the_linker_is_of_the_compiler_s_version),
        cmocka_unit_test(an_old_library_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
