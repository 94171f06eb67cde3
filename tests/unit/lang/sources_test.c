/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The identity of a template is what compilers read for it: every file that is read changes the hash, one that is not
 * does not, and a sweep notices changes while it works.
 */
#include "tests/unit/scratch_folder.h"

#include "tuner/lang/template.h"

/* The scratch folder holds the template's folder, k, and others beside it. */
static int set_up(void **state)
{
    char command[256];
    if (scratch_folder_create(state) != 0)
        return -1;
    snprintf(command, sizeof command, "cd %s && mkdir k k/sub k/parts other", scratch_folder);
    return system(command);
}

static void put_template(const char *options)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "template k \"k\"\nsize n = 8\nparameter BLOCK \"threads\"\nparameter PLAIN\nparameter SHAPE\n%s"
        "source \"k.cu\" if n > 4\nsource \"small.cu\"\nbuffer z : float[n] out\n"
        "launch { k<<<1, n>>>(z) }\nreference \"reference.cu\" { r<<<1, n>>>(ref(z)) }\ncheck z within gamma(n)\n",
        options);
    scratch_write("k/k.template", text);
}

static void put_all(const char *options, const char *source)
{
    put_template(options);
    scratch_write("k/k.cu", source);
    scratch_write("k/small.cu", "small\n");
    scratch_write("k/reference.cu", "r\n");
}

static struct template *read_template(const char *folder)
{
    struct template *template;
    struct error error = {0};
    if (!template_read(scratch_path(folder), &template, &error))
        fail_msg("%s", error.text);
    return template;
}

static const char *hash(const char *folder)
{
    static char digits[4][17];
    static unsigned turn;
    struct template *template = read_template(folder);
    char *to = digits[turn++ % 4];
    strcpy(to, template->hash);
    template_free(template);
    return to;
}

/* Does the hash change with the file? The hash is the old one once the file is. */
static bool counts(const char *file, const char *before, const char *after)
{
    scratch_write(file, before);
    char first[17];
    strcpy(first, hash("k"));
    scratch_write(file, after);
    bool changed = strcmp(hash("k"), first) != 0;
    scratch_write(file, before);
    assert_string_equal(hash("k"), first);
    return changed;
}

static bool content_counts(const char *file)
{
    return counts(file, "int before;\n", "int after;\n");
}

static void test_what_is_read(void **state)
{
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             "#include \"a.inl\"\n#include <b.opencl>\n#include \"sub/x.cuh\"\n#include \"../other/y\"\n"
             "#include <p.h>\n#include \"%s\"\n#if 0\n#include \"odd name.txt\"\n#endif\n",
             scratch_path("other/absolute.h"));
    scratch_write("k/sub/deep.inc", "");
    scratch_write("k/first.h", "");
    put_all("option \"-Iparts\"\noption \"-I../other\" if n > 100\noption \"-include=first.h\"\n", text);
    static const char *const read[] = {"k/a.inl",     "k/b.opencl",       "k/sub/x.cuh",    "other/y",
                                       "k/parts/p.h", "other/absolute.h", "k/odd name.txt", "k/small.cu",
                                       "k/first.h",   "k/reference.cu",   "k/k.cu"};
    static const char *const not_read[] = {"k/README.md",    "k/unused.cu", "k/unused.cuh",
                                           "k/sub/unused.h", "k/my.space",  "other/unused"};
    for (size_t i = 0; i < sizeof read / sizeof *read - 1; i++)
        scratch_write(read[i], "");
    scratch_write("k/sub/x.cuh", "#include \"deep.inc\"\n");
    assert_true(content_counts("k/sub/deep.inc"));
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        if (!content_counts(read[i]))
            fail_msg("%s does not count", read[i]);
    }
    scratch_write("k/k.cu", text);
    for (size_t i = 0; i < sizeof not_read / sizeof *not_read; i++) {
        if (content_counts(not_read[i]))
            fail_msg("%s counts", not_read[i]);
    }
}

static void test_reference(void **state)
{
    (void)state;
    put_all("", "k\n");
    scratch_write("k/reference.cu", "#include \"formula.inl\"\n");
    assert_true(content_counts("k/formula.inl"));
    assert_false(counts("k/formula.inl", "int a; // before\n", "int  a;\n"));
}

/* A file that hides another, or appears where one was looked for. */
static void test_appearance(void **state)
{
    (void)state;
    put_all("option \"-Iparts\"\n", "#include \"a.h\"\n#if __has_include(<q.h>)\n#endif\n");
    scratch_write("k/parts/a.h", "");
    const char *first = hash("k");
    scratch_write("k/a.h", "");
    const char *second = hash("k");
    assert_string_not_equal(first, second);
    scratch_write("k/parts/q.h", "");
    assert_string_not_equal(hash("k"), second);
    assert_false(content_counts("k/parts/q.h"));
}

/* Where the folder lies does not matter, nor how it is named. */
static void test_place(void **state)
{
    (void)state;
    char command[256], first[17];
    put_all("option \"-Iparts\"\noption \"-include=first.h\"\n", "#include \"a.h\"\n#include <p.h>\n");
    scratch_write("k/a.h", "int a;\n");
    scratch_write("k/first.h", "int first;\n");
    scratch_write("k/parts/p.h", "int p;\n");
    strcpy(first, hash("k"));
    snprintf(command, sizeof command, "cp -r %s/k %s/other/copy", scratch_folder, scratch_folder);
    assert_int_equal(system(command), 0);
    assert_string_equal(hash("other/copy"), first);
    assert_string_equal(hash("other/../k/"), first);
    assert_int_equal(symlink("k", scratch_path("link")), 0);
    assert_string_equal(hash("link"), first);
}

/* What only a preprocessor could name: everything in the folders counts, except results and other texts of tune. */
static void test_hidden(void **state)
{
    (void)state;
    static const char *const sources[] = {"#define H \"a.inl\"\n#include H\n", "asm(\".incbin \\\"a.inl\\\"\");\n"};
    for (size_t i = 0; i < 2; i++) {
        put_all("option \"-I../other\"\n", sources[i]);
        assert_true(content_counts("k/a.inl"));
        assert_true(content_counts("k/sub/anything"));
        assert_true(content_counts("other/anything"));
        assert_false(content_counts("k/my.space"));
        assert_false(content_counts("k/.git"));
        assert_false(counts("k/tune.db-wal", "a", "b"));
    }
    put_all("", "#define H \"../other/a\"\n#include H\n");
    assert_true(content_counts("other/a"));
    put_all("option \"@../other/options\"\n", "k\n");
    assert_true(content_counts("k/anything"));
    char option[256];
    snprintf(option, sizeof option, "option \"-L%s\"\noption \"-DX=%s\"\n", scratch_path("other"), "/nowhere");
    put_all(option, "k\n");
    assert_true(content_counts("other/libx.so"));
}

/* Another day is another kernel; that needs no clock to be turned: the text with the word differs from one without.
 */
static void test_dates(void **state)
{
    (void)state;
    put_all("", "x = __TIME__;\n");
    assert_string_equal(hash("k"), hash("k"));
}

static void expect_error(const char *message, unsigned line)
{
    struct template *template;
    struct error error = {0};
    assert_false(template_read(scratch_path("k"), &template, &error));
    if (!strstr(error.text, message) || error.line != line || error.code != ERROR_INPUT)
        fail_msg("%s:%u: %s", error.file, error.line, error.text);
}

static void test_what_cannot_be_read(void **state)
{
    (void)state;
    put_all("", "\n#include \"a.inl\"\n");
    assert_int_equal(mkfifo(scratch_path("k/a.inl"), 0600), 0);
    expect_error("a.inl: it is not a regular file but a FIFO", 2);
    assert_int_equal(unlink(scratch_path("k/a.inl")), 0);
    assert_int_equal(mkdir(scratch_path("k/a.inl"), 0700), 0);
    expect_error("it is a folder", 2);
    assert_int_equal(rmdir(scratch_path("k/a.inl")), 0);
    assert_int_equal(symlink("/dev/null", scratch_path("k/a.inl")), 0);
    expect_error("it is not a regular file but a device", 2);
    assert_int_equal(unlink(scratch_path("k/a.inl")), 0);
    assert_int_equal(symlink("a.inl", scratch_path("k/a.inl")), 0);
    expect_error("Too many levels of symbolic links", 2);
    assert_int_equal(unlink(scratch_path("k/a.inl")), 0);
    assert_int_equal(symlink("nowhere", scratch_path("k/a.inl")), 0); /* the compiler says that it is absent */
    hash("k");
    if (geteuid() == 0)
        return;
    assert_int_equal(unlink(scratch_path("k/a.inl")), 0);
    scratch_write("k/a.inl", "");
    assert_int_equal(chmod(scratch_path("k/a.inl"), 0), 0);
    expect_error("Permission denied", 2);
}

static void test_more_than_can_be_told(void **state)
{
    (void)state;
    put_all("", "#include NAME\n");
    for (int i = 0; i < 16400; i++) {
        char name[40];
        snprintf(name, sizeof name, "k/f%d", i);
        assert_int_equal(symlink("k.cu", scratch_path(name)), 0);
    }
    expect_error("cannot be told without a compiler: ", 0);
}

static void test_uses(void **state)
{
    (void)state;
    put_all("", "int a = BLOCK; // SHAPE\n");
    scratch_write("k/reference.cu", "PLAIN\n"); /* sees no parameters */
    struct template *template = read_template("k");
    assert_true(template_uses(template, 0));
    assert_false(template_text_uses(template, 0));
    assert_false(template_uses(template, 1));
    assert_false(template_uses(template, 2));
    template_free(template);
    scratch_write("k/k.cu", "#include \"a.inl\"\n");
    scratch_write("k/a.inl", "#if SHAPE_round\n#endif\nBLOCKS PLAINS\n");
    template = read_template("k");
    assert_false(template_uses(template, 0));
    assert_false(template_uses(template, 1));
    assert_true(template_uses(template, 2));
    template_free(template);
    scratch_write("k/k.cu", "a##b\n");
    template = read_template("k");
    assert_true(template_uses(template, 1));
    template_free(template);
    put_all("let twice = 2 * PLAIN # SHAPE\n", "k\n");
    template = read_template("k");
    assert_false(template_uses(template, 0));
    assert_true(template_uses(template, 1));
    assert_false(template_uses(template, 2));
    assert_true(template_text_uses(template, 1));
    template_free(template);
}

static void expect_state(struct template *template, bool current, bool touched)
{
    struct error error = {0};
    bool was_touched;
    if (template_is_current(template, &was_touched, &error) != current)
        fail_msg("%s", error.text);
    assert_int_equal(was_touched, touched);
}

static void test_changes_meanwhile(void **state)
{
    (void)state;
    put_all("option \"-Iparts\"\n", "#include \"a.inl\"\n#include <math.h>\n");
    scratch_write("k/a.inl", "int a;\n");
    struct template *template = read_template("k");
    expect_state(template, true, false);
    scratch_write("k/unused.h", "");
    expect_state(template, true, false);
    scratch_write("k/a.inl", "int a; // more\n");
    expect_state(template, true, true);
    expect_state(template, true, false);
    scratch_write("k/a.inl", "int b;\n"); /* and back: a compiler may have read it */
    scratch_write("k/a.inl", "int a;\n");
    expect_state(template, true, true);
    scratch_write("k/a.inl", "int b;\n");
    expect_state(template, false, false);
    scratch_write("k/a.inl", "int a;\n");
    expect_state(template, true, true);
    scratch_write("k/parts/math.h", ""); /* now the compiler's is hidden */
    expect_state(template, false, false);
    assert_int_equal(unlink(scratch_path("k/parts/math.h")), 0);
    expect_state(template, true, false);
    scratch_write("k/reference.cu", "other\n");
    expect_state(template, false, false);
    template_free(template);
}

/* In the folders of a hidden include, files may also appear. */
static void test_changes_of_folders(void **state)
{
    (void)state;
    put_all("", "#include NAME\n");
    struct template *template = read_template("k");
    expect_state(template, true, false);
    scratch_write("k/tune.db-journal", "");
    expect_state(template, true, false);
    scratch_write("k/sub/new", "");
    expect_state(template, false, false);
    template_free(template);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, scratch_folder_remove)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_what_is_read),
        IN_FOLDER(test_reference),
        IN_FOLDER(test_appearance),
        IN_FOLDER(test_place),
        IN_FOLDER(test_hidden),
        IN_FOLDER(test_dates),
        IN_FOLDER(test_what_cannot_be_read),
        IN_FOLDER(test_more_than_can_be_told),
        IN_FOLDER(test_uses),
        IN_FOLDER(test_changes_meanwhile),
        IN_FOLDER(test_changes_of_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
