/* SPDX-License-Identifier: Apache-2.0 */
/* A job run as a process of its own, as a GPU's sanitizer sees it, here on the CPU device. */
#include "tests/unit/fixture.h"

#include "tuner/check/plain_run.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char template_text[] = "template twice \"y = 2 x\"\n"
                                    "size n = 100\n"
                                    "parameter BLOCK \"threads\"\n"
                                    "source \"twice.cu\"\n"
                                    "buffer x : float[n] in uniform(-1, 1)\n"
                                    "buffer y : float[n] out\n"
                                    "launch {\n"
                                    "    twice<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, n)\n"
                                    "}\n"
                                    "reference \"none.cu\" {\n"
                                    "    none<<<1, 1>>>(ref(y))\n"
                                    "}\n"
                                    "check y exact\n";
static const char space_text[] = "space one of twice\nparam BLOCK = [64]\n";

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Run the request in a child; what it prints comes back. */
static int run(json_t *request, char *output, size_t size)
{
    int in[2], out[2], status = 0;
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    assert_int_equal(json_dumpfd(request, in[1], 0), 0);
    close(in[1]);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        close(out[0]);
        int ended = plain_run_main(in[0]);
        fflush(stdout);
        _exit(ended);
    }
    close(out[1]);
    close(in[0]);
    size_t length = 0;
    for (ssize_t got; (got = read(out[0], output + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    output[length] = '\0';
    close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void buffers_are_told_and_the_launch_runs(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job;
    char folder[] = "/tmp/tune-plain-XXXXXX", output[4096];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_text("twice.cu", "__global__ void twice(const float *x, float *y, int n)\n{\n"
                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i == 0) printf(\"ran with %d\\n\", n);\n"
                           "    if (i < n) y[i] = 2 * x[i];\n}\n");
    fixture_create(&fixture, template_text, space_text);
    assert_success(job_lower(fixture.problem, 0, 1, &job, &fixture.error), &fixture.error);
    free(job->program.path);
    job->program.path = strdup("twice.cu");
    json_t *request = plain_run_request("cpu", 0, job, JOB_TUNED);
    assert_non_null(request);
    assert_int_equal(run(request, output, sizeof output), 0);
    assert_mentions(output, PLAIN_RUN_BUFFER " x ");
    assert_mentions(output, PLAIN_RUN_BUFFER " y ");
    assert_mentions(output, " 400\n"); /* no guard bands: n floats */
    json_decref(request);
    job_free(job);
    fixture_free(&fixture);
    remove("twice.cu");
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_told_and_the_launch_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
