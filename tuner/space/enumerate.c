#include "tuner/space/domain.h"
#include "tuner/space/slots.h"

#include <stdlib.h>
#include <string.h>

/*
 * Backtracking over the parameters in declared order; a constraint is evaluated as soon as all that it reads has a
 * value. Where one cannot be evaluated, the search goes on in doubt: another constraint may yet remove every
 * configuration below. Only one that none removes is an error.
 */

enum { CONFIGURATIONS_LIMIT = 50 * 1000 * 1000 };

struct enumeration {
    struct domain *domain;
    struct value *slots;
    unsigned char *row;
    size_t capacity; /* rows */
    struct error *error;
};

static bool append(struct enumeration *enumeration)
{
    struct domain *domain = enumeration->domain;
    if (domain->row_count == CONFIGURATIONS_LIMIT) {
        error_set(enumeration->error, ERROR_INPUT, "space %s has more than %d million valid configurations",
                  domain->space->name, CONFIGURATIONS_LIMIT / 1000000);
        return error_hint(enumeration->error, "add constraints, or give its parameters fewer values");
    }
    if (domain->row_count == enumeration->capacity) {
        size_t capacity = enumeration->capacity ? enumeration->capacity * 2 : 1024;
        unsigned char *rows = realloc(domain->rows, capacity * domain->row_bytes + 1);
        if (!rows)
            return error_set(enumeration->error, ERROR_SYSTEM, "out of memory at %zu configurations of space %s",
                             domain->row_count, domain->space->name);
        domain->rows = rows;
        enumeration->capacity = capacity;
    }
    memcpy(domain->rows + domain->row_count * domain->row_bytes, enumeration->row, domain->row_bytes);
    domain->row_count++;
    return true;
}

/* "TILE_M = 64, TILE_N = 16": the parameters that the constraint reads. */
static void append_values(const struct enumeration *enumeration, const struct expr *expr)
{
    const struct domain *domain = enumeration->domain;
    struct error *error = enumeration->error;
    size_t length = strlen(error->text);
    const char *separator = " (";
    for (size_t i = 0; i < domain->parameter_count && length + 1 < sizeof error->text; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        char value[64];
        if (!slots_reads(domain->template, domain->space, expr, parameter->declaration->slot))
            continue;
        value_text(domain_value(parameter, enumeration->row), value, sizeof value);
        length += (size_t)snprintf(error->text + length, sizeof error->text - length, "%s%s = %s", separator,
                                   parameter->declaration->name, value);
        separator = ", ";
    }
    if (separator[0] == ',' && length + 1 < sizeof error->text)
        snprintf(error->text + length, sizeof error->text - length, ")");
}

/* Decide a configuration that some constraint could not be evaluated for on the way. */
static bool settle(struct enumeration *enumeration)
{
    const struct domain *domain = enumeration->domain;
    const struct expr *undecided = NULL;
    for (size_t i = 0; i < domain->space->constraint_count; i++) {
        enum verdict verdict = domain_judge(domain, i, enumeration->slots);
        if (verdict == VERDICT_REMOVED)
            return true;
        if (verdict == VERDICT_UNDECIDED && !undecided)
            undecided = domain->space->constraints[i].condition;
    }
    if (!undecided)
        return append(enumeration);
    bool truth;
    expr_truth(undecided, enumeration->slots, &truth, enumeration->error);
    slots_blame(domain->template, domain->space, undecided, enumeration->slots, enumeration->error);
    if (enumeration->error)
        append_values(enumeration, undecided);
    return false;
}

static enum verdict judge_level(const struct enumeration *enumeration, size_t level)
{
    const struct domain *domain = enumeration->domain;
    const struct schedule *constraints = &domain->constraints;
    enum verdict verdict = VERDICT_PASSED;
    domain_set_lets(domain, level, enumeration->slots);
    for (size_t i = constraints->first[level]; i < constraints->first[level + 1]; i++) {
        enum verdict one = domain_judge(domain, constraints->items[i], enumeration->slots);
        if (one == VERDICT_REMOVED)
            return one;
        if (one == VERDICT_UNDECIDED)
            verdict = one;
    }
    return verdict;
}

static bool descend(struct enumeration *enumeration, size_t level, bool doubtful)
{
    const struct domain *domain = enumeration->domain;
    if (level == domain->depth)
        return doubtful ? settle(enumeration) : append(enumeration);
    const struct domain_parameter *parameter = &domain->parameters[domain->order[level]];
    for (size_t i = 0; i < parameter->count; i++) {
        enumeration->slots[parameter->declaration->slot] = parameter->values[i];
        domain_put(parameter, enumeration->row, i);
        enum verdict verdict = judge_level(enumeration, level + 1);
        if (verdict == VERDICT_REMOVED)
            continue;
        if (!descend(enumeration, level + 1, doubtful || verdict == VERDICT_UNDECIDED))
            return false;
    }
    return true;
}

bool domain_enumerate(struct domain *domain, struct error *error)
{
    bool done = false;
    struct enumeration enumeration = {.domain = domain, .error = error};
    enumeration.slots = malloc((domain->slot_count + 1) * sizeof *enumeration.slots);
    enumeration.row = calloc(domain->row_bytes + 1, 1);
    if (!enumeration.slots || !enumeration.row) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        goto end;
    }
    memcpy(enumeration.slots, domain->base[SIZES_TUNED], domain->slot_count * sizeof *enumeration.slots);
    enum verdict verdict = judge_level(&enumeration, 0);
    done = verdict == VERDICT_REMOVED || descend(&enumeration, 0, verdict == VERDICT_UNDECIDED);
end:
    free(enumeration.slots);
    free(enumeration.row);
    return done;
}
