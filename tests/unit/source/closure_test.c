/* SPDX-License-Identifier: Apache-2.0 */
/* What a scan tells: texts, includes and where they were found, words, places looked at, flags, and what stops it. */
#include "tests/unit/scratch_folder.h"

#include "tuner/source/closure.h"

static int set_up(void **state)
{
    return scratch_folder_create(state) == 0 ? mkdir(scratch_path("sub"), 0700) : -1;
}

/* What a scan has told, in brief. */
struct seen {
    char texts[2000], includes[2000], words[2000];
    size_t probes;
    struct closure_findings findings;
};

static bool see_text(void *context, const char *path, const char *bytes, size_t length)
{
    struct seen *seen = context;
    (void)bytes;
    (void)length;
    if (strlen(seen->texts) + strlen(path) < sizeof seen->texts)
        strcat(strcat(seen->texts, path + strlen(scratch_folder) + 1), " ");
    return true;
}

static bool see_include(void *context, const struct closure_include *include)
{
    struct seen *seen = context;
    size_t length = strlen(seen->includes);
    if (include->found)
        snprintf(seen->includes + length, sizeof seen->includes - length, "%.*s@%zu ", (int)include->length,
                 include->name, include->place);
    else
        snprintf(seen->includes + length, sizeof seen->includes - length, "%.*s? ", (int)include->length,
                 include->name);
    return true;
}

static void see_word(void *context, const char *word, size_t length)
{
    struct seen *seen = context;
    strncat(seen->words, word, length);
    strcat(seen->words, " ");
}

static bool see_probe(void *context, const char *path, const struct stat *status)
{
    (void)path;
    (void)status;
    ((struct seen *)context)->probes++;
    return true;
}

static const struct closure_visitor visitor = {see_text, see_include, see_word, see_probe};

static void scan_with(const char *text, const char *const *options, size_t option_count, bool literals,
                      struct seen *seen)
{
    memset(seen, 0, sizeof *seen);
    const struct closure_setting setting = {.folder = scratch_folder,
                                            .options = options,
                                            .option_count = option_count,
                                            .base = scratch_folder,
                                            .literals = literals,
                                            .visitor = &visitor,
                                            .context = seen};
    struct closure *closure = closure_create(&setting);
    assert_non_null(closure);
    assert_true(closure_scan(closure, scratch_path("sub/k.cu"), text, strlen(text)));
    seen->findings = *closure_findings(closure);
    closure_free(closure);
}

static void scan(const char *text, struct seen *seen)
{
    scan_with(text, NULL, 0, false, seen);
}

static void expect_includes(const char *text, const char *includes)
{
    struct seen seen;
    scan(text, &seen);
    if (strcmp(seen.includes, includes) != 0)
        fail_msg("<%s>: '%s', not '%s'", text, seen.includes, includes);
}

static void test_includes(void **state)
{
    (void)state;
    scratch_write("a.inl", "#include \"b\"\n");
    scratch_write("sub/b", "int b;\n");
    scratch_write("b", "int other;\n");
    expect_includes("#include \"b\"\n", "b@0 b@1 b@2 "); /* everywhere where it may be found */
    expect_includes("#include <a.inl>\n", "a.inl@2 b@0 b@1 b@2 ");
    expect_includes("  #  include <a.inl> // x\n", "a.inl@2 b@0 b@1 b@2 ");
    expect_includes("#inc\\\nlude \"b\"\n", "b@0 b@1 b@2 ");
    expect_includes("#include \"../a.inl\"\n", "../a.inl@0 b@0 b@1 b@2 ../a.inl@1 ");
    expect_includes("#if 0\n#include <absent>\n#endif\n", "absent? ");
    expect_includes("// #include \"b\"\n/*\n#include \"b\"\n*/ x #include \"b\"\n", "");
    expect_includes("#include_next \"b\"\n#import <b>\n", "b@0 b@1 b@2 b@0 b@1 b@2 ");
    expect_includes("#if __has_include(<b>) || __has_include ( \"absent\" )\n", "b@0 b@1 b@2 absent? ");
    char text[128];
    snprintf(text, sizeof text, "#include \"%s\"\n", scratch_path("b"));
    struct seen seen;
    scan(text, &seen);
    assert_string_equal(seen.texts, "sub/k.cu b ");
}

/* A file that a question names is not read; an embedded one is, but has no words. */
static void test_questions(void **state)
{
    (void)state;
    struct seen seen;
    scratch_write("sub/b", "word\n");
    scan("#if __has_include(\"b\")\n", &seen);
    assert_string_equal(seen.texts, "sub/k.cu ");
    assert_true(seen.findings.asks && !seen.findings.hidden);
    scan("#embed \"b\"\n", &seen);
    assert_string_equal(seen.texts, "sub/k.cu sub/b ");
    assert_string_equal(seen.words, "");
}

static void test_options(void **state)
{
    (void)state;
    static const char *const options[] = {"-Iparts", "-include=first.h", "-O3"};
    struct seen seen;
    char path[128];
    snprintf(path, sizeof path, "%s/parts", scratch_folder);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_write("parts/p.h", "p\n");
    scratch_write("first.h", "f\n");
    scan_with("#include <p.h>\n", options, 3, false, &seen);
    assert_string_equal(seen.texts, "first.h sub/k.cu parts/p.h ");
    assert_string_equal(seen.includes, "first.h@0 first.h@2 p.h@3 ");
    assert_false(seen.findings.hidden);
    static const char *const opaque[] = {"@more"};
    scan_with("", opaque, 1, false, &seen);
    assert_true(seen.findings.hidden);
}

static void test_flags(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *flags; /* h: hidden, d: dated, a: asks, o: odd, s: system, p: pastes */
    } cases[] = {
        {"", ""},
        {"#include <math.h>\n", "s"},
        {"#include NAME\n", "h"},
        {"#include \"open\n", "h"},
        {"#include \"\"\n", "h"},
        {"#/**/include \"b\"\n", "h"},
        {"%:include \"b\"\n", "h"},
        {"asm(\".incbin \\\"b\\\"\");\n", "h"},
        {"#if __has_include(NAME)\n", "ah"},
        {"#ifdef __has_include\n", "a"},
        {"x = __TIME__;", "d"},
        {"x = \"__TIME__\"; // __DATE__", "d"}, /* a string may become code */
        {"a ## b", "p"},
        {"\\u00e4", "o"},
        {"x \\ \n y", "h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen seen;
        scan(cases[i].text, &seen);
        const struct closure_findings *f = &seen.findings;
        char flags[8] = "";
        snprintf(flags, sizeof flags, "%s%s%s%s%s%s", f->dated ? "d" : "", f->asks ? "a" : "", f->hidden ? "h" : "",
                 f->odd ? "o" : "", f->system ? "s" : "", f->pastes ? "p" : "");
        if (strcmp(flags, cases[i].flags) != 0)
            fail_msg("<%s>: '%s', not '%s'", cases[i].text, flags, cases[i].flags);
    }
}

static void test_literals(void **state)
{
    (void)state;
    struct seen seen;
    scratch_write("sub/b", "b\n");
    scratch_write("c", "c\n");
    scan_with("#define H \"b\"\n#define G <c>\nprintf(\"no file\");\n", NULL, 0, true, &seen);
    assert_string_equal(seen.texts, "sub/k.cu sub/b c ");
    assert_false(seen.findings.system);
}

/* Files that include each other, themselves, or themselves by another way end; the depth is bounded. */
static void test_cycles(void **state)
{
    (void)state;
    struct seen seen;
    scratch_write("sub/b", "#include \"../sub/b\"\n#include \"c\"\n");
    scratch_write("sub/c", "#include \"b\"\n");
    char up[128];
    snprintf(up, sizeof up, "%s/sub/again", scratch_folder);
    assert_int_equal(symlink(".", up), 0);
    scratch_write("sub/d", "#include \"again/d\"\n");
    scan("#include \"b\"\n#include \"d\"\n", &seen);
    assert_string_equal(seen.texts, "sub/k.cu sub/b sub/c sub/d ");
    assert_false(seen.findings.hidden || seen.findings.blocked);
    for (int i = 0; i < 300; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "f%d", i);
        snprintf(text, sizeof text, "#include \"f%d\"\n", i + 1);
        scratch_write(name, i < 299 ? text : "");
    }
    scan("#include <f60>\n", &seen);
    assert_false(seen.findings.blocked);
    scan("#include <f0>\n", &seen);
    assert_true(seen.findings.blocked && seen.findings.hidden);
    assert_non_null(strstr(seen.findings.problem.text, "includes are more than 256 deep"));
}

static void expect_blocked(const char *text, unsigned line, const char *message)
{
    struct seen seen;
    scan(text, &seen);
    if (!seen.findings.blocked || !strstr(seen.findings.problem.text, message) || seen.findings.problem.line != line)
        fail_msg("<%s>: '%s' in line %u", text, seen.findings.problem.text, seen.findings.problem.line);
}

static void test_what_cannot_be_read(void **state)
{
    (void)state;
    struct seen seen;
    assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
    expect_blocked("\nx\\\ny\n#include <pipe>\n", 4, "it is not a regular file but a FIFO");
    expect_blocked("#include \"/dev/zero\"\n", 1, "it is not a regular file but a device");
    expect_blocked("#include \"../sub\"\n", 1, "it is a folder");
    scratch_write("huge", "");
    assert_int_equal(truncate(scratch_path("huge"), CLOSURE_FILE_BYTES_MOST + 1), 0);
    expect_blocked("#include <huge>\n", 1, "is larger than 64 MiB");
    scan("#include <sub>\n", &seen); /* a compiler may have a header of that name */
    assert_true(!seen.findings.blocked && seen.findings.system);
    scan_with("x = \"pipe\";", NULL, 0, true, &seen);
    assert_false(seen.findings.blocked);
    scratch_write("sub/pipe", ""); /* found before */
    scan("#include \"pipe\"\n", &seen);
    assert_false(seen.findings.blocked);
}

static void test_words(void **state)
{
    (void)state;
    struct seen seen;
    scratch_write("sub/b", "three");
    scan("one /* no */ \"two\" // no\n#include \"b\"\n1'000 x1", &seen);
    assert_string_equal(seen.words, "one two three 1'000 x1 ");
    assert_int_equal(seen.probes,
                     2); /* beside the source, which are two places that are the same, and in the folder */
}

/* Every beginning of a text, in memory of just that size. */
static void test_ends(void **state)
{
    (void)state;
    static const char text[] = "#include \"b\\\n\"\n# include <b> /* \\\r\n */ __has_include ( <x> ) 'a\\'' ## \"";
    struct seen *seen = malloc(sizeof *seen);
    for (size_t length = 0; length < sizeof text; length++) {
        memset(seen, 0, sizeof *seen);
        const struct closure_setting setting = {
            .folder = scratch_folder, .literals = true, .visitor = &visitor, .context = seen};
        struct closure *closure = closure_create(&setting);
        char *copy = malloc(length ? length : 1);
        assert_non_null(copy);
        memcpy(copy, text, length);
        assert_true(closure_scan(closure, scratch_path("k.cu"), copy, length));
        free(copy);
        closure_free(closure);
    }
    free(seen);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, scratch_folder_remove)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_includes), IN_FOLDER(test_questions), IN_FOLDER(test_options),
        IN_FOLDER(test_flags),    IN_FOLDER(test_literals),  IN_FOLDER(test_cycles),
        IN_FOLDER(test_words),    IN_FOLDER(test_ends),      IN_FOLDER(test_what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
