/* SPDX-License-Identifier: Apache-2.0 */
/* Steps on a fake device that writes down what is asked of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ---- the device ---- */

struct device_kernel {
    struct kernel_resources resources;
};

static struct {
    char log[1024];
    uint64_t flags[8]; /* what downloads give, in turn */
    size_t downloads;
} fake;

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    size_t used = strlen(fake.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake.log + used, sizeof fake.log - used, format, arguments);
    va_end(arguments);
}

static bool launch(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                   void *const *arguments, size_t count, struct error *failure)
{
    struct dimensions grid = shape->grid, block = shape->block;
    (void)device, (void)failure;
    if (!kernel) {
        note("validation;"); /* a kernel of ours */
        return true;
    }
    note("launch %u,%u,%u x %u,%u,%u + %zu (", grid.x, grid.y, grid.z, block.x, block.y, block.z,
         shape->dynamic_shared);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, arguments[i], sizeof value);
        note("%s%llx", i ? "," : "", (unsigned long long)value);
    }
    note(");");
    return true;
}

static bool copy(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *failure)
{
    (void)device, (void)failure;
    note("copy %llx %llx %zu;", (unsigned long long)to, (unsigned long long)from, bytes);
    return true;
}

static bool fill(struct device *device, uint64_t address, uint8_t byte, size_t bytes, struct error *failure)
{
    (void)device, (void)failure;
    note("fill %llx %x %zu;", (unsigned long long)address, byte, bytes);
    return true;
}

static bool download(struct device *device, void *to, uint64_t from, size_t bytes, struct error *failure)
{
    (void)device, (void)from, (void)failure;
    note("flag;");
    memcpy(to, &fake.flags[fake.downloads++], bytes);
    return true;
}

static bool resources(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *found, struct error *failure)
{
    (void)device, (void)failure;
    *found = kernel->resources;
    found->shared_bytes += (int64_t)shape->dynamic_shared;
    return true;
}

static const struct device_driver driver = {
    .kind = "fake", .launch = launch, .copy = copy, .fill = fill, .download = download, .resources = resources};

/* ---- what is run on it ---- */

enum { FLOATS, INTS, DOUBLES, BUFFERS };

static struct validation_kernels validation;
static struct device_kernel kernels[2];
static struct device_kernel *kernel_list[] = {&kernels[0], &kernels[1]};
static struct symbol symbol;
static struct program program;
static struct instance_buffer buffers[BUFFERS];
static struct instance instance;

static int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    memset(kernels, 0, sizeof kernels);
    error = (struct error){0};
    validation = (struct validation_kernels){.driver = &driver};
    symbol = (struct symbol){.address = 0x9000, .bytes = 40};
    program = (struct program){.kernels = kernel_list, .symbols = &symbol, .kernel_count = 2, .symbol_count = 1};
    buffers[FLOATS] = (struct instance_buffer){
        .layout = &scalar_layouts[ELEMENT_FLOAT], .extent = 100, .memory = {.address = 0x1000}, .reference = 0x2000};
    buffers[INTS] =
        (struct instance_buffer){.layout = &scalar_layouts[ELEMENT_INT], .extent = 10, .memory = {.address = 0x3000}};
    buffers[DOUBLES] = (struct instance_buffer){.layout = &scalar_layouts[ELEMENT_DOUBLE],
                                                .extent = 10,
                                                .memory = {.address = 0x4000},
                                                .reference = 0x5000,
                                                .magnitude = 0x6000};
    instance = (struct instance){.buffers = buffers, .buffer_count = BUFFERS};
    return 0;
}

static bool run(const struct job_step *step)
{
    const struct job_steps steps = {(struct job_step *)(uintptr_t)step, 1};
    return steps_run(&validation, &program, &steps, &instance, &error);
}

static void assert_run(const struct job_step *step, const char *expected)
{
    if (!run(step))
        fail_msg("%s", error.text);
    assert_string_equal(fake.log, expected);
    fake.log[0] = '\0';
}

static void assert_refused(const struct job_step *step, enum error_code code, const char *part)
{
    assert_false(run(step));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not mention \"%s\"", error.text, part);
    assert_string_equal(fake.log, "");
}

/* Offsets count elements: of the buffer's type, or of doubles for references and magnitudes. */
static void arguments_are_addresses_and_scalars(void **state)
{
    (void)state;
    struct job_argument arguments[257] = {
        {.kind = ARGUMENT_BUFFER, .buffer = FLOATS, .offset = 3},
        {.kind = ARGUMENT_BUFFER, .buffer = DOUBLES, .offset = 1},
        {.kind = ARGUMENT_REFERENCE, .buffer = FLOATS, .offset = 2},
        {.kind = ARGUMENT_MAGNITUDE, .buffer = DOUBLES},
        {.kind = ARGUMENT_SCALAR, .bytes = {0x78, 0x56, 0x34, 0x12}},
    };
    struct job_step step = {.kind = STEP_LAUNCH,
                            .kernel = 1,
                            .grid = {2, 3, 4},
                            .block = {32, 2, 1},
                            .shared = 48,
                            .arguments = arguments,
                            .argument_count = 5};
    assert_run(&step, "launch 2,3,4 x 32,2,1 + 48 (100c,4008,2010,6000,12345678);");
    arguments[2].buffer = INTS;
    assert_refused(&step, ERROR_WORK, "not checked");
    arguments[2].buffer = BUFFERS;
    assert_refused(&step, ERROR_WORK, "buffer 3 of 3");
    step.argument_count = 257;
    assert_refused(&step, ERROR_WORK, "256");
    step.kernel = 2;
    assert_refused(&step, ERROR_WORK, "kernel 2 of 2");
}

static void copies_count_elements_of_the_source(void **state)
{
    (void)state;
    struct job_step step = {
        .kind = STEP_COPY, .source = DOUBLES, .first = 2, .target = FLOATS, .target_first = 1, .count = 3};
    assert_run(&step, "copy 1008 4010 24;");
    step = (struct job_step){.kind = STEP_COPY_SYMBOL, .source = INTS, .first = 1, .target_first = 2, .count = 8};
    assert_run(&step, "copy 9008 3004 32;"); /* up to the last byte */
    step.count = 9;
    assert_refused(&step, ERROR_RESOURCES, "44 bytes exceeds its symbol of 40");
    step.symbol = 1;
    assert_refused(&step, ERROR_WORK, "symbol 1 of 1");
}

/* A value whose bytes are all equal is the device's own fill, any other one a kernel. */
static void fills_take_the_quick_way(void **state)
{
    (void)state;
    struct job_step step = {.kind = STEP_FILL, .target = DOUBLES};
    assert_run(&step, "fill 4000 0 80;");
    memset(step.bytes, 0x7f, sizeof step.bytes);
    step.target = FLOATS;
    assert_run(&step, "fill 1000 7f 400;");
    step.bytes[3] = 0x3f;
    assert_run(&step, "validation;");
    step.bytes[3] = 0x7f;
    step.bytes[4] = 1; /* beyond the four bytes of a float */
    assert_run(&step, "fill 1000 7f 400;");
}

static void repeats_look_at_their_flag(void **state)
{
    (void)state;
    struct job_step body = {.kind = STEP_COPY, .source = INTS, .target = INTS, .count = 1};
    struct job_step step = {.kind = STEP_REPEAT, .target = INTS, .rounds = 3, .body = &body, .body_count = 1};
#define ROUND "copy 3000 3000 4;flag;"
    fake.flags[0] = 5; /* and then 0 */
    assert_run(&step, ROUND ROUND);
    fake.downloads = 0;
    fake.flags[0] = fake.flags[1] = fake.flags[2] = 1;
    assert_run(&step, ROUND ROUND ROUND); /* at most */
    step.rounds = 0;
    assert_run(&step, "");

    /* -0.0 is 0, and only the bytes of the type count. */
    step.rounds = 2;
    step.target = FLOATS;
    fake.downloads = 0;
    fake.flags[0] = 0x80000000;
    assert_run(&step, ROUND);
    step.target = DOUBLES;
    fake.downloads = 0;
    fake.flags[0] = UINT64_C(1) << 63;
    assert_run(&step, ROUND);
    step.target = INTS;
    fake.downloads = 0;
    fake.flags[0] = 0x80000000;
    fake.flags[1] = UINT64_C(1) << 32;
    assert_run(&step, ROUND ROUND);
}

/* ---- resources ---- */

static char *names[] = {(char *)"first", (char *)"second"};
static const struct job_program source = {.kernels = names, .kernel_count = 2};

static bool accepts(struct job_step *steps, size_t count, struct kernel_resources *most)
{
    const struct job_steps list = {steps, count};
    return steps_check_resources(&validation, &program, &source, &list, most, &error);
}

static void the_greediest_kernel_is_kept(void **state)
{
    (void)state;
    struct job_step body = {.kind = STEP_LAUNCH, .kernel = 1, .grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct job_step steps[] = {{.kind = STEP_LAUNCH, .kernel = 0, .grid = {1, 1, 1}, .block = {64, 1, 1}},
                               {.kind = STEP_REPEAT, .body = &body, .body_count = 1},
                               {.kind = STEP_FILL}};
    struct kernel_resources most = {0};
    kernels[0].resources = (struct kernel_resources){.registers = 40, .max_threads = 1024};
    kernels[1].resources = (struct kernel_resources){.registers = 64, .max_threads = 512};
    assert_true(accepts(steps, 3, &most));
    assert_int_equal(most.registers, 64);
    kernels[0].resources.registers = kernels[1].resources.registers = 10;
    assert_true(accepts(steps, 3, &most));
    assert_int_equal(most.registers, 64); /* of an earlier sequence */
    assert_string_equal(fake.log, "");    /* nothing was run */
}

static void what_exceeds_a_limit_is_refused(void **state)
{
    (void)state;
    const struct device_description limits = {.max_grid_x = 1000,
                                              .max_grid_y = 100,
                                              .max_grid_z = 10,
                                              .max_block_x = 512,
                                              .max_block_y = 256,
                                              .max_block_z = 64,
                                              .max_threads_per_block = 512,
                                              .max_shared_per_block_optin = 4096};
    static const struct {
        struct dimensions grid, block;
        uint64_t shared;
        const char *part; /* NULL: accepted */
    } table[] = {
        {{1000, 100, 10}, {512, 1, 1}, 4096, NULL},
        {{1001, 1, 1}, {1, 1, 1}, 0, "first needs 1001 blocks in x; the limit is 1000"},
        {{1, 101, 1}, {1, 1, 1}, 0, "101 blocks in y"},
        {{1, 1, 11}, {1, 1, 1}, 0, "11 blocks in z"},
        {{1, 1, 1}, {513, 1, 1}, 0, "513 threads in x"},
        {{1, 1, 1}, {1, 257, 1}, 0, "257 threads in y"},
        {{1, 1, 1}, {1, 1, 65}, 0, "65 threads in z"},
        {{1, 1, 1}, {32, 32, 1}, 0, "1024 threads per block; the limit is 512"},
        {{1, 1, 1}, {300, 1, 1}, 0, NULL},
        {{1, 1, 1}, {1, 1, 1}, 4097, "4097 bytes of shared memory per block"},
    };
    kernels[0].resources.max_threads = 1024;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct kernel_resources most = {0};
        struct job_step step = {
            .kind = STEP_LAUNCH, .grid = table[i].grid, .block = table[i].block, .shared = table[i].shared};
        validation.description = limits;
        assert_int_equal(accepts(&step, 1, &most), !table[i].part);
        if (table[i].part && (error.code != ERROR_RESOURCES || !strstr(error.text, table[i].part)))
            fail_msg("\"%s\" does not mention \"%s\"", error.text, table[i].part);
        validation.description = (struct device_description){0}; /* unknown limits refuse nothing */
        assert_true(accepts(&step, 1, &most));
    }
    struct kernel_resources most = {0};
    struct job_step step = {.kind = STEP_LAUNCH, .grid = {1, 1, 1}, .block = {300, 1, 1}};
    kernels[0].resources.max_threads = 256;
    assert_false(accepts(&step, 1, &most));
    assert_non_null(strstr(error.text, "300 threads per block at its register count; the limit is 256"));
    step.block.x = 0;
    assert_false(accepts(&step, 1, &most));
    assert_int_equal(error.code, ERROR_WORK);
}

static void magnitudes_are_found_at_any_depth(void **state)
{
    (void)state;
    struct job_argument arguments[] = {{.kind = ARGUMENT_REFERENCE, .buffer = 1},
                                       {.kind = ARGUMENT_MAGNITUDE, .buffer = 2}};
    struct job_step body = {.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 2};
    struct job_step step = {.kind = STEP_REPEAT, .body = &body, .body_count = 1};
    const struct job_steps steps = {&step, 1}, none = {0};
    assert_true(steps_use_magnitude(&steps, 2));
    assert_false(steps_use_magnitude(&steps, 1));
    assert_false(steps_use_magnitude(&none, 2));
}

static void uses_of_a_buffer_are_found_in_every_step(void **state)
{
    (void)state;
    struct job_argument arguments[] = {{.kind = ARGUMENT_SCALAR, .buffer = 8},
                                       {.kind = ARGUMENT_REFERENCE, .buffer = 7}, /* not the buffer itself */
                                       {.kind = ARGUMENT_BUFFER, .buffer = 1}};
    struct job_step body[] = {{.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 3},
                              {.kind = STEP_COPY, .source = 2, .target = 3},
                              {.kind = STEP_COPY_SYMBOL, .source = 4, .target = 9},
                              {.kind = STEP_FILL, .source = 9, .target = 5}};
    struct job_step step = {.kind = STEP_REPEAT, .target = 6, .body = body, .body_count = 4};
    const struct job_steps steps = {&step, 1};
    for (size_t buffer = 0; buffer < 10; buffer++)
        assert_int_equal(steps_use_buffer(&steps, buffer), 1 <= buffer && buffer <= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(arguments_are_addresses_and_scalars, begin),
        cmocka_unit_test_setup(copies_count_elements_of_the_source, begin),
        cmocka_unit_test_setup(fills_take_the_quick_way, begin),
        cmocka_unit_test_setup(repeats_look_at_their_flag, begin),
        cmocka_unit_test_setup(the_greediest_kernel_is_kept, begin),
        cmocka_unit_test_setup(what_exceeds_a_limit_is_refused, begin),
        cmocka_unit_test_setup(magnitudes_are_found_at_any_depth, begin),
        cmocka_unit_test(uses_of_a_buffer_are_found_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
