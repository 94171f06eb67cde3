/* SPDX-License-Identifier: Apache-2.0 */
/* Instances on the CPU device: what they hold, what they take, and that a failure leaves nothing behind. */
#include "tests/unit/measure/cpu_fixture.h"

#include "tuner/measure/instance.h"
#include "tuner/measure/report.h"

enum { IN, INOUT, OUT, TEMP, SCRATCH, BUFFERS };
enum { N = 100 };

static struct program_cache *programs;
static struct job_buffer buffers[BUFFERS];
static struct job job;

static void make_job(void)
{
    buffers[IN] =
        (struct job_buffer){(char *)"in", &scalar_layouts[ELEMENT_FLOAT], N, BUFFER_IN, INITIAL_UNIFORM, -1, 1};
    buffers[INOUT] =
        (struct job_buffer){(char *)"inout", &scalar_layouts[ELEMENT_INT], N, BUFFER_INOUT, INITIAL_INDEX, 0, 0};
    buffers[OUT] =
        (struct job_buffer){(char *)"out", &scalar_layouts[ELEMENT_DOUBLE], N, BUFFER_OUT, INITIAL_NONE, 0, 0};
    buffers[TEMP] =
        (struct job_buffer){(char *)"temp", &scalar_layouts[ELEMENT_CHAR], N, BUFFER_TEMP, INITIAL_NONE, 0, 0};
    buffers[SCRATCH] = (struct job_buffer){
        (char *)"scratch", &scalar_layouts[ELEMENT_SHORT], N, BUFFER_SCRATCH, INITIAL_CONSTANT, 5, 0};
    job = (struct job){.reference_key = 7, .seed = 1};
    job.cases[JOB_TUNED].buffers = buffers;
    job.cases[JOB_TUNED].buffer_count = BUFFERS;
}

static struct instance *create(void)
{
    struct instance *instance;
    make_job();
    must(instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error));
    return instance;
}

static int open_all(void **state)
{
    return cpu_fixture_open(state) == 0 && program_cache_create(&programs, &error) ? 0 : -1;
}

static int close_all(void **state)
{
    program_cache_free(programs, validation.driver, validation.device);
    return cpu_fixture_close(state);
}

static void fetch(const struct instance *instance, size_t buffer, void *to, size_t bytes)
{
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, to, instance->buffers[buffer].memory.address, bytes, &error));
}

static void overwrite(const struct instance *instance, size_t buffer, size_t bytes)
{
    must(validation.driver->fill(validation.device, instance->buffers[buffer].memory.address, 0, bytes, &error));
}

static void buffers_hold_their_initial_values(void **state)
{
    (void)state;
    struct instance *instance = create();
    float in[N];
    int inout[N];
    uint64_t out[N];
    fetch(instance, IN, in, sizeof in);
    fetch(instance, INOUT, inout, sizeof inout);
    fetch(instance, OUT, out, sizeof out);
    for (int i = 0; i < N; i++) {
        assert_true(-1 <= in[i] && in[i] < 1);
        assert_int_equal(inout[i], i);
        assert_true(out[i] == UINT64_C(0x7ff45eed5eed5eed)); /* the poison of doubles */
    }
    instance_free(&validation, instance);
    instance_free(&validation, NULL);
}

/* Five buffers of 100 elements of 4, 4, 8, 1 and 2 bytes between guard bands; a checked output has 100 doubles more,
 * twice if the reference gives a magnitude. */
static void bytes_are_counted(void **state)
{
    (void)state;
    const uint64_t plain = 100 * (4 + 4 + 8 + 1 + 2) + 5 * 2 * (uint64_t)BUFFER_GUARD_BYTES;
    struct job_check check = {.buffer = OUT};
    struct job_argument argument = {.kind = ARGUMENT_REFERENCE, .buffer = OUT};
    struct job_step step = {.kind = STEP_LAUNCH, .arguments = &argument, .argument_count = 1};
    make_job();
    struct job_case *job_case = &job.cases[JOB_TUNED];
    assert_int_equal(instance_bytes(job_case), plain);
    job_case->checks = &check;
    job_case->check_count = 1;
    job_case->reference = (struct job_steps){&step, 1};
    assert_int_equal(instance_bytes(job_case), plain + 800);
    argument.kind = ARGUMENT_MAGNITUDE;
    assert_int_equal(instance_bytes(job_case), plain + 1600);
    assert_int_equal(instance_bytes(&(struct job_case){0}), 0);
}

static void reset_and_restore(void **state)
{
    (void)state;
    struct instance *instance = create();
    int inout[N];
    uint64_t out[N];
    char temp[N];
    overwrite(instance, INOUT, sizeof inout);
    overwrite(instance, OUT, sizeof out);
    overwrite(instance, TEMP, sizeof temp);
    must(instance_restore(&validation, instance, &error));
    fetch(instance, INOUT, inout, sizeof inout);
    fetch(instance, OUT, out, sizeof out);
    assert_true(inout[N - 1] == N - 1 && out[0] == 0); /* outputs are left alone */
    must(instance_poison_outputs(&validation, instance, &job.cases[JOB_TUNED], &error));
    fetch(instance, OUT, out, sizeof out);
    fetch(instance, TEMP, temp, sizeof temp);
    assert_true(out[N - 1] == UINT64_C(0x7ff45eed5eed5eed) && temp[5] == 0);
    overwrite(instance, INOUT, sizeof inout);
    must(instance_reset(&validation, instance, &error));
    fetch(instance, INOUT, inout, sizeof inout);
    fetch(instance, TEMP, temp, sizeof temp);
    assert_true(inout[3] == 3 && temp[5] != 0);
    const char poison = temp[5];
    overwrite(instance, INOUT, sizeof inout);
    must(instance_reset_otherwise(&validation, instance, TEMP, &error));
    fetch(instance, INOUT, inout, sizeof inout);
    fetch(instance, OUT, out, sizeof out);
    fetch(instance, TEMP, temp, sizeof temp);
    assert_true(inout[3] == 3 && out[5] == UINT64_C(0x7ff45eed5eed5eed) && temp[5] == ~poison);
    must(instance_reset_otherwise(&validation, instance, INSTANCE_ALL, &error));
    fetch(instance, OUT, out, sizeof out);
    fetch(instance, TEMP, temp, sizeof temp);
    assert_true(out[5] != UINT64_C(0x7ff45eed5eed5eed) && temp[5] == ~poison);
    instance_free(&validation, instance);
}

/* Which of the buffers has blank guard bands, both of them? */
static unsigned blank(const struct instance *instance)
{
    unsigned all = 0;
    for (unsigned i = 0; i < instance->buffer_count; i++) {
        const struct guarded *memory = &instance->buffers[i].memory;
        uint64_t before, behind;
        must(validation.driver->download(validation.device, &before, memory->address - 8, 8, &error));
        must(validation.driver->download(validation.device, &behind, memory->address + memory->bytes, 8, &error));
        assert_true((before == UINT64_MAX) == (behind == UINT64_MAX));
        all |= (before == UINT64_MAX ? 1U : 0U) << i;
    }
    return all;
}

/* As every in-out buffer; and, like a temporary one, it may be another for the next configuration. */
static void scratch_is_restored(void **state)
{
    (void)state;
    struct instance *instance = create();
    short scratch[2 * N] = {0};
    overwrite(instance, SCRATCH, N * sizeof *scratch);
    must(instance_restore(&validation, instance, &error));
    fetch(instance, SCRATCH, scratch, N * sizeof *scratch);
    assert_true(scratch[0] == 5 && scratch[N - 1] == 5);
    buffers[SCRATCH].extent = 2 * N;
    buffers[SCRATCH].a = -7;
    assert_true(instance_matches(instance, &job, JOB_TUNED));
    must(instance_fit(&validation, instance, &job, &error));
    must(instance_reset(&validation, instance, &error));
    fetch(instance, SCRATCH, scratch, sizeof scratch);
    assert_true(scratch[0] == -7 && scratch[2 * N - 1] == -7);
    instance_free(&validation, instance);
}

static void guards_are_blanked_and_restored(void **state)
{
    (void)state;
    struct instance *instance = create();
    unsigned every = (1U << instance->buffer_count) - 1;
    assert_int_equal(blank(instance), 0);
    must(instance_reset_otherwise(&validation, instance, instance->buffer_count + OUT, &error));
    assert_int_equal(blank(instance), 1U << OUT);
    must(instance_reset_otherwise(&validation, instance, INSTANCE_ALL, &error));
    assert_int_equal(blank(instance), every);
    must(instance_reset_otherwise(&validation, instance, OUT, &error));
    assert_int_equal(blank(instance), 0);
    must(instance_blank_guards(&validation, instance, true, &error));
    assert_int_equal(blank(instance), every);
    must(instance_reset(&validation, instance, &error));
    assert_int_equal(blank(instance), 0);
    instance_free(&validation, instance);
}

static void changes_are_noticed(void **state)
{
    (void)state;
    struct instance *instance = create();
    struct report reports[2];
    must(validation_reset_reports(&validation, 2, &error));
    must(instance_check_unchanged(&validation, instance, IN, 0, &error));
    overwrite(instance, IN, 12); /* three elements */
    must(instance_check_unchanged(&validation, instance, IN, 1, &error));
    must(validation_read_reports(&validation, reports, 2, &error));
    assert_int_equal(reports[0].changed, 0);
    assert_int_equal(reports[1].changed, 3);
    assert_int_equal(reports[1].first_changed, 0);
    instance_free(&validation, instance);
}

static void it_matches_cases_with_the_same_buffers(void **state)
{
    (void)state;
    struct instance *instance = create();
    assert_true(instance_matches(instance, &job, JOB_TUNED));
    buffers[TEMP].extent = 3 * N; /* temporaries may differ */
    assert_true(instance_matches(instance, &job, JOB_TUNED));
    buffers[IN].extent++;
    assert_false(instance_matches(instance, &job, JOB_TUNED));
    buffers[IN].extent--;
    buffers[IN].role = BUFFER_INOUT;
    assert_false(instance_matches(instance, &job, JOB_TUNED));
    buffers[IN].role = BUFFER_IN;
    buffers[OUT].layout = &scalar_layouts[ELEMENT_FLOAT];
    assert_false(instance_matches(instance, &job, JOB_TUNED));
    buffers[OUT].layout = &scalar_layouts[ELEMENT_DOUBLE];
    job.cases[JOB_AWKWARD] = job.cases[JOB_TUNED];
    assert_false(instance_matches(instance, &job, JOB_AWKWARD));
    struct job_check check = {.buffer = OUT}; /* it was made without a reference */
    job.cases[JOB_TUNED].checks = &check;
    job.cases[JOB_TUNED].check_count = 1;
    assert_false(instance_matches(instance, &job, JOB_TUNED));
    job.cases[JOB_TUNED].check_count = 0;
    job.reference_key++;
    assert_false(instance_matches(instance, &job, JOB_TUNED));
    instance_free(&validation, instance);
}

static void temporaries_are_resized(void **state)
{
    (void)state;
    struct instance *instance = create();
    uint64_t address = instance->buffers[TEMP].memory.address;
    struct report report;
    buffers[TEMP].extent = N / 2;
    must(instance_fit(&validation, instance, &job, &error));
    assert_true(instance->buffers[TEMP].memory.address == address); /* in place */
    assert_int_equal(instance->buffers[TEMP].memory.bytes, N / 2);
    buffers[TEMP].extent = 3 * N;
    must(instance_fit(&validation, instance, &job, &error));
    assert_int_equal(instance->buffers[TEMP].memory.bytes, 3 * N);
    must(validation_reset_reports(&validation, 1, &error));
    must(validation_check_guards(&validation, &instance->buffers[TEMP].memory, 0, &error));
    must(validation_read_reports(&validation, &report, 1, &error));
    assert_true(report.before == 0 && report.behind == 0);
    instance_free(&validation, instance);
}

/* Whichever allocation of the device fails: that error, and nothing left on the device. */
static void a_failed_allocation_leaves_nothing(void **state)
{
    (void)state;
    instance_free(&validation, create()); /* what is allocated once and kept, is */
    for (size_t n = 1;; n++) {
        size_t live = allocations.live;
        struct instance *instance = (struct instance *)&job;
        make_job();
        error = (struct error){0};
        fail_allocation(n, ERROR_DOES_NOT_FIT);
        bool created = instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error);
        fail_allocation(0, ERROR_NONE);
        if (created) {
            assert_int_equal(n, BUFFERS + 1);
            instance_free(&validation, instance);
            return;
        }
        assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
        assert_int_equal(allocations.live, live);
        assert_null(instance);
    }
}

static void impossible_extents_do_not_fit(void **state)
{
    (void)state;
    struct instance *instance;
    make_job();
    buffers[OUT].extent = UINT64_MAX / 8;
    assert_false(instance_create(&validation, programs, &job, JOB_TUNED, &instance, &error));
    assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_hold_their_initial_values),
        cmocka_unit_test(bytes_are_counted),
        cmocka_unit_test(reset_and_restore),
        cmocka_unit_test(scratch_is_restored),
        cmocka_unit_test(guards_are_blanked_and_restored),
        cmocka_unit_test(changes_are_noticed),
        cmocka_unit_test(it_matches_cases_with_the_same_buffers),
        cmocka_unit_test(temporaries_are_resized),
        cmocka_unit_test(a_failed_allocation_leaves_nothing),
        cmocka_unit_test(impossible_extents_do_not_fit),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
