/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/macro_guard.h"

#include <stdlib.h>
#include <string.h>

static void test_guards(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted; /* NULL: nothing to guard */
    } cases[] = {
        {"#define N 4096", "#ifndef N\n#define N 4096\n#endif"},
        {"a\n  # define N 4096 // of M\nb N\n", "a\n  #ifndef N\n# define N 4096 // of M\n#endif\nb N\n"},
        {"#define N 4096\r\nx\r\n", "#ifndef N\n#define N 4096\n#endif\r\nx\r\n"},
        {"#define N \\\n 4096\nx", "#ifndef N\n#define N \\\n 4096\n#endif\nx"},
        {"#define N 1 /* one\n two */\nx", "#ifndef N\n#define N 1 /* one\n two */\n#endif\nx"},
        {"#ifdef A\n#define N 1\n#else\n#define N 2\n#endif\n", NULL},
        {"#define N 1\nx\n#undef N\n", NULL},
        {"#undef N\n#define N 1\n", NULL},
        {"// #define N 1\nconst char *s = \"#define N 1\";\n", NULL},
        {"#define NN 1\n#define M N\n", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct guarded_source guarded;
        assert_true(macro_guard(cases[i].text, strlen(cases[i].text), "N", &guarded));
        if (!cases[i].wanted) {
            assert_null(guarded.text);
            continue;
        }
        assert_string_equal(guarded.text, cases[i].wanted);
        assert_int_equal(guarded.length, strlen(cases[i].wanted));
        free(guarded.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
