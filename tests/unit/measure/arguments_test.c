/* SPDX-License-Identifier: Apache-2.0 */
/* What may be passed for which parameter, and what is said of the rest, on a made-up device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"

#include "tuner/measure/arguments.h"

#include <string.h>

/* ---- a device with one kernel ---- */

enum { MOST = 4 };

struct device_kernel {
    struct kernel_parameter parameters[MOST];
    size_t count;
};

static struct device_kernel kernel, *kernels[] = {&kernel};
static char kernel_name[] = "saxpy", *kernel_names[] = {kernel_name}, template_file[] = "a.template";

static const struct kernel_parameter *parameters(const struct device_kernel *asked, size_t *count)
{
    *count = asked->count;
    return asked->parameters;
}

static const struct device_driver driver = {.kind = "made up", .parameters = parameters};

#define INTEGER(bytes)                                                                                               \
    {                                                                                                                \
        PARAMETER_INTEGER, bytes, false                                                                              \
    }
#define UNSIGNED(bytes)                                                                                              \
    {                                                                                                                \
        PARAMETER_INTEGER, bytes, true                                                                               \
    }
#define REAL(bytes)                                                                                                  \
    {                                                                                                                \
        PARAMETER_REAL, bytes, false                                                                                 \
    }
#define OTHER(bytes)                                                                                                 \
    {                                                                                                                \
        PARAMETER_OTHER, bytes, false                                                                                \
    }
#define UNKNOWN(bytes)                                                                                               \
    {                                                                                                                \
        PARAMETER_UNKNOWN, bytes, false                                                                              \
    }
#define POINTER                                                                                                      \
    {                                                                                                                \
        PARAMETER_POINTER, 8, false                                                                                  \
    }

/* ---- a launch of it ---- */

static struct job_buffer buffers[ELEMENT_COUNT];
static struct job_argument arguments[MOST];
static struct job_step step, outer;
static struct job_place places[MOST];
static struct job_statement statement;
static struct error error;

static bool check_step(struct job_step *first)
{
    const struct program program = {.kernels = kernels, .kernel_count = 1};
    const struct job_program source = {.kernels = kernel_names,
                                       .kernel_count = 1,
                                       .template_file = template_file,
                                       .statements = &statement,
                                       .statement_count = statement.place.line > 0};
    const struct job_case job_case = {.buffers = buffers, .buffer_count = ELEMENT_COUNT};
    const struct job_steps steps = {first, 1};
    error = (struct error){0};
    bool right = arguments_check(&driver, &program, &source, &job_case, &steps, &error);
    assert_int_equal(error.code, right ? ERROR_NONE : ERROR_INPUT);
    return right;
}

/* Is `argument` right for this parameter? */
static bool passes(struct kernel_parameter parameter, struct job_argument argument)
{
    kernel = (struct device_kernel){.parameters = {parameter}, .count = 1};
    arguments[0] = argument;
    step = (struct job_step){.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 1};
    statement = (struct job_statement){0};
    return check_step(&step);
}

static struct job_argument scalar(enum element element)
{
    return (struct job_argument){.kind = ARGUMENT_SCALAR, .element = element, .bytes = {1}};
}

static struct job_argument buffer(enum element element)
{
    return (struct job_argument){.kind = ARGUMENT_BUFFER, .buffer = (size_t)element};
}

static int begin(void **state)
{
    static char name[] = "x";
    (void)state;
    for (size_t i = 0; i < ELEMENT_COUNT; i++)
        buffers[i] = (struct job_buffer){.name = name, .layout = &scalar_layouts[i]};
    return 0;
}

/* ---- scalars ---- */

/* Every type of argument for every type of parameter: sizes, and real or not, must be the same. */
static void scalars_match_in_size_and_kind(void **state)
{
    (void)state;
    static const struct parameter_type types[] = {INTEGER(1),  INTEGER(2),  INTEGER(4),  INTEGER(8), UNSIGNED(1),
                                                  UNSIGNED(2), UNSIGNED(4), UNSIGNED(8), REAL(4),    REAL(8)};
    static const struct {
        size_t bytes;
        bool real;
    } elements[ELEMENT_COUNT] = {
        [ELEMENT_CHAR] = {1, false},   [ELEMENT_UCHAR] = {1, false}, [ELEMENT_SHORT] = {2, false},
        [ELEMENT_USHORT] = {2, false}, [ELEMENT_INT] = {4, false},   [ELEMENT_UINT] = {4, false},
        [ELEMENT_LONG] = {8, false},   [ELEMENT_ULONG] = {8, false}, [ELEMENT_FLOAT] = {4, true},
        [ELEMENT_DOUBLE] = {8, true},  [ELEMENT_HALF] = {2, true},   [ELEMENT_BFLOAT16] = {2, true},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        for (size_t j = 0; j < ELEMENT_COUNT; j++) {
            bool right = types[i].bytes == elements[j].bytes && (types[i].kind == PARAMETER_REAL) == elements[j].real;
            if (elements[j].real && elements[j].bytes == 2) /* no kernel's real; its bits are an unsigned short */
                right = types[i].bytes == 2 && types[i].is_unsigned;
            struct kernel_parameter parameter = {.type = types[i]};
            if (passes(parameter, scalar((enum element)j)) != right)
                fail_msg("parameter %zu, %s", i, element_types[j].name);
        }
    }
}

static void of_unknown_types_the_size_counts(void **state)
{
    (void)state;
    for (size_t j = 0; j < ELEMENT_COUNT; j++) {
        size_t bytes = element_types[j].bytes;
        assert_true(passes((struct kernel_parameter){.type = UNKNOWN(0)}, scalar((enum element)j)));
        assert_true(passes((struct kernel_parameter){.type = OTHER(0)}, scalar((enum element)j)));
        assert_true(passes((struct kernel_parameter){.type = UNKNOWN(bytes)}, scalar((enum element)j)));
        assert_true(passes((struct kernel_parameter){.type = OTHER(bytes)}, scalar((enum element)j)));
        assert_false(passes((struct kernel_parameter){.type = UNKNOWN(2 * bytes)}, scalar((enum element)j)));
        assert_false(passes((struct kernel_parameter){.type = OTHER(2 * bytes)}, scalar((enum element)j)));
    }
}

static void a_pointer_is_a_buffer_or_null(void **state)
{
    (void)state;
    struct kernel_parameter pointer = {.type = POINTER, .target = REAL(4)};
    struct job_argument null = scalar(ELEMENT_LONG);
    assert_false(passes(pointer, null));
    null.bytes[0] = 0;
    assert_true(passes(pointer, null));
    null.element = ELEMENT_DOUBLE;
    assert_false(passes(pointer, null));
    null.element = ELEMENT_INT;
    assert_false(passes(pointer, null));
    assert_false(passes((struct kernel_parameter){.type = INTEGER(8)}, buffer(ELEMENT_FLOAT)));
    assert_false(passes((struct kernel_parameter){.type = REAL(8)}, buffer(ELEMENT_FLOAT)));
    assert_false(passes((struct kernel_parameter){.type = UNKNOWN(4)}, buffer(ELEMENT_FLOAT)));
    assert_true(passes((struct kernel_parameter){.type = UNKNOWN(8)}, buffer(ELEMENT_FLOAT)));
    assert_true(passes((struct kernel_parameter){.type = OTHER(8)}, buffer(ELEMENT_FLOAT))); /* a struct around it */
}

/* ---- buffers ---- */

static bool points_at(struct parameter_type target, enum element element)
{
    return passes((struct kernel_parameter){.type = POINTER, .target = target}, buffer(element));
}

static void pointers_match_the_element_type(void **state)
{
    (void)state;
    assert_true(points_at((struct parameter_type)REAL(4), ELEMENT_FLOAT));
    assert_true(points_at((struct parameter_type)REAL(8), ELEMENT_DOUBLE));
    assert_true(points_at((struct parameter_type)INTEGER(4), ELEMENT_INT));
    assert_true(points_at((struct parameter_type)INTEGER(4), ELEMENT_UINT));
    assert_true(points_at((struct parameter_type)UNSIGNED(8), ELEMENT_LONG));
    assert_false(points_at((struct parameter_type)REAL(8), ELEMENT_FLOAT));
    assert_false(points_at((struct parameter_type)REAL(4), ELEMENT_DOUBLE));
    assert_false(points_at((struct parameter_type)REAL(4), ELEMENT_INT));
    assert_false(points_at((struct parameter_type)INTEGER(4), ELEMENT_FLOAT));
    assert_false(points_at((struct parameter_type)INTEGER(8), ELEMENT_INT));
    assert_false(points_at((struct parameter_type)INTEGER(2), ELEMENT_INT));
    assert_false(points_at((struct parameter_type)UNSIGNED(8), ELEMENT_FLOAT));
}

/* Bits of a float, bytes of anything, vectors, void, buffers of bytes. */
static void other_views_of_the_same_bytes_are_right(void **state)
{
    (void)state;
    assert_true(points_at((struct parameter_type)UNSIGNED(4), ELEMENT_FLOAT));
    assert_true(points_at((struct parameter_type)UNSIGNED(8), ELEMENT_DOUBLE));
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        assert_true(points_at((struct parameter_type)INTEGER(1), (enum element)i));
        assert_true(points_at((struct parameter_type)UNSIGNED(1), (enum element)i));
        assert_true(points_at((struct parameter_type)OTHER(16), (enum element)i));
        assert_true(points_at((struct parameter_type)UNKNOWN(0), (enum element)i));
        assert_true(points_at((struct parameter_type)POINTER, (enum element)i));
    }
    assert_true(points_at((struct parameter_type)INTEGER(4), ELEMENT_CHAR));
    assert_true(points_at((struct parameter_type)REAL(8), ELEMENT_UCHAR));
}

/* Expected values and magnitudes are doubles, whatever the buffer is. */
static void references_are_doubles(void **state)
{
    (void)state;
    for (enum argument_kind kind = ARGUMENT_REFERENCE; kind <= ARGUMENT_MAGNITUDE; kind++) {
        struct job_argument argument = {.kind = kind, .buffer = ELEMENT_FLOAT};
        assert_true(passes((struct kernel_parameter){.type = POINTER, .target = REAL(8)}, argument));
        assert_false(passes((struct kernel_parameter){.type = POINTER, .target = REAL(4)}, argument));
        assert_non_null(strstr(error.text, "(x), an array of double"));
    }
}

/* ---- launches ---- */

static void two_parameters(void)
{
    static const char line[] = "launch { saxpy<<<1, 1>>>(x, double(2 * (n)), n) }";
    kernel = (struct device_kernel){.parameters = {{.type = POINTER, .target = REAL(4), .text = "const float *"},
                                                   {.type = REAL(4), .text = "float"}},
                                    .count = 2};
    arguments[0] = buffer(ELEMENT_FLOAT);
    arguments[1] = scalar(ELEMENT_FLOAT);
    step = (struct job_step){.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 2};
    statement = (struct job_statement){
        .place = {7, 10, 9, (char *)(uintptr_t)line}, .arguments = places, .argument_count = 2};
    places[0] = (struct job_place){7, 26, 1, NULL};
    places[1] = (struct job_place){7, 29, 15, NULL};
}

static void the_place_and_the_conversion_are_told(void **state)
{
    (void)state;
    two_parameters();
    assert_true(check_step(&step));
    arguments[1] = scalar(ELEMENT_DOUBLE);
    assert_false(check_step(&step));
    assert_string_equal(error.text, "parameter 2 of saxpy is `float`, but the launch passes double");
    assert_string_equal(error.hint, "write float(2 * (n)), or change the kernel");
    assert_string_equal(error.file, "a.template");
    assert_int_equal(error.line, 7);
    assert_int_equal(error.column, 29);
    assert_int_equal(error.caret, 28);
    assert_int_equal(error.caret_length, 15);
    arguments[1] = scalar(ELEMENT_ULONG);
    places[1] = (struct job_place){8, 3, 1, (char[]){"  n) }"}};
    assert_false(check_step(&step));
    assert_string_equal(error.text,
                        "parameter 2 of saxpy is `float`, but the launch passes ulong (unsigned long long)");
    assert_string_equal(error.hint, "write float(n), or change the kernel");
    assert_string_equal(error.excerpt, "  n) }");
}

static void buffers_are_named(void **state)
{
    (void)state;
    two_parameters();
    arguments[0] = buffer(ELEMENT_INT);
    assert_false(check_step(&step));
    assert_string_equal(error.text,
                        "parameter 1 of saxpy is `const float *`, but the launch passes x, a buffer of int");
    assert_non_null(strstr(error.hint, "declare `const void *`"));
    kernel.parameters[0] = (struct kernel_parameter){.type = UNKNOWN(4)};
    assert_false(check_step(&step));
    assert_string_equal(error.text, "parameter 1 of saxpy has 4 bytes, but the launch passes x, a buffer of int");
}

static void numbers_of_arguments(void **state)
{
    (void)state;
    two_parameters();
    step.argument_count = 1;
    assert_false(check_step(&step));
    assert_string_equal(error.text, "saxpy has 2 parameters, but the launch passes 1 argument");
    assert_int_equal(error.line, 0); /* the statement is another's */
    two_parameters();
    kernel.count = 1;
    assert_false(check_step(&step));
    assert_string_equal(error.text, "saxpy has 1 parameter, but the launch passes 2 arguments");
    assert_int_equal(error.column, 10);
}

static void launches_in_repeats_count(void **state)
{
    (void)state;
    two_parameters();
    outer = (struct job_step){.kind = STEP_REPEAT, .body = &step, .body_count = 1};
    assert_true(check_step(&outer));
    arguments[1] = scalar(ELEMENT_INT);
    assert_false(check_step(&outer));
    step.kind = STEP_FILL;
    assert_true(check_step(&outer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_match_in_size_and_kind),
        cmocka_unit_test(of_unknown_types_the_size_counts),
        cmocka_unit_test(a_pointer_is_a_buffer_or_null),
        cmocka_unit_test(pointers_match_the_element_type),
        cmocka_unit_test(other_views_of_the_same_bytes_are_right),
        cmocka_unit_test(references_are_doubles),
        cmocka_unit_test(the_place_and_the_conversion_are_told),
        cmocka_unit_test(buffers_are_named),
        cmocka_unit_test(numbers_of_arguments),
        cmocka_unit_test(launches_in_repeats_count),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
