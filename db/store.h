/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - the database: every evaluation that was ever finished, in one SQLite file.
 *
 * The schema is in schema.sql and its followers beside this file and documented in SCHEMA.md; views are for users'
 * own queries. The journal is a WAL, foreign keys are on, every statement is prepared and bound, and each row is
 * committed when it arrives. Two processes may use one file: an insert that meets another process's row updates it.
 *
 * An evaluation's identity: template hash, device (kind, name, architecture, multiprocessors, memory), driver,
 * compiler, size and configuration. The device's UUID is kept beside it and does not take part; its memory counts in
 * whole GiB. A store belongs to one thread at a time, and not to both sides of a fork.
 */
#ifndef TUNE_DB_STORE_H
#define TUNE_DB_STORE_H

#include "tuner/description/description.h"
#include "tuner/error/error.h"
#include "tuner/evaluation/evaluation.h"

struct store;

/* Where the database is: `path` if given, else $TUNE_DB, else $XDG_DATA_HOME/tune/tune.db, else
 * ~/.local/share/tune/tune.db. Allocated. */
char *store_default_path(const char *path);

/*
 * Open, create if it is not there (folders too), migrate if it is older. Errors, each with a hint: not a database,
 * another program's, corrupt, newer schema than this program knows, read-only where writing is needed, disk full,
 * locked for too long. With `read_only` nothing is made or changed: a file that is missing, empty or of an older
 * schema is an error.
 */
bool store_open(const char *path, bool read_only, struct store **result, struct error *error);
void store_close(struct store *store);
const char *store_path(const struct store *store);

/* What evaluations of one problem have in common. Strings belong to the caller. */
struct store_problem {
    const char *template_name, *template_path, *template_hash;
    const char *space_name, *space_hash, *space_text; /* of the run; not part of an evaluation's identity */
    const char *size;                                 /* "M=4096,N=4096,K=4096" */
    const struct device_description *device;
    double flops, bytes; /* at this size */
};

/* A sweep. */
struct store_run {
    const char *strategy, *budget, *objective;
    uint64_t seed;
    double configurations; /* valid ones in the space */
    const char *tune_version, *host;
};
/* The run is this process's. One that dies leaves it "running"; opened for writing, the store notes runs of this host
 * whose process is gone as "interrupted", ended with their last row. */
bool store_run_begin(struct store *store, const struct store_problem *problem, const struct store_run *run,
                     int64_t *run_id, struct error *error);
/* status: "done", "budget", "interrupted", "failed". */
bool store_run_end(struct store *store, int64_t run_id, const char *status, struct error *error);

/*
 * Store one evaluation of a run. It is committed when this returns: other programs see it and it outlives this one.
 * It outlives a power cut as well where syncing the file is cheap beside the time between two rows; else at the
 * latest with the first row that comes a second later, or with the next call of another function that writes,
 * store_flush among them. To be called when nothing is left to be put for a while, and before a result is announced
 * as safe.
 */
bool store_put(struct store *store, int64_t run_id, const char *configuration, const struct evaluation *evaluation,
               int64_t *evaluation_id, struct error *error);

/* Wait until all that was put outlives a power cut; costs nothing if it does already. */
bool store_flush(struct store *store, struct error *error);

/* Note that the run uses older evaluations of its problem again: all of them, or none. */
bool store_reuse(struct store *store, int64_t run_id, const int64_t *evaluation_ids, size_t count,
                 struct error *error);

/*
 * The finals of a run: the candidates that one measurement each could not tell apart, measured again in turns. The
 * first is the winner; the others were slower, or tied with it and used more. A row's time, interval and energy
 * become those of the finals, and from now on it is not best any more, by the run's objective, unless it is the
 * winner; nor are rows of the run that were not in the finals but whose value is below that of the winner there.
 * Measuring a row or the winner anew takes that back. Putting finals again replaces them.
 */
struct store_final {
    int64_t evaluation_id;
    bool tied;      /* with the winner */
    double time_ns; /* median of the rounds */
    double time_low_ns, time_high_ns;
    double energy_j, energy_error_j;     /* likewise; -1: not measured */
    double ratio, ratio_low, ratio_high; /* of its time to the winner's, round by round: median and 95 % interval */
    const double *rounds_ns;             /* median of each round */
    size_t round_count;
};
bool store_finals_put(struct store *store, int64_t run_id, const struct store_final *finals, size_t count,
                      struct error *error);

/* A row of the database as handed to a callback; everything belongs to the store until the callback returns. What is
 * not known is -1 or 0: of an evaluation's numbers as fields.h says, 0 of flops, bytes and peaks. */
struct store_row {
    int64_t id;
    const char *template_name, *template_hash, *size, *configuration; /* the latter is canonical JSON */
    const char *device_kind, *device_name, *architecture, *driver, *compiler;
    enum outcome outcome;
    const char *message;
    EVALUATION_MEMBERS /* compile_seconds and measure_seconds of a timeout: the time that was given */
        double flops,
        bytes, peak_flops, peak_bandwidth;
    bool was_final;          /* it took part in the finals of a run */
    bool beaten;             /* and is not best since (see store_finals_put) */
    const char *lost_by;     /* the objective of those finals; "" */
    bool tied;               /* beaten only because the winner uses less */
    const char *measured_at; /* ISO 8601, UTC */
    const char *origin;      /* "measured", "shipped" or "imported" */
};
typedef bool store_visitor(const struct store_row *row, void *context); /* false: stop */

/* Evaluations with this problem's identity that are finished: what a sweep need not do again. */
bool store_finished(struct store *store, const struct store_problem *problem, store_visitor *visit, void *context,
                    struct error *error);

/*
 * Results that another tool recorded, as evaluations of the origin "imported": all of them, or none. They have a
 * template and a device of their own (the hash is "imported:" and the kernel's name, the kind of the device
 * "imported"), so that they never count as ours. What was imported before under the same names, and for the same
 * configuration, is replaced.
 */
struct store_import {
    const char *kernel, *path, *device_name, *size;
};
struct store_import_row {
    const char *configuration; /* JSON object */
    const char *measured_at;   /* ISO 8601, UTC; NULL: now */
    struct evaluation evaluation;
};
/* Fill in the row with this index; what it points to must last until the next call. */
typedef bool store_import_reader(size_t index, struct store_import_row *row, void *context, struct error *error);
bool store_import(struct store *store, const struct store_import *import, size_t count, store_import_reader *read,
                  void *context, struct error *error);

/* What was measured or imported, of every problem, with its raw samples (a JSON array of nanoseconds) and what it
 * cost, in the order of problems and then of evaluations. Seconds are 0 where they are not known. What is shipped is
 * no record of a search, but the best of one: it is not among them. */
struct store_recorded_row {
    int64_t problem;
    const char *template_name, *template_hash, *size, *device_name, *device_kind;
    const char *configuration; /* canonical JSON */
    enum outcome outcome;
    const char *message;
    double time_ns; /* 0 unless ok */
    const char *samples_ns;
    double compile_seconds, validate_seconds, measure_seconds, framework_seconds;
    const char *measured_at;
};
typedef bool store_recorded_visitor(const struct store_recorded_row *row, void *context); /* false: stop */
bool store_recorded(struct store *store, store_recorded_visitor *visit, void *context, struct error *error);

/* Are there shipped results? For messages, where nothing is recorded. */
bool store_has_shipped(struct store *store, bool *shipped, struct error *error);

/* The row of one configuration of a run's problem, which another process may have finished meanwhile: `visit` is
 * called if there is one. */
bool store_lookup(struct store *store, int64_t run_id, const char *configuration, store_visitor *visit, void *context,
                  struct error *error);

/* The best valid row for each device and size; NULL filters match all. Ordered by template, device, work, size. With
 * `template_hash` only rows of that version of the kernel, else those of the version that was used last. Best by the
 * objective "time" (also NULL), "energy" or "edp"; only rows whose energy is known take part in the latter. */
struct store_filter {
    const char *template_name, *template_hash, *device_name, *device_kind, *size;
    const char *objective;
};
bool store_best(struct store *store, const struct store_filter *filter, store_visitor *visit, void *context,
                struct error *error);

/* The fastest valid row of every problem that this template was ever tuned for, whatever its version, the size and
 * the device of that kind: where a search may begin. The versions that were used last come first. */
bool store_relatives(struct store *store, const char *template_name, const char *device_kind, store_visitor *visit,
                     void *context, struct error *error);

/* The compiled image of a best row (compressed with zstd inside); kept for the best row of a problem only: that of
 * another row is not stored. */
bool store_image_put(struct store *store, int64_t evaluation_id, const void *image, size_t bytes,
                     struct error *error);
/* *image is allocated; NULL and true when there is none. */
bool store_image_get(struct store *store, int64_t evaluation_id, void **image, size_t *bytes, struct error *error);

/* Runs, newest first: for `tune list runs` and the report. */
struct store_run_row {
    int64_t id;
    const char *template_name, *space_name, *size, *device_name, *device_kind, *strategy, *status;
    const char *started_at, *ended_at; /* ended_at "" while running */
    int64_t evaluations, failures;
    double configurations, best_ns;
};
typedef bool store_run_visitor(const struct store_run_row *row, void *context);
bool store_runs(struct store *store, store_run_visitor *visit, void *context, struct error *error);

/* Everything the report shows, as one JSON document a device (see reports/report.h); new references. */
struct json_t;
bool store_devices_json(struct store *store, struct json_t **devices, struct error *error);
bool store_device_json(struct store *store, int64_t device_id, struct json_t **document, struct error *error);

/* Load shipped knowledge: every *.json of `folder`, once for each content (its hash is remembered); no such folder is
 * no error. A broken file does not keep the others from loading: the error is the first one's. The files' format is
 * in SCHEMA.md; store_known_write makes one from the best rows of one template on one device. */
bool store_known_load(struct store *store, const char *folder, struct error *error);
bool store_known_write(struct store *store, const struct store_filter *filter, const char *path, struct error *error);

#endif
