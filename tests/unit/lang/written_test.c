/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#include "tuner/lang/written.h"

/* y is the second of the buffers. */
static bool writes(const char *blocks)
{
    char text[1024];
    snprintf(text, sizeof text,
             "template t\nsize n = 16\nparameter A\nsource \"k.cu\"\nstruct s {\n p : float*\n n : int\n}\n"
             "buffer x : float[n] in index()\nbuffer y : float[n] out\nbuffer z : float[n] temp\n"
             "buffer flag : int[1] scratch constant(1)\ncheck y exact\n"
             "setup \"s.cu\" { s<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(y, ref(y)) }\n%s\n",
             blocks);
    struct template *t = parse_template_text(text);
    bool found = template_may_write(t, 1);
    template_free(t);
    return found;
}

static void test_each_statement(void **state)
{
    (void)state;
    static const char *const writing[] = {
        "launch { k<<<1, 1>>>(x, y) }",
        "launch { k<<<1, 1>>>(x, y + 4) }",
        "launch { k<<<1, 1>>>(s(y + 1, n)) }",
        "launch { k<<<1, 1>>>(surface(y, 4, 4)) }",
        "launch { k<<<1, 1>>>(z)\ncopy y <- z }",
        "launch { k<<<1, 1>>>(z)\nfill y = 0 }",
        "launch { k<<<1, 1>>>(z)\nswap z, y }",
        "launch { for i in range(A) { k<<<1, 1>>>(x, y) } }",
        "launch { k<<<1, 1>>>(z)\nif A == 1 { let b = 1 } else { k<<<1, 1>>>(y) } }",
        "launch { k<<<1, 1>>>(z)\nrepeat 3 while flag { k<<<1, 1>>>(y) } }",
        "launch { k<<<1, 1>>>(z) }\nprepare { k<<<1, 1>>>(y) }",
        "launch { k<<<1, 1>>>(z) }\nfinish { copy y <- z }",
        "launch { k<<<1, 1>>>(z) }\nverify \"v.cu\" { k<<<1, 1>>>(z, y) }",
    };
    for (size_t i = 0; i < sizeof writing / sizeof *writing; i++) {
        if (!writes(writing[i]))
            fail_msg("%s", writing[i]);
    }
}

/* Setup and the reference come before the poison. */
static void test_none(void **state)
{
    (void)state;
    assert_false(writes("launch { k<<<1, 1>>>(x, z, n, float4(1, 2, 3, n), s(z, n)) }"));
    assert_false(writes("launch { k<<<1, 1>>>(z)\ncopy z <- y\ncopy c <- y\nfill z = 1\nwait 0 after 0 }"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_statement), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
