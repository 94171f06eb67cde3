/* SPDX-License-Identifier: Apache-2.0 */
/* Flushing changes no byte, and touches nothing but the requested lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/cache_lines.h"

#include <sys/mman.h>
#include <unistd.h>

static void contents_stay(void **state)
{
    (void)state;
    struct cache_lines lines = cache_lines_find();
    if (lines.bytes == 0)
        skip();
    assert_true(lines.bytes >= 16 && (lines.bytes & (lines.bytes - 1)) == 0);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *memory = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    /* Flushing a line of the surrounding pages would fault, as a load does. */
    assert_int_equal(mprotect(memory, page, PROT_NONE), 0);
    assert_int_equal(mprotect(memory + 2 * page, page, PROT_NONE), 0);
    unsigned char *middle = memory + page;
    static const size_t cuts[] = {0, 1, 3, 63, 64, 65, 1000};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        for (size_t j = 0; j < sizeof cuts / sizeof *cuts; j++) {
            for (size_t k = 0; k < page; k++)
                middle[k] = (unsigned char)(k * 7 + i + j);
            cache_lines_flush(lines, middle + cuts[i], page - cuts[i] - cuts[j]);
            for (size_t k = 0; k < page; k++)
                assert_int_equal(middle[k], (unsigned char)(k * 7 + i + j));
        }
    }
    cache_lines_flush(lines, middle + page, 0);
    assert_int_equal(munmap(memory, 3 * page), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contents_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
