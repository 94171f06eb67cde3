/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that poison exceeds and bounds that it does not, of every kind of type. */
#include "tests/unit/measure/affine_programs.h"

#include "tuner/measure/unwritten.h"

static struct affine_job affine;

/* With outputs of this type; nothing computes them. */
static bool create(enum element element, enum buffer_role role, double bound)
{
    static char file[] = "folder/t.template";
    struct instance *instance;
    affine_make(&affine, NULL, NULL);
    affine.buffers[AFFINE_Y].layout = &scalar_layouts[element];
    affine.buffers[AFFINE_Y].role = role;
    affine.buffers[AFFINE_Y].initial = role == BUFFER_OUT ? INITIAL_NONE : INITIAL_CONSTANT;
    affine.check = (struct job_check){
        .buffer = AFFINE_Y, .below = true, .absolute = bound, .file = file, .line = 12, .column = 7};
    affine.job.cases[JOB_TUNED].reference.count = 0;
    error = (struct error){0};
    bool created = instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error);
    if (created)
        assert_true(instance->buffers[AFFINE_Y].reference == 0);
    instance_free(&validation, instance);
    return created;
}

/* The larger of the two poisons of each type: 195, 61 of a char, 42435, 23101 of a short, and so on. */
static void bounds_must_tell_poison_from_results(void **state)
{
    (void)state;
    static const struct {
        enum element element;
        double finds, misses; /* 0: none does */
    } types[] = {
        {ELEMENT_UCHAR, 194, 195},     {ELEMENT_CHAR, 60, 61},     {ELEMENT_USHORT, 42434, 42435},
        {ELEMENT_SHORT, 23100, 23101}, {ELEMENT_INT, 1e9, 2e9},    {ELEMENT_UINT, 2.7e9, 2.8e9},
        {ELEMENT_FLOAT, 1e38, 0},      {ELEMENT_DOUBLE, 1e300, 0}, {ELEMENT_HALF, 65504, 0},
        {ELEMENT_BFLOAT16, 3e38, 0},   {ELEMENT_LONG, 1e18, 9e18}, {ELEMENT_ULONG, 1e19, 1.5e19},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!create(types[i].element, BUFFER_OUT, types[i].finds))
            fail_msg("%s: %s", element_types[types[i].element].name, error.text);
        if (types[i].misses == 0)
            continue;
        if (create(types[i].element, BUFFER_OUT, types[i].misses))
            fail_msg("%s", element_types[types[i].element].name);
        assert_int_equal(error.code, ERROR_INPUT);
        assert_true(error.line == 12 && error.column == 7);
    }
    assert_false(create(ELEMENT_UCHAR, BUFFER_OUT, 200));
    assert_string_equal(error.text, "elements of y that nothing has written would be below 200 as well");
    assert_true(create(ELEMENT_UCHAR, BUFFER_INOUT, 200)); /* which begins with values of its own */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_must_tell_poison_from_results)};
    return cmocka_run_group_tests(tests, affine_programs_open, affine_programs_close);
}
