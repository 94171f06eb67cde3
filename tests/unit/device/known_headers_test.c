/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of headers, by their names and by the files that compilers name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tuner/device/known_headers.h"

static void expect_kind(const char *name, enum header_kind kind)
{
    const struct known_header *header = known_header_find(name, strlen(name));
    assert_non_null(header);
    assert_int_equal(header->kind, kind);
}

static void a_name_has_a_kind(void **state)
{
    (void)state;
    expect_kind("cmath", HEADER_OWN);
    expect_kind("cub/cub.cuh", HEADER_CHOSEN);
    expect_kind("vector", HEADER_HOST);
    expect_kind("cuda_runtime.h", HEADER_KNOWN);
    expect_kind("cuda_fp16.h", HEADER_WRITTEN);
    expect_kind("cub/block/block_scan.cuh", HEADER_WRITTEN);
    expect_kind("cuda/std/limits", HEADER_WRITTEN);
    expect_kind("mma.h", HEADER_TOOLKIT);
    assert_null(known_header_find("mine.cuh", 8));
    assert_null(known_header_find("", 0));
    assert_null(known_header_find("mma.hpp", 7));
    assert_ptr_equal(known_header_find("limits>", 6), known_header_find("limits", 6));
}

/* The first that fits counts: names before what names begin with. */
static void a_beginning_stands_for_many(void **state)
{
    (void)state;
    expect_kind("cub/device/device_reduce.cuh", HEADER_HOST);
    expect_kind("cub/grid/grid_queue.cuh", HEADER_TOOLKIT);
    expect_kind("cuda/pipeline", HEADER_TOOLKIT);
    expect_kind("curand_kernel.h", HEADER_TOOLKIT);
    assert_null(known_header_find("cub", 3));
}

/* No entry hides behind an earlier one. */
static void every_entry_is_found(void **state)
{
    (void)state;
    size_t count;
    const struct known_header *all = known_headers(&count);
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(all[i].name);
        assert_ptr_equal(known_header_find(all[i].name, length - (all[i].name[length - 1] == '*')), &all[i]);
        assert_non_null(all[i].text);
    }
}

static void files_of_our_own_are_known(void **state)
{
    (void)state;
    assert_true(known_header_is_file("cub/block/block_scan.cuh"));
    assert_true(known_header_is_file("/tmp/headers/tune/room.hpp"));
    assert_false(known_header_is_file("/tmp/headers/tune/zoom.hpp"));
    assert_false(known_header_is_file("my_cuda_fp16.h"));
    assert_false(known_header_is_file("/home/me/kernels/vector"));
    assert_false(known_header_is_file("m.h"));
    assert_false(known_header_is_file(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_a_kind),
        cmocka_unit_test(a_beginning_stands_for_many),
        cmocka_unit_test(every_entry_is_found),
        cmocka_unit_test(files_of_our_own_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
