/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/late_json.h"

#include "tuner/job/formula.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const use_names[FORMULA_USES] = {
    [FORMULA_GRID_X] = "x",
    [FORMULA_GRID_Y] = "y",
    [FORMULA_GRID_Z] = "z",
    [FORMULA_SHARED] = "shared",
    [FORMULA_ARGUMENT] = "value of",
    [FORMULA_PART] = "part of",
    [FORMULA_OFFSET] = "offset of",
    [FORMULA_POINTER] = "pointer of",
    [FORMULA_FIRST] = "first",
    [FORMULA_LAST] = "last",
    [FORMULA_AT] = "at",
    [FORMULA_STRIDE] = "stride",
    [FORMULA_ROUNDS] = "rounds",
    [FORMULA_VALUE] = "value",
};

/* ---- writing: NULL passes a failure on, as in write.c ---- */

static bool add(json_t *array, json_t *item)
{
    return json_array_append_new(array, item) == 0;
}

static json_t *finish(json_t *array, bool complete)
{
    if (complete)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *write_bytes(const char *text)
{
    return text ? json_string_of_bytes(text) : json_null();
}

static json_t *write_formula(const struct job_formula *formula)
{
    json_t *array = json_array();
    return finish(array, add(array, json_string(use_names[formula->use])) &&
                             add(array, json_integer((json_int_t)formula->index)) &&
                             add(array, json_integer((json_int_t)formula->at)) &&
                             add(array, json_string(element_types[formula->element].name)) &&
                             add(array, json_string(formula->text)));
}

json_t *late_write(const struct job_late *late)
{
    json_t *array = json_array();
    bool complete = add(array, write_bytes(late->name)) && add(array, write_bytes(late->file)) &&
                    add(array, json_integer(late->place.line)) && add(array, json_integer(late->place.column)) &&
                    add(array, json_integer(late->place.length)) && add(array, write_bytes(late->place.excerpt));
    for (size_t i = 0; i < late->formula_count && complete; i++)
        complete = add(array, write_formula(&late->formulas[i]));
    return finish(array, complete);
}

json_t *late_write_names(const struct job *job)
{
    json_t *array = json_array();
    bool complete = array != NULL;
    for (size_t i = 0; i < job->name_count && complete; i++)
        complete = add(array, json_string(job->names[i]));
    return finish(array, complete);
}

/* ---- reading ---- */

static bool refuse(struct error *error, const char *what)
{
    return error_set(error, ERROR_SYSTEM, "damaged job: %s is missing or of the wrong type", what);
}

static bool read_text(const json_t *json, char **text, struct error *error)
{
    if (json_is_null(json))
        return true;
    if (!json_is_string(json))
        return refuse(error, "a text of a late step");
    *text = strdup(json_string_value(json));
    return *text || error_out_of_memory(error);
}

static bool read_number(const json_t *json, size_t *number, struct error *error)
{
    json_int_t value = json_integer_value(json);
    if (!json_is_integer(json) || value < 0 || value > INT32_MAX)
        return refuse(error, "a number of a late step");
    *number = (size_t)value;
    return true;
}

static bool read_use(const json_t *json, enum formula_use *use, struct error *error)
{
    const char *text = json_string_value(json);
    for (size_t i = 0; text && i < FORMULA_USES; i++) {
        if (strcmp(text, use_names[i]) == 0) {
            *use = (enum formula_use)i;
            return true;
        }
    }
    return refuse(error, "a formula's use");
}

static bool read_formula(const json_t *json, struct job_formula *formula, struct error *error)
{
    const char *type = json_string_value(json_array_get(json, 3));
    return read_use(json_array_get(json, 0), &formula->use, error) &&
           read_number(json_array_get(json, 1), &formula->index, error) &&
           read_number(json_array_get(json, 2), &formula->at, error) &&
           ((type && element_find(type, strlen(type), &formula->element)) || refuse(error, "a formula's type")) &&
           read_text(json_array_get(json, 4), &formula->text, error) &&
           (formula->text || refuse(error, "a formula's text"));
}

enum { FORMULAS_AT = 6 };

static bool read_formulas(const json_t *json, struct job_late *late, struct error *error)
{
    size_t size = json_array_size(json);
    if (size < FORMULAS_AT)
        return refuse(error, "a late step");
    late->formulas = calloc(size - FORMULAS_AT + 1, sizeof *late->formulas);
    if (!late->formulas)
        return error_out_of_memory(error);
    for (size_t i = FORMULAS_AT; i < size; i++) {
        if (!read_formula(json_array_get(json, i), &late->formulas[late->formula_count++], error))
            return false;
    }
    return true;
}

bool late_read(const json_t *json, struct job_late **result, struct error *error)
{
    size_t place[3];
    struct job_late *late = *result = calloc(1, sizeof *late);
    if (!late)
        return error_out_of_memory(error);
    for (size_t i = 0; i < 3; i++) {
        if (!read_number(json_array_get(json, 2 + i), &place[i], error))
            return false;
    }
    late->place = (struct job_place){(unsigned)place[0], (unsigned)place[1], (unsigned)place[2], NULL};
    return read_text(json_array_get(json, 0), &late->name, error) &&
           read_text(json_array_get(json, 1), &late->file, error) &&
           read_text(json_array_get(json, 5), &late->place.excerpt, error) && read_formulas(json, late, error);
}

bool late_read_names(const json_t *json, size_t count_count, struct job *job, struct error *error)
{
    if (!json_is_array(json) || json_array_size(json) > FORMULA_NAMES_LIMIT || count_count > json_array_size(json))
        return refuse(error, "the names");
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *name = json_string_value(json_array_get(json, i));
        size_t slot;
        if (!name)
            return refuse(error, "a name");
        if (!formula_name(job, name, i < count_count ? NAME_COUNT : NAME_LOOP, &slot, error))
            return false;
        if (slot != i)
            return refuse(error, "a name");
    }
    job->count_count = count_count;
    return true;
}

/* ---- resolving ---- */

static bool resolve(struct job *job, struct job_late *late, struct error *error)
{
    for (late->slot = 0; late->name && late->slot < job->name_count; late->slot++) {
        if (strcmp(job->names[late->slot], late->name) == 0)
            break;
    }
    for (size_t i = 0; i < late->formula_count; i++) {
        struct error cause;
        if (formula_parse(job, &late->formulas[i], &cause))
            continue;
        return cause.code == ERROR_INPUT ? refuse(error, "a formula") : error_out_of_memory(error);
    }
    return true;
}

static bool resolve_steps(struct job *job, const struct job_step *steps, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if ((steps[i].late && !resolve(job, steps[i].late, error)) ||
            !resolve_steps(job, steps[i].body, steps[i].body_count, error) ||
            !resolve_steps(job, steps[i].otherwise, steps[i].otherwise_count, error))
            return false;
    }
    return true;
}

bool late_resolve(struct job *job, struct error *error)
{
    for (size_t i = 0; i < JOB_CASES; i++) {
        const struct job_case *one = &job->cases[i];
        const struct job_steps sequences[] = {one->setup,  one->prepare, one->launch,
                                              one->finish, one->verify,  one->reference};
        for (size_t j = 0; j < sizeof sequences / sizeof *sequences; j++) {
            if (!resolve_steps(job, sequences[j].steps, sequences[j].count, error))
                return false;
        }
    }
    return true;
}
