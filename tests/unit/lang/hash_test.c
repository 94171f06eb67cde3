/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static void hash_of(const char *data, void (*add)(struct hash *hash, const struct text *text), char digits[17])
{
    struct arena arena = {0};
    struct text text;
    assert_true(text_copy(&text, &arena, "test", data, strlen(data), NULL));
    struct hash *hash = hash_create();
    assert_non_null(hash);
    add(hash, &text);
    hash_digits(hash, digits);
    hash_free(hash);
    arena_free(&arena);
}

/* XXH3 of the whole, however it comes in pieces. */
static void test_bytes(void **state)
{
    (void)state;
    char data[5000], wanted[17], got[17];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * i);
    snprintf(wanted, sizeof wanted, "%016" PRIx64, (uint64_t)XXH3_64bits(data, sizeof data));
    struct hash *hash = hash_create();
    assert_non_null(hash);
    for (size_t at = 0, piece = 1; at < sizeof data; at += piece, piece = piece % 97 + 1) {
        size_t left = sizeof data - at;
        hash_bytes(hash, data + at, piece < left ? piece : left);
    }
    hash_digits(hash, got);
    assert_string_equal(got, wanted);
    hash_free(hash);
    hash_free(NULL);
}

/* Tokens as written, a NUL behind each, a newline between two lines: a contract with every stored result. */
static void test_tokens(void **state)
{
    (void)state;
    static const char bytes[] = "let\0a\0=\0\"x # y\"\0\nlet\0b\0=\0(\0001\0+\0002\0)";
    char wanted[17], got[17];
    snprintf(wanted, sizeof wanted, "%016" PRIx64, (uint64_t)XXH3_64bits(bytes, sizeof bytes));
    hash_of("# head\n\nlet a   =\t\"x # y\" # tail\r\n\n\nlet b=(1 +\n2)\n\n", hash_tokens, got);
    assert_string_equal(got, wanted);
}

/* Figures of work other than flops and bytes leave no trace, wherever they stand. */
static void test_figures_of_work(void **state)
{
    (void)state;
    static const char *const groups[][8] = {
        {"let a = 1\nwork flops = n, bytes = max(n, m)\nlet b = 2\n",
         "let a = 1\nwork flops = n, bytes = max(n, m), special = max(n, 2)\nlet b = 2\n",
         "let a = 1\nwork special = n, flops = n, shared = (1, 2)[0], bytes = max(n, m)\nlet b = 2\n",
         "let a = 1\nwork special = n, shared = n, flops = n, integer = 3, bytes = max(n, m)\nlet b = 2\n"},
        {"let a = 1\nlet b = 2\n", "let a = 1\nwork special = n\nlet b = 2\n",
         "let a = 1\nlet b = 2\nwork special = n, integer = min(1, n)\n", "work special = n\nlet a = 1\nlet b = 2"},
        {"let a = 1\nwork flops = 2 * n\nlet b = 2\n"},
        {"let a = 1\nwork bytes = 2 * n, flops = n\nlet b = 2\n"},
        {"launch {\nwork<<<n, m>>>(special)\n}\n"},
        {"launch {\nwork<<<n, m>>>(shared)\n}\n"},
    };
    enum { GROUPS = sizeof groups / sizeof *groups };
    char first[GROUPS][17], other[17];
    for (size_t i = 0; i < GROUPS; i++) {
        hash_of(groups[i][0], hash_tokens, first[i]);
        for (size_t j = 1; j < 8 && groups[i][j]; j++) {
            hash_of(groups[i][j], hash_tokens, other);
            assert_string_equal(other, first[i]);
        }
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(first[i], first[j]);
    }
}

/* What values mean cannot be measured: results stay when it is added or edited. All else around it counts. */
static void test_described_values(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        {"parameter V \"v\"\nsize n = 1\n", "parameter V \"v\" {\n \"a\" \"}b\"\n\n \"c\" \"d\"\n}\nsize n = 1\n",
         true},
        {"parameter V { \"a\" \"b\" }\n", "parameter V { \"a\" \"c\" }\n", true},
        {"parameter V { \"a\" \"b\" }\n", "parameter W { \"a\" \"b\" }\n", false},
        {"parameter V \"v\"\n", "parameter V \"w\"\n", false},
        {"parameter V { }\nsize n = 1\n", "parameter V { }\nsize n = 2\n", false},
        {"launch {\nparameter<<<1, 1>>>(x)\n}\n", "launch {\nparameter<<<1, 2>>>(x)\n}\n", false},
        {"launch { a<<<1, 1>>>(x) }\n", "launch { b<<<1, 1>>>(x) }\n", false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char a[17], b[17], first[256], second[256]; /* behind a statement, as in a template */
        snprintf(first, sizeof first, "template t\n%s", pairs[i].a);
        snprintf(second, sizeof second, "template t\n%s", pairs[i].b);
        hash_of(first, hash_tokens, a);
        hash_of(second, hash_tokens, b);
        if ((strcmp(a, b) == 0) != pairs[i].same)
            fail_msg("<%s> and <%s> have %s hashes", first, second, pairs[i].same ? "different" : "equal");
    }
}

/* How results are judged leaves no trace, wherever it stands; a kernel or a parameter of such a name does. */
static void test_metrics(void **state)
{
    (void)state;
    static const char plain[] = "template t\nlet a = 1\nlet b = 2\n";
    static const char *const same[] = {
        "template t\nlet a = 1\nmetric \"m\" = time\nlet b = 2\n",
        "template t\nmetric m = (a +\n b)\nlet a = 1\nobjective x = maximize 1 / time\nlet b = 2\n",
        "template t\nlet a = 1\nlet b = 2\ndefault objective x\n",
        "template t\nlet a = 1\nlet b = 2\ndefault objective \"x\"",
        "template t\nmetric m = { }\nlet a = 1\nlet b = 2",
    };
    static const char *const different[] = {
        "template t\nlet a = 1\nlet b = 2\nlaunch {\nmetric<<<1, 1>>>(x)\n}\n",
        "template t\nlet a = 1\nlet b = 2\nlaunch {\nobjective<<<1, 1>>>(x)\n}\n",
        "template t\nlet a = 1\nlet b = 2\ndefault space x\n",
        "template t\nlet a = 1\nlet b = 2\ndefault objective = 3\n",
    };
    char wanted[17], got[17];
    hash_of(plain, hash_tokens, wanted);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        hash_of(same[i], hash_tokens, got);
        assert_string_equal(got, wanted);
    }
    for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
        hash_of(different[i], hash_tokens, got);
        assert_string_not_equal(got, wanted);
    }
}

struct pair {
    const char *a, *b;
    bool same;
};

static void expect_pairs(const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char a[17], b[17];
        hash_of(pairs[i].a, hash_source, a);
        hash_of(pairs[i].b, hash_source, b);
        if ((strcmp(a, b) == 0) != pairs[i].same)
            fail_msg("<%s> and <%s> have %s hashes", pairs[i].a, pairs[i].b, pairs[i].same ? "different" : "equal");
    }
}

/* What the compiler reads as the same has one hash; what it may read differently has two. */
static void test_white_space(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"int a;", "int  a ;", true},
        {"int a;", "int\na;\n\n", true},
        {"int a;", "int\r\n\t\f\va;", true},
        {"int a;", "inta;", false},
        {"a+ +b", "a++b", false},
        {"a+ +b", "a +  + b", true},
        {"a - >b", "a->b", false},
        {"x< ::y", "x<::y", false},
        {"f(a)", "f ( a )", true},
        {"1 2", "12", false},
        {"a b", "a\\\nb", true}, /* a joined line separates here; at worst it is another hash */
        {"$a b", "$ab", false},
        {"\xc3\xa9 b",
         "\xc3\xa9"
         "b",
         false},
        {"", "\n \t\n", true},
    };
    expect_pairs(pairs, sizeof pairs / sizeof *pairs);
}

static void test_comments(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"int a;", "int/**/a; // b", true},
        {"int a;", "/* x\n * y\n */ int a; //", true},
        {"int a;", "int // a;", false},
        {"int a;", "int a; /* never closed", true},
        {"a/b", "a/ /b", false},
        {"a /* b */ c", "a /* b *\\/ c", false},
        {"\"//\"", "\"/ /\"", false},
        {"\"/* */\"", "\"\"", false},
        {"'\"' // x", "'\"'", true},
        {"\"\\\"//\" x", "\"\\\"//\"", false}, /* the escaped quote does not end the string */
        {"/", "//", false},
        {"/*/ a */ b", "b", true},
    };
    expect_pairs(pairs, sizeof pairs / sizeof *pairs);
}

static void test_literals(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"\"a b\"", "\"a  b\"", false},
        {"L \"x\"", "L\"x\"", false}, /* a macro and a string; a wide string */
        {"u 'x'", "u'x'", false},
        {"\"x\" s", "\"x\"s", false}, /* a literal operator */
        {"L \"x\"", "L  /* */ \"x\"", true},
        {"f (\"x\")", "f(\"x\" )", true},
        {"'a'", "'b'", false},
        {"R\"(a // b)\"", "R\"(a )\"", false},
        {"R\"x(a)\" // b)x\" c", "R\"x(a)\" // b)x\"", false}, /* the raw string ends at )x" alone */
        {"R\"(a)\" // b", "R\"(a)\"", true},
        {"u8R\"(//)\"", "u8R\"( )\"", false},
        {"AR\"(a // b", "AR\"(a", false}, /* a macro's name and an ordinary string, whose // is its own */
        {"1'000 // x", "1'000", true},    /* the ' separates digits */
        {"1'000", "1000", false},
        {"\"never closed\nint a; // b", "\"never closed\nint a;", true},
        {"R\"(never closed // x", "R\"(never closed", false},
    };
    expect_pairs(pairs, sizeof pairs / sizeof *pairs);
}

static void test_preprocessor(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"#define A B\nC", "#define A\nB C", false},
        {"#define A B\nC", "  #  define A   B // x\n\nC", false}, /* '# define': blanks after # count, harmlessly */
        {"#define A B\nC", "\n\n#define A \\\n  B\n\n\nC", true},
        {"#define A(x) x", "#define A (x) x", false}, /* a macro with an argument, and one without */
        {"#define A +B", "#define A+B", false},
        {"#if A\nb\n#endif", "#if A b\n#endif", false},
        {"#define A B", "#define A B\n", false}, /* an end of a line more or less, harmlessly */
        {"int a; #define", "int a;\n#define", false},
        {"#pragma unroll 4\nfor(;;)", "#pragma unroll 4 /* x */\nfor (;;)", true},
    };
    expect_pairs(pairs, sizeof pairs / sizeof *pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),           cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_figures_of_work), cmocka_unit_test(test_described_values),
        cmocka_unit_test(test_metrics),         cmocka_unit_test(test_white_space),
        cmocka_unit_test(test_comments),        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_preprocessor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
