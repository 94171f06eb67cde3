/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/scope.h"
#include "tuner/description/description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct slot {
    const char *name;
    enum name_kind kind;
    unsigned height, traits;
};

struct scope {
    struct arena *arena;
    struct list symbols; /* struct symbol */
    struct list slots;   /* struct slot */
    struct list visible; /* size_t: symbols, in the order of declaration */
    size_t *table;       /* open addressing; a symbol's index + 1, 0 if free */
    size_t table_size;   /* a power of two, or 0 */
};

static struct symbol *symbol_at(const struct scope *scope, size_t number)
{
    return (struct symbol *)scope->symbols.items + number;
}

static const struct slot *slot_at(const struct scope *scope, size_t slot)
{
    return (const struct slot *)scope->slots.items + slot;
}

struct scope *scope_create(struct arena *arena)
{
    struct scope *scope = arena_allocate(arena, sizeof *scope);
    if (scope)
        scope->arena = arena;
    return scope;
}

/* The cell of a name in the table, or the free one where it would go. */
static size_t *find_cell(const struct scope *scope, const char *name, size_t length)
{
    size_t mask = scope->table_size - 1;
    size_t i = (size_t)XXH3_64bits(name, length) & mask;
    while (scope->table[i]) {
        const char *other = symbol_at(scope, scope->table[i] - 1)->name;
        if (strncmp(other, name, length) == 0 && other[length] == '\0')
            break;
        i = (i + 1) & mask;
    }
    return &scope->table[i];
}

static bool grow_table(struct scope *scope)
{
    scope->table_size = scope->table_size ? 2 * scope->table_size : 64;
    scope->table = arena_allocate(scope->arena, scope->table_size * sizeof *scope->table);
    if (!scope->table)
        return false;
    for (size_t i = 0; i < scope->symbols.count; i++) {
        const char *name = symbol_at(scope, i)->name;
        *find_cell(scope, name, strlen(name)) = i + 1;
    }
    return true;
}

/* The symbol of a name, visible or hidden; created if there is none. */
static struct symbol *make_symbol(struct scope *scope, const char *name, size_t length)
{
    if (2 * (scope->symbols.count + 1) > scope->table_size && !grow_table(scope))
        return NULL;
    size_t *visible = list_append(&scope->visible, scope->arena, sizeof *visible);
    if (!visible)
        return NULL;
    size_t *cell = find_cell(scope, name, length);
    if (!*cell) {
        char *copy = arena_string(scope->arena, name, length);
        struct symbol *symbol = copy ? list_append(&scope->symbols, scope->arena, sizeof *symbol) : NULL;
        if (!symbol) {
            scope->visible.count--;
            return NULL;
        }
        *symbol = (struct symbol){.name = copy, .kind = SYMBOL_BUFFER};
        *cell = scope->symbols.count;
    }
    *visible = *cell - 1;
    return symbol_at(scope, *visible);
}

const struct symbol *scope_symbol(const struct scope *scope, const char *name, size_t length)
{
    size_t number = scope->table_size ? *find_cell(scope, name, length) : 0;
    if (!number || symbol_at(scope, number - 1)->hidden)
        return NULL;
    return symbol_at(scope, number - 1);
}

bool scope_add_value(struct scope *scope, const char *name, size_t length, enum name_kind kind,
                     const struct text *text, size_t offset, size_t *slot)
{
    struct symbol *symbol = make_symbol(scope, name, length);
    if (!symbol)
        return false;
    bool again = symbol->kind == SYMBOL_VALUE && symbol->hidden && kind == NAME_LOOP;
    if (!again) {
        struct slot *added = list_append(&scope->slots, scope->arena, sizeof *added);
        if (!added)
            return false;
        *added = (struct slot){.name = symbol->name, .kind = kind};
        symbol->index = scope->slots.count - 1;
    }
    scope_set_traits(scope, symbol->index, 0);
    symbol->kind = SYMBOL_VALUE;
    symbol->text = text;
    symbol->offset = offset;
    symbol->hidden = false;
    *slot = symbol->index;
    return true;
}

void scope_set_height(struct scope *scope, size_t slot, unsigned height)
{
    ((struct slot *)scope->slots.items)[slot].height = height;
}

unsigned scope_height(const struct scope *scope, size_t slot)
{
    return slot_at(scope, slot)->height;
}

void scope_set_traits(struct scope *scope, size_t slot, unsigned traits)
{
    ((struct slot *)scope->slots.items)[slot].traits = traits;
}

unsigned scope_traits(const struct scope *scope, size_t slot)
{
    return slot_at(scope, slot)->traits;
}

static bool add_indexed(struct scope *scope, const char *name, size_t length, enum symbol_kind kind, size_t index,
                        const struct text *text, size_t offset)
{
    struct symbol *symbol = make_symbol(scope, name, length);
    if (!symbol)
        return false;
    symbol->kind = kind;
    symbol->index = index;
    symbol->text = text;
    symbol->offset = offset;
    symbol->hidden = false;
    return true;
}

bool scope_add_buffer(struct scope *scope, const char *name, size_t length, size_t buffer, const struct text *text,
                      size_t offset)
{
    return add_indexed(scope, name, length, SYMBOL_BUFFER, buffer, text, offset);
}

bool scope_add_type(struct scope *scope, const char *name, size_t length, size_t type, const struct text *text,
                    size_t offset)
{
    return add_indexed(scope, name, length, SYMBOL_TYPE, type, text, offset);
}

bool scope_add_matrix(struct scope *scope, const char *name, size_t length, size_t matrix, const struct text *text,
                      size_t offset)
{
    return add_indexed(scope, name, length, SYMBOL_MATRIX, matrix, text, offset);
}

size_t scope_symbol_count(const struct scope *scope)
{
    return scope->visible.count;
}

void scope_hide_since(struct scope *scope, size_t count)
{
    const size_t *visible = scope->visible.items;
    while (scope->visible.count > count)
        symbol_at(scope, visible[--scope->visible.count])->hidden = true;
}

struct scope *scope_copy(const struct scope *scope, struct arena *arena)
{
    struct scope *copy = scope_create(arena);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < scope->slots.count; i++) {
        struct slot *slot = list_append(&copy->slots, arena, sizeof *slot);
        if (!slot)
            return NULL;
        *slot = *slot_at(scope, i);
    }
    for (size_t i = 0; i < scope->symbols.count; i++) {
        const struct symbol *symbol = symbol_at(scope, i);
        if (symbol->hidden || (symbol->kind == SYMBOL_VALUE && slot_at(scope, symbol->index)->kind == NAME_COUNT))
            continue;
        struct symbol *made = make_symbol(copy, symbol->name, strlen(symbol->name));
        if (!made)
            return NULL;
        *made = *symbol;
    }
    return copy;
}

enum { NEAREST_LIMIT = 10000 }; /* candidates for a hint */

const char *scope_nearest(const struct scope *scope, enum symbol_kind kind, const char *name)
{
    size_t count = 0;
    const char **names = calloc(scope->symbols.count + 1, sizeof *names);
    if (!names)
        return NULL; /* then without a hint */
    for (size_t i = 0; i < scope->symbols.count && count < NEAREST_LIMIT; i++) {
        const struct symbol *symbol = symbol_at(scope, i);
        if (!symbol->hidden && symbol->kind == kind)
            names[count++] = symbol->name;
    }
    const char *nearest = error_nearest(name, names, count);
    free(names);
    bool other_letter = nearest && !name[1] && !nearest[1] && (name[0] ^ nearest[0]) != ('a' ^ 'A');
    return other_letter ? NULL : nearest;
}

const char *symbol_noun(const struct scope *scope, const struct symbol *symbol)
{
    static const char *const nouns[] = {
        [NAME_DEVICE] = "a device field", [NAME_SIZE] = "a size",
        [NAME_PARAMETER] = "a parameter", [NAME_LET] = "a let",
        [NAME_LOOP] = "a local name",     [NAME_MEASURED] = "a measured figure",
        [NAME_COUNT] = "a count",
    };
    if (symbol->kind == SYMBOL_TYPE)
        return "a struct";
    if (symbol->kind == SYMBOL_MATRIX)
        return "a matrix";
    return symbol->kind == SYMBOL_BUFFER ? "a buffer" : nouns[slot_at(scope, symbol->index)->kind];
}

static bool add_device_name(struct scope *scope, const char *field)
{
    char name[64];
    size_t slot;
    int length = snprintf(name, sizeof name, "device.%s", field);
    return scope_add_value(scope, name, (size_t)length, NAME_DEVICE, NULL, 0, &slot);
}

bool scope_add_device(struct scope *scope)
{
    static const char *const strings[] = {"kind", "name", "architecture"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (!add_device_name(scope, strings[i]))
            return false;
    }
    for (size_t i = 0; i < device_field_count; i++) {
        if (!add_device_name(scope, device_fields[i].name))
            return false;
    }
    return true;
}

size_t scope_count(const struct scope *scope)
{
    return scope->slots.count;
}

const char *scope_name(const struct scope *scope, size_t slot)
{
    return slot_at(scope, slot)->name;
}

enum name_kind scope_kind(const struct scope *scope, size_t slot)
{
    return slot_at(scope, slot)->kind;
}

bool scope_find(const struct scope *scope, const char *name, size_t *slot)
{
    const struct symbol *symbol = scope_symbol(scope, name, strlen(name));
    if (!symbol || symbol->kind != SYMBOL_VALUE)
        return false;
    *slot = symbol->index;
    return true;
}
