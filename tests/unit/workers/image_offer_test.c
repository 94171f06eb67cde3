/* SPDX-License-Identifier: Apache-2.0 */
/* Offers of images: what workers may put into the cache by them, and what not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/program.h"
#include "tuner/measure/validation_kernels.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256], path[300], image[] = "an image", no_log[] = "";
static struct device_description device = {.kind = "cpu", .architecture = "any", .compiler = "c++ 1"};
static struct compile_result result = {.compiled = true, .image = image, .image_bytes = sizeof image, .log = no_log};
static struct job_program program;

static int set_up(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tune-offer-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/kernel.cu", folder);
    program = (struct job_program){.path = path, .folder = folder};
    FILE *file = fopen(path, "w");
    return file && fputs("int x;\n", file) >= 0 && fclose(file) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

static bool is_stored(struct compile_cache *images, const struct job_program *source, const char *text)
{
    struct compile_request request = program_request(source, text, strlen(text));
    struct compile_lookup lookup;
    struct compile_result found = {0};
    bool stored = compile_lookup_begin(images, &request, &lookup, &found);
    compile_lookup_end(&lookup);
    compile_result_clear(&found);
    return stored;
}

static void keep_offer(const struct compile_offer *made, void *context)
{
    *(struct compile_offer *)context = *made;
}

/* What a worker that has compiled `text` would offer. */
static struct compile_offer offer_of(const struct job_program *source, const char *text, size_t length)
{
    struct compile_offer offer = {0};
    struct compile_result found;
    struct compile_lookup lookup;
    struct compile_request request = program_request(source, text, length);
    struct compile_cache *worker =
        compile_cache_create(cache_open_to_read(), device_driver_find(device.kind), &device);
    compile_cache_offer_to(worker, keep_offer, &offer);
    assert_false(compile_lookup_begin(worker, &request, &lookup, &found));
    compile_lookup_keep(&lookup, &request, &result);
    compile_lookup_end(&lookup);
    compile_cache_free(worker);
    assert_ptr_equal(offer.result, &result);
    return offer;
}

/* A message as it arrives. */
static struct message message_of(const struct compile_offer *offer)
{
    struct message message = {.json = json_pack("{s:o}", "made", compile_result_to_json(&result, offer)),
                              .blob = malloc(sizeof image),
                              .blob_bytes = sizeof image};
    memcpy(message.blob, image, sizeof image);
    return message;
}

static void test_there_and_back(void **state)
{
    (void)state;
    const struct compile_offer given = {{{1, UINT64_MAX}, UINT64_C(1) << 63}, 77, &result};
    struct compile_offer taken;
    struct compile_result read;
    struct error error = {0};
    bool offered = false;
    struct message message = message_of(&given);
    assert_true(image_offer_is(&message));
    json_t *made = json_object_get(message.json, "made");
    assert_true(compile_result_from_json(made, &message, &read, &taken, &offered, &error));
    assert_true(offered && cache_key_equal(&taken.key, &given.key) && taken.stamp == 77);
    assert_ptr_equal(taken.result, &read);
    assert_true(read.compiled && read.image_bytes == sizeof image && !read.cached);
    compile_result_clear(&read);
    message_clear(&message);

    message = message_of(NULL);
    made = json_object_get(message.json, "made");
    assert_true(compile_result_from_json(made, &message, &read, &taken, &offered, &error));
    assert_false(offered);
    compile_result_clear(&read);
    message_clear(&message);
}

static void test_impossible_offers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1", "[]", "[1, 2, 3]", "[1, 2, 3, 4, 5]", "[1, 2, 3, \"4\"]", "[1, 2, 3.5, 4]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct compile_offer taken;
        struct compile_result read;
        struct error error = {0};
        bool offered;
        struct message message = message_of(NULL);
        json_t *made = json_object_get(message.json, "made");
        json_object_set_new(made, "offer", json_loads(texts[i], JSON_DECODE_ANY, NULL));
        assert_false(compile_result_from_json(made, &message, &read, &taken, &offered, &error));
        assert_int_equal(error.code, ERROR_MESSAGE);
        compile_result_clear(&read);
        message_clear(&message);
    }
}

static void test_only_the_image_that_was_asked_for(void **state)
{
    (void)state;
    struct job job = {.reference = program};
    struct compile_cache *images = image_offer_cache(&device, true);
    struct compile_offer offer = offer_of(&program, "int x;\n", 7), forged = offer;

    forged.key.name[0] ^= 1;
    struct message message = message_of(&forged);
    image_offer_take(images, &job, &message);
    message_clear(&message);
    assert_false(is_stored(images, &program, "int x;\n"));

    /* That of another program, rightly made. */
    struct job_program other = program;
    other.defines = (char *)"#define y 1\n";
    assert_false(image_offer_keep(images, &other, &offer) && is_stored(images, &other, "int x;\n"));

    message = message_of(&offer);
    image_offer_take(images, &job, &message);
    message_clear(&message);
    assert_true(is_stored(images, &program, "int x;\n"));
    compile_cache_free(images);
}

static void test_validation(void **state)
{
    (void)state;
    const struct validation_source *source = validation_source();
    struct job job = {.setup = program, .reference = program};
    struct compile_cache *images = image_offer_cache(&device, true);
    const struct compile_offer offer = offer_of(&source->program, source->text, source->length);
    assert_false(image_offer_has_validation(images));

    /* A worker that has run a template's code cannot offer it. */
    struct message message = message_of(&offer);
    image_offer_take(images, &job, &message);
    message_clear(&message);
    assert_false(image_offer_has_validation(images));

    message = message_of(&offer);
    image_offer_take_validation(images, &message);
    message_clear(&message);
    assert_true(image_offer_has_validation(images));
    compile_cache_free(images);
}

static void test_without_a_cache(void **state)
{
    (void)state;
    struct compile_cache *images = image_offer_cache(&device, false);
    const struct compile_offer offer = offer_of(&program, "int x;\n", 7);
    assert_non_null(images);
    assert_false(image_offer_keep(images, &program, &offer));
    compile_cache_free(images);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_there_and_back),
        IN_FOLDER(test_impossible_offers),
        IN_FOLDER(test_only_the_image_that_was_asked_for),
        IN_FOLDER(test_validation),
        IN_FOLDER(test_without_a_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
