/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strange databases and files of known results, asked through libtune: whatever they say, there is an answer that can
 * be described and lowered, since the default of the space is valid. The first byte says what the others are:
 *
 *     d   the database
 *     b   changes to a genuine one, "OFFSET VALUE" a line, in hexadecimal digits
 *     c   the configuration of its best result
 *     t   the document of its dispatch
 *     z   the size of its problems
 *     k   a file of known results, which alone is asked; HASH stands for the hash of the template
 *     s   one that came with tune, likewise
 */
#include "db/store.h"
#include "tests/fuzz/scratch.h"
#include "tests/unit/h100.h"
#include "tuner/job/job.h"
#include "tuner/library/answer.h"

#include <sqlite3.h>
#include <sys/stat.h>

static char home[PATH_MAX], database[PATH_MAX], device[PATH_MAX], known[PATH_MAX], shipped[PATH_MAX];
static char hash[32];
static uint8_t *genuine;
static size_t genuine_size;

static void write_text(const char *name, const char *text)
{
    char path[PATH_MAX];
    scratch_path(path, name);
    scratch_write(path, text, strlen(text));
}

static void fill(const struct template *template)
{
    static const char document[] =
        "{\"format\":1,\"sizes\":[\"n\"],\"configurations\":[{\"A\":4},{\"A\":8}],\"tree\":[{\"feature\":\"size\","
        "\"a\":0,\"below\":100,\"then\":1,\"otherwise\":2},{\"configuration\":1},{\"configuration\":0}],"
        "\"cases\":[{\"size\":[64],\"weight\":1,\"best\":1e6,\"costs\":[1e6,2e6],\"held_out\":1}]}";
    const struct store_problem problem = {.template_name = "t",
                                          .template_path = "/t.template",
                                          .template_hash = template->hash,
                                          .space_name = "s",
                                          .space_hash = "bbbb",
                                          .space_text = "space s of t",
                                          .size = "n=64",
                                          .device = &h100};
    const struct store_run run = {.strategy = "random",
                                  .budget = "9",
                                  .objective = "time",
                                  .configurations = 3,
                                  .tune_version = "1",
                                  .host = "here"};
    struct store *store;
    struct error error;
    int64_t id, row;
    struct evaluation evaluation = evaluation_unmeasured;
    evaluation.outcome = OUTCOME_OK;
    evaluation.time_ns = 1e6;
    fuzz_require(store_open(database, false, &store, &error) && store_run_begin(store, &problem, &run, &id, &error) &&
                 store_put(store, id, "{\"A\":4}", &evaluation, &row, &error) &&
                 store_dispatch_put(store, &problem, "time", document, &error) &&
                 store_run_end(store, id, "done", &error));
    store_close(store);
}

static void prepare(void)
{
    static const char *const folders[] = {"templates", "templates/t", "spaces", "spaces/t", "db", "db/known"};
    struct template *template;
    struct error error;
    sqlite3 *sqlite = NULL;
    char path[PATH_MAX];
    scratch_path(home, ".");
    scratch_path(database, "tune.db");
    scratch_path(device, "h100.json");
    scratch_path(known, "known.json");
    scratch_path(shipped, "db/known/t.json");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        scratch_path(path, folders[i]);
        fuzz_require(mkdir(path, 0700) == 0);
    }
    write_text("templates/t/k.cu", "__global__ void k(float *y) {}\n__global__ void r(float *y) {}\n");
    write_text("templates/t/t.template",
               "template t\nsize n = 64\nparameter A\nsource \"k.cu\"\nbuffer y : float[n] out\n"
               "launch { k<<<1, A>>>(y) }\nreference \"k.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    write_text("spaces/t/s.space", "space s of t\nparam A = [4, 8, 16]\ndefault A = 16\n");
    fuzz_require(device_description_write(device, &h100, &error));
    scratch_path(path, "templates/t");
    fuzz_require(template_read(path, &template, &error));
    strcpy(hash, template->hash);
    fill(template);
    template_free(template);
    fuzz_require(sqlite3_open(database, &sqlite) == SQLITE_OK &&
                 sqlite3_exec(sqlite, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(sqlite);
    genuine = scratch_read(database, &genuine_size);
    unsetenv("TUNE_SITE");
}

/* ---- changes ---- */

static void change_bytes(char *text)
{
    uint8_t *changed = malloc(genuine_size);
    fuzz_require(changed);
    memcpy(changed, genuine, genuine_size);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *end;
        unsigned long offset = strtoul(line, &end, 16);
        changed[offset % genuine_size] = (uint8_t)strtoul(end, NULL, 16);
    }
    scratch_write(database, changed, genuine_size);
    free(changed);
}

/* Nothing in the schema forbids a text there, or it stays as it is. */
static void change_cells(const char *sql, const char *text)
{
    sqlite3 *sqlite = NULL;
    sqlite3_stmt *statement = NULL;
    scratch_write(database, genuine, genuine_size);
    fuzz_require(sqlite3_open(database, &sqlite) == SQLITE_OK &&
                 sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC) == SQLITE_OK);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
    sqlite3_close(sqlite);
}

static void write_known(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    const char *stand_in = strstr(text, "HASH");
    fuzz_require(file);
    if (stand_in)
        fprintf(file, "%.*s%s%s", (int)(stand_in - text), text, hash, stand_in + strlen("HASH"));
    else
        fputs(text, file);
    fuzz_require(fclose(file) == 0);
}

/* ---- questions ---- */

static void look(struct tune_answer *answer)
{
    struct tune_answer_info info = {.bytes = sizeof info};
    struct tune_parameter parameter = {.bytes = sizeof parameter};
    const struct problem *problem;
    struct job *job = NULL;
    struct error error = {0};
    tune_answer_describe(answer, &info);
    fuzz_require(info.configuration[0] == '{' && info.defines && info.origin[0] && strcmp(info.kernel, "t") == 0);
    for (size_t i = 0; i < tune_answer_parameter_count(answer); i++)
        fuzz_require(tune_answer_parameter(answer, i, &parameter, NULL) == TUNE_OK && parameter.name[0]);
    if (!answer_problem(answer, &problem, &error) || !job_lower(problem, 0, 1, &job, &error))
        fuzz_refused(&error);
    else
        job_free(job);
}

static void ask(const char *alone)
{
    const struct tune_options options = {.bytes = sizeof options, .home = home, .database = database, .known = alone};
    struct tune *tune;
    struct tune_error error = {0};
    fuzz_require(tune_open(&options, &tune, &error) == TUNE_OK);
    for (int64_t n = 64; n <= 4096; n *= 8) {
        struct tune_answer *answer;
        const struct tune_size size = {"n", n};
        const struct tune_problem problem = {
            .bytes = sizeof problem, .kernel = "t", .device = device, .sizes = &size, .size_count = 1};
        fuzz_require(tune_best(tune, &problem, &answer, &error) == TUNE_OK);
        look(answer);
        tune_answer_free(answer);
    }
    if (tune_trouble(tune, &error) != TUNE_OK)
        fuzz_require(error.code != TUNE_OK && error.code != TUNE_ERROR_MEMORY && error.text[0]);
    tune_close(tune);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!genuine)
        prepare();
    char *text = fuzz_text(data, size), mode = size ? text[0] : 'd', *rest = size ? text + 1 : text;
    unlink(shipped);
    scratch_write(database, genuine, genuine_size);
    if (mode == 'b')
        change_bytes(rest);
    else if (mode == 'c')
        change_cells("UPDATE evaluation SET configuration = ?", rest);
    else if (mode == 't')
        change_cells("UPDATE dispatch SET document = ?", rest);
    else if (mode == 'z')
        change_cells("UPDATE problem SET size = ?", rest);
    else if (mode == 'k')
        write_known(known, rest);
    else if (mode == 's')
        write_known(shipped, rest);
    else if (size)
        scratch_write(database, data + 1, size - 1);
    ask(mode == 'k' ? known : NULL);
    free(text);
    return 0;
}
