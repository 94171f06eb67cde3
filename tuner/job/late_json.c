/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/late_json.h"

#include "tuner/job/formula.h"
#include "tuner/job/value_json.h"
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

/* ---- writing ---- */

static json_t *write_string(const char *text)
{
    return text ? json_string_of_bytes(text) : json_null();
}

static json_t *write_formula(const struct job_formula *formula)
{
    json_t *array = json_array();
    return write_finish(array, write_add(array, json_string(use_names[formula->use])) &&
                                   write_add(array, json_integer((json_int_t)formula->index)) &&
                                   write_add(array, json_integer((json_int_t)formula->at)) &&
                                   write_add(array, json_string(element_types[formula->element].name)) &&
                                   write_add(array, json_string(formula->text)));
}

json_t *late_write(const struct job_late *late)
{
    json_t *array = json_array();
    bool complete =
        write_add(array, write_string(late->name)) && write_add(array, write_string(late->file)) &&
        write_add(array, json_integer(late->place.line)) && write_add(array, json_integer(late->place.column)) &&
        write_add(array, json_integer(late->place.length)) && write_add(array, write_string(late->place.excerpt));
    for (size_t i = 0; i < late->formula_count && complete; i++)
        complete = write_add(array, write_formula(&late->formulas[i]));
    return write_finish(array, complete);
}

json_t *late_write_names(const struct job *job)
{
    json_t *array = json_array();
    bool complete = array != NULL;
    for (size_t i = 0; i < job->name_count && complete; i++)
        complete = write_add(array, json_string(job->names[i]));
    return write_finish(array, complete);
}

/* ---- reading ---- */

static bool read_string(const json_t *json, char **text, struct error *error)
{
    return json_is_null(json) || read_text(json, "a text of a late step", text, error);
}

static bool read_number(const json_t *json, size_t *number, struct error *error)
{
    json_int_t value = json_integer_value(json);
    if (!json_is_integer(json) || value < 0 || value > INT32_MAX)
        return read_refuse(error, "a number of a late step");
    *number = (size_t)value;
    return true;
}

static bool read_use(const json_t *json, enum formula_use *use, struct error *error)
{
    size_t index;
    if (!read_word(json, "a formula's use", use_names, FORMULA_USES, &index, error))
        return false;
    *use = (enum formula_use)index;
    return true;
}

static bool read_formula(const json_t *json, struct job_formula *formula, struct error *error)
{
    const char *type = json_string_value(json_array_get(json, 3));
    return read_use(json_array_get(json, 0), &formula->use, error) &&
           read_number(json_array_get(json, 1), &formula->index, error) &&
           read_number(json_array_get(json, 2), &formula->at, error) &&
           ((type && element_find(type, strlen(type), &formula->element)) ||
            read_refuse(error, "a formula's type")) &&
           read_string(json_array_get(json, 4), &formula->text, error) &&
           (formula->text || read_refuse(error, "a formula's text"));
}

enum { FORMULAS_AT = 6 };

static bool read_formulas(const json_t *json, struct job_late *late, struct error *error)
{
    size_t size = json_array_size(json);
    if (size < FORMULAS_AT)
        return read_refuse(error, "a late step");
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
    return read_string(json_array_get(json, 0), &late->name, error) &&
           read_string(json_array_get(json, 1), &late->file, error) &&
           read_string(json_array_get(json, 5), &late->place.excerpt, error) && read_formulas(json, late, error);
}

bool late_read_names(const json_t *json, size_t count_count, struct job *job, struct error *error)
{
    if (!json_is_array(json) || json_array_size(json) > FORMULA_NAMES_LIMIT || count_count > json_array_size(json))
        return read_refuse(error, "the names");
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *name = json_string_value(json_array_get(json, i));
        size_t slot;
        if (!name)
            return read_refuse(error, "a name");
        if (!formula_name(job, name, i < count_count ? NAME_COUNT : NAME_LOOP, &slot, error))
            return false;
        if (slot != i)
            return read_refuse(error, "a name");
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
        return cause.code == ERROR_INPUT ? read_refuse(error, "a formula") : error_out_of_memory(error);
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
        for (size_t j = 0; j < one->check_count; j++) {
            if (one->checks[j].late && !resolve(job, one->checks[j].late, error))
                return false;
        }
    }
    return true;
}
