/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Published search spaces, parameters and restrictions in Python's syntax, pasted in unchanged: from the folder
 * $TUNE_TEST_DATA, by default ../shared/data beside the source folder. Skipped where there is none.
 *
 * Spaces of up to a million combinations are counted and compared with the number that their first line gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/space.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 16384, COUNTED = 1000000 };

/* One published space as a template and a space in the language. */
struct published {
    char template[TEXT], space[TEXT];
    unsigned restrictions;
    double cartesian, valid;
};

static void append(char *text, const char *format, const char *a, const char *b)
{
    size_t used = strlen(text);
    int more = snprintf(text + used, TEXT - used, format, a, b);
    assert_true(more > 0 && used + (size_t)more < TEXT);
}

static void convert(const char *path, struct published *p)
{
    static const char head[] = "template t\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n";
    char line[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    unsigned restrictions;
    assert_int_equal(sscanf(strstr(line, "restrictions="), "restrictions=%u cartesian=%lf valid=%lf", &restrictions,
                            &p->cartesian, &p->valid),
                     3);
    if (strstr(line, "(504000 without)")) /* a further rule of Kernel Tuner's own is behind the first number */
        p->valid = 504000;
    strcpy(p->template, head);
    strcpy(p->space, "space s of t\n");
    p->restrictions = 0;
    while (fgets(line, sizeof line, file)) {
        char name[128];
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "param %127[^ =]", name) == 1) {
            append(p->template, "parameter %s%s\n", name, "");
            append(p->space, "%s%s\n", line, "");
        } else if (strncmp(line, "restrict ", 9) == 0) {
            append(p->space, "where %s%s\n", line + 9, "");
            p->restrictions++;
        }
    }
    fclose(file);
    assert_int_equal(p->restrictions, restrictions);
}

static bool valid(const struct space *space, const struct value *slots)
{
    for (size_t i = 0; i < space->constraint_count; i++) {
        struct error error = {0};
        bool holds = false;
        if (!expr_truth(space->constraints[i].condition, slots, &holds, &error))
            fail_msg("line %u: %s", error.line, error.text);
        if (!holds)
            return false;
    }
    return true;
}

struct axis {
    struct value *values;
    size_t count, at;
};

/* Step to the next combination; false after the last. */
static bool step(struct axis *axes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (++axes[i].at < axes[i].count)
            return true;
        axes[i].at = 0;
    }
    return false;
}

static void count(const struct space *space, const struct published *p)
{
    struct value *slots = calloc(scope_count(space->scope), sizeof *slots);
    struct axis *axes = calloc(space->parameter_count, sizeof *axes);
    assert_true(slots && axes);
    double cartesian = 1, found = 0;
    for (size_t i = 0; i < space->parameter_count; i++) {
        assert_true(expr_list(space->parameters[i].values, slots, &axes[i].values, &axes[i].count, NULL));
        cartesian *= (double)axes[i].count;
    }
    assert_true(cartesian == p->cartesian);
    do {
        for (size_t i = 0; i < space->parameter_count; i++)
            slots[space->parameters[i].slot] = axes[i].values[axes[i].at];
        found += valid(space, slots);
    } while (p->cartesian <= COUNTED && step(axes, space->parameter_count));
    if (p->cartesian <= COUNTED)
        assert_true(found == p->valid);
    for (size_t i = 0; i < space->parameter_count; i++)
        free(axes[i].values);
    free(axes);
    free(slots);
}

static void test_published(void **state)
{
    (void)state;
    const char *folder = getenv("TUNE_TEST_DATA");
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/spaces/*.txt", folder ? folder : TUNE_SOURCE_FOLDER "/../shared/data");
    if (glob(pattern, 0, NULL, &found) != 0)
        skip();
    struct published *p = malloc(sizeof *p);
    assert_non_null(p);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct template *template = NULL;
        struct space *space = NULL;
        struct error error = {0};
        convert(found.gl_pathv[i], p);
        if (!template_parse("t.template", ".", p->template, strlen(p->template), &template, &error) ||
            !space_parse("s.space", p->space, strlen(p->space), template, &space, &error))
            fail_msg("%s: line %u: %s", found.gl_pathv[i], error.line, error.text);
        assert_int_equal(space->constraint_count, p->restrictions);
        count(space, p);
        space_free(space);
        template_free(template);
    }
    free(p);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
