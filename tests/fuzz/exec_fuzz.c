/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any lines as the answers of a program that is a search strategy. No program runs: the search's own messages go
 * nowhere but through a check, and the lines are its answers, one after another, until it ends.
 */
#include "tests/fuzz/fuzz.h"
#include "tuner/json/json_text.h"
#include "tuner/search/line_program.h"
#include "tuner/search/strategies.h"

enum { PARAMETERS = 3, CONFIGURATIONS = 5 };

/* ---- the program, whose command is its answers */

struct line_program {
    char *answers, *rest;
    char *line; /* the latest, of just its size */
};

/* The linker dictates these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
bool __wrap_line_program_start(const char *command, struct line_program **result, struct error *error);
void __wrap_line_program_end(struct line_program *program);
bool __wrap_line_program_put(struct line_program *program, const char *line);
bool __wrap_line_program_receive(struct line_program *program, double seconds, char **line, struct error *error);

bool __wrap_line_program_start(const char *command, struct line_program **result, struct error *error)
{
    (void)error;
    struct line_program *program = *result = calloc(1, sizeof *program);
    fuzz_require(program && (program->answers = program->rest = strdup(command)));
    return true;
}

void __wrap_line_program_end(struct line_program *program)
{
    free(program->line);
    free(program->answers);
    free(program);
}

/* One line, of one object. */
bool __wrap_line_program_put(struct line_program *program, const char *line)
{
    (void)program;
    json_t *json = NULL;
    fuzz_require(!strchr(line, '\n') && json_try(line, JSON_REJECT_DUPLICATES, &json, NULL));
    fuzz_require(json_is_object(json) && json_object_size(json) == 1);
    json_decref(json);
    return true;
}

bool __wrap_line_program_receive(struct line_program *program, double seconds, char **line, struct error *error)
{
    fuzz_require(seconds > 0);
    const char *next = strsep(&program->rest, "\n");
    if (!next)
        return error_set(error, ERROR_WORK, "it has ended");
    free(program->line);
    fuzz_require((program->line = strdup(next)));
    *line = program->line;
    return true;
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- the search */

/* Numbers of both kinds, words and truths; not all combinations; one configuration lacks a parameter. */
static struct search_space *small_space(void)
{
    const struct value blocks[] = {value_integer(32), value_float(0.5), value_integer(INT64_MAX)};
    const struct value words[] = {value_string("scalar"), value_string(""), {.kind = VALUE_UNSET}};
    const struct value truths[] = {value_boolean(false), value_boolean(true)};
    const struct dimension dimensions[PARAMETERS] = {{"BLOCK", blocks, 3}, {"WORD", words, 3}, {"ON", truths, 2}};
    static const uint16_t rows[CONFIGURATIONS][PARAMETERS] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {2, 1, 0}, {1, 2, 1}};
    struct search_space *space;
    struct error error;
    fuzz_require(search_space_listed(dimensions, PARAMETERS, rows[0], CONFIGURATIONS, &space, &error));
    return space;
}

/* Answered ones and those that are told unasked are told once, some as failed. */
static void tell(void *state, size_t index, bool told[CONFIGURATIONS])
{
    fuzz_require(index < CONFIGURATIONS && !told[index]);
    told[index] = true;
    const bool valid = index % 2 == 0;
    strategy_exec.tell(state, &(struct observation){index, valid, valid ? (double)index + 1 : 0, 0.25});
}

static size_t first_untold(const bool told[CONFIGURATIONS])
{
    size_t index = 0;
    while (index < CONFIGURATIONS && told[index])
        index++;
    return index;
}

static void search(void *state)
{
    bool told[CONFIGURATIONS] = {false};
    size_t index;
    struct error error = {0};
    enum answer answer;
    while ((answer = strategy_exec.ask(state, &index)) == ASK_READY || answer == ASK_WAIT) {
        if (answer == ASK_WAIT && (index = first_untold(told)) == CONFIGURATIONS)
            return;
        tell(state, index, told);
    }
    if (answer != ASK_FAILED)
        return;
    fuzz_require(!strategy_exec.explain(state, &error));
    fuzz_refused(&error);
    fuzz_require(strategy_exec.ask(state, &index) == ASK_FAILED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *answers = fuzz_text(data, size);
    struct search_space *space = small_space();
    const struct strategy_setup setup = {.space = space, .seed = UINT64_MAX, .program = answers};
    struct error error;
    void *state;
    fuzz_require(strategy_exec.create(&setup, &state, &error));
    search(state);
    strategy_exec.destroy(state);
    search_space_free(space);
    free(answers);
    return 0;
}
