/* SPDX-License-Identifier: Apache-2.0 */
/* Limits on results: what they hold of, what is known of the image, and what is refused where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/limits.h"

#include <string.h>

static struct limits *parse(const char *first, const char *second)
{
    const char *const texts[] = {first, second};
    struct limits *limits = NULL;
    struct error error = {0};
    if (!limits_parse(texts, second ? 2 : 1, &limits, &error))
        fail_msg("%s: %s", first, error.text);
    return limits;
}

/* 80 registers, 4 KiB of shared memory, 1.5 ms, 2.5 W; the energy is not known. */
static struct evaluation measured(void)
{
    struct evaluation e = evaluation_unmeasured;
    e.outcome = OUTCOME_OK;
    e.time_ns = 1.5e6;
    e.resources.registers = 80;
    e.resources.shared_bytes = 4096;
    e.resources.occupancy = 0.5;
    e.spill_bytes = 0;
    e.state.power_mw = 2500;
    return e;
}

static bool holds(const char *text, const struct evaluation *evaluation, struct error *why)
{
    struct limits *limits = parse(text, NULL);
    bool hold = limits_hold(limits, evaluation, why);
    limits_free(limits);
    return hold;
}

static void units(void **state)
{
    (void)state;
    const struct evaluation e = measured();
    static const char *const met[] = {"registers == 80",
                                      "registers <= 80 and shared_bytes == 4 * 1024",
                                      "1.4e-3 < time < 1.6e-3",
                                      "occupancy >= 0.5",
                                      "power == 2.5",
                                      "spill_bytes == 0",
                                      "not registers > 80",
                                      "time < 2e-3 or energy < 1",
                                      "measured.registers == 80"};
    for (size_t i = 0; i < sizeof met / sizeof *met; i++)
        assert_true(holds(met[i], &e, NULL));
    assert_false(holds("registers <= 79", &e, NULL));
    assert_false(holds("energy < 1", &e, NULL));                /* not known */
    assert_false(holds("energy < 1 or time < 2e-3", &e, NULL)); /* which is asked first */
}

static void says_why(void **state)
{
    (void)state;
    const struct evaluation e = measured();
    struct error why = {0};
    assert_false(holds(" registers <= 64 # few ", &e, &why));
    assert_string_equal(why.text, "registers <= 64 does not hold: registers is 80");
    why = (struct error){0};
    assert_false(holds("time * registers < 0.1", &e, &why));
    assert_string_equal(why.text, "time * registers < 0.1 does not hold: time is 0.0015, registers is 80");
    why = (struct error){0};
    assert_false(holds("energy < 1", &e, &why));
    assert_string_equal(why.text, "whether energy < 1 is not known: energy is not known");
}

/* Several are one condition, which reads back. */
static void joined(void **state)
{
    (void)state;
    struct evaluation e = measured();
    struct limits *limits = parse("registers < 100 or time < 1 # or", "occupancy > 0.4");
    assert_int_equal(limits_count(limits), 2);
    assert_string_equal(limits_text(limits, 1), "occupancy > 0.4");
    assert_string_equal(limits_condition(limits), "(registers < 100 or time < 1) and (occupancy > 0.4)");
    struct limits *again = parse(limits_condition(limits), NULL);
    assert_true(limits_hold(limits, &e, NULL) && limits_hold(again, &e, NULL));
    e.resources.occupancy = 0.25;
    assert_false(limits_hold(limits, &e, NULL) || limits_hold(again, &e, NULL));
    assert_false(limits_need_energy(limits));
    limits_free(again);
    limits_free(limits);
    limits = parse("time < 1", "energy < 1");
    assert_true(limits_need_energy(limits));
    limits_free(limits);
    assert_null(limits_condition(NULL));
    assert_int_equal(limits_count(NULL), 0);
}

/* What an image says is enough to refuse it; what it does not say is no reason. */
static void images(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool hold;
    } cases[] = {
        {"registers <= 64", false}, {"registers <= 80", true},
        {"time < 1e-9", true},      {"registers <= 64 and time < 1", true}, /* as one, it is measured */
        {"local_bytes == 0", true}, {"shared_bytes < 4096 or registers < 80", false},
        {"occupancy > 0.5", false}, {"spill_bytes > 0", false},
    };
    struct evaluation e = measured();
    e.time_ns = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limits *limits = parse(cases[i].text, NULL);
        assert_int_equal(limits_hold_of_image(limits, &e, NULL), cases[i].hold);
        limits_free(limits);
    }
    struct error why = {0};
    struct limits *limits = parse("time < 1", "registers <= 64");
    assert_false(limits_hold_of_image(limits, &e, &why));
    assert_string_equal(why.text, "registers <= 64 does not hold: registers is 80");
    limits_free(limits);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error, *hint;
        unsigned column;
    } cases[] = {
        {"register <= 64", "unknown name register", "did you mean registers?", 1},
        {"time < 1 and registrs <= 64", "unknown name registrs", "did you mean registers?", 14},
        {"TILE <= 64", "unknown name TILE", "", 1},
        {"registers <= ", "expected a value", "", 14},
        {"registers <= 64)", "expected an operator or the end of the limit", "", 16},
        {"1 < 2", "this condition is constant", "", 1},
        {"registers <= 64 or 128", "is a constant", "", 20},
        {"\"registers\"", "is a string", "", 1},
        {"registers[0] < 3", "", "", 10},
        {"", "expected", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limits *limits = NULL;
        struct error error = {0};
        assert_false(limits_parse(&cases[i].text, 1, &limits, &error));
        assert_null(limits);
        assert_int_equal(error.code, ERROR_INPUT);
        assert_string_equal(error.file, "--limit");
        if (!strstr(error.text, cases[i].error) || !strstr(error.hint, cases[i].hint) ||
            error.column != cases[i].column)
            fail_msg("%s: %u: %s (%s)", cases[i].text, error.column, error.text, error.hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),  cmocka_unit_test(says_why), cmocka_unit_test(joined),
        cmocka_unit_test(images), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
