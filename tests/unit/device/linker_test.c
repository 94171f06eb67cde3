/* SPDX-License-Identifier: Apache-2.0 */
/* Linking with the device run-time library, without a GPU. What needs the Toolkit is skipped where there is none;
 * that launches compile, link and are found in the cubin is tested with the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/linker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the words of NVRTC 13.0 and 11.8. */
static void only_what_relocatable_code_declares_is_missed(void **state)
{
    (void)state;
    assert_true(
        linker_is_missed("x.cu(4): error: device-side kernel launch could not be processed as the required runtime "
                         "APIs are not declared\n"));
    assert_true(
        linker_is_missed("x.cu(4): error: kernel launch from __device__ or __global__ functions requires separate "
                         "compilation mode\n"));
    assert_true(linker_is_missed("x.cu(9): error: identifier \"cudaStreamTailLaunch\" is undefined\n"));
    assert_true(linker_is_missed("x.cu(9): error: identifier \"cudaGetLastError\" is undefined\n"));
    assert_false(linker_is_missed(""));
    assert_false(linker_is_missed("x.cu(9): error: identifier \"cudaMalloc\" is undefined\n"));
    assert_false(linker_is_missed("x.cu(9): error: identifier \"launch\" is undefined\n"));
}

static bool open_linker(struct linker *linker, struct nvrtc_library *nvrtc)
{
    struct error error = {0};
    if (!nvrtc_library_open(nvrtc, &error))
        return false;
    if (linker_open(linker, nvrtc, &error))
        return true;
    assert_non_null(strstr(error.hint, "install the CUDA Toolkit"));
    nvrtc_library_close(nvrtc);
    return false;
}

static void a_missing_library_is_named(void **state)
{
    (void)state;
    struct linker linker;
    const struct nvrtc_library future = {.major = 99};
    struct error error = {0};
    assert_false(linker_open(&linker, &future, &error));
    assert_non_null(strstr(error.text, "libnvJitLink.so.99"));
    assert_non_null(strstr(error.hint, "install the CUDA Toolkit, or set CUDA_HOME to its folder"));
}

static void what_is_no_cubin_is_not_linked(void **state)
{
    (void)state;
    static const char garbage[100] = "no cubin";
    struct nvrtc_library nvrtc;
    struct linker linker;
    struct linked linked;
    struct error error = {0};
    if (!open_linker(&linker, &nvrtc))
        skip();
    assert_int_equal(access(linker.runtime, R_OK), 0);
    if (!linker_run(&linker, "sm_90", "garbage.cu", garbage, sizeof garbage, &linked, &error))
        fail_msg("%s", error.text);
    assert_null(linked.cubin);
    assert_string_not_equal(linked.log, "");
    free(linked.log);
    linker_close(&linker);
    nvrtc_library_close(&nvrtc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_relocatable_code_declares_is_missed),
        cmocka_unit_test(a_missing_library_is_named),
        cmocka_unit_test(what_is_no_cubin_is_not_linked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
