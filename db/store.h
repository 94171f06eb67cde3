/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - the database: every finished evaluation, in one SQLite file.
 *
 * The schema is in schema.sql and its successors beside this file, and documented in SCHEMA.md; its views are for
 * users' own queries. The journal is a WAL, foreign keys are enforced, every statement is prepared and bound, and
 * each row is committed as it arrives. Several processes may use one file: an insert that finds another process's row
 * updates it.
 *
 * An evaluation is identified by template hash, device (kind, name, architecture, multiprocessors, memory in whole
 * GiB), driver, compiler, size, what data files hold, and configuration. The device's UUID is stored, but is not part
 * of the identity. A store may be used by one thread at a time, and not on both sides of a fork.
 */
#ifndef TUNE_DB_STORE_H
#define TUNE_DB_STORE_H

#include "tuner/description/description.h"
#include "tuner/error/error.h"
#include "tuner/evaluation/ceilings.h"
#include "tuner/evaluation/evaluation.h"

#include <signal.h>

struct store;

/* The path of the database: `path` if given, else $TUNE_DB, else $XDG_DATA_HOME/tune/tune.db, else
 * ~/.local/share/tune/tune.db. Allocated. */
char *store_default_path(const char *path);

/* For a process in which nobody else uses SQLite, before any store is opened: SQLite then does not count the memory
 * that it takes, which costs a lock for each piece of it, nor takes memory for twenty pages where a query needs a
 * table of few rows. */
void store_own_sqlite(void);

/*
 * Open the database; create it, with its folders, if it does not exist; migrate it if its schema is older. Errors,
 * each with a hint: not a database, another program's database, corrupt, a newer schema, not writable, disk full,
 * locked for too long. With `read_only` nothing is created or changed: a missing or empty file or an older schema is
 * an error.
 */
bool store_open(const char *path, bool read_only, struct store **result, struct error *error);
void store_close(struct store *store);

/* Read a database of others: neither it nor its folder is written to, unless a journal shows that somebody is using
 * it; a copy of an older schema is brought up to date. Errors as above. */
bool store_open_untouched(const char *path, struct store **result, struct error *error);

/* Has nobody written to it since, if it is read without locks? What was read of another is of one moment anyway. */
bool store_is_unchanged(const struct store *store);

/* An empty database of our own that is gone when it is closed; `name` is for messages. */
bool store_open_private(const char *name, struct store **result, struct error *error);
bool store_is_private(const struct store *store);
const char *store_path(const struct store *store);

/* What store_path says from now on: the database that this is a copy of. False: out of memory. */
bool store_show_as(struct store *store, const char *path);

/*
 * Was the file removed, renamed, replaced or overwritten while the store was open? Whatever writes notices it, within
 * a second of commits and at the end of a run, and fails: with an error that says where the rows have been copied to,
 * FILE.rescued beside it.
 */
bool store_is_lost(const struct store *store);

/* What the evaluations of one problem have in common. Strings belong to the caller. */
struct store_problem {
    const char *template_name, *template_path, *template_hash;
    const char *template_descriptions; /* JSON, see tuner/space/descriptions.h; NULL: none */
    const char *template_metrics;      /* definitions, see tuner/space/metrics.h; NULL or "": none */
    const char *template_objective;    /* by which results are best unless told otherwise; NULL: time */
    const char *space_name, *space_hash, *space_text; /* of the run; not part of an evaluation's identity */
    const char *size;                                 /* "M=4096,N=4096,K=4096" */
    const char *inputs, *input_files; /* what data files hold, and their names (tuner/data/inputs.h); NULL: none */
    const struct device_description *device;
    char compiler[264]; /* with the host's, if that has part in results on another device; "": the device's alone */
    struct work work;   /* at this size; 0: not known, or not the same for all configurations */
};

static inline const char *store_compiler(const struct store_problem *problem)
{
    return problem->compiler[0] ? problem->compiler : problem->device->compiler;
}

/* A sweep. */
struct store_run {
    const char *strategy, *budget, *objective;
    const char *limits; /* on results, a condition (tuner/space/limits.h); NULL: none */
    uint64_t seed;
    double configurations; /* valid ones in the space */
    const char *tune_version, *host;
    const char *default_configuration; /* that the space names, canonical; NULL: none */
};
/* The run belongs to this process. If that dies, the run becomes "killed", ended with its last sign of life, once a
 * program on the same host opens the store for writing. Elsewhere nobody can see the process; there the run becomes
 * "lost" after STORE_RUN_SILENCE seconds without a sign of life. */
bool store_run_begin(struct store *store, const struct store_problem *problem, const struct store_run *run,
                     int64_t *run_id, struct error *error);
/* A sign of life, as each row is: to be given about every STORE_RUN_SIGN seconds. */
enum { STORE_RUN_SIGN = 60, STORE_RUN_SILENCE = 900 };
bool store_run_alive(struct store *store, int64_t run_id, struct error *error);
/* status: "done", "budget", "interrupted", "failed". */
bool store_run_end(struct store *store, int64_t run_id, const char *status, struct error *error);

/*
 * Store one evaluation of a run, of a configuration that is a JSON object, as configuration_text writes it: this is
 * not checked. It is committed when this returns: other programs see it, and it survives this one.
 * It survives a power cut too if syncing is cheap compared with the time between two rows; otherwise at the latest
 * with the first row that comes a second later, or the next call of any other function that writes, such as
 * store_flush.
 */
bool store_put(struct store *store, int64_t run_id, const char *configuration, const struct evaluation *evaluation,
               int64_t *evaluation_id, struct error *error);

/* Rows that arrive together may be stored together: those that store_put has stored between these two calls are
 * committed by the second. Nothing else is written meanwhile. One of which nothing can be written leaves the others
 * as they are; one that fails when half of it is written takes them with it, and the second call fails as well. */
bool store_rows_begin(struct store *store, struct error *error);
bool store_rows_end(struct store *store, struct error *error);

/* Wait until everything stored survives a power cut; costs nothing if it already does. Call it when nothing will be
 * stored for a while, and before announcing a result as safe. */
bool store_flush(struct store *store, struct error *error);

/* Record that the run reuses older evaluations of its problem: all of these, or none. */
bool store_reuse(struct store *store, int64_t run_id, const int64_t *evaluation_ids, size_t count,
                 struct error *error);

/*
 * The finals of a run: the configurations that single measurements could not tell apart, measured again in turns. The
 * first is the winner within the run's limits; the others were slower, or tied with it but need more resources. A
 * finalist's time, interval and energy become those of the finals. From then on only the winner can be best by the
 * run's objective: not the other finalists, nor rows of the run whose single measurement is below the winner's value
 * in the finals. Measuring such a row or the winner again undoes this. Storing finals again replaces them. Which row
 * is best by another objective can change among the finalists only.
 */
struct store_final {
    int64_t evaluation_id;
    bool tied;      /* with the winner */
    double time_ns; /* median of the rounds */
    double time_low_ns, time_high_ns;
    double energy_j, energy_error_j;     /* likewise; -1: not measured */
    double ratio, ratio_low, ratio_high; /* of its time to the winner's by round: median and 95 % interval */
    const double *rounds_ns;             /* the median of each round */
    size_t round_count;
    const char *metrics; /* as struct evaluation has them; NULL: as they are */
    double device_ns;    /* median of the rounds; 0: not measured */
};
bool store_finals_put(struct store *store, int64_t run_id, const struct store_final *finals, size_t count,
                      struct error *error);

/*
 * The finals of a run by several objectives, whose name is "time,energy". Finalists that are not beaten are on the
 * Pareto front, which has no other winner; the first is the best of them by the first objective. Of rows that took no
 * part those are beaten that may not be on the front although nothing of it dominates them, see above. All verdicts
 * are by that name.
 */
struct store_beaten {
    int64_t evaluation_id, by; /* one on the front */
    bool took_part;
};
bool store_front_put(struct store *store, int64_t run_id, const struct store_final *finals, size_t count,
                     const struct store_beaten *beaten, size_t beaten_count, struct error *error);

/* What finals by an objective decided of a row; from VERDICT_TIED on it is not best by that objective. */
enum store_verdict {
    VERDICT_NONE,
    VERDICT_WINNER,
    VERDICT_TIED, /* with the winner, which needs fewer resources */
    VERDICT_LOST,
    VERDICT_OUTSIDE, /* it took no part; a single measurement makes it seem better than the winner */
};

#define STORE_AWKWARD_UNKNOWN "?"

/* A row as passed to a callback; everything in it belongs to the store and is valid until the callback returns.
 * Unknown numbers of the evaluation are -1 or 0 as fields.h says; unknown figures of work are 0. */
struct store_row {
    int64_t id, device;
    const char *template_name, *template_hash, *size, *configuration; /* the last is canonical JSON */
    const char *inputs, *input_files;                                 /* as in struct store_problem; "": none */
    const char *device_kind, *device_name, *architecture, *driver, *compiler;
    enum outcome outcome;
    const char *message;
    EVALUATION_MEMBERS          /* figures of work are the problem's where the row has none of its own */
        const char *awkward;    /* as in struct evaluation; STORE_AWKWARD_UNKNOWN: rows of older schemas do not say */
    bool was_final;             /* its figures are those of finals, by whatever objective */
    enum store_verdict verdict; /* by the objective asked for */
    const char *metrics;        /* values of the template's metrics: JSON; "": none */
    const char *definitions;    /* of these metrics: JSON; "": none */
    const char *default_objective; /* of the template */
    const char *measured_at;       /* ISO 8601, UTC */
    const char *origin;            /* "measured", "shipped" or "imported" */
};
/* The numbers of a row as an evaluation, without its texts and samples. */
void store_row_evaluation(const struct store_row *row, struct evaluation *evaluation);

typedef bool store_visitor(const struct store_row *row, void *context); /* false: stop */

/* Visit the finished evaluations of this problem, with verdicts by an objective within limits (NULL: none): what a
 * sweep need not do again. */
bool store_finished(struct store *store, const struct store_problem *problem, const char *objective,
                    const char *limits, store_visitor *visit, void *context, struct error *error);

/*
 * Store results that another tool recorded as evaluations of origin "imported": all of them, or none. They have their
 * own template and device (the hash is "imported:" plus the kernel's name, the device's kind is "imported"), so they
 * never count as ours. Rows imported before under the same names and configuration are replaced.
 */
struct store_import {
    const char *kernel, *path, *device_name, *size;
    const char *definitions, *objective; /* of metrics, as in struct store_problem; "": none, and time */
};
struct store_import_row {
    const char *configuration; /* JSON object */
    const char *measured_at;   /* ISO 8601, UTC; NULL: now */
    struct evaluation evaluation;
};
/* Fill in row number `index`; what it points to must stay valid until the next call. */
typedef bool store_import_reader(size_t index, struct store_import_row *row, void *context, struct error *error);
bool store_import(struct store *store, const struct store_import *import, size_t count, store_import_reader *read,
                  void *context, struct error *error);

/* Visit everything measured or imported, with raw samples (a JSON array of nanoseconds) and costs, ordered by problem
 * and evaluation. Unknown seconds are 0. Known results, shipped or imported, are left out: they are the result of a
 * search, not a record of it; so is what a limit kept from being measured. */
struct store_recorded_row {
    int64_t problem;
    const char *template_name, *template_hash, *size, *device_name, *device_kind;
    const char *configuration; /* canonical JSON */
    enum outcome outcome;
    const char *message;
    double time_ns;  /* 0 unless ok */
    double energy_j; /* 0: not known */
    const char *metrics,
        *definitions;      /* values of metrics, and what the template says of them, as in struct store_row */
    const char *objective; /* the template's default; "": time */
    const char *samples_ns;
    double compile_seconds, validate_seconds, measure_seconds, framework_seconds;
    const char *measured_at;
    const char *default_configuration; /* that the latest run of the problem had; "": none, or not known */
};
typedef bool store_recorded_visitor(const struct store_recorded_row *row, void *context); /* false: stop */
bool store_recorded(struct store *store, store_recorded_visitor *visit, void *context, struct error *error);

/* Are there shipped results? For messages when nothing is recorded. */
bool store_has_shipped(struct store *store, bool *shipped, struct error *error);

/*
 * Bringing the stored values of a template's metrics in line with its text. First visit the valid rows of this
 * version of the template (by name and hash) whose values were computed by other definitions, or not at all; then put
 * their values, the definitions and the default objective (NULL: time), in one transaction, in which finals by
 * objectives that templates define are forgotten if the definitions have changed. Definitions: tuner/space/metrics.h;
 * "": none.
 */
struct store_metrics {
    int64_t evaluation_id;
    char *text; /* as in struct evaluation */
};
bool store_metrics_stale(struct store *store, const char *template_name, const char *template_hash,
                         const char *definitions, store_visitor *visit, void *context, struct error *error);
bool store_metrics_put(struct store *store, const char *template_name, const char *template_hash,
                       const char *definitions, const char *objective, const struct store_metrics *metrics,
                       size_t count, struct error *error);

/* Are definitions and default objective stored as they are here, and values by them for all valid rows? Also if the
 * template has no row. */
bool store_metrics_current(struct store *store, const char *template_name, const char *template_hash,
                           const char *definitions, const char *objective, bool *current, struct error *error);

/* What is known of a device, by its row's number. */
bool store_device_description(struct store *store, int64_t device, struct device_description *description,
                              struct error *error);

/* Visit the row of one configuration of a run's problem, if there is one, with its verdict by the run's objective:
 * another process may have finished it meanwhile. */
bool store_lookup(struct store *store, int64_t run_id, const char *configuration, store_visitor *visit, void *context,
                  struct error *error);

/* Is there a valid result of this version of a template with this configuration (canonical JSON), at any size on any
 * device? */
bool store_was_valid(struct store *store, const char *template_name, const char *template_hash,
                     const char *configuration, bool *valid, struct error *error);

/* The template of probes (templates/ceilings). Its results say what devices can do; which of its configurations is
 * the fastest says nothing. */
#define STORE_PROBES "ceilings"

/* Visit the best valid row for each device, size and data, or with `rungs` for each of these and value of these
 * parameters, ordered by template, device, work, size and data. NULL filters match everything, but no template does
 * not match the probes. With `template_hash` only rows of that version of the kernel count, otherwise those of the
 * most recently used one. Best by the objective "time", "energy", "edp" or one that templates define; NULL: the
 * default of each template. Only rows whose value of it is known are considered. ERROR_INPUT: there is no such
 * objective; with `template_hash` it is the caller's, and may be new to the database. */
struct store_filter {
    const char *template_name, *template_hash, *device_name, *device_kind, *size;
    const char *inputs; /* "" matches problems without data files */
    const char *objective;
    const char *limits;       /* a condition that the best must meet (tuner/space/limits.h); NULL: none */
    const char *const *rungs; /* names of parameters: a combination of their values is a rung of a ladder */
    size_t rung_count;
};
bool store_best(struct store *store, const struct store_filter *filter, store_visitor *visit, void *context,
                struct error *error);

/* Visit all valid rows of the same problems, those of a device, size and data together, with verdicts by the name of
 * objectives and limits. Of the filter, which has a name, rungs do not count; any name will do. */
bool store_measured(struct store *store, const struct store_filter *filter, store_visitor *visit, void *context,
                    struct error *error);

/* What a device can do at best: measured by probes, else of the data sheet. Of a device by its row's number, or of
 * one that need not have a row. */
bool store_ceilings(struct store *store, int64_t device, struct ceilings *ceilings, struct error *error);
bool store_device_ceilings(struct store *store, const struct device_description *device, struct ceilings *ceilings,
                           struct error *error);

/* The rows of the view `ceilings` for a device that the store knows; new reference. */
struct json_t;
bool store_ceilings_json(struct store *store, const struct device_description *device, struct json_t **ceilings,
                         struct error *error);

/* Visit the best valid row by an objective (NULL: time) of every problem that any version of this template was tuned
 * for, at any size, on any device of that kind: where a search may start. The most recently used versions come first.
 */
bool store_relatives(struct store *store, const char *template_name, const char *device_kind, const char *objective,
                     store_visitor *visit, void *context, struct error *error);

/* The same of those problems with these sizes on devices of this architecture, and of each the best `most` rows, the
 * best of all problems first. */
struct store_twins {
    const char *size, *architecture;
    int most;
};
bool store_twins(struct store *store, const char *template_name, const char *device_kind, const char *objective,
                 const struct store_twins *twins, store_visitor *visit, void *context, struct error *error);

/* Visit the runs, newest first. Of a run that the database calls "running" `status` says what has become of it:
 * "killed" or "lost" if it has ended so, even if the store cannot be written. The best is the winner of the finals
 * or, without any, what is best by the run's objective within its limits. */
struct store_run_row {
    int64_t id;
    const char *template_name, *space_name, *size, *device_name, *device_kind, *strategy, *status;
    const char *objective, *input_files; /* "": no data files */
    const char *limits;                  /* "": none */
    const char *started_at, *ended_at;   /* ended_at "" while running */
    const char *host, *seen_at;          /* seen_at: the last sign of life */
    int64_t evaluations, failures;
    double configurations, best_ns;
    double best_value; /* of the objective: "time" in ns, "energy" in J, "edp" in J ns; 0: none */
};
typedef bool store_run_visitor(const struct store_run_row *row, void *context);
bool store_runs(struct store *store, store_run_visitor *visit, void *context, struct error *error);

/* Everything that a report shows, as one JSON document per device (see reports/report.h and SCHEMA.md); new
 * references. */
bool store_devices_json(struct store *store, struct json_t **devices, struct error *error);
bool store_device_json(struct store *store, int64_t device_id, struct json_t **document, struct error *error);

/*
 * Join whole databases in a new file, `target`, which appears when it is complete; sources are read as
 * store_open_untouched does. Every row is there once: rows are compared by what identifies them (SCHEMA.md). Of one
 * configuration that several databases have measured for the same problem the latest measurement stays with its
 * verdicts, as where it is measured twice; never one that may not recur in place of a result, nor an imported or
 * shipped one in place of a measurement. Of a run the later state stays. What the first source says of a template's
 * metrics counts; values by other definitions are left out, to be computed again. Errors: the target exists; a source
 * that cannot be opened, is damaged, or has a row that cannot be; `*interrupted`, which a signal handler may set
 * (NULL: none does), is not 0. Then there is no target.
 */
struct store_merge_rows {
    int64_t rows, added; /* of the source; those that no earlier source had */
};
struct store_merge_count {
    struct store_merge_rows runs, evaluations;
};
bool store_merge(const char *const *sources, size_t count, const char *target,
                 const volatile sig_atomic_t *interrupted, struct store_merge_count *counts, struct error *error);

/*
 * What a sweep over many sizes leaves for a template on a device: the text of tuner/dispatch/dispatch.h. A later one
 * for the same version of the template, device, data and objective replaces it. `problem` is one of the sweep's,
 * which has an evaluation. Visit those of a template: one's own first, then imported and shipped ones, each the
 * latest first; of the filter, `size` and `rungs` do not count.
 */
bool store_dispatch_put(struct store *store, const struct store_problem *problem, const char *objective,
                        const char *document, struct error *error);
/* The same as if the sweep's problems had no data files: each had its own. */
bool store_dispatch_put_without_data(struct store *store, const struct store_problem *problem, const char *objective,
                                     const char *document, struct error *error);
struct store_dispatch_row {
    const char *template_name, *template_hash, *device_kind, *device_name, *inputs, *objective;
    const char *made_at, *driver, *compiler; /* made_at: ISO 8601, UTC */
    const char *origin;                      /* "measured", "imported" or "shipped" */
    const char *document;                    /* of a database that anyone may have written */
};
typedef bool store_dispatch_visitor(const struct store_dispatch_row *row, void *context); /* false: stop */
bool store_dispatches(struct store *store, const struct store_filter *filter, store_dispatch_visitor *visit,
                      void *context, struct error *error);

/*
 * What a program found for a problem while it ran, by trying on its own calls (libtune's online tuning). It is no
 * result of a sweep, but stands beside these; a later one for the same version of the template, device, size and data
 * replaces it. Nothing that is known of template and device is replaced. Of the filter, name and hash of the template
 * and kind and name of the device count, all of which must be there; visited are the latest first.
 */
struct store_online {
    const char *configuration, *began_with; /* what was launched in the end, and at first: canonical JSON */
    double ratio;                           /* the time of the one to that of the other */
    double time_ns;                         /* of a call, median; 0: not known */
    int64_t calls, tries;                   /* launches; of other configurations among them */
    const char *tried;                      /* JSON: an array of configurations that were not better */
};
bool store_online_put(struct store *store, const struct store_problem *problem, const struct store_online *online,
                      struct error *error);
struct store_online_row {
    const char *size, *inputs, *compiler, *found_at; /* found_at: ISO 8601, UTC */
    struct store_online online;                      /* of a database that anyone may have written */
};
typedef bool store_online_visitor(const struct store_online_row *row, void *context); /* false: stop */
bool store_onlines(struct store *store, const struct store_filter *filter, store_online_visitor *visit, void *context,
                   struct error *error);

/* Visit what else a program may try: the fastest valid configurations, `each` of them, of every problem of a version
 * of a template on a model of device, whoever measured them. The filter is as above. */
struct store_contender {
    const char *size, *configuration; /* canonical JSON */
    double time_ns, fastest_ns;       /* there; and what the problem's fastest takes */
};
typedef bool store_contender_visitor(const struct store_contender *contender, void *context); /* false: stop */
bool store_contenders(struct store *store, const struct store_filter *filter, size_t each,
                      store_contender_visitor *visit, void *context, struct error *error);

/*
 * Known results as text: the best rows of one template on one device (SCHEMA.md has the format), as shipped, as kept
 * by a site, and as moved from one user to another. Files may be anyone's: they are data, and read entry by entry. An
 * entry that is wrong is refused, with its place, and the others are stored.
 *
 * store_known_load takes a file, or every *.json of a folder, each content once (its hash is remembered), as shipped
 * rows. A missing folder is not an error. What is wrong with a file or an entry does not prevent loading the others;
 * the first error is reported. store_known_load_of does so with a folder whose files are named for their templates,
 * NAME-*.json, as those of db/known are: only those of one template, and of the probes. NULL: all.
 *
 * store_known_import takes a text as imported rows, also if it was taken before, and tells `refuse` (NULL: nobody)
 * about each entry that is refused. False: the text is no such file, or the store failed; then nothing is stored.
 */
typedef void store_known_refusal(const struct error *why, void *context);
struct store_known_counts {
    size_t taken, trees; /* entries: evaluations, and dispatches */
    size_t refused;      /* of both, and problems that are refused as a whole */
    char template_name[256], device_name[256];
};
bool store_known_load(struct store *store, const char *path, struct error *error);
bool store_known_load_of(struct store *store, const char *folder, const char *template_name, struct error *error);
bool store_known_import(struct store *store, const char *path, const char *text, size_t length,
                        store_known_refusal *refuse, void *context, struct store_known_counts *counts,
                        struct error *error);

/* Does the text look like such a file? */
bool store_known_is(const char *text, size_t length);

/* Write such a file: the rows that store_best visits. ERROR_INPUT: there are none, or they are of several templates
 * or devices. */
bool store_known_write(struct store *store, const struct store_filter *filter, const char *path, struct error *error);

#endif
