/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/effect.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* In place of the hash of an image: the compiler refused the configuration. */
enum { NO_IMAGE = 0 };

void effects_clear(struct effects *effects)
{
    index_map_clear(&effects->images);
}

bool effects_note(struct effects *effects, const struct candidate *candidate)
{
    const struct evaluation *evaluation = &candidate->evaluation;
    if (candidate->image)
        return index_map_put(&effects->images, candidate->index,
                             XXH3_64bits(candidate->image, candidate->image_bytes));
    if (candidate->image_hash)
        return index_map_put(&effects->images, candidate->index, candidate->image_hash);
    /* What else failed before it had an image (a compiler that was killed, a grid that is too large) tells nothing.
     */
    if (evaluation->outcome == OUTCOME_COMPILE_ERROR && !evaluation->transient)
        return index_map_put(&effects->images, candidate->index, NO_IMAGE);
    return true;
}

/* ---- configurations that differ in one parameter only */

/* Those that agree in all other parameters. */
struct group {
    size_t image, count;
};

struct comparison {
    const struct search_space *space;
    size_t dimension;
    uint16_t *point;
    struct index_map places; /* from the hash of a point without the dimension to its group */
    struct group *groups;    /* room for one per configuration */
    size_t group_count, pairs;
};

/* Groups whose hashes collide are taken for one: of different images, that keeps a note from being made. */
static size_t point_key(const struct comparison *comparison, size_t index)
{
    search_space_point(comparison->space, index, comparison->point);
    comparison->point[comparison->dimension] = 0;
    size_t bytes = search_space_dimensions(comparison->space) * sizeof *comparison->point;
    return (size_t)(XXH3_64bits(comparison->point, bytes) >> 1); /* never INDEX_MAP_FREE */
}

/* `*same`: its image is that of its group. */
static bool compare(struct comparison *comparison, const struct index_map_entry *configuration, bool *same,
                    struct error *error)
{
    size_t place, key = point_key(comparison, configuration->key), image = configuration->value;
    *same = true;
    if (!index_map_get(&comparison->places, key, &place)) {
        comparison->groups[comparison->group_count] = (struct group){image, 1};
        return index_map_put(&comparison->places, key, comparison->group_count++) || error_out_of_memory(error);
    }
    struct group *group = &comparison->groups[place];
    *same = image == group->image;
    if (*same && image != NO_IMAGE)
        comparison->pairs += group->count++;
    return true;
}

/* The pairs of configurations that differ in one dimension only and have the same image; 0 if any such pair does not.
 * A dimension that has an effect is found to have one soon. */
static bool count_pairs(const struct effects *effects, const struct search_space *space, size_t dimension,
                        size_t *pairs, struct error *error)
{
    const struct index_map *images = &effects->images;
    struct comparison comparison = {.space = space, .dimension = dimension};
    comparison.point = calloc(search_space_dimensions(space), sizeof *comparison.point);
    comparison.groups = calloc(images->count + 1, sizeof *comparison.groups);
    bool same = true, done = (comparison.point && comparison.groups) || error_out_of_memory(error);
    for (size_t i = 0; done && same && i < images->capacity; i++) {
        if (images->entries[i].key != INDEX_MAP_FREE)
            done = compare(&comparison, &images->entries[i], &same, error);
    }
    *pairs = same ? comparison.pairs : 0;
    index_map_clear(&comparison.places);
    free(comparison.groups);
    free(comparison.point);
    return done;
}

/* ---- parameters */

static bool is_enough(const struct effects *effects, const struct problem *problem, size_t pairs)
{
    return pairs >= EFFECT_PAIRS_LEAST ||
           (pairs > 0 && effects->images.count == problem_configuration_count(problem));
}

/* Has the parameter of a dimension no effect? */
static bool is_idle(const struct effects *effects, const struct problem *problem, size_t dimension, size_t parameter,
                    bool *idle, size_t *pairs, struct error *error)
{
    const struct template *template = problem_template(problem);
    const struct search_space *space = problem_search_space(problem);
    *pairs = 0;
    *idle = search_space_positions(space, dimension) > 1 && !template_uses(template, parameter);
    if (*idle || search_space_positions(space, dimension) < 2 || template_text_uses(template, parameter))
        return true;
    bool counted = count_pairs(effects, space, dimension, pairs, error);
    *idle = is_enough(effects, problem, *pairs);
    return counted;
}

bool effects_find(const struct effects *effects, const struct problem *problem, struct idle_parameters *idle,
                  struct error *error)
{
    const struct template *template = problem_template(problem);
    const struct search_space *space = problem_search_space(problem);
    size_t dimensions = search_space_dimensions(space), dimension = 0;
    bool done = true;
    *idle = (struct idle_parameters){.list = calloc(dimensions + 1, sizeof *idle->list)};
    if (!idle->list)
        return error_out_of_memory(error);
    /* Dimensions are in the template's order; a parameter that no space mentions is none. */
    for (size_t i = 0; done && i < template->parameter_count && dimension < dimensions; i++) {
        const char *name = template->parameters[i].name;
        bool found;
        size_t pairs;
        if (strcmp(name, search_space_name(space, dimension)) != 0)
            continue;
        done = is_idle(effects, problem, dimension++, i, &found, &pairs, error);
        if (done && found)
            idle->list[idle->count++] = (struct idle_parameter){name, pairs};
    }
    if (!done)
        idle_parameters_clear(idle);
    return done;
}

void idle_parameters_clear(struct idle_parameters *idle)
{
    free(idle->list);
    *idle = (struct idle_parameters){0};
}

char *idle_parameter_text(const struct idle_parameter *idle, const struct problem *problem)
{
    bool on_cpu = strcmp(problem_device(problem)->kind, "cpu") == 0;
    char *text;
    char pairs[64] = "the only pair";
    if (idle->pairs > 1)
        snprintf(pairs, sizeof pairs, "all %zu pairs", idle->pairs);
    int length = idle->pairs == 0
                     ? asprintf(&text, "%s has no effect: no source of template %s mentions it, nor does its text",
                                idle->name, problem_template(problem)->name)
                     : asprintf(&text,
                                "%s had no effect%s: the images of %s of configurations that differ only in it are "
                                "the same%s",
                                idle->name, on_cpu ? " on this device" : "", pairs,
                                on_cpu ? " (the CPU device ignores #pragma unroll and __launch_bounds__)" : "");
    return length < 0 ? NULL : text;
}
