/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of a look-up fails in turn: the right image or none, and never another key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/failing_allocator.h"

#include "tuner/cache/compile_cache.h"

#include <string.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tune-cache-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    char path[128];
    snprintf(path, sizeof path, "%s/a.cuh", folder);
    FILE *file = fopen(path, "w");
    return file && fputs("int a = A;\n", file) >= 0 && fclose(file) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static bool tell_identity(const struct device_description *description, char **text, struct error *error)
{
    (void)description;
    *text = strdup("driver 1");
    return *text || error_out_of_memory(error);
}

static const struct device_driver driver = {.kind = "pretended", .compile_identity = tell_identity};
static const struct device_description description = {
    .kind = "pretended", .architecture = "sm_90", .compiler = "1.0"};
static const char source[] = "#include \"a.cuh\"\nint b = B;\n";

static struct compile_request request_of(void)
{
    return (struct compile_request){.path = "/nowhere/kernel.cu",
                                    .text = source,
                                    .length = strlen(source),
                                    .folder = folder,
                                    .defines = "#define A 1\n#define B 2\n#define UNUSED 3\n"};
}

static void test_keys(void **state)
{
    (void)state;
    struct cache_key whole, key;
    struct compile_request request = request_of();
    struct compile_cache *cache = compile_cache_create(NULL, &driver, &description);
    assert_true(compile_cache_key(cache, &request, &whole));
    compile_cache_free(cache);
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        failing_allocator_begin(n);
        cache = compile_cache_create(NULL, &driver, &description);
        bool keyed = cache && compile_cache_key(cache, &request, &key);
        compile_cache_free(cache);
        failed = failing_allocator_end();
        assert_true(keyed ? cache_key_equal(&key, &whole) : failed);
    }
}

/* A look-up that fails compiles instead; the defines it leaves are complete. */
static void test_look_ups(void **state)
{
    (void)state;
    char image[] = "image", log[] = "log";
    const struct compile_result given = {
        .compiled = true, .image = image, .image_bytes = sizeof image, .log = log, .spill_bytes = 7};
    bool failed = true;
    size_t found_count = 0;
    for (size_t n = 1; failed; n++) {
        struct compile_lookup lookup;
        struct compile_result found = {0};
        struct compile_request request = request_of();
        failing_allocator_begin(n);
        struct compile_cache *cache =
            compile_cache_create(cache_open_at(folder, (uint64_t)1 << 30), &driver, &description);
        if (cache) {
            bool hit = compile_lookup_begin(cache, &request, &lookup, &found);
            if (!hit && strcmp(request.defines, request_of().defines) != 0)
                assert_string_equal(request.defines, "#define A 1\n#define B 2\n");
            if (!hit)
                compile_lookup_keep(&lookup, &request, &given);
            compile_lookup_end(&lookup);
            if (hit) {
                assert_int_equal(found.image_bytes, sizeof image);
                assert_memory_equal(found.image, image, sizeof image);
                assert_string_equal(found.log, log);
                assert_int_equal(found.spill_bytes, 7);
                free(found.image);
                free(found.log);
            }
            found_count += hit;
        }
        compile_cache_free(cache);
        failed = failing_allocator_end();
    }
    assert_true(found_count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keys, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_look_ups, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
