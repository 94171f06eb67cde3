/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watch for bounds, with a library in place of AddressSanitizer's runtime that records which bytes are poisoned.
 * In a build with AddressSanitizer the real one is there: then these tests are skipped.
 */
#include "tests/unit/check/handmade.h"

#include "tuner/check/bounds.h"

#include <dlfcn.h>

static struct handmade *h;
static struct error error;
static bool sanitized;

static int load_runtime(void **state)
{
    char command[600];
    if (scratch_folder_create(state) != 0)
        return -1;
    sanitized = bounds_possible();
    if (sanitized)
        return 0;
    struct watched watched = {0};
    struct bounds *bounds;
    assert_false(bounds_create(&watched, &bounds, &error)); /* not yet */
    assert_int_equal(error.code, ERROR_WORK);
    assert_null(bounds);
    scratch_write("asan.cc",
                  "extern \"C\" {\n"
                  "struct span { const char *first; unsigned long bytes; } poisoned[64]; int poisoned_count;\n"
                  "void __asan_poison_memory_region(void const volatile *p, unsigned long n)\n"
                  "{ poisoned[poisoned_count++] = {(const char *)p, n}; }\n"
                  "void __asan_unpoison_memory_region(void const volatile *p, unsigned long n)\n"
                  "{ for (int i = 0; i < poisoned_count; i++)\n"
                  "    if (poisoned[i].first >= (const char *)p && poisoned[i].first < (const char *)p + n)\n"
                  "        poisoned[i--] = poisoned[--poisoned_count]; }\n"
                  "int is_poisoned(const char *p)\n"
                  "{ for (int i = 0; i < poisoned_count; i++)\n"
                  "    if (p >= poisoned[i].first && p < poisoned[i].first + poisoned[i].bytes) return 1;\n"
                  "  return 0; }\n}\n");
    snprintf(command, sizeof command, "${TUNE_CXX:-c++} -shared -fPIC -o %s/asan.so %s/asan.cc", scratch_folder,
             scratch_folder);
    assert_int_equal(system(command), 0);
    assert_non_null(dlopen(scratch_path("asan.so"), RTLD_NOW | RTLD_GLOBAL));
    return 0;
}

static int begin(void **state)
{
    (void)state;
    h = handmade_create();
    return 0;
}

static int end(void **state)
{
    (void)state;
    handmade_free(h);
    return 0;
}

static bool is_poisoned(const void *address)
{
    int (*function)(const char *);
    *(void **)&function = dlsym(RTLD_DEFAULT, "is_poisoned");
    return function(address);
}

static void red_zones_surround_the_buffers(void **state)
{
    (void)state;
    struct bounds *bounds;
    if (sanitized)
        skip();
    assert_success(bounds_create(&h->watched, &bounds, &error), &error);
    for (size_t i = 0; i < 2; i++) {
        const char *first = handmade_buffer(h, i);
        assert_true(is_poisoned(first - 1) && is_poisoned(first - BUFFER_GUARD_BYTES));
        assert_true(is_poisoned(first + HANDMADE_BYTES) &&
                    is_poisoned(first + HANDMADE_BYTES + BUFFER_GUARD_BYTES - 1));
        assert_false(is_poisoned(first) || is_poisoned(first + HANDMADE_BYTES - 1));
        assert_false(is_poisoned(first - BUFFER_GUARD_BYTES - 1));
        assert_false(is_poisoned(first + HANDMADE_BYTES + BUFFER_GUARD_BYTES));
    }
    bounds_free(bounds);
    for (size_t i = 0; i < 2; i++)
        assert_false(is_poisoned(handmade_buffer(h, i) - 1) || is_poisoned(handmade_buffer(h, i) + HANDMADE_BYTES));
    bounds_free(NULL);
}

static void dynamic_memory_ends_where_the_launch_says(void **state)
{
    (void)state;
    struct bounds *bounds;
    if (sanitized)
        skip();
    assert_success(bounds_create(&h->watched, &bounds, &error), &error);
    const struct block_watch *watch = bounds_watch(bounds);
    watch->launch(watch->context, &h->tls.context, h->dynamic, 32, sizeof h->dynamic);
    assert_false(is_poisoned(h->dynamic + 31));
    assert_true(is_poisoned(h->dynamic + 32) && is_poisoned(h->dynamic + sizeof h->dynamic - 1));
    watch->launched(watch->context);
    assert_false(is_poisoned(h->dynamic + 32));
    assert_null(h->watched.thread);
    bounds_free(bounds);
}

static void accesses_are_reported_with_owner_and_thread(void **state)
{
    (void)state;
    struct bounds *bounds;
    if (sanitized)
        skip();
    assert_success(bounds_create(&h->watched, &bounds, &error), &error);
    const struct block_watch *watch = bounds_watch(bounds);
    const struct tune_watcher *module = watch->accesses;
    const char *end_of_out = handmade_buffer(h, 1) + HANDMADE_BYTES;
    module->access(module->context, end_of_out, 4, TUNE_WRITE, handmade_code(h, 0x10)); /* outside of a launch */
    watch->launch(watch->context, &h->tls.context, h->dynamic, 32, sizeof h->dynamic);
    h->tls.context.thread.x = 5;
    module->access(module->context, end_of_out + 8, 4, TUNE_WRITE, handmade_code(h, 0x14));
    module->access(module->context, (const void *)((uintptr_t)16 << 40), 2, TUNE_READ, handmade_code(h, 0x18));
    module->index(module->context, "'float [17]'", 17, 9, handmade_code(h, 0x1c));
    watch->launched(watch->context);
    bounds_free(bounds);

    size_t count;
    struct raw_diagnostic *list = handmade_diagnostics(&count);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].code, 0x14);
    assert_string_equal(list[0].variable, "out");
    assert_string_equal(list[0].text,
                        "thread (5, 0, 0) writes 4 bytes 8 bytes past the end of out (global memory, 64 bytes)");
    assert_string_equal(list[1].variable, "");
    assert_string_equal(list[1].text, "thread (5, 0, 0) reads 2 bytes outside every variable and buffer");
    assert_int_equal(list[2].column, 9);
    assert_string_equal(list[2].text, "thread (5, 0, 0) uses index 17 of a 'float [17]'");
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(red_zones_surround_the_buffers, begin, end),
        cmocka_unit_test_setup_teardown(dynamic_memory_ends_where_the_launch_says, begin, end),
        cmocka_unit_test_setup_teardown(accesses_are_reported_with_owner_and_thread, begin, end),
    };
    return cmocka_run_group_tests(tests, load_runtime, scratch_folder_remove);
}
