/* SPDX-License-Identifier: Apache-2.0 */
/* Which buffers a program passes. */
#include "launched.h"

static void expect(const struct launched *l, const struct passed *passed, size_t i, const char *name,
                   enum tune_role role, const char *memory)
{
    assert_true(i < passed->count);
    const struct passed_buffer *own = &passed->list[i];
    assert_string_equal(l->template->buffers[own->buffer].name, name);
    assert_string_equal(l->template->buffers[own->memory].name, memory);
    assert_int_equal(own->role, role);
    assert_int_equal(passed->of[own->memory], i);
}

static bool find(struct launched *l, const char *blocks, struct passed *passed)
{
    static const char buffers[] = "template t \"t\"\nsize n = 8\nparameter K \"k\"\nsource \"t.cu\"\n"
                                  "buffer seed : int[1] in index()\nbuffer x : int[n] in index()\n"
                                  "buffer a : int[n] temp\nbuffer b : int[n] temp\n"
                                  "buffer y : int[n] out\nbuffer z : int[n] inout constant(1)\n"
                                  "buffer faults : uchar[n] out\n"
                                  "setup \"t.cu\" { k<<<1, 1>>>(seed, x) }\n";
    static const char judged[] = "verify \"t.cu\" { k<<<1, 1>>>(x, a, faults) }\n"
                                 "check y exact\ncheck z exact\ncheck faults exact\n"
                                 "reference \"t.cu\" { k<<<1, 1>>>(ref(y), ref(z), ref(faults)) }\n";
    char text[2048];
    struct job *job;
    snprintf(text, sizeof text, "%s%s%s", buffers, blocks, judged);
    launched_write_for(l, text, "", "{\"K\":1}");
    must(job_lower(l->problem, 0, 0, &job, &error));
    bool found = passed_find(l->template, &job->cases[JOB_TUNED], passed, &error);
    job_free(job);
    return found;
}

static void inputs_outputs_and_what_is_judged(void **state)
{
    (void)state;
    struct launched l;
    struct passed passed;
    must(find(&l, "launch { if K == 2 { k<<<1, 1>>>(x) } else { k<<<1, 1>>>(a, b, y, z) } }\n", &passed));
    assert_int_equal(passed.count, 4); /* neither `seed`, of setup, nor `faults`, of verify; x, if not in this one */
    expect(&l, &passed, 0, "x", TUNE_IN, "x");
    expect(&l, &passed, 1, "a", TUNE_OUT, "a");
    expect(&l, &passed, 2, "y", TUNE_OUT, "y");
    expect(&l, &passed, 3, "z", TUNE_INOUT, "z");
    assert_int_equal(passed.of[3], PASSED_NONE);
    assert_int_equal(passed.list[0].bytes, 32);
    assert_int_equal(passed.list[0].alignment, 16); /* as vectors need it */
    passed_clear(&passed);
    launched_close(&l);
}

static void what_types_need_and_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        uint64_t alignment;
    } cases[] = {{"uchar[15]", 1}, {"uchar[16]", 16}, {"int[3]", 4},    {"float[4]", 16},
                 {"float2[1]", 8}, {"wide[1]", 64},   {"double[1]", 8}, {"wide[0]", 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launched l;
        struct passed passed;
        struct job *job;
        char text[512];
        snprintf(text, sizeof text,
                 "template t\nparameter K\nsource \"t.cu\"\nstruct wide align 64 { a : int }\n"
                 "buffer x : %s in\nsetup \"t.cu\" { k<<<1, 1>>>(x) }\nbuffer y : int[1] out\n"
                 "launch { k<<<1, 1>>>(x, y) }\ncheck y exact\n",
                 cases[i].type);
        launched_write_for(&l, text, "", "{\"K\":1}");
        must(job_lower(l.problem, 0, 0, &job, &error));
        must(passed_find(l.template, &job->cases[JOB_TUNED], &passed, &error));
        assert_int_equal(passed.list[0].alignment, cases[i].alignment);
        passed_clear(&passed);
        job_free(job);
        launched_close(&l);
    }
}

static void results_in_other_buffers(void **state)
{
    (void)state;
    struct launched l;
    struct passed passed;
    must(find(&l, "launch { k<<<1, 1>>>(a, b, y, z)\nswap a, b\nswap y, b }\n", &passed));
    expect(&l, &passed, 0, "a", TUNE_OUT, "b"); /* x is not mentioned */
    expect(&l, &passed, 1, "y", TUNE_OUT, "a");
    assert_int_equal(passed.of[4], PASSED_NONE);
    passed_clear(&passed);
    launched_close(&l);
    must(find(&l, "launch { k<<<1, 1>>>(x, a, b, y, z)\nswap z, b }\n", &passed));
    expect(&l, &passed, 3, "z", TUNE_INOUT, "z");
    assert_int_equal(passed.list[3].result, 3); /* b, from where it is copied */
    passed_clear(&passed);
    launched_close(&l);
    assert_false(find(&l, "launch { k<<<1, 1>>>(a, b, y, z)\nswap y, z }\n", &passed));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "swapped"));
    passed_clear(&passed);
    launched_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_outputs_and_what_is_judged),
        cmocka_unit_test(what_types_need_and_vectors),
        cmocka_unit_test(results_in_other_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
