/* SPDX-License-Identifier: Apache-2.0 */
/* A consistent job built by hand; then each index, range and dimension one beyond what there is. */
#include "tests/unit/fixture.h"

#include "tuner/job/check.h"

/* Buffers a (10 floats), b (4 floats), c (2 ints); kernels k; symbols s. One step of each kind. */
struct parts {
    struct job_buffer buffers[3];
    struct job_argument arguments[2];
    struct job_step inner, launch[5], reference;
    struct job_check check;
    struct job_statement statement;
    struct job job;
};

static void build(struct parts *p)
{
    *p = (struct parts){
        .buffers = {{.name = (char[]){"a"}, .layout = &scalar_layouts[ELEMENT_FLOAT], .extent = 10},
                    {.name = (char[]){"b"}, .layout = &scalar_layouts[ELEMENT_FLOAT], .extent = 4},
                    {.name = (char[]){"c"}, .layout = &scalar_layouts[ELEMENT_INT], .extent = 2}},
        .arguments = {{.kind = ARGUMENT_BUFFER, .buffer = 1, .offset = 4},
                      {.kind = ARGUMENT_SCALAR, .buffer = 99, .element = ELEMENT_INT}}, /* a scalar has no buffer */
        .check = {.buffer = 2},
    };
    const struct dimensions one = {1, 1, 1};
    p->inner = (struct job_step){.kind = STEP_FILL, .target = 2};
    p->launch[0] = (struct job_step){
        .kind = STEP_LAUNCH, .grid = one, .block = one, .arguments = p->arguments, .argument_count = 2};
    p->launch[1] = (struct job_step){.kind = STEP_COPY_SYMBOL, .source = 0, .first = 4, .count = 6};
    p->launch[2] =
        (struct job_step){.kind = STEP_COPY, .source = 0, .target = 1, .first = 7, .count = 3, .target_first = 1};
    p->launch[3] = (struct job_step){.kind = STEP_FILL, .target = 2};
    p->launch[4] =
        (struct job_step){.kind = STEP_REPEAT, .target = 2, .rounds = 3, .body = &p->inner, .body_count = 1};
    p->reference = (struct job_step){.kind = STEP_LAUNCH, .grid = one, .block = one};
    struct job_case *tuned = &p->job.cases[JOB_TUNED];
    *tuned = (struct job_case){.buffers = p->buffers, .buffer_count = 3, .checks = &p->check, .check_count = 1};
    tuned->launch = (struct job_steps){p->launch, 5};
    tuned->reference = (struct job_steps){&p->reference, 1};
    p->job.cases[JOB_AWKWARD] = *tuned;
    p->job.has_awkward = true;
    p->job.program = (struct job_program){.path = (char[]){"k.cu"}, .kernel_count = 1, .symbol_count = 1};
    p->job.program.statements = &p->statement;
    p->job.program.statement_count = 1;
    p->job.reference = (struct job_program){.path = (char[]){"r.cu"}, .kernel_count = 1};
}

#define REFUSED(change, message)                                                                                     \
    do {                                                                                                             \
        build(&p);                                                                                                   \
        change;                                                                                                      \
        if (job_check(&p.job, &error))                                                                               \
            fail_msg("accepted: %s", #change);                                                                       \
        assert_int_equal(error.code, ERROR_SYSTEM);                                                                  \
        assert_mentions(error.text, message);                                                                        \
    } while (0)

static void test_consistent(void **state)
{
    (void)state;
    static struct parts p;
    struct error error;
    build(&p);
    assert_success(job_check(&p.job, &error), &error);
    p.job.cases[JOB_AWKWARD] = (struct job_case){0};
    p.job.cases[JOB_AWKWARD].check_count = 7; /* not looked at */
    p.job.has_awkward = false;
    assert_success(job_check(&p.job, &error), &error);
}

static void test_one_beyond(void **state)
{
    (void)state;
    static struct parts p;
    struct error error;
    REFUSED(p.job.program.path = NULL, "no program");
    REFUSED(p.launch[0].kernel = 1, "no such kernel");
    REFUSED(p.reference.kernel = 1, "no such kernel");
    REFUSED(p.job.reference.kernel_count = 0, "no such kernel");
    REFUSED(p.launch[0].statement = 1, "no such statement");
    REFUSED(p.launch[0].grid.y = 0, "dimension");
    REFUSED(p.launch[0].block.z = 0, "dimension");
    REFUSED(p.arguments[0].buffer = 3, "no such buffer");
    REFUSED(p.arguments[0].offset = 5, "outside its buffer");
    REFUSED(p.arguments[0].kind = ARGUMENT_REFERENCE; p.arguments[0].buffer = 3, "no such buffer");
    REFUSED(p.launch[1].symbol = 1, "no such symbol");
    REFUSED(p.launch[1].source = 3, "no such buffer");
    REFUSED(p.launch[1].first = 5, "outside its buffer");
    REFUSED(p.launch[1].first = UINT64_MAX, "outside its buffer");
    REFUSED(p.launch[1].count = UINT64_MAX - 2, "outside its buffer"); /* first + count wraps around to 1 */
    REFUSED(p.launch[2].count = 4, "outside its buffer");
    REFUSED(p.launch[2].target_first = 2, "outside its buffer");
    REFUSED(p.launch[2].target = 2; p.launch[2].count = 1, "different types");
    REFUSED(p.launch[3].target = 3, "no such buffer");
    REFUSED(p.launch[4].target = 3, "no such buffer");
    REFUSED(p.buffers[2].extent = 0, "outside its buffer"); /* the condition of repeat is its first element */
    REFUSED(p.inner.target = 3, "no such buffer");
    REFUSED(p.launch[3].kind = (enum job_step_kind)(STEP_ALLOCATE + 1), "no such kind");
    REFUSED(p.check.buffer = 3, "no such buffer");
    REFUSED(p.check.partial = true; p.check.first = UINT64_MAX, "outside its buffer");
    REFUSED(p.check.partial = true; p.check.count = UINT64_MAX, "outside its buffer");
    REFUSED(p.buffers[0].extent = (uint64_t)INT64_MAX / 4 + 1, "too large to address");
    REFUSED(p.job.cases[JOB_AWKWARD].check_count = 0; p.job.cases[JOB_AWKWARD].buffer_count = 2, "no such buffer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_consistent),
        cmocka_unit_test(test_one_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
