/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/complete.h"
#include "tuner/library/home.h"

#include <sys/stat.h>
#include <unistd.h>

/* A home with a template t, which has two spaces. */
static char home[40];
static const char *const folders[] = {"templates", "templates/t", "spaces", "spaces/t"};
static const struct {
    const char *name, *text;
} files[] = {
    {"templates/t/t.template",
     "template t\nsize rows = 64\nsize columns = 8\nparameter BLOCK \"threads\"\nparameter ITEMS "
     "\"of\\nlines\"\nsource \"k.cu\"\n"
     "buffer x : float[rows] in index()\nbuffer y : float[rows] out\nbuffer z : float[columns] scratch constant(0)\n"
     "launch { k<<<1, 1>>>(x, y) }\nreference \"k.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"
     "metric \"seen\" = time\nobjective \"rows a second\" = maximize rows / time\n"
     "objective \"$(id)\" = minimize time\n"},
    {"templates/t/k.cu", "__global__ void k(const float *x, float *y) {}\n"},
    {"spaces/t/usual.space", "space usual of t\nparam BLOCK = [1]\nset ITEMS = 1\n"},
    {"spaces/t/other.space", "space other of t\nparam BLOCK = [2]\nset ITEMS = 1\n"},
};
enum { FOLDERS = sizeof folders / sizeof *folders, FILES = sizeof files / sizeof *files };

static int set_up(void **state)
{
    (void)state;
    strcpy(home, "/tmp/tune-complete-XXXXXX");
    assert_non_null(mkdtemp(home));
    for (size_t i = 0; i < FOLDERS; i++) {
        char *path = path_join(home, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        free(path);
    }
    for (size_t i = 0; i < FILES; i++) {
        char *path = path_join(home, files[i].name);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[i].text, file);
        fclose(file);
        free(path);
    }
    return setenv("TUNE_HOME", home, 1);
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = FILES; i-- > 0;) {
        char *path = path_join(home, files[i].name);
        unlink(path);
        free(path);
    }
    for (size_t i = FOLDERS; i-- > 0;) {
        char *path = path_join(home, folders[i]);
        rmdir(path);
        free(path);
    }
    return rmdir(home);
}

/* What completes the last word of a line, in which one space separates words; the test frees it. */
static char *completed(const char *line)
{
    enum { MOST = 16 };
    char *copy = strdup(line), *rest = copy, *words[MOST];
    size_t count = 0;
    for (char *word; (word = strsep(&rest, " "));) {
        assert_true(count < MOST);
        words[count++] = word;
    }
    struct printed printed;
    printed_begin(&printed, 0);
    assert_true(complete(words, count, printed.out.stream));
    free(copy);
    return printed_end(&printed);
}

static void completes(const char *line, const char *expected)
{
    char *text = completed(line);
    assert_string_equal(text, expected);
    free(text);
}

/* Is this one of the words that complete the line? */
static bool offers(const char *line, const char *word)
{
    char *text = completed(line), *rest = text;
    bool found = false;
    for (char *offered; !found && (offered = strsep(&rest, "\n"));)
        found = strcmp(strsep(&offered, "\t"), word) == 0;
    free(text);
    return found;
}

static void every_command_is_offered(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++)
        assert_true(!commands[i].name || offers("", commands[i].name));
    assert_true(offers("", "t"));
    assert_true(offers("--ver", "--version"));
    assert_false(offers("t ", "list"));
    assert_false(offers("run ", "list") || offers("--device cpu ", "list"));
    assert_true(offers("run ", "t"));
}

/* Options whose values nobody can guess. */
static bool is_free(const char *option)
{
    static const char *const names[] = {"configs",    "limit",       "until",       "within",   "repeats",
                                        "parallel",   "budget",      "patience",    "seed",     "jobs",
                                        "older-than", "kernel-name", "device-name", "deadline", "known-best"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], option) == 0)
            return true;
    }
    return false;
}

static void every_option_is_offered_and_so_are_its_values(void **state)
{
    (void)state;
    size_t seen = 0;
    for (size_t i = 0; i < command_count; i++) {
        struct option_words option;
        for (size_t k = 0; options_describe(commands[i].id, k, &option); k++, seen++) {
            char line[64], name[48];
            snprintf(name, sizeof name, "--%s%s", option.name, option.argument && !option.optional ? "=" : "");
            snprintf(line, sizeof line, "%s --%s", commands[i].name ? commands[i].name : "t", option.name);
            assert_true(offers(line, name));
            if (option.argument && completion_knows(option.name) == is_free(option.name))
                fail_msg("--%s: either a completer is in the table of complete_values.c, or it is listed here",
                         option.name);
        }
    }
    assert_true(seen > 100);
    assert_false(offers("t --", "--verify")); /* of another command */
    assert_true(offers("run t --", "--verify"));
}

static void values_of_a_template(void **state)
{
    (void)state;
    completes("t --size=", "--size=rows=\n--size=columns=\n");
    completes("t -n rows=7,c", "rows=7,columns=\n");
    completes("t --size rows=7", "");
    completes("t --space ", "other\nusual\n");
    completes("check t -s=", "");
    completes("check t --configuration BLOCK=64,", "BLOCK=64,BLOCK=\tthreads\nBLOCK=64,ITEMS=\tof\\nlines\n");
    completes("best t --ladder=B", "--ladder=BLOCK\tthreads\n");
    completes("run t --input ", "x=\nz=\n");
    completes("t --objective rows", "rows a second\n");
    completes("unknown --size ", "");
    completes("--size ", ""); /* of no template */
}

static void values_come_before_and_behind_others(void **state)
{
    (void)state;
    completes("t --fresh --db a.db -S random --size ", "rows=\ncolumns=\n");
    completes("-S random t --size r", "rows=\n");
    completes("best t --ladder --size r", "rows=\n"); /* whose argument may be left out */
}

static void names_of_files_are_the_shells(void **state)
{
    (void)state;
    completes("t --db ", ":files\t\n");
    completes("t --db=/tmp/x", ":files\t--db=\n");
    completes("t --input x=", ":files\tx=\n");
    completes("t --input=x=a,b=", ":files\t--input=x=\n");
    completes("t --space ./u", ":files\t\n");
    completes("show ./u", ":files\t\n");
    completes("import ", ":files\t\n");
    completes("merge a.db b", ":files\t\n");
    completes("new name", "");
    completes("new name k", ":files\t\n");
    completes("report ", "");
}

static void lists_strategies_and_samples(void **state)
{
    (void)state;
    assert_true(offers("list ", "templates") && offers("list ", "database"));
    completes("list str", "strategies\n");
    completes("list runs ", "");
    completes("check t --sample=", "--sample=all\n");
    assert_true(offers("t --strategy ", "random") && offers("simulate -S ", "genetic"));
    assert_true(offers("t --strategy=genetic:", "--strategy=genetic:population="));
    assert_true(offers("t -S genetic:population=9,cr", "genetic:population=9,crossover="));
    completes("t -S none:", "");
    assert_true(offers("t --objective=", "--objective=energy"));
}

static void what_would_act_on_a_terminal_is_shown(void **state)
{
    (void)state;
    completes("t --db=\x1b[2J", ":files\t--db=\n");
    completes("t --size \x1b[2J=1,r", "\\x1b[2J=1,rows=\n");
    completes("t \x1b[2J", "");
    completes("t --objective $", ""); /* nor is there what would act in a shell */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_offered),
        cmocka_unit_test(every_option_is_offered_and_so_are_its_values),
        cmocka_unit_test(values_of_a_template),
        cmocka_unit_test(values_come_before_and_behind_others),
        cmocka_unit_test(names_of_files_are_the_shells),
        cmocka_unit_test(lists_strategies_and_samples),
        cmocka_unit_test(what_would_act_on_a_terminal_is_shown),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
