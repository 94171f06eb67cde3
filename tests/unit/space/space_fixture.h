/* SPDX-License-Identifier: Apache-2.0 */
/*
 * space_fixture.h - a space's domain and its constraints as terms, for the tests of what stands between a space and
 * its problem.
 */
#ifndef TUNE_TESTS_SPACE_FIXTURE_H
#define TUNE_TESTS_SPACE_FIXTURE_H

#include "tests/unit/fixture.h"

#include "tuner/space/compile.h"
#include "tuner/space/domain.h"

#include <stdio.h>
#include <stdlib.h>

#define SPACE_TEMPLATE                                                                                               \
    "template t\nsize n = 6\nawkward n = 5\nparameter A\nparameter B\nparameter C\nparameter D\nparameter E\n"       \
    "let half = n // 2\n"                                                                                            \
    "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"                                          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

struct space_fixture {
    struct fixture parsed;
    struct size_setting sizes[SIZES_COUNT][4];
    struct domain domain;
};

/* `text` is a space without its first line. */
static inline void space_fixture_create(struct space_fixture *fixture, const char *text)
{
    char space[8192];
    struct error *error = &fixture->parsed.error;
    struct size_setting *const sizes[] = {fixture->sizes[0], fixture->sizes[1]};
    snprintf(space, sizeof space, "space s of t\n%s", text);
    fixture_parse(&fixture->parsed, SPACE_TEMPLATE, space);
    assert_success(
        sizes_evaluate(fixture->parsed.template, &fixture->parsed.device, &(struct given_sizes){0}, sizes, error),
        error);
    assert_success(domain_prepare(&fixture->domain, fixture->parsed.template, fixture->parsed.space,
                                  &fixture->parsed.device, sizes, error),
                   error);
}

static inline void space_fixture_free(struct space_fixture *fixture)
{
    domain_clear(&fixture->domain);
    fixture_free(&fixture->parsed);
}

/* The v-th parameter that the space varies. */
static inline const struct domain_parameter *space_fixture_variable(const struct space_fixture *fixture, size_t v)
{
    return &fixture->domain.parameters[fixture->domain.order[v]];
}

/* Visit the product in lexicographic order; false after the last point. */
static inline bool next_point(const struct domain *domain, uint16_t *point)
{
    for (size_t v = domain->depth; v-- > 0;) {
        if (++point[v] < domain->parameters[domain->order[v]].count)
            return true;
        point[v] = 0;
    }
    return false;
}

/* The conditions of a space's constraints as terms of one graph; variable v is the parameter that the space varies as
 * its v-th. */
struct terms_fixture {
    struct space_fixture space;
    struct terms terms;
    struct compilation compilation;
    term_id variables[8];
    term_id conditions[128];
    size_t count;
};

static inline void terms_fixture_create(struct terms_fixture *fixture, const char *text)
{
    *fixture = (struct terms_fixture){.count = 0};
    space_fixture_create(&fixture->space, text);
    const struct domain *domain = &fixture->space.domain;
    assert_true(compilation_start(&fixture->compilation, &fixture->terms, domain->template, domain->space,
                                  domain->base[SIZES_TUNED], domain->slot_count));
    for (size_t v = 0; v < domain->depth; v++) {
        const struct domain_parameter *parameter = space_fixture_variable(&fixture->space, v);
        fixture->variables[v] = term_variable(&fixture->terms, v, parameter->values, parameter->count);
        fixture->compilation.names[parameter->declaration->slot] = fixture->variables[v];
    }
    fixture->count = domain->space->constraint_count;
    assert_true(fixture->count <= sizeof fixture->conditions / sizeof *fixture->conditions);
    for (size_t i = 0; i < fixture->count; i++)
        fixture->conditions[i] = compile_expression(&fixture->compilation, domain->space->constraints[i].condition);
    assert_false(fixture->terms.failed);
}

static inline void terms_fixture_free(struct terms_fixture *fixture)
{
    compilation_end(&fixture->compilation);
    terms_free(&fixture->terms);
    space_fixture_free(&fixture->space);
}

#endif
