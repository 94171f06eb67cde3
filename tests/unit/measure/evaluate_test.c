/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The evaluator on the CPU device: right kernels pass, and each kind of fault planted in a kernel is found and named.
 *
 * The job is made by hand: y = 2 x + 1, or y += x with y in-out, at n = 1000 and at the awkward n = 131.
 */
#include "tests/unit/measure/must.h"

#include "tuner/measure/evaluate.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct evaluator *evaluator;
static struct device_description description;
static struct error error;
static char folder[] = "/tmp/tune-evaluate-XXXXXX";
static char reference_path[64], setup_path[64];

enum { BUFFER_X, BUFFER_Y, BUFFER_T, BUFFERS };
enum { N_TUNED = 1000, N_AWKWARD = 131 };

/* What the job looks like; the kernels' sources are apart. */
struct plan {
    const char *kernel;    /* body of `k(const float *x, float *y, float *t, int n)`, with i set */
    const char *reference; /* body of `reference(const float *x, const float *y, double *ref, double *mag, int n)` */
    const char *setup;     /* body of `setup(float *x, float *y, int n)`; NULL: none */
    const char *ahead;     /* text before the kernels; NULL: none */
    bool inout;
    uint64_t temporary; /* extent of t; 0: 10 */
    uint64_t extent;    /* of y at the tuned size; 0: n */
    uint32_t block;     /* 0: 64 */
    size_t exactly;     /* samples; 0: by the rule */
    bool is_timed;      /* take all samples; else a fast incumbent ends the timing after one */
    uint64_t key;
    const char *second; /* body of a second kernel `k2`, with the same arguments; launched after the first */
    bool has_extra;
    struct job_step extra; /* after the first launch, in place of the second */
    const char *symbol;
    bool no_magnitude;
};

static const char affine[] = "if (i < n) y[i] = 2 * x[i] + 1;";
static const char affine_reference[] = "ref[i] = 2.0 * x[i] + 1; mag[i] = fabs(2.0 * x[i]) + 1;";

static int make_evaluator(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(reference_path, sizeof reference_path, "%s/reference.cu", folder);
    snprintf(setup_path, sizeof setup_path, "%s/setup.cu", folder);
    must(evaluator_create(device_driver_find("cpu"), 0, NULL, &evaluator, &error));
    must(evaluator_describe(evaluator, &description, &error));
    return 0;
}

static int drop_evaluator(void **state)
{
    (void)state;
    evaluator_free(evaluator);
    evaluator = NULL;
    return 0;
}

static int remove_folder(void **state)
{
    (void)drop_evaluator(state);
    (void)unlink(reference_path);
    (void)unlink(setup_path);
    return rmdir(folder);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define INDEX "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"

static char *kernel_text(const struct plan *plan)
{
    char *text;
    assert_true(asprintf(&text,
                         "%s\n__global__ void k(const float *x, float *y, float *t, int n)\n{\n" INDEX "%s\n}\n"
                         "__global__ void k2(const float *x, void *any, float *t, int n)\n{\n"
                         "float *y = (float *)any;\n" INDEX "%s\n}\n",
                         plan->ahead ? plan->ahead : "", plan->kernel, plan->second ? plan->second : "") > 0);
    return text;
}

static struct compile_result compile(const char *text, const char *symbol)
{
    const char *kernels[] = {"k", "k2"};
    struct compile_request request = {
        .path = "kernel.cu",
        .text = text,
        .length = strlen(text),
        .folder = folder,
        .defines = "",
        .kernels = kernels,
        .kernel_count = 2,
        .symbols = &symbol,
        .symbol_count = symbol ? 1 : 0,
        .scratch_folder = folder,
    };
    struct compile_result result = {0};
    must(device_driver_find("cpu")->compile(&description, &request, &result, &error));
    if (!result.compiled)
        fail_msg("%s", result.log);
    return result;
}

static struct job_argument buffer_argument(enum argument_kind kind, size_t buffer)
{
    return (struct job_argument){.kind = kind, .buffer = buffer};
}

static struct job_argument int_argument(int value)
{
    struct job_argument argument = {.kind = ARGUMENT_SCALAR, .element = ELEMENT_INT};
    memcpy(argument.bytes, &value, sizeof value);
    return argument;
}

/* Everything that a job points to. */
struct hand_made {
    struct job job;
    struct {
        struct job_buffer buffers[BUFFERS];
        struct job_argument launch_arguments[4], reference_arguments[5], setup_arguments[3];
        struct job_step launch[3], reference[1], setup[1];
        struct job_check checks[1];
    } cases[JOB_CASES];
};

static void make_case(struct hand_made *hand_made, size_t which, const struct plan *plan)
{
    static char *const size_texts[JOB_CASES] = {(char *)"n=1000", (char *)"n=131"};
    int n = which == JOB_TUNED ? N_TUNED : N_AWKWARD;
    uint64_t extent = which == JOB_TUNED && plan->extent ? plan->extent : (uint64_t)n;
    uint32_t block = plan->block ? plan->block : 64;
    struct dimensions grid = {((uint32_t)n + block - 1) / block, 1, 1}, one = {1, 1, 1};
    struct job_case *c = &hand_made->job.cases[which];

    hand_made->cases[which].buffers[BUFFER_X] = (struct job_buffer){(char *)"x",
                                                                    &scalar_layouts[ELEMENT_FLOAT],
                                                                    (uint64_t)n,
                                                                    BUFFER_IN,
                                                                    plan->setup ? INITIAL_NONE : INITIAL_UNIFORM,
                                                                    -1,
                                                                    1};
    hand_made->cases[which].buffers[BUFFER_Y] = (struct job_buffer){(char *)"y",
                                                                    &scalar_layouts[ELEMENT_FLOAT],
                                                                    extent,
                                                                    plan->inout ? BUFFER_INOUT : BUFFER_OUT,
                                                                    plan->inout ? INITIAL_UNIFORM : INITIAL_NONE,
                                                                    1,
                                                                    2};
    hand_made->cases[which].buffers[BUFFER_T] = (struct job_buffer){(char *)"t",
                                                                    &scalar_layouts[ELEMENT_FLOAT],
                                                                    plan->temporary ? plan->temporary : 10,
                                                                    BUFFER_TEMP,
                                                                    INITIAL_NONE,
                                                                    0,
                                                                    0};

    struct job_argument *a = hand_made->cases[which].launch_arguments;
    a[0] = buffer_argument(ARGUMENT_BUFFER, BUFFER_X);
    a[1] = buffer_argument(ARGUMENT_BUFFER, BUFFER_Y);
    a[2] = buffer_argument(ARGUMENT_BUFFER, BUFFER_T);
    a[3] = int_argument(n);
    struct job_step *launch = hand_made->cases[which].launch;
    size_t launches = 0;
    launch[launches++] = (struct job_step){
        .kind = STEP_LAUNCH, .kernel = 0, .grid = grid, .block = {block, 1, 1}, .arguments = a, .argument_count = 4};
    if (plan->second && !plan->has_extra)
        launch[launches++] = (struct job_step){
            .kind = STEP_LAUNCH, .kernel = 1, .grid = one, .block = one, .arguments = a, .argument_count = 4};
    if (plan->has_extra)
        launch[launches++] = plan->extra;

    struct job_argument *r = hand_made->cases[which].reference_arguments;
    r[0] = a[0];
    r[1] = a[1];
    r[2] = buffer_argument(ARGUMENT_REFERENCE, BUFFER_Y);
    r[3] = buffer_argument(plan->no_magnitude ? ARGUMENT_REFERENCE : ARGUMENT_MAGNITUDE, BUFFER_Y);
    r[4] = a[3];
    hand_made->cases[which].reference[0] = (struct job_step){.kind = STEP_LAUNCH,
                                                             .grid = {((uint32_t)n + 63) / 64, 1, 1},
                                                             .block = {64, 1, 1},
                                                             .arguments = r,
                                                             .argument_count = 5};
    struct job_argument *s = hand_made->cases[which].setup_arguments;
    s[0] = a[0];
    s[1] = a[1];
    s[2] = a[3];
    hand_made->cases[which].setup[0] = hand_made->cases[which].reference[0];
    hand_made->cases[which].setup[0].arguments = s;
    hand_made->cases[which].setup[0].argument_count = 3;

    hand_made->cases[which].checks[0] = (struct job_check){.buffer = BUFFER_Y, .bound = 3 * 0x1p-24};
    c->size_text = size_texts[which];
    c->buffers = hand_made->cases[which].buffers;
    c->buffer_count = BUFFERS;
    c->launch = (struct job_steps){launch, launches};
    c->reference = (struct job_steps){hand_made->cases[which].reference, 1};
    c->setup = (struct job_steps){hand_made->cases[which].setup, plan->setup ? 1 : 0};
    c->checks = hand_made->cases[which].checks;
    c->check_count = 1;
}

static char *kernel_names[] = {(char *)"k", (char *)"k2"};
static char *reference_names[] = {(char *)"reference"};
static char *setup_names[] = {(char *)"setup"};

static void make_job(struct hand_made *hand_made, const struct plan *plan, char **symbol)
{
    static uint64_t next_key = 1000; /* unless the plan says otherwise, no job shares another's reference */
    char text[4096];
    memset(hand_made, 0, sizeof *hand_made);
    snprintf(text, sizeof text,
             "__global__ void reference(const float *x, const float *y, double *ref, double *mag, int n)\n{\n" INDEX
             "if (i < n) {\n%s\n}\n}\n",
             plan->reference ? plan->reference : affine_reference);
    write_text(reference_path, text);
    snprintf(text, sizeof text,
             "__global__ void setup(float *x, float *y, int n)\n{\n" INDEX "if (i < n) {\n%s\n}\n}\n",
             plan->setup ? plan->setup : "");
    write_text(setup_path, text);
    hand_made->job = (struct job){
        .program = {.path = (char *)"kernel.cu",
                    .folder = folder,
                    .defines = (char *)"",
                    .kernels = kernel_names,
                    .kernel_count = 2,
                    .symbols = symbol,
                    .symbol_count = plan->symbol ? 1 : 0},
        .setup =
            {.path = setup_path, .folder = folder, .defines = (char *)"", .kernels = setup_names, .kernel_count = 1},
        .reference = {.path = reference_path,
                      .folder = folder,
                      .defines = (char *)"",
                      .kernels = reference_names,
                      .kernel_count = 1},
        .has_awkward = true,
        .reference_key = plan->key ? plan->key : next_key++,
        .seed = 5,
    };
    make_case(hand_made, JOB_TUNED, plan);
    make_case(hand_made, JOB_AWKWARD, plan);
}

static bool evaluate(const struct plan *plan, struct evaluation *evaluation)
{
    struct hand_made hand_made;
    char *symbol = (char *)plan->symbol;
    make_job(&hand_made, plan, &symbol);
    char *text = kernel_text(plan);
    struct compile_result image = compile(text, plan->symbol);
    error = (struct error){0};
    const struct evaluation_effort effort = {.incumbent_ns = plan->is_timed ? 0 : 1e-3, .samples = plan->exactly};
    bool done = evaluator_run(evaluator, &hand_made.job, image.image, image.image_bytes, &effort, evaluation, &error);
    free(text);
    free(image.image);
    free(image.log);
    return done;
}

/* The outcome must be this one and the message have these parts. */
static void expect(const struct plan *plan, enum outcome outcome, const char *part, const char *other)
{
    struct evaluation evaluation;
    if (!evaluate(plan, &evaluation))
        fail_msg("the evaluator failed: %s", error.text);
    const char *message = evaluation.message ? evaluation.message : "";
    if (evaluation.outcome != outcome || (part && !strstr(message, part)) || (other && !strstr(message, other)))
        fail_msg("got %s \"%s\", expected %s \"%s\" \"%s\"", outcome_name(evaluation.outcome), message,
                 outcome_name(outcome), part ? part : "", other ? other : "");
    if (outcome == OUTCOME_OK) {
        assert_true(evaluation.time_ns > 0 && evaluation.sample_count >= 1);
        assert_true(evaluation.time_low_ns <= evaluation.time_ns && evaluation.time_ns <= evaluation.time_high_ns);
        assert_true(evaluation.error_ratio >= 0 && evaluation.error_ratio <= 1);
        assert_true(evaluation.validate_seconds > 0 && evaluation.measure_seconds > 0);
        assert_true(evaluation.resources.max_threads > 0);
    } else {
        assert_true(evaluation.time_ns == 0);
    }
    evaluation_clear(&evaluation);
}

static void expect_template_fault(const struct plan *plan, const char *part)
{
    struct evaluation evaluation;
    assert_false(evaluate(plan, &evaluation));
    assert_int_equal(error.code, ERROR_INPUT);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not mention \"%s\"", error.text, part);
    evaluation_clear(&evaluation);
}

/* ---- right kernels ---------------------------------------------------------------------------------------- */

static void right_kernel_passes(void **state)
{
    (void)state;
    struct plan plan = {.kernel = affine};
    expect(&plan, OUTCOME_OK, NULL, NULL);
}

static void magnitude_is_optional(void **state)
{
    (void)state;
    struct plan plan = {
        .kernel = "if (i < n) y[i] = 2 * x[i] + 3;", .reference = "ref[i] = 2.0 * x[i] + 3;", .no_magnitude = true};
    expect(&plan, OUTCOME_OK, NULL, NULL);
    plan.kernel = "if (i < n) y[i] = (2 * x[i] + 3) * 1.00001f;"; /* 10^-5 is 56 times the tolerance, 3 * 2^-24 */
    expect(&plan, OUTCOME_WRONG_RESULT, "times the tolerance", "131 of 131");
}

static void inout_is_restored_before_each_run(void **state)
{
    (void)state;
    struct plan plan = {.kernel = "if (i < n) y[i] += x[i];",
                        .reference =
                            "ref[i] = (double)y[i] + x[i]; mag[i] = fabs((double)y[i]) + fabs((double)x[i]);",
                        .inout = true};
    expect(&plan, OUTCOME_OK, NULL, NULL);
    plan.setup = "x[i] = i % 7; y[i] = i % 5;"; /* kept as copies */
    expect(&plan, OUTCOME_OK, NULL, NULL);
    plan.kernel = "if (i < n) y[i] = x[i];";
    expect(&plan, OUTCOME_WRONG_RESULT, "y[", "at size n=131");
}

static void setup_makes_inputs(void **state)
{
    (void)state;
    struct plan plan = {.kernel = affine, .setup = "x[i] = i / 3;"};
    expect(&plan, OUTCOME_OK, NULL, NULL);
    plan.kernel = "if (i < n) y[i] = 2 * x[i] + 1; if (i == 5) ((float *)x)[5] = -1;";
    expect(&plan, OUTCOME_OUT_OF_BOUNDS, "wrote into the input x at element 5; 1 of 131", NULL);
}

static void temporaries_may_change_their_extent(void **state)
{
    (void)state;
    struct plan plan = {.kernel = "if (i < n) { t[i] = x[i]; y[i] = 2 * t[i] + 1; }", .temporary = 1000, .key = 7};
    expect(&plan, OUTCOME_OK, NULL, NULL);
    plan.temporary = 999;
    expect(&plan, OUTCOME_OUT_OF_BOUNDS, "wrote past the end of t", "t[999]");
    plan.temporary = 2000;
    expect(&plan, OUTCOME_OK, NULL, NULL);
}

static void symbols_and_fills_are_carried_out(void **state)
{
    (void)state;
    /* The fill covers what the kernel wrote. */
    struct plan plan = {.kernel = "if (i < n) y[i] = i < 10 ? x[i] : 1;",
                        .ahead = "__constant__ float table[10];",
                        .symbol = "table",
                        .reference = "ref[i] = 1; mag[i] = 1;"};
    float one = 1;
    plan.has_extra = true;
    plan.extra = (struct job_step){.kind = STEP_FILL, .target = BUFFER_Y};
    memcpy(plan.extra.bytes, &one, sizeof one);
    expect(&plan, OUTCOME_OK, NULL, NULL);
    memset(plan.extra.bytes, 0, sizeof plan.extra.bytes);
    plan.reference = "ref[i] = 0; mag[i] = 1;";
    expect(&plan, OUTCOME_OK, NULL, NULL);

    plan.reference = "ref[i] = 1; mag[i] = 1;";
    plan.extra = (struct job_step){.kind = STEP_COPY_SYMBOL, .source = BUFFER_X, .count = 10};
    plan.kernel = "if (i < n) y[i] = table[3];"; /* zero in the first run, copied only after it */
    expect(&plan, OUTCOME_WRONG_RESULT, "got 0, expected 1", NULL);
    plan.extra.count = 11;
    expect(&plan, OUTCOME_RESOURCES, "a copy of 44 bytes exceeds its symbol of 40", NULL);
}

static struct job_step launch_second(struct job_argument arguments[4], enum argument_kind y)
{
    arguments[0] = buffer_argument(ARGUMENT_BUFFER, BUFFER_X);
    arguments[1] = buffer_argument(y, BUFFER_Y);
    arguments[2] = buffer_argument(ARGUMENT_BUFFER, BUFFER_T);
    arguments[3] = int_argument(N_AWKWARD);
    return (struct job_step){.kind = STEP_LAUNCH,
                             .kernel = 1,
                             .grid = {1, 1, 1},
                             .block = {1, 1, 1},
                             .arguments = arguments,
                             .argument_count = 4};
}

static void repeats_end_with_their_flag(void **state)
{
    (void)state;
    /* Each round adds 1 to the first 131 elements of y and counts down in t[0]: 5 rounds of at most 8. */
    struct job_argument arguments[4];
    struct job_step body = launch_second(arguments, ARGUMENT_BUFFER);
    struct plan plan = {
        .kernel = "if (i < n) y[i] = 0; if (i == 0) t[0] = 5;",
        .second = "for (int j = 0; j < n; j++) y[j] += 1; t[0] -= 1;",
        .reference = "ref[i] = i < 131 ? 5 : 0; mag[i] = 1;",
        .has_extra = true,
        .extra = {.kind = STEP_REPEAT, .target = BUFFER_T, .rounds = 8, .body = &body, .body_count = 1},
    };
    expect(&plan, OUTCOME_OK, NULL, NULL);
    plan.extra.rounds = 3;
    expect(&plan, OUTCOME_WRONG_RESULT, "got 3, expected 5", "at size n=131");
}

static void effort_says_how_many_samples(void **state)
{
    (void)state;
    struct plan plan = {.kernel = affine};
    struct evaluation evaluation;
    must(evaluate(&plan, &evaluation));
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_int_equal(evaluation.sample_count, 1); /* hopeless */
    evaluation_clear(&evaluation);
    plan.exactly = 73; /* more than the rule would ever take, and in spite of the incumbent */
    must(evaluate(&plan, &evaluation));
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_int_equal(evaluation.sample_count, 73);
    evaluation_clear(&evaluation);
    plan = (struct plan){.kernel = affine, .is_timed = true};
    must(evaluate(&plan, &evaluation));
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_true(evaluation.sample_count >= 5);
    evaluation_clear(&evaluation);
}

/* Whatever the outcome: which device it was, and which inputs. */
static void origin_is_noted(void **state)
{
    (void)state;
    static const char *const kernels[] = {affine, "if (i < n) y[i] = 3;"};
    for (size_t i = 0; i < 2; i++) {
        struct plan plan = {.kernel = kernels[i]};
        struct evaluation evaluation;
        must(evaluate(&plan, &evaluation));
        assert_int_equal(evaluation.outcome, i == 0 ? OUTCOME_OK : OUTCOME_WRONG_RESULT);
        assert_string_equal(evaluation.uuid, description.uuid);
        assert_true(evaluation.uuid[0] && evaluation.seed == 5);
        assert_true(evaluation.energy_j == -1 && evaluation.throttled == 0);
        evaluation_clear(&evaluation);
    }
}

/* ---- wrong kernels ---------------------------------------------------------------------------------------- */

static void planted_faults_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        enum outcome outcome;
        const char *part, *other;
    } faults[] = {
        {"if (i <= n) y[i] = i < n ? 2 * x[i] + 1 : 3;", OUTCOME_OUT_OF_BOUNDS,
         "wrote past the end of y: 4 bytes, first at byte "
         "524 (y[131], the extent is 131)",
         "at size n=131"},
        {"if (i < n) y[i] = 2 * x[i] + 1; if (i == 0) y[-2] = 3;", OUTCOME_OUT_OF_BOUNDS, "wrote before y: 4 bytes",
         "(y[-2])"},
        {"if (i < n) y[i] = 2 * x[i] + 1; if (i == 5) ((float *)x)[5] = 7;", OUTCOME_OUT_OF_BOUNDS,
         "wrote into the input x at element 5; 1 of 131 elements changed", "at size n=131"},
        {"if (i < n && i != 7) y[i] = 2 * x[i] + 1;", OUTCOME_NOT_FINITE,
         "y: 1 of 131 elements were never written, first at 7", "at size n=131"},
        {"if (i < n) y[i] = 2 * x[i] + 1 + (i == n - 1);", OUTCOME_WRONG_RESULT, "y[130]: got ",
         "; 1 of 131 elements wrong, at size n=131"},
        {"if (i < n) y[i] = i == 3 ? (x[i] - x[i]) / 0.0f : 2 * x[i] + 1;", OUTCOME_NOT_FINITE, "y[3]: got ",
         "1 of 131 elements are NaN or infinite"},
        {"if (i < n) y[i] = 0 * y[i] + 2 * x[i] + 1;", OUTCOME_NOT_FINITE, "131 of 131 elements are NaN", NULL},
        {"if (i < n / 8 * 8) y[i] = 2 * x[i] + 1;", OUTCOME_NOT_FINITE, "3 of 131 elements were never written",
         "at size n=131"},
        {"if (i < n) y[i] = 2 * x[i] + (n == 1000 && i == 999 ? 2 : 1);", OUTCOME_WRONG_RESULT, "y[999]",
         "at size n=1000"},
    };
    struct plan right = {.kernel = affine, .key = 11};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct plan plan = {.kernel = faults[i].kernel, .key = 11};
        expect(&plan, faults[i].outcome, faults[i].part, faults[i].other);
        expect(&right, OUTCOME_OK, NULL, NULL); /* no harm is left for the next one */
    }
}

/* Right with NaN in the buffer, whose comparisons are false, and not with a number. */
static void reads_before_writes_are_found(void **state)
{
    (void)state;
    struct plan plan = {.kernel = "if (i < n) y[i] = t[i % 10] > 3 ? 0 : 2 * x[i] + 1;", .key = 13};
    expect(&plan, OUTCOME_WRONG_RESULT,
           "depends on what was in t before: it reads elements that it has not written; ", "at size n=131");
    plan.kernel = "if (i < n) y[i] = y[i] < -3 ? 0 : 2 * x[i] + 1;"; /* every other element is a negative number */
    expect(&plan, OUTCOME_WRONG_RESULT, "depends on what was in y before: ", "65 of 131 elements wrong");
    plan.kernel = "if (i < n) { t[i % 10] = 1; y[i] = t[i % 10] > 3 ? 0 : 2 * x[i] + 1; }";
    expect(&plan, OUTCOME_OK, NULL, NULL);
}

static void a_kernel_that_fails_when_run_again_is_not_blamed_for_reading(void **state)
{
    (void)state;
    struct plan plan = {.ahead = "__device__ int runs;",
                        .kernel = "if (i < n) y[i] = 2 * x[i] + (runs < 1 ? 1 : 2);",
                        .second = "runs++;"};
    expect(&plan, OUTCOME_WRONG_RESULT, "131 of 131 elements wrong", ", at size n=131, when run again");
}

static void kernels_that_are_right_only_once_are_found(void **state)
{
    (void)state;
    struct plan plan = {.ahead = "__device__ int runs;",
                        .kernel = "if (i < n) y[i] = 2 * x[i] + (runs < 3 ? 1 : 2);", /* once at each size, and
                                                                                           again with other poison */
                        .second = "runs++;"};
    expect(&plan, OUTCOME_WRONG_RESULT, "1000 of 1000 elements wrong", "after repeated launches");
    plan.kernel = "if (i < n && runs < 3) y[i] = 2 * x[i] + 1;"; /* leaves what the run before wrote */
    expect(&plan, OUTCOME_NOT_FINITE, "1000 of 1000 elements were never written", "after repeated launches");
}

/* Whatever the number of samples, the last launch is not the one that such a kernel has right. */
static void kernels_that_are_right_every_other_time_are_found(void **state)
{
    (void)state;
    struct plan plan = {.ahead = "__device__ int runs;",
                        .kernel = "if (i < n) y[i] = 2 * x[i] + (runs < 3 || runs % 2 == 0 ? 1 : 2);",
                        .second = "runs++;"};
    for (plan.exactly = 1; plan.exactly <= 4; plan.exactly++)
        expect(&plan, OUTCOME_WRONG_RESULT, "1000 of 1000 elements wrong", "after repeated launches");
}

static void a_damaged_reference_is_noticed(void **state)
{
    (void)state;
    struct job_argument arguments[4];
    struct plan plan = {.kernel = affine,
                        .second = "((double *)y)[17] += 1;", /* y: the reference, as a stray address might be */
                        .key = 12,
                        .has_extra = true,
                        .extra = launch_second(arguments, ARGUMENT_REFERENCE)};
    struct plan right = {.kernel = affine, .key = 12};
    expect(&plan, OUTCOME_OUT_OF_BOUNDS, "into the expected results", "at size n=131");
    expect(&right, OUTCOME_OK, NULL, NULL);
}

static void what_the_device_lacks_is_refused(void **state)
{
    (void)state;
    struct plan plan = {.kernel = affine};
    plan.block = (uint32_t)description.max_threads_per_block + 1;
    expect(&plan, OUTCOME_RESOURCES, "k needs 1025 threads", NULL);
    plan.block = 0;
    plan.extent = UINT64_C(1) << 50;
    expect(&plan, OUTCOME_MEMORY, NULL, NULL);
}

static void a_missing_kernel_is_a_launch_error(void **state)
{
    (void)state;
    kernel_names[1] = (char *)"absent";
    struct hand_made hand_made;
    struct plan plan = {.kernel = affine};
    make_job(&hand_made, &plan, NULL);
    kernel_names[1] = (char *)"k2";
    char *text = kernel_text(&plan);
    struct compile_result image = compile(text, NULL);
    struct evaluation evaluation;
    kernel_names[1] = (char *)"absent";
    must(evaluator_run(evaluator, &hand_made.job, image.image, image.image_bytes, &(struct evaluation_effort){0},
                       &evaluation, &error));
    kernel_names[1] = (char *)"k2";
    assert_int_equal(evaluation.outcome, OUTCOME_LAUNCH_ERROR);
    assert_non_null(strstr(evaluation.message, "absent"));
    evaluation_clear(&evaluation);
    free(text);
    free(image.image);
    free(image.log);
}

/* ---- wrong templates -------------------------------------------------------------------------------------- */

static void wrong_references_are_the_templates_fault(void **state)
{
    (void)state;
    static const struct {
        const char *reference, *setup, *part;
    } faults[] = {
        {"ref[i] = no_such_name;", NULL, "no_such_name"},
        {"if (i != 9) { ref[i] = 1; } mag[i] = 1;", NULL, "leaves 1 elements of ref(y) unwritten, the first at 9"},
        {"ref[i] = 1; mag[i] = -1;", NULL, "element 0 of mag(y)"},
        {"ref[i] = i == 5 ? -sqrt(-1.0 - i) : 1; mag[i] = 1;", NULL, "computes nan for y[5]; 1 of 1000 expected"},
        {"ref[i] = y[i] > x[i] ? 1 : 2; mag[i] = 1;", NULL, "the reference depends on what was in y before"},
        {"ref[i] = 1; mag[i] = 1; if (i == 2) ((float *)x)[2] = 0;", NULL,
         "modifies the input x, first at element 2"},
        {"ref[i] = 1; mag[i] = 1;", "x[i] = 1; x[n] = 1;", "writes past the end of buffer x"},
        {"ref[i] = 1; mag[i] = 1;", "y[i] = 1;", "buffer x is never initialised"},
    };
    struct plan right = {.kernel = affine};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct plan plan = {.kernel = affine, .reference = faults[i].reference, .setup = faults[i].setup};
        expect_template_fault(&plan, faults[i].part);
        expect(&right, OUTCOME_OK, NULL, NULL);
    }
}

static void a_fault_ends_the_evaluator(void **state)
{
    (void)state;
    struct plan plan = {.kernel = "if (i == n / 2) __trap();"};
    struct evaluation evaluation;
    assert_false(evaluate(&plan, &evaluation));
    assert_int_equal(error.code, ERROR_FAULT);
    assert_int_equal(evaluation.outcome, OUTCOME_FAULT);
    assert_true(evaluation.message && strlen(evaluation.message) > 0);
    evaluation_clear(&evaluation);
    (void)drop_evaluator(state);
    must(evaluator_create(device_driver_find("cpu"), 0, NULL, &evaluator, &error));
    plan.kernel = affine;
    plan.reference = "if (i == 3) __trap(); ref[i] = 1; mag[i] = 1;";
    expect_template_fault(&plan, "the template's reference fails");
}

static struct device_driver counting; /* the CPU device's */
static atomic_int compilations;

static bool count_compilation(const struct device_description *of, const struct compile_request *request,
                              struct compile_result *result, struct error *failure)
{
    compilations++;
    return device_driver_find("cpu")->compile(of, request, result, failure);
}

static struct job *copy_of(const struct job *job)
{
    struct job *copy = NULL;
    json_t *json = job_to_json(job);
    must(json && job_from_json(json, &copy, &error));
    json_decref(json);
    return copy;
}

/* The programs of a job that was announced are compiled beside the validation kernels, and not again for the job. */
static void what_is_expected_is_compiled_once(void **state)
{
    static const struct compile_images none = {0};
    struct plan plan = {.kernel = affine, .setup = "x[i] = i; y[i] = 0;"};
    struct hand_made hand_made;
    (void)drop_evaluator(state);
    counting = *device_driver_find("cpu");
    counting.compile = count_compilation;
    make_job(&hand_made, &plan, NULL);
    must(evaluator_open(&counting, 0, &evaluator, &error));
    evaluator_expect(evaluator, &none, copy_of(&hand_made.job));
    must(evaluator_load(evaluator, &none, NULL, &error));
    expect(&plan, OUTCOME_OK, NULL, NULL);
    assert_int_equal(compilations, 3); /* validation kernels, setup and reference */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_kernel_passes),
        cmocka_unit_test(magnitude_is_optional),
        cmocka_unit_test(inout_is_restored_before_each_run),
        cmocka_unit_test(setup_makes_inputs),
        cmocka_unit_test(temporaries_may_change_their_extent),
        cmocka_unit_test(symbols_and_fills_are_carried_out),
        cmocka_unit_test(repeats_end_with_their_flag),
        cmocka_unit_test(effort_says_how_many_samples),
        cmocka_unit_test(origin_is_noted),
        cmocka_unit_test(planted_faults_are_found),
        cmocka_unit_test(reads_before_writes_are_found),
        cmocka_unit_test(a_kernel_that_fails_when_run_again_is_not_blamed_for_reading),
        cmocka_unit_test(kernels_that_are_right_only_once_are_found),
        cmocka_unit_test(kernels_that_are_right_every_other_time_are_found),
        cmocka_unit_test(a_damaged_reference_is_noticed),
        cmocka_unit_test(what_the_device_lacks_is_refused),
        cmocka_unit_test(a_missing_kernel_is_a_launch_error),
        cmocka_unit_test(wrong_references_are_the_templates_fault),
        cmocka_unit_test(a_fault_ends_the_evaluator),
        cmocka_unit_test(what_is_expected_is_compiled_once),
    };
    return cmocka_run_group_tests(tests, make_evaluator, remove_folder);
}
