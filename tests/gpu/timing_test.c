/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time, energy and state on a real GPU, with kernels of known duration: gpu_timing_test [name...]
 *
 * How close the figures are depends on a GPU's clocks and temperature: they are printed, and only what holds on any
 * is asserted.
 *
 * A spinning kernel records when it began and ended, by a counter that is independent of the events. From 1 ms on it
 * is the nanosecond counter, whose step (32 ns to 1 us) does not matter then. Shorter spins count clock cycles, and
 * cycles per nanosecond are measured right before and after each, since clocks vary.
 */
#include "gpu_test.h"

#include "tuner/device/monotonic.h"
#include "tuner/measure/energy.h"
#include "tuner/measure/steps.h"
#include "tuner/measure/throttle.h"
#include "tuner/measure/timing.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* A fixed number: sampling_default stops too early or too late for a table. */
enum { SAMPLES = 25 };

/* Both record their first and last moment. The loops end at the first moment that is late enough. */
static const char cycles_text[] = "__global__ void spin(long long cycles, long long *moments)\n"
                                  "{\n"
                                  "    long long began, now;\n"
                                  "    asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(began));\n"
                                  "    do\n"
                                  "        asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(now));\n"
                                  "    while (now - began < cycles);\n"
                                  "    moments[0] = began;\n"
                                  "    moments[1] = now;\n"
                                  "}\n";
static const char nanoseconds_text[] = "__global__ void spin(long long nanoseconds, long long *moments)\n"
                                       "{\n"
                                       "    long long began, now;\n"
                                       "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(began));\n"
                                       "    do\n"
                                       "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
                                       "    while (now - began < nanoseconds);\n"
                                       "    moments[0] = began;\n"
                                       "    moments[1] = now;\n"
                                       "}\n";

/* Counts both for the given time. */
static const char clocks_text[] = "__global__ void clocks(long long nanoseconds, long long *counted)\n"
                                  "{\n"
                                  "    long long began, now, first, last;\n"
                                  "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(began));\n"
                                  "    asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(first));\n"
                                  "    do {\n"
                                  "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
                                  "        asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(last));\n"
                                  "    } while (now - began < nanoseconds);\n"
                                  "    counted[0] = last - first;\n"
                                  "    counted[1] = now - began;\n"
                                  "}\n";

/* Multiplies and adds on all multiprocessors until the time is up. */
static const char busy_text[] = "__global__ void busy(long long nanoseconds, float *out)\n"
                                "{\n"
                                "    long long start, now;\n"
                                "    float a[8];\n"
                                "    for (int i = 0; i < 8; i++)\n"
                                "        a[i] = threadIdx.x + i;\n"
                                "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(start));\n"
                                "    do {\n"
                                "        for (int round = 0; round < 256; round++)\n"
                                "            for (int i = 0; i < 8; i++)\n"
                                "                a[i] = a[i] * 0.999f + 0.5f;\n"
                                "        asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(now));\n"
                                "    } while (now - start < nanoseconds);\n"
                                "    float sum = 0;\n"
                                "    for (int i = 0; i < 8; i++)\n"
                                "        sum += a[i];\n"
                                "    if (sum == 12345)\n"
                                "        *out = sum;\n"
                                "}\n";

/* A launch of a kernel (long long, pointer), as the modules above the device describe one. */
struct launched {
    struct validation_kernels validation;
    struct device_kernel *kernels[1];
    struct program program;
    struct job_argument arguments[2];
    struct job_step step;
    struct job_steps steps;
    struct instance instance;
    struct timed timed;
};

static void set_argument(struct launched *launched, size_t index, uint64_t value)
{
    memcpy(launched->arguments[index].bytes, &value, sizeof value);
}

static void make_launched(struct launched *launched, struct gpu *gpu, const char *text, const char *name,
                          uint32_t blocks, uint32_t threads)
{
    memset(launched, 0, sizeof *launched);
    launched->validation.driver = gpu->cuda;
    launched->validation.device = gpu->device;
    launched->validation.description = gpu->description;
    launched->kernels[0] = kernel_of(gpu, text, name, NULL);
    launched->program.kernels = launched->kernels;
    launched->program.kernel_count = 1;
    for (size_t i = 0; i < 2; i++)
        launched->arguments[i] = (struct job_argument){.kind = ARGUMENT_SCALAR, .element = ELEMENT_LONG};
    launched->step = (struct job_step){
        .kind = STEP_LAUNCH,
        .grid = {blocks, 1, 1},
        .block = {threads, 1, 1},
        .arguments = launched->arguments,
        .argument_count = 2,
    };
    launched->steps = (struct job_steps){&launched->step, 1};
    launched->timed = (struct timed){&launched->program, &launched->steps, &launched->instance};
    set_argument(launched, 1, allocate(gpu, 2 * sizeof(int64_t)));
}

static uint64_t address_of(const struct launched *launched)
{
    uint64_t address;
    memcpy(&address, launched->arguments[1].bytes, sizeof address);
    return address;
}

static struct evaluation time_it(struct launched *launched)
{
    struct error error = {0};
    struct evaluation evaluation = {0};
    const struct evaluation_effort effort = {.samples = SAMPLES};
    double first;
    MUST(timing_first(&launched->validation, &launched->timed, &first, &error));
    MUST(timing_run(&launched->validation, &launched->timed, &sampling_default, &effort, 0, &evaluation, &error));
    return evaluation;
}

/* What the last run recorded. */
static void read_moments(struct gpu *gpu, const struct launched *launched, int64_t moments[2])
{
    struct error error = {0};
    MUST(gpu->cuda->download(gpu->device, moments, address_of(launched), 2 * sizeof moments[0], &error));
}

static double cycles_per_nanosecond(struct gpu *gpu, struct launched *clocks)
{
    struct error error = {0};
    int64_t counted[2];
    double unused;
    set_argument(clocks, 0, 1000000);
    MUST(timing_first(&clocks->validation, &clocks->timed, &unused, &error));
    read_moments(gpu, clocks, counted);
    CHECK(counted[1] >= 1000000, "the spin took %lld ns", (long long)counted[1]);
    return (double)counted[0] / (double)counted[1];
}

/* One sample as it is measured for a row: flushed and blocked. */
static double sample_ns(struct launched *launched)
{
    struct error error = {0};
    struct evaluation evaluation = {0};
    const struct evaluation_effort effort = {.samples = 1};
    MUST(timing_run(&launched->validation, &launched->timed, &sampling_default, &effort, 0, &evaluation, &error));
    double nanoseconds = evaluation.samples_ns[0];
    evaluation_clear(&evaluation);
    return nanoseconds;
}

struct spins {
    struct launched cycles, nanoseconds, clocks;
    double measured[SAMPLES], counted[SAMPLES];
};

/* `clock_moved`: the largest relative change of the clock around a sample. */
static void spin_by_cycles(struct gpu *gpu, struct spins *spins, double nanoseconds, double *clock_moved)
{
    *clock_moved = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        int64_t moments[2];
        double before = cycles_per_nanosecond(gpu, &spins->clocks);
        set_argument(&spins->cycles, 0, (uint64_t)(nanoseconds * before));
        spins->measured[i] = sample_ns(&spins->cycles);
        read_moments(gpu, &spins->cycles, moments);
        double after = cycles_per_nanosecond(gpu, &spins->clocks);
        spins->counted[i] = 2 * (double)(moments[1] - moments[0]) / (before + after);
        *clock_moved = fmax(*clock_moved, fabs(after / before - 1));
    }
}

static void spin_by_nanoseconds(struct gpu *gpu, struct spins *spins, double nanoseconds)
{
    set_argument(&spins->nanoseconds, 0, (uint64_t)nanoseconds);
    for (size_t i = 0; i < SAMPLES; i++) {
        int64_t moments[2];
        spins->measured[i] = sample_ns(&spins->nanoseconds);
        read_moments(gpu, &spins->nanoseconds, moments);
        spins->counted[i] = (double)(moments[1] - moments[0]);
    }
}

/* The smallest difference seen between two events, beyond the rounding of single-precision milliseconds; at most 500
 * ns, the documented resolution. */
static double tick_of(const double *measured, double tick)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        for (size_t j = 0; j < i; j++) {
            double apart = fabs(measured[i] - measured[j]);
            if (apart > 2 + 1e-6 * measured[i])
                tick = fmin(tick, apart);
        }
    }
    return tick;
}

/* The median of a row agrees with that of the counters to 1 % or one tick of the events. */
static void test_known_duration(struct gpu *gpu)
{
    enum { DURATIONS = 6 };
    static const double durations_us[DURATIONS] = {5, 20, 100, 1000, 10000, 50000};
    static struct spins spins;
    double counted_ns[DURATIONS], measured_ns[DURATIONS], tick = 500;
    make_launched(&spins.cycles, gpu, cycles_text, "spin", 1, 1);
    make_launched(&spins.nanoseconds, gpu, nanoseconds_text, "spin", 1, 1);
    make_launched(&spins.clocks, gpu, clocks_text, "clocks", 1, 1);
    for (int i = 0; i < 50; i++)
        cycles_per_nanosecond(gpu, &spins.clocks); /* the clock settles */
    sample_ns(&spins.cycles);                      /* and the first launches are done */
    sample_ns(&spins.nanoseconds);
    printf("  %10s %12s %12s %10s %8s\n", "asked us", "counted ns", "measured ns", "more ns", "%");
    for (size_t i = 0; i < DURATIONS; i++) {
        double moved = 0;
        if (durations_us[i] < 1000)
            spin_by_cycles(gpu, &spins, 1e3 * durations_us[i], &moved);
        else
            spin_by_nanoseconds(gpu, &spins, 1e3 * durations_us[i]);
        struct median measured = median_of(spins.measured, SAMPLES), counted = median_of(spins.counted, SAMPLES);
        counted_ns[i] = counted.value;
        measured_ns[i] = measured.value;
        double more_ns = measured.value - counted.value;
        tick = tick_of(spins.measured, tick);
        printf("  %10.0f %12.0f %12.0f %10.0f %8.3f   %.0f to %.0f ns, clock moved %.3f %%\n", durations_us[i],
               counted.value, measured.value, more_ns, 100 * more_ns / counted.value, measured.low, measured.high,
               100 * moved);
    }
    printf("  the events tick every %.0f ns\n", tick);
    for (size_t i = 1; i < DURATIONS; i++)
        CHECK(counted_ns[i] > counted_ns[i - 1] && measured_ns[i] > measured_ns[i - 1],
              "%g us were %g ns, measured as %g ns", durations_us[i], counted_ns[i], measured_ns[i]);
}

static void doze(long nanoseconds)
{
    const struct timespec time = {.tv_nsec = nanoseconds};
    nanosleep(&time, NULL);
}

/* Ten empty launches, queued by a slow host. */
static double time_slow_host(struct gpu *gpu, struct launched *launched, bool blocked)
{
    struct error error = {0};
    double nanoseconds;
    MUST(gpu->cuda->flush_cache(gpu->device, &error));
    if (blocked)
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
    MUST(gpu->cuda->start(gpu->device, &error));
    for (int i = 0; i < 10; i++) {
        MUST(steps_run(&launched->validation, &launched->program, &launched->steps, &launched->instance, &error));
        doze(200000);
    }
    MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
    return nanoseconds;
}

static void test_slow_host_is_not_timed(struct gpu *gpu)
{
    struct launched launched;
    make_launched(&launched, gpu, cycles_text, "spin", 1, 1);
    time_slow_host(gpu, &launched, false);
    double unblocked = time_slow_host(gpu, &launched, false), blocked = time_slow_host(gpu, &launched, true);
    printf("  10 launches, 200 us apart on the host: %.0f ns unblocked, %.0f ns blocked\n", unblocked, blocked);
    CHECK(blocked < unblocked, "%g ns: the timing includes the host", blocked);
}

/* Whatever the host does while the device is blocked, it continues. */
static void test_blocking_kernel_never_deadlocks(struct gpu *gpu)
{
    struct launched launched;
    struct error error = {0};
    double nanoseconds;
    uint64_t word = 5, at = allocate(gpu, sizeof word);
    make_launched(&launched, gpu, cycles_text, "spin", 1, 1);
    for (int round = 0; round < 3; round++) {
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
        MUST(gpu->cuda->synchronize(gpu->device, &error));
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
        MUST(gpu->cuda->upload(gpu->device, at, &word, sizeof word, &error));
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
        MUST(gpu->cuda->download(gpu->device, &word, at, sizeof word, &error));
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
        MUST(gpu->cuda->start(gpu->device, &error));
        for (int i = 0; i < 3000; i++) /* more than the driver's queue holds */
            MUST(steps_run(&launched.validation, &launched.program, &launched.steps, &launched.instance, &error));
        MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
        printf("  3000 launches: %.0f ns each\n", nanoseconds / 3000);

        /* The host is away for longer than the kernel waits: the launch runs meanwhile, and so does the clock. */
        MUST(gpu->cuda->blocking_kernel(gpu->device, &error));
        MUST(gpu->cuda->start(gpu->device, &error));
        doze(60000000);
        MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
        printf("  a host away for 60 ms: %.1f ms measured\n", 1e-6 * nanoseconds);
    }
    CHECK(word == 5, "%llu", (unsigned long long)word);
    MUST(gpu->cuda->blocking_kernel(gpu->device, &error)); /* and is closed while blocked */
}

static struct evaluation energy_of(struct launched *launched)
{
    struct error error = {0};
    struct evaluation evaluation = time_it(launched);
    MUST(energy_run(&launched->validation, &launched->timed, 0.75, &evaluation, &error));
    double power = 1e9 * evaluation.energy_j / evaluation.time_ns;
    printf("  %.4f J +- %.4f J (%.2f %%) in %.3f ms: %.1f W\n", evaluation.energy_j, evaluation.energy_error_j,
           100 * evaluation.energy_error_j / evaluation.energy_j, 1e-6 * evaluation.time_ns, power);
    return evaluation;
}

/* Two kernels of 2 ms: one thread that waits, and every multiprocessor multiplying. Waiting takes less both before
 * and after multiplying: neither affects the other. */
static void test_energy(struct gpu *gpu)
{
    struct launched idle, busy;
    struct error error = {0};
    double joules;
    if (!gpu->cuda->energy(gpu->device, &joules, &error)) {
        printf("  not measured: %s\n", error.text);
        CHECK(error.code == ERROR_WORK, "%s", error.text);
        return;
    }
    make_launched(&idle, gpu, nanoseconds_text, "spin", 1, 1);
    set_argument(&idle, 0, 2000000);
    struct evaluation waits = energy_of(&idle);
    make_launched(&busy, gpu, busy_text, "busy", (uint32_t)gpu->description.sm_count * 2, 1024);
    set_argument(&busy, 0, 2000000);
    struct evaluation works = energy_of(&busy), again = energy_of(&busy), still = energy_of(&idle);
    CHECK(waits.energy_j > 0 && works.energy_j > 0 && again.energy_j > 0 && still.energy_j > 0,
          "the counter stands still");
    CHECK(works.energy_j > waits.energy_j, "multiplying takes no more than waiting");
    CHECK(again.energy_j > still.energy_j, "waiting after multiplying takes as much");
    printf("  the same again: %+.2f %%\n", 100 * (again.energy_j / works.energy_j - 1));
    evaluation_clear(&waits);
    evaluation_clear(&works);
    evaluation_clear(&again);
    evaluation_clear(&still);
}

/* On a healthy machine a busy GPU is not throttled, and the state of the samples says so. */
static void test_state_with_samples(struct gpu *gpu)
{
    struct launched launched;
    struct error error = {0};
    make_launched(&launched, gpu, busy_text, "busy", (uint32_t)gpu->description.sm_count * 2, 1024);
    set_argument(&launched, 0, 5000000);
    struct evaluation evaluation = time_it(&launched);
    printf("  %lld of %lld MHz, reasons %llx, %lld mW, %lld degrees; %lld samples throttled\n",
           (long long)evaluation.state.sm_clock_mhz, (long long)gpu->description.clock_khz / 1000,
           (unsigned long long)evaluation.state.throttle_reasons, (long long)evaluation.state.power_mw,
           (long long)evaluation.state.temperature_c, (long long)evaluation.throttled);
    CHECK(evaluation.sample_count == SAMPLES, "%zu samples", evaluation.sample_count);
    CHECK(evaluation.state.sm_clock_mhz > 0 && evaluation.state.throttle_reasons >= 0, "the state is unknown");
    CHECK(evaluation.throttled % SAMPLES == 0, "%lld samples throttled", (long long)evaluation.throttled);
    CHECK(evaluation.throttled > 0 || throttle_of(&evaluation.state, &gpu->description) == THROTTLE_NONE,
          "throttled and not counted");
    evaluation_clear(&evaluation);

    enum { ASKED = 300 };
    double worst = 0, began = monotonic_seconds(), joules;
    for (int i = 0; i < ASKED; i++) {
        struct device_state state;
        double before = monotonic_seconds();
        gpu->cuda->state(gpu->device, &state);
        worst = fmax(worst, monotonic_seconds() - before);
    }
    printf("  the state costs %.1f us, at worst %.1f us\n", 1e6 * (monotonic_seconds() - began) / ASKED, 1e6 * worst);
    struct device_state state;
    doze(600000000);
    doze(600000000);
    began = monotonic_seconds();
    gpu->cuda->state(gpu->device, &state);
    printf("  %.1f us where power, temperature and memory clock are read again\n",
           1e6 * (monotonic_seconds() - began));
    began = monotonic_seconds();
    for (int i = 0; i < ASKED && gpu->cuda->energy(gpu->device, &joules, &error); i++)
        continue;
    printf("  the energy costs %.1f us\n", 1e6 * (monotonic_seconds() - began) / ASKED);
}

static const struct gpu_test tests[] = {
    {"known_duration", test_known_duration},
    {"slow_host_is_not_timed", test_slow_host_is_not_timed},
    {"blocking_kernel_never_deadlocks", test_blocking_kernel_never_deadlocks},
    {"energy", test_energy},
    {"state_with_samples", test_state_with_samples},
};

int main(int argument_count, char **arguments)
{
    return gpu_test_main(tests, sizeof tests / sizeof *tests, argument_count, arguments);
}
