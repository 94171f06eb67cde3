/* SPDX-License-Identifier: Apache-2.0 */
/* Setup and reference on the CPU device: what they make, and each way in which they can be wrong. */
#include "tests/unit/measure/affine_job.h"

#include "tuner/measure/template_sequences.h"

static struct program_cache *programs;
static struct affine_job affine;
static char sequences[256]; /* as they were announced */

static void on_sequence(const char *name, void *context)
{
    assert_ptr_equal(context, &affine);
    size_t used = strlen(sequences);
    snprintf(sequences + used, sizeof sequences - used, "%s ", name ? name : "done");
}

static int open_all(void **state)
{
    if (affine_folder_create() != 0 || cpu_fixture_open(state) != 0)
        return -1;
    validation.on_sequence = on_sequence;
    validation.on_sequence_context = &affine;
    return program_cache_create(&programs, &error) ? 0 : -1;
}

static int close_all(void **state)
{
    program_cache_free(programs, validation.driver, validation.device);
    return cpu_fixture_close(state) == 0 ? affine_folder_remove() : -1;
}

static struct instance *create(const char *setup, const char *reference)
{
    struct instance *instance;
    affine_make(&affine, setup, reference);
    sequences[0] = '\0';
    must(instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error));
    return instance;
}

static void fetch(uint64_t address, void *to, size_t bytes)
{
    assert_true(address != 0);
    must(validation.driver->download(validation.device, to, address, bytes, &error));
}

static void the_reference_is_computed(void **state)
{
    (void)state;
    struct instance *instance = create(NULL, NULL);
    float x[AFFINE_N];
    double expected[AFFINE_N], magnitude[AFFINE_N];
    fetch(instance->buffers[AFFINE_X].memory.address, x, sizeof x);
    fetch(instance->buffers[AFFINE_Y].reference, expected, sizeof expected);
    fetch(instance->buffers[AFFINE_Y].magnitude, magnitude, sizeof magnitude);
    for (int i = 0; i < AFFINE_N; i++) {
        assert_true(expected[i] == 2.0 * (double)x[i] + 1);
        assert_true(magnitude[i] == 2.0 * (x[i] < 0 ? -(double)x[i] : (double)x[i]) + 1);
    }
    assert_true(instance->buffers[AFFINE_X].copy == 0);               /* no setup wrote it */
    assert_string_equal(sequences, "reference done reference done "); /* again with other poison, for it has y */
    instance_free(&validation, instance);
}

static void what_setup_writes_is_copied(void **state)
{
    (void)state;
    struct instance *instance = create("x[i] = i;", NULL);
    float copy[AFFINE_N];
    fetch(instance->buffers[AFFINE_X].copy, copy, sizeof copy);
    for (int i = 0; i < AFFINE_N; i++)
        assert_true(copy[i] == (float)i);
    assert_string_equal(sequences, "setup done reference done ");
    instance_free(&validation, instance);
}

static void the_checksum_covers_references_and_magnitudes(void **state)
{
    (void)state;
    struct instance *instance = create(NULL, NULL);
    const uint64_t addresses[] = {instance->buffers[AFFINE_Y].reference, instance->buffers[AFFINE_Y].magnitude};
    uint64_t checksum;
    bool intact;
    must(template_sequences_checksum(&validation, instance, &checksum, &error));
    assert_true(checksum == instance->checksum);
    for (size_t i = 0; i < 2; i++) {
        uint64_t last = addresses[i] + 8 * (AFFINE_N - 1);
        double value, changed = 12345;
        fetch(last, &value, sizeof value);
        must(validation.driver->upload(validation.device, last, &changed, sizeof changed, &error));
        must(instance_intact(&validation, instance, &intact, &error));
        assert_false(intact);
        must(validation.driver->upload(validation.device, last, &value, sizeof value, &error));
        must(instance_intact(&validation, instance, &intact, &error));
        assert_true(intact);
    }
    instance_free(&validation, instance);
}

static void expect_fault(const char *setup, const char *reference, const char *part)
{
    struct instance *instance;
    size_t live = allocations.live;
    affine_make(&affine, setup, reference);
    error = (struct error){0};
    assert_false(instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not mention \"%s\"", error.text, part);
    assert_int_equal(allocations.live, live);
}

static void faults_of_the_template_are_named(void **state)
{
    (void)state;
    expect_fault(NULL, "if (i != 9) ref[i] = 1; mag[i] = 1;",
                 "leaves 1 elements of ref(y) unwritten, the first at 9");
    expect_fault(NULL, "ref[i] = 1; if (i < 98) mag[i] = 1;",
                 "leaves 2 elements of mag(y) unwritten, the first at 98");
    expect_fault(NULL, "ref[i] = 1; mag[i] = i == 5 ? -1 : 1;", "computes -1 for element 5 of mag(y)");
    expect_fault(NULL, "ref[i] = 1; mag[i] = 1; if (i == 2) ((float *)x)[2] = 7;",
                 "modifies the input x, first at element 2");
    expect_fault("x[i] = 1; if (i == 0) x[n] = 1;", NULL, "writes past the end of buffer x at size n=100");
    expect_fault("x[i] = 1; if (i == 0) x[-1] = 1;", NULL, "writes before buffer x");
    expect_fault("x[i] = i == 7 ? x[n] : 1;", NULL, "computes nan for y[7]"); /* setup's guard bands hold NaN */
}

static void an_input_that_nothing_sets_is_a_fault(void **state)
{
    (void)state;
    struct instance *instance;
    affine_make(&affine, "if (n < 0) x[i] = 1;", NULL);
    affine.buffers[AFFINE_X].initial = INITIAL_NONE;
    assert_false(instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "buffer x is never initialised"));
}

/* The template is to blame for a launch that no device accepts, but not for a lack of memory. */
static void blame_is_the_templates_or_the_devices(void **state)
{
    (void)state;
    static const enum error_code codes[] = {ERROR_DOES_NOT_FIT, ERROR_OUT_OF_MEMORY, ERROR_SYSTEM};
    struct instance *instance;
    affine_make(&affine, NULL, NULL);
    affine.reference.block.x = 5000;
    assert_false(instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "the template's reference fails: "));
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        affine_make(&affine, "x[i] = i;", NULL);
        fail_allocation(5, codes[i]); /* two buffers, reference and magnitude, then the copy */
        bool created = instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error);
        fail_allocation(0, ERROR_NONE);
        assert_false(created);
        assert_int_equal(error.code, codes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_computed),
        cmocka_unit_test(what_setup_writes_is_copied),
        cmocka_unit_test(the_checksum_covers_references_and_magnitudes),
        cmocka_unit_test(faults_of_the_template_are_named),
        cmocka_unit_test(an_input_that_nothing_sets_is_a_fault),
        cmocka_unit_test(blame_is_the_templates_or_the_devices),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
