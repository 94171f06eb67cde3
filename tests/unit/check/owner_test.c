/* SPDX-License-Identifier: Apache-2.0 */
/* Whose memory an out-of-bounds address belongs to, and in which words. */
#include "tests/unit/check/handmade.h"

#include "tuner/check/owner.h"

static struct handmade *h;

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

static void assert_text(uintptr_t address, const char *expected)
{
    struct owner owner;
    char text[200];
    assert_true(owner_find(&h->watched, address, &owner));
    owner_text(&owner, text, sizeof text);
    assert_string_equal(text, expected);
}

static void buffers_own_their_guard_bands(void **state)
{
    (void)state;
    uintptr_t first = (uintptr_t)handmade_buffer(h, 1);
    assert_text(first - 4, "4 bytes before out (global memory, 64 bytes)");
    assert_text(first - BUFFER_GUARD_BYTES, "16384 bytes before out (global memory, 64 bytes)");
    assert_text(first + 64, "0 bytes past the end of out (global memory, 64 bytes)");
    assert_text(first + 64 + BUFFER_GUARD_BYTES - 1, "16383 bytes past the end of out (global memory, 64 bytes)");
    assert_text(first + 62, "across the end of out (global memory, 64 bytes)"); /* a wide access */
}

static void dynamic_memory_has_the_name_of_the_source(void **state)
{
    (void)state;
    h->watched.shared = (uintptr_t)h->dynamic;
    h->watched.shared_bytes = 32;
    h->watched.shared_room = sizeof h->dynamic;
    assert_text((uintptr_t)h->dynamic + 36, "4 bytes past the end of room (dynamic shared memory, 32 bytes)");
}

static void the_nearest_variable_is_meant(void **state)
{
    (void)state;
    h->watched.shared = 1; /* far away */
    handmade_variable(h, "low", 16, 16, false, true);
    handmade_variable(h, "high", 96, 16, false, false);
    handmade_variable(h, "tune_table", 48, 8, false, false); /* ours */
    handmade_variable(h, "__odr", 48, 8, false, false);
    handmade_variable(h, "shared", 48, 8, true, true);
    uintptr_t base = (uintptr_t)h->data;
    assert_text(base + 50, "18 bytes past the end of low (static shared memory, 16 bytes)");
    assert_text(base + 80, "16 bytes before high (constant or device memory, 16 bytes)");
    assert_text(base + 8, "8 bytes before low (static shared memory, 16 bytes)");
}

static void elsewhere_there_is_no_owner(void **state)
{
    (void)state;
    struct owner owner;
    h->watched.shared = 1;
    assert_false(owner_find(&h->watched, (uintptr_t)16 << 40, &owner));
    assert_null(owner.space);
    assert_string_equal(owner.name, "");
}

/* Two variables at 32 (4 bytes) and 48 (16 bytes), the second with its line. */
static void frames_list_their_variables(void **state)
{
    (void)state;
    static const char frame[] = "2 32 4 3 sum 48 16 9 table:120";
    static const struct {
        int64_t offset, from;
        const char *name;
    } table[] = {{36, 4, "sum"}, {31, -1, "sum"}, {47, -1, "table"}, {64, 16, "table"}, {41, 9, "sum"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct owner owner = {0};
        owner_read_frame(frame, table[i].offset, &owner);
        assert_string_equal(owner.name, table[i].name);
        assert_int_equal(owner.offset, table[i].from);
        assert_string_equal(owner.space, "a local array");
    }
}

static void malformed_frames_are_survived(void **state)
{
    (void)state;
    static const char *const frames[] = {
        "", "x", "1", "1 32 4 100 sum", "1 32 4 3sum", "3 32 4 3 sum", "99999999999 1 1"};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        struct owner owner = {0};
        owner_read_frame(frames[i], 40, &owner);
        assert_true(!owner.space || strcmp(owner.name, "sum") == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(buffers_own_their_guard_bands, begin, end),
        cmocka_unit_test_setup_teardown(dynamic_memory_has_the_name_of_the_source, begin, end),
        cmocka_unit_test_setup_teardown(the_nearest_variable_is_meant, begin, end),
        cmocka_unit_test_setup_teardown(elsewhere_there_is_no_owner, begin, end),
        cmocka_unit_test(frames_list_their_variables),
        cmocka_unit_test(malformed_frames_are_survived),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
