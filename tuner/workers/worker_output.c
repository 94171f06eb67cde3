/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/worker_output.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

enum { READS_MOST = 64 }; /* at a time; more than a pipe holds */

void worker_output_begin(struct worker_output *output, int descriptor)
{
    output->descriptor = descriptor;
    output->printed = 0;
}

void worker_output_end(struct worker_output *output)
{
    if (output->descriptor >= 0)
        close(output->descriptor);
    output->descriptor = -1;
}

void worker_output_keep(struct worker_output *output)
{
    char bytes[4096];
    for (int i = 0; i < READS_MOST && output->descriptor >= 0; i++) {
        ssize_t got = read(output->descriptor, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0)
            worker_output_end(output);
        for (ssize_t j = 0; j < got; j++)
            output->kept[output->printed++ % WORKER_OUTPUT_KEPT] = bytes[j];
    }
}

size_t worker_output_text(const struct worker_output *output, size_t from, char *text, size_t size)
{
    size_t count = output->printed - from, written = 0;
    if (count > WORKER_OUTPUT_KEPT)
        count = WORKER_OUTPUT_KEPT;
    for (size_t i = output->printed - count; i < output->printed && written + 1 < size; i++) {
        char c = output->kept[i % WORKER_OUTPUT_KEPT];
        bool shown = c == '\n' || (unsigned char)c >= ' ';
        text[written++] = shown ? c : ' ';
    }
    while (written > 0 && (text[written - 1] == '\n' || text[written - 1] == ' '))
        written--;
    text[written] = '\0';
    return written;
}
