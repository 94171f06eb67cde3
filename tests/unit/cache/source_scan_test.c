/* SPDX-License-Identifier: Apache-2.0 */
/* What a scan says of a source: the words that count, the flags, the files that it reads, and which defines may go.
 */
#include "tests/unit/scratch_folder.h"

#include "tuner/cache/source_scan.h"

/* Scan a source in the folder with the defines A, B, C, D; the key if there is one. */
static struct cache_key scan_text(const char *text, struct source_scan *scan)
{
    char path[128];
    snprintf(path, sizeof path, "%s/kernel.cu", scratch_folder);
    const struct compile_request request = {
        .path = path,
        .text = text,
        .length = strlen(text),
        .folder = scratch_folder,
        .defines = "#define A 1\n#define B A + 1\n#define C 3\n\n#define D (B)\n",
    };
    struct key_builder *key = key_builder_create();
    assert_true(source_scan_run(&request, scan, key));
    struct cache_key result = key_builder_key(key);
    key_builder_free(key);
    return result;
}

static void expect_used(const char *text, const char *wanted)
{
    struct source_scan scan;
    char used[8] = "";
    scan_text(text, &scan);
    assert_int_equal(scan.define_count, 4);
    for (size_t i = 0; i < scan.define_count; i++) {
        if (scan.defines[i].used)
            strncat(used, scan.defines[i].name, 1);
    }
    if (strcmp(used, wanted) != 0)
        fail_msg("%s uses %s, not %s", text, used, wanted);
    source_scan_clear(&scan);
}

static void test_words(void **state)
{
    (void)state;
    expect_used("", "");
    expect_used("int x = C;", "C");
    expect_used("B", "AB");     /* through its value */
    expect_used("D C", "ABCD"); /* through two */
    expect_used("AA A1 _A A_ $A A\xc3\xa4", "");
    expect_used("0xA 1.A 'A' \"C\"", "AC"); /* words of literals count, those of numbers do not */
    expect_used("// A\n/* B */ C", "C");
    expect_used("/* A */B/* C */", "AB");
    expect_used("/* A", "");
    expect_used("\"unclosed\nA // B", "A");
    expect_used("'\\'' A // B", "A");
    expect_used("\"//\" A", "A");
    expect_used("R\"x(/*)x\" A */", "A");
    expect_used("C\\\nC", ""); /* CC */
    expect_used("// \\\nC", "");
}

static void test_defines(void **state)
{
    (void)state;
    struct source_scan scan;
    scan_text("", &scan);
    static const char *const values[] = {" 1", " A + 1", " 3", " (B)"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(scan.defines[i].name_length, 1);
        assert_int_equal(scan.defines[i].name[0], "ABCD"[i]);
        assert_int_equal(scan.defines[i].value_length, strlen(values[i]));
        assert_memory_equal(scan.defines[i].value, values[i], strlen(values[i]));
    }
    source_scan_clear(&scan);
    static const char *const odd[] = {"#undef A\n",      "#define\n",      "#define F(x) x\n",
                                      "#define A 1\\\n", " #define A 1\n", "#define  A\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        const struct compile_request request = {.path = "k.cu", .text = "", .defines = odd[i]};
        struct key_builder *key = key_builder_create();
        assert_true(source_scan_run(&request, &scan, key));
        if (!scan.uncertain)
            fail_msg("not uncertain: %s", odd[i]);
        source_scan_clear(&scan);
        key_builder_free(key);
    }
}

static void test_flags(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool uncertain, system, pastes;
    } cases[] = {
        {"int x; // #include <x>\n", false, false, false},
        {"#include <math.h>\n", false, true, false},
        {"#include \"a.cuh\"\n", false, false, false},
        {"#include <a.cuh>\n", false, false, false},
        {"#if 0\n#include \"no.cuh\"\n#endif\n", false, true, false}, /* it may be compiled in */
        {"#include A\n", true, false, false},
        {"#include \"a.cuh\n", true, false, false},
        {"#include \"\"\n", true, false, false},
        {"# /* */ include \"a.cuh\"\n", true, false, false},
        {"x #include \"no.cuh\"\n", false, false, false}, /* not at the start of a line */
        {"/* */ #include \"no.cuh\"\n", false, true, false},
        {"#include_next <a.cuh>\n", true, false, false},
        {"a ## b\n", false, false, true},
        {"a %: b\n", true, false, false},
        {"__DATE__\n", true, false, false},
        {"// __TIME__\n", false, false, false},
        {"\\u0041\n", true, false, false},
    };
    scratch_write("a.cuh", "int a;\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source_scan scan;
        scan_text(cases[i].text, &scan);
        if (scan.uncertain != cases[i].uncertain || scan.system != cases[i].system || scan.pastes != cases[i].pastes)
            fail_msg("%s: uncertain %d, system %d, pastes %d", cases[i].text, scan.uncertain, scan.system,
                     scan.pastes);
        source_scan_clear(&scan);
    }
}

/* Files that include each other end; each of them goes into the key, also one that is only read through another. */
static void test_files(void **state)
{
    (void)state;
    struct source_scan scan;
    static const char text[] = "#include \"a.cuh\"\n";
    scratch_write("a.cuh", "#include \"b.cuh\"\n");
    scratch_write("b.cuh", "#include \"a.cuh\"\nC\n");
    struct cache_key before = scan_text(text, &scan);
    assert_true(scan.defines[2].used);
    assert_false(scan.uncertain || scan.system);
    source_scan_clear(&scan);
    struct cache_key again = scan_text(text, &scan);
    source_scan_clear(&scan);
    assert_true(cache_key_equal(&before, &again));
    scratch_write("b.cuh", "#include \"a.cuh\"\n");
    struct cache_key after = scan_text(text, &scan);
    assert_false(scan.defines[2].used);
    source_scan_clear(&scan);
    assert_false(cache_key_equal(&before, &after));
    char path[128];
    snprintf(path, sizeof path, "%s/d.cuh", scratch_folder);
    assert_int_equal(mkdir(path, 0700), 0);
    scan_text("#include <d.cuh>\n", &scan); /* a folder is not found, as by a compiler */
    assert_true(scan.system && !scan.uncertain);
    source_scan_clear(&scan);
    scan_text("#include \"d.cuh\"\n", &scan); /* a mistake */
    assert_true(scan.uncertain);
    source_scan_clear(&scan);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    scan_text("#include \"d.cuh\"\n", &scan); /* something that cannot be read */
    assert_true(scan.uncertain);
    source_scan_clear(&scan);
}

/* More files than a kernel has. */
static void test_many_files(void **state)
{
    (void)state;
    struct source_scan scan;
    for (int i = 0; i < 300; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "f%d", i);
        snprintf(text, sizeof text, "#include \"f%d\"\n", i + 1);
        scratch_write(name, i < 299 ? text : "");
    }
    scan_text("#include \"f50\"\n", &scan); /* 250 files */
    assert_false(scan.uncertain);
    source_scan_clear(&scan);
    scan_text("#include \"f0\"\n", &scan);
    assert_true(scan.uncertain);
    source_scan_clear(&scan);
}

static void test_can_drop(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool drop;
    } names[] = {{"TILE", true},   {"Tile", true},    {"tile", false}, {"tILE", true},
                 {"_TILE", false}, {"TUNE_X", false}, {"TUNEX", true}, {"CUDA_X", false},
                 {"NVX", false},   {"x1", false},     {"X", true}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scanned_define define = {.name = names[i].name, .name_length = strlen(names[i].name)};
        struct source_scan scan = {0};
        assert_int_equal(source_scan_can_drop(&scan, &define), names[i].drop);
        define.used = true;
        assert_false(source_scan_can_drop(&scan, &define));
        define.used = false;
        for (int flag = 0; flag < 3; flag++) {
            scan = (struct source_scan){.uncertain = flag == 0, .system = flag == 1, .pastes = flag == 2};
            assert_false(source_scan_can_drop(&scan, &define));
        }
    }
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, scratch_folder_create, scratch_folder_remove)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_words), IN_FOLDER(test_defines),    IN_FOLDER(test_flags),
        IN_FOLDER(test_files), IN_FOLDER(test_many_files), cmocka_unit_test(test_can_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
