/*
 * Time, energy and state on a real GPU, by kernels of known duration: gpu_timing_test [name...]
 *
 * A spinning kernel counts its own clock cycles. How many there are in a nanosecond comes from spins of 50 ms, over
 * which the nanosecond counter's step (32 ns to 1 us) does not matter. So neither has to do with the events.
 */
#include "gpu_test.h"

#include "tuner/measure/energy.h"
#include "tuner/measure/steps.h"
#include "tuner/measure/throttle.h"
#include "tuner/measure/timing.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* As sampling_default would end too early or too late for a table. */
enum { SAMPLES = 25 };

/* The documented resolution of an event (cuEventElapsedTime); on an H100 it was seen to be 32 ns. */
static const double event_ns = 500;

static const char spin_text[] = "__global__ void spin(long long cycles, long long *stamps)\n"
                                "{\n"
                                "    long long c0, c1, t0, t1;\n"
                                "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t0));\n"
                                "    asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(c0));\n"
                                "    do\n"
                                "        asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(c1));\n"
                                "    while (c1 - c0 < cycles);\n"
                                "    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t1));\n"
                                "    stamps[0] = c1 - c0;\n"
                                "    stamps[1] = t1 - t0;\n"
                                "}\n";

/* Multiplies and adds on all multiprocessors until the time is over. */
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
    struct bench bench;
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
    launched->bench.driver = gpu->cuda;
    launched->bench.device = gpu->device;
    launched->bench.description = gpu->description;
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
    MUST(timing_first(&launched->bench, &launched->timed, &first, &error));
    MUST(timing_run(&launched->bench, &launched->timed, &sampling_default, &effort, 0, &evaluation, &error));
    return evaluation;
}

/* Cycles and nanoseconds that the last run counted. */
static void read_stamps(struct gpu *gpu, const struct launched *launched, int64_t stamps[2])
{
    struct error error = {0};
    MUST(gpu->cuda->download(gpu->device, stamps, address_of(launched), 2 * sizeof stamps[0], &error));
}

static double cycles_a_nanosecond(struct gpu *gpu, struct launched *launched)
{
    struct error error = {0};
    int64_t stamps[2];
    double unused;
    set_argument(launched, 0, (uint64_t)gpu->description.clock_khz * 50); /* 50 ms at the highest clock */
    MUST(timing_first(&launched->bench, &launched->timed, &unused, &error));
    read_stamps(gpu, launched, stamps);
    CHECK(stamps[1] > 40000000, "the spin took %lld ns", (long long)stamps[1]);
    return (double)stamps[0] / (double)stamps[1];
}

/*
 * What a launch costs the GPU itself is measured by a spin of no cycles, and is part of every timing; beyond it the
 * events must show what the kernel has counted, to 1 % or their own resolution. From 1 ms on, all of it to 1 %.
 */
static void test_known_duration(struct gpu *gpu)
{
    static const double durations_us[] = {5, 20, 100, 1000, 10000, 50000};
    struct launched launched;
    make_launched(&launched, gpu, spin_text, "spin", 1, 1);
    cycles_a_nanosecond(gpu, &launched); /* the clock settles */
    set_argument(&launched, 0, 0);
    struct evaluation empty = time_it(&launched);
    printf("  a spin of no cycles: %.0f ns measured: the cost of a launch\n", empty.time_ns);
    printf("  %10s %12s %12s %10s %8s %10s %8s\n", "asked us", "counted ns", "measured ns", "more ns", "%",
           "less empty", "%");
    for (size_t i = 0; i < sizeof durations_us / sizeof *durations_us; i++) {
        int64_t stamps[2];
        double rate = cycles_a_nanosecond(gpu, &launched);
        set_argument(&launched, 0, (uint64_t)(durations_us[i] * 1e3 * rate));
        struct evaluation now = time_it(&launched);
        read_stamps(gpu, &launched, stamps);
        double after = cycles_a_nanosecond(gpu, &launched);
        double counted = 2 * (double)stamps[0] / (rate + after), more = now.time_ns - counted;
        double beyond = more - empty.time_ns;
        printf("  %10.0f %12.0f %12.0f %10.0f %8.3f %10.0f %8.3f   %.0f to %.0f ns, %lld MHz, %lld throttled\n",
               durations_us[i], counted, now.time_ns, more, 100 * more / counted, beyond, 100 * beyond / counted,
               now.time_low_ns, now.time_high_ns, (long long)now.state.sm_clock_mhz, (long long)now.throttled);
        CHECK(fabs(rate / after - 1) < 0.002, "the clock went from %g to %g GHz", rate, after);
        CHECK(fabs(beyond) < 0.01 * counted + event_ns, "%g ns too much", beyond);
        CHECK(durations_us[i] < 1000 || fabs(more) < 0.01 * counted, "%g ns too much", more);
        evaluation_clear(&now);
    }
    evaluation_clear(&empty);
}

static void doze(long nanoseconds)
{
    const struct timespec time = {.tv_nsec = nanoseconds};
    nanosleep(&time, NULL);
}

/* Ten empty launches that the host takes its time to queue. */
static double time_slow_host(struct gpu *gpu, struct launched *launched, bool held)
{
    struct error error = {0};
    double nanoseconds;
    MUST(gpu->cuda->flush_cache(gpu->device, &error));
    if (held)
        MUST(gpu->cuda->hold(gpu->device, &error));
    MUST(gpu->cuda->start(gpu->device, &error));
    for (int i = 0; i < 10; i++) {
        MUST(steps_run(&launched->bench, &launched->program, &launched->steps, &launched->instance, &error));
        doze(200000);
    }
    MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
    return nanoseconds;
}

static void test_slow_host_is_not_timed(struct gpu *gpu)
{
    struct launched launched;
    make_launched(&launched, gpu, spin_text, "spin", 1, 1);
    time_slow_host(gpu, &launched, false);
    double unheld = time_slow_host(gpu, &launched, false), held = time_slow_host(gpu, &launched, true);
    printf("  10 launches, 200 us apart on the host: %.0f ns without holding, %.0f ns with\n", unheld, held);
    CHECK(unheld > 1.8e6, "%g ns: the host was faster than it can be", unheld);
    CHECK(held < 100e3, "%g ns: the host is in the timing", held);
}

/* Whatever the host does while the device is held, it goes on. */
static void test_hold_never_hangs(struct gpu *gpu)
{
    struct launched launched;
    struct error error = {0};
    double nanoseconds;
    uint64_t word = 5, at = allocate(gpu, sizeof word);
    make_launched(&launched, gpu, spin_text, "spin", 1, 1);
    for (int round = 0; round < 3; round++) {
        MUST(gpu->cuda->hold(gpu->device, &error));
        MUST(gpu->cuda->hold(gpu->device, &error));
        MUST(gpu->cuda->synchronize(gpu->device, &error));
        MUST(gpu->cuda->hold(gpu->device, &error));
        MUST(gpu->cuda->upload(gpu->device, at, &word, sizeof word, &error));
        MUST(gpu->cuda->hold(gpu->device, &error));
        MUST(gpu->cuda->download(gpu->device, &word, at, sizeof word, &error));
        MUST(gpu->cuda->hold(gpu->device, &error));
        MUST(gpu->cuda->start(gpu->device, &error));
        for (int i = 0; i < 3000; i++) /* more than the driver's queue has room for */
            MUST(steps_run(&launched.bench, &launched.program, &launched.steps, &launched.instance, &error));
        MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
        printf("  3000 launches: %.0f ns each\n", nanoseconds / 3000);

        /* The host is away for longer than the kernel waits: the launch runs meanwhile, and the clock with it. */
        MUST(gpu->cuda->hold(gpu->device, &error));
        MUST(gpu->cuda->start(gpu->device, &error));
        doze(60000000);
        MUST(gpu->cuda->stop(gpu->device, &nanoseconds, &error));
        printf("  a host away for 60 ms: %.1f ms measured\n", 1e-6 * nanoseconds);
        CHECK(nanoseconds > 40e6 && nanoseconds < 60e6, "%g ns: held for all of the time, or not at all",
              nanoseconds);
    }
    CHECK(word == 5, "%llu", (unsigned long long)word);
    MUST(gpu->cuda->hold(gpu->device, &error)); /* and is closed while it is held */
}

static struct evaluation energy_of(struct launched *launched)
{
    struct error error = {0};
    struct evaluation evaluation = time_it(launched);
    MUST(energy_run(&launched->bench, &launched->timed, 0.75, &evaluation, &error));
    double power = 1e9 * evaluation.energy_j / evaluation.time_ns;
    printf("  %.4f J +- %.4f J (%.2f %%) in %.3f ms: %.1f W\n", evaluation.energy_j, evaluation.energy_error_j,
           100 * evaluation.energy_error_j / evaluation.energy_j, 1e-6 * evaluation.time_ns, power);
    return evaluation;
}

/* Two kernels of 2 ms: one thread that waits, and every multiprocessor multiplying. */
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
    make_launched(&idle, gpu, spin_text, "spin", 1, 1);
    set_argument(&idle, 0, (uint64_t)gpu->description.clock_khz * 2);
    struct evaluation waits = energy_of(&idle);
    gpu->cuda->unload(gpu->device, gpu->module);
    make_launched(&busy, gpu, busy_text, "busy", (uint32_t)gpu->description.sm_count * 2, 1024);
    set_argument(&busy, 0, 2000000);
    struct evaluation works = energy_of(&busy), again = energy_of(&busy);
    CHECK(waits.energy_j > 0 && works.energy_j > 0 && again.energy_j > 0, "the counter stands still");
    CHECK(works.energy_j - works.energy_error_j > 1.2 * (waits.energy_j + waits.energy_error_j),
          "multiplying takes no more than waiting");
    CHECK(works.energy_error_j < 0.05 * works.energy_j, "the error is large");
    CHECK(fabs(works.energy_j - again.energy_j) < 0.05 * works.energy_j, "the same kernel, another energy");
    double watts = 1e9 * works.energy_j / works.time_ns;
    CHECK(watts > 20 && watts < 2000, "%g W", watts);
    evaluation_clear(&waits);
    evaluation_clear(&works);
    evaluation_clear(&again);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A kernel that keeps the GPU busy is not throttled on a healthy machine; the state that says so comes with it. */
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
    CHECK(evaluation.state.sm_clock_mhz > 0 && evaluation.state.throttle_reasons >= 0, "the state is not known");
    CHECK(evaluation.throttled % SAMPLES == 0, "%lld samples throttled", (long long)evaluation.throttled);
    CHECK(evaluation.throttled > 0 || throttle_of(&evaluation.state, &gpu->description) == THROTTLE_NONE,
          "throttled and not counted");
    evaluation_clear(&evaluation);

    enum { ASKED = 300 };
    double worst = 0, began = seconds_now(), joules;
    for (int i = 0; i < ASKED; i++) {
        struct device_state state;
        double before = seconds_now();
        gpu->cuda->state(gpu->device, &state);
        worst = fmax(worst, seconds_now() - before);
    }
    printf("  the state costs %.1f us, at worst %.1f us\n", 1e6 * (seconds_now() - began) / ASKED, 1e6 * worst);
    began = seconds_now();
    for (int i = 0; i < ASKED && gpu->cuda->energy(gpu->device, &joules, &error); i++)
        continue;
    printf("  the energy costs %.1f us\n", 1e6 * (seconds_now() - began) / ASKED);
}

static const struct gpu_test tests[] = {
    {"known_duration", test_known_duration},         {"slow_host_is_not_timed", test_slow_host_is_not_timed},
    {"hold_never_hangs", test_hold_never_hangs},     {"energy", test_energy},
    {"state_with_samples", test_state_with_samples},
};

int main(int argument_count, char **arguments)
{
    return gpu_test_main(tests, sizeof tests / sizeof *tests, argument_count, arguments);
}
