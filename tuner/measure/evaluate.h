/*
 * evaluate.h - carry out one job on one device: validate, then time.
 *
 * Validation runs on the device: outputs are poisoned, every buffer stands between guard bands, the reference is
 * computed once a size by the template's reference kernels in double precision, and a comparison kernel finds the
 * largest error in units of the allowed one. Timing: after the launches of validation, samples with the cache flushed
 * and all launches queued before each, until sampling.h's rule says that they suffice; again where the device was
 * throttled (timing.h). Energy: energy.h.
 *
 * Nothing here survives a kernel that never ends or kills the process: that is what the worker process is for.
 */
#ifndef TUNE_MEASURE_EVALUATE_H
#define TUNE_MEASURE_EVALUATE_H

#include "tuner/job/job.h"

struct json_t;

/* How an evaluation ended. The names are what the database and the tables show; see outcome_name. */
enum outcome {
    OUTCOME_OK,
    OUTCOME_COMPILE_ERROR,   /* the compiler refused the source */
    OUTCOME_COMPILE_CRASH,   /* the compiler died */
    OUTCOME_COMPILE_TIMEOUT, /* the compiler did not end in time */
    OUTCOME_RESOURCES,       /* needs more threads, registers or shared memory than the device has */
    OUTCOME_MEMORY,          /* buffers do not fit */
    OUTCOME_LAUNCH_ERROR,    /* the launch was refused for another reason */
    OUTCOME_FAULT,           /* illegal address, trap, assertion */
    OUTCOME_WRONG_RESULT,
    OUTCOME_NOT_FINITE,    /* NaN or infinity where a number belongs, or an element never written */
    OUTCOME_OUT_OF_BOUNDS, /* wrote into the guard bands, or into an input */
    OUTCOME_TIMEOUT,       /* did not end in time */
    OUTCOME_CRASH,         /* the worker process died */
    OUTCOME_COUNT,
};
const char *outcome_name(enum outcome outcome);    /* "ok", "compile_error", ... */
const char *outcome_meaning(enum outcome outcome); /* a few words for people */
bool outcome_find(const char *name, enum outcome *outcome);

struct evaluation {
    enum outcome outcome;
    char *message; /* "" if all is well; allocated */

    double time_ns;                   /* median; 0 unless ok */
    double time_low_ns, time_high_ns; /* 95 % confidence interval of the median */
    double *samples_ns;               /* raw, in the order taken; allocated */
    size_t sample_count;
    double error_ratio; /* largest error over the allowed one; <= 1 when ok; -1: not validated */
    int64_t throttled; /* samples taken while the device was throttled; repeated, unless it did not end (see state) */

    double energy_j;       /* of one run of the launches; -1: not measured */
    double energy_error_j; /* half the width of its interval */

    char uuid[64]; /* of the device that measured it; "" if none did */
    uint64_t seed; /* of the inputs that it was validated on */

    struct kernel_resources resources; /* of the kernel that needs most registers */
    int64_t spill_bytes;
    struct device_state state;
    double compile_seconds, validate_seconds, measure_seconds;
    double framework_seconds; /* what another tool took for itself, of rows that were imported; 0: not known */
};

/* Any bytes as a JSON string (new reference): a compiler's log can hold what is not UTF-8, and then what is not ASCII
 * becomes '?'. NULL: out of memory. */
struct json_t *evaluation_text_json(const char *text);

void evaluation_clear(struct evaluation *evaluation);
struct json_t *evaluation_to_json(const struct evaluation *evaluation);
bool evaluation_from_json(const struct json_t *json, struct evaluation *evaluation, struct error *error);

struct evaluator; /* an open device with inputs, references and helper kernels that are kept between jobs */

/* `use_cache`: kernels of our own, setups and references may come from the cache of images. */
bool evaluator_create(const struct device_driver *driver, int ordinal, bool use_cache, struct evaluator **result,
                      struct error *error);
void evaluator_free(struct evaluator *evaluator);
bool evaluator_describe(struct evaluator *evaluator, struct device_description *description, struct error *error);

/*
 * Setup and reference run where nothing can be done about one that hangs or crashes the process. So `began` is told
 * before such a sequence begins ("setup", "reference") and, with NULL, once it has ended; all of a job have ended
 * before its own kernels are launched.
 */
void evaluator_watch(struct evaluator *evaluator, void (*began)(const char *sequence, void *context), void *context);

/* How much an evaluation may cost. */
struct evaluation_effort {
    double incumbent_ns; /* the best time so far, 0: none; a candidate that is surely slower gets few samples */
    size_t samples;      /* as many, or one more, whatever the rule says; 0: by the rule */
    bool energy;         /* measure it, where the device can tell */
};

/*
 * Evaluate `job` with the compiled `image`. Returns false only when the device cannot go on (ERROR_FAULT: the outcome
 * is still filled in, and the process must end), when the template's own setup or reference is at fault
 * (ERROR_INPUT), or when this machine lacks something (ERROR_SYSTEM). What only the compiler knows, spill_bytes and
 * compile_seconds, is left unknown (-1 and 0) for the caller to fill in.
 */
bool evaluator_run(struct evaluator *evaluator, const struct job *job, const void *image, size_t image_bytes,
                   const struct evaluation_effort *effort, struct evaluation *evaluation, struct error *error);

#endif
