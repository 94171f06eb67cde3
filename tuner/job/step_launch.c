/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_launch.h"

#include "tuner/job/formula.h"
#include "tuner/job/late.h"
#include "tuner/job/operand.h"
#include "tuner/job/step_arguments.h"
#include "tuner/job/step_host.h"
#include "tuner/job/step_kernel.h"
#include "tuner/job/step_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool limit_dimension(const struct unrolling *unrolling, const struct statement *statement, struct place place,
                            const char *what, int64_t need, int64_t limit)
{
    if (need < 1)
        return error_at(unrolling->lowering->error, ERROR_INPUT, place,
                        "kernel %s: %s is %" PRId64 "; it must be at least 1", statement->name, what, need);
    if (need > UINT32_MAX || (limit > 0 && need > limit))
        return error_at(unrolling->lowering->error, ERROR_RESOURCES, place,
                        "kernel %s: %s is %" PRId64 "; the device's limit is %" PRId64, statement->name, what, need,
                        limit > 0 ? limit : (int64_t)UINT32_MAX);
    return true;
}

/* `late`: a step whose grid it is, which may depend on counts; else NULL. */
static bool lower_dimensions(const struct unrolling *unrolling, const struct statement *statement,
                             const struct expr *const exprs[3], const char *const names[3], const int64_t limits[3],
                             struct job_step *late, struct dimensions *dimensions)
{
    int64_t values[3];
    for (size_t i = 0; i < 3; i++) {
        struct place place = exprs[i] ? expr_place(exprs[i]) : statement->place;
        const struct job_formula formula = {.use = (enum formula_use)(FORMULA_GRID_X + i)};
        if (!(late ? operand_integer(unrolling, statement, late, formula, exprs[i], 1, &values[i])
                   : lowering_integer(unrolling->lowering, exprs[i], 1, &values[i])) ||
            !limit_dimension(unrolling, statement, place, names[i], values[i], limits[i]))
            return false;
    }
    *dimensions = (struct dimensions){(uint32_t)values[0], (uint32_t)values[1], (uint32_t)values[2]};
    return true;
}

static bool lower_grid(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    static const char *const names[] = {"the grid's x", "the grid's y", "the grid's z"};
    const struct device_description *device = unrolling->lowering->device;
    const int64_t limits[] = {device->max_grid_x, device->max_grid_y, device->max_grid_z};
    return lower_dimensions(unrolling, statement, statement->grid, names, limits, step, &step->grid);
}

static bool lower_threads(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    static const char *const names[] = {"the block's x", "the block's y", "the block's z"};
    const struct device_description *device = unrolling->lowering->device;
    const int64_t limits[] = {device->max_block_x, device->max_block_y, device->max_block_z};
    if (!lower_dimensions(unrolling, statement, statement->block, names, limits, NULL, &step->block))
        return false;
    struct dimensions block = step->block;
    double threads = (double)block.x * block.y * block.z; /* a product of three 32-bit numbers may not fit 64 bits */
    if (device->max_threads_per_block > 0 && threads > (double)device->max_threads_per_block)
        return error_at(unrolling->lowering->error, ERROR_RESOURCES,
                        statement->block[0] ? expr_place(statement->block[0]) : statement->place,
                        "kernel %s: a block has %.0f threads (%u x %u x %u); the device's limit is %" PRId64,
                        statement->name, threads, block.x, block.y, block.z, device->max_threads_per_block);
    return true;
}

static bool lower_shared(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    int64_t shared, limit = unrolling->lowering->device->max_shared_per_block_optin;
    if (!operand_integer(unrolling, statement, step, (struct job_formula){.use = FORMULA_SHARED}, statement->shared,
                         0, &shared))
        return false;
    if (shared < 0)
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(statement->shared),
                        "kernel %s: the dynamic shared memory is negative (%" PRId64 " bytes)", statement->name,
                        shared);
    if (limit > 0 && shared > limit)
        return error_at(unrolling->lowering->error, ERROR_RESOURCES, expr_place(statement->shared),
                        "kernel %s: a block needs %" PRId64 " bytes of dynamic shared memory; the device's limit is "
                        "%" PRId64,
                        statement->name, shared, limit);
    step->shared = (uint64_t)shared;
    return true;
}

static bool lower_cooperative(const struct unrolling *unrolling, const struct statement *statement,
                              struct job_step *step)
{
    const struct launch_attributes *attributes = &statement->attributes;
    if (!attributes->cooperative)
        return true;
    return lowering_truth(unrolling->lowering, attributes->cooperative_if, true, &step->cooperative);
}

enum {
    CLUSTER_MOST = 16,
    CLUSTER_CAPABILITY = 90
}; /* beyond 8 blocks a cluster is not portable (CUDA C++ Programming
    * Guide, "Thread Block Clusters") */

/* Every block belongs to a cluster: their number in each dimension divides the grid's. */
static bool divide_grid(const struct unrolling *unrolling, const struct statement *statement,
                        const struct job_step *step)
{
    static const char names[] = "xyz";
    const uint32_t grid[] = {step->grid.x, step->grid.y, step->grid.z};
    const uint32_t cluster[] = {step->cluster.x, step->cluster.y, step->cluster.z};
    for (size_t i = 0; i < 3; i++) {
        if (formula_of(step, (enum formula_use)(FORMULA_GRID_X + i)) || grid[i] % cluster[i] == 0)
            continue;
        error_at(unrolling->lowering->error, ERROR_RESOURCES, expr_place(statement->attributes.cluster[i]),
                 "kernel %s: the grid's %c is %u, which is not a multiple of the cluster's, %u", statement->name,
                 names[i], grid[i], cluster[i]);
        return error_hint(unrolling->lowering->error, "round the grid up: round_up(blocks, %u)", cluster[i]);
    }
    return true;
}

static bool limit_cluster(const struct unrolling *unrolling, const struct statement *statement,
                          const struct job_step *step)
{
    const struct device_description *device = unrolling->lowering->device;
    struct dimensions size = step->cluster;
    struct place place = expr_place(statement->attributes.cluster[0]);
    double blocks = (double)size.x * size.y * size.z;
    if (blocks > CLUSTER_MOST) {
        error_at(unrolling->lowering->error, ERROR_RESOURCES, place,
                 "kernel %s: a cluster has %.0f blocks (%u x %u x %u); the limit is %d", statement->name, blocks,
                 size.x, size.y, size.z, CLUSTER_MOST);
        return error_hint(unrolling->lowering->error,
                          "clusters of up to 8 blocks run on every device that has clusters");
    }
    if (strcmp(device->kind, "cuda") != 0 || device->compute_capability >= CLUSTER_CAPABILITY)
        return true;
    error_at(unrolling->lowering->error, ERROR_RESOURCES, place,
             "kernel %s: clusters need compute capability 9.0; %s has %" PRId64 ".%" PRId64, statement->name,
             device->name, device->compute_capability / 10, device->compute_capability % 10);
    return error_hint(
        unrolling->lowering->error,
        "a cluster of 1 runs everywhere: exclude others by `where device.compute_capability >= 90 or ...`");
}

/* A cluster of one block is none. */
static bool lower_cluster(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    static const char *const names[] = {"the cluster's x", "the cluster's y", "the cluster's z"};
    static const int64_t unlimited[3];
    const struct launch_attributes *attributes = &statement->attributes;
    if (!attributes->cluster[0])
        return true;
    if (!lower_dimensions(unrolling, statement, attributes->cluster, names, unlimited, NULL, &step->cluster))
        return false;
    if (step->cluster.x == 1 && step->cluster.y == 1 && step->cluster.z == 1) {
        step->cluster = (struct dimensions){0, 0, 0};
        return true;
    }
    return limit_cluster(unrolling, statement, step) && divide_grid(unrolling, statement, step);
}

static bool lower_launches(const struct unrolling *unrolling, const struct statement *statement,
                           struct job_step *step)
{
    const struct expr *expr = statement->attributes.launches;
    int64_t number;
    if (!lowering_integer(unrolling->lowering, expr, 0, &number))
        return false;
    if (expr && (number < 1 || number > INT32_MAX))
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(expr),
                        "kernel %s: launches is %" PRId64 "; it must be from 1 to %" PRId32, statement->name, number,
                        INT32_MAX);
    step->launches = (uint32_t)number;
    return true;
}

/* ---- places ---- */

static bool set_places(const struct statement *statement, struct job_statement *result)
{
    result->arguments = calloc(statement->argument_count + 1, sizeof *result->arguments);
    if (!result->arguments || !lowering_place(statement->place, 0, &result->place))
        return false;
    unsigned before = result->place.line;
    for (size_t i = 0; i < statement->argument_count; i++) {
        struct job_place *place = &result->arguments[result->argument_count++];
        if (!lowering_place(statement->arguments[i].place, before, place))
            return false;
        before = place->line;
    }
    return true;
}

/* A template that is no file has no places. */
static bool note_statement(const struct unrolling *unrolling, const struct statement *statement,
                           struct job_step *step)
{
    struct job_program *program = unrolling->program;
    if (!statement->place.file || !statement->place.text)
        return true;
    for (step->statement = 0; step->statement < program->statement_count; step->statement++) {
        if (program->statements[step->statement].offset == statement->place.offset)
            return true;
    }
    if (!program->template_file && !(program->template_file = strdup(statement->place.file)))
        return lowering_out_of_memory(unrolling->lowering);
    struct job_statement *longer =
        realloc(program->statements, (program->statement_count + 1) * sizeof *program->statements);
    if (!longer)
        return lowering_out_of_memory(unrolling->lowering);
    program->statements = longer;
    struct job_statement *added = &longer[program->statement_count++];
    *added = (struct job_statement){.offset = statement->place.offset};
    return set_places(statement, added) || lowering_out_of_memory(unrolling->lowering);
}

bool step_launch_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = unrolling_append(unrolling, list, STEP_LAUNCH);
    const char *before;
    return step && step_host_choose(unrolling, statement, &before) &&
           step_kernel_lower(unrolling, statement, before, step) && note_statement(unrolling, statement, step) &&
           lower_grid(unrolling, statement, step) && lower_threads(unrolling, statement, step) &&
           lower_shared(unrolling, statement, step) && lower_cooperative(unrolling, statement, step) &&
           lower_cluster(unrolling, statement, step) && lower_launches(unrolling, statement, step) &&
           step_stream_lower(unrolling, statement, step) && step_arguments_lower(unrolling, statement, step) &&
           step_host_lower(unrolling, statement, step) &&
           (!step->late || late_name(unrolling->lowering, statement->place, step, statement->name));
}
