/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/cluster.h"

#include "tuner/cli/device_list.h"
#include "tuner/cluster/hand.h"
#include "tuner/error/visible.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a hand */

static bool devices_here(const char *text, struct found_device **devices, size_t *count, struct error *error)
{
    struct device_choice *choices = NULL;
    size_t choice_count = 0;
    *devices = NULL;
    *count = 0;
    if (!device_choose_several(NULL, text, true, &choices, &choice_count, error))
        return false;
    *devices = calloc(choice_count * DEVICES_MOST + 1, sizeof **devices);
    for (size_t i = 0; *devices && i < choice_count; i++) {
        for (size_t j = 0; !choices[i].recorded && j < choices[i].ordinal_count; j++) {
            struct found_device *device = &(*devices)[(*count)++];
            device->ordinal = choices[i].ordinals[j];
            device->works = true;
            device->description = choices[i].description;
            snprintf(device->description.uuid, sizeof device->description.uuid, "%s", choices[i].uuids[j]);
        }
    }
    free(choices);
    return *devices || error_out_of_memory(error);
}

static void print_text(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

/* Rank 0 hears of signals too, and ends the job in order: a hand waits for that. */
static int serve(int socket)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    static const struct hand_host host = {.devices = devices_here, .say = print_text};
    struct error error = {0};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_IGN);
    if (hand_serve(socket, &host, &error))
        return 0;
    error_print(&error, stderr);
    return 1;
}

int cluster_hand(int socket)
{
    signal(SIGPIPE, SIG_IGN);
    return serve(socket);
}

/* ---- rank 0 */

void cluster_note(const char *text)
{
    visible_printf(stderr, "tune: %s\n", text);
}

bool cluster_join(struct cluster *cluster, bool *is_hand, struct error *error)
{
    int launched_as;
    *cluster = (struct cluster){0};
    *is_hand = false;
    if (!ranks_join(&cluster->ranks, error)) {
        (void)ranks_launched(&launched_as);
        *is_hand = launched_as > 0; /* one of them says so */
        return *is_hand;
    }
    const struct ranks *ranks = &cluster->ranks;
    *is_hand = ranks->rank > 0;
    if (*is_hand)
        return serve(ranks->sockets[0]) == 0 || error_set(error, ERROR_WORK, "rank %d ends early", ranks->rank);
    return ranks->size <= 1 ||
           hands_create(ranks->sockets, (size_t)ranks->size - 1, cluster_note, &cluster->hands, error);
}

void cluster_leave(struct cluster *cluster)
{
    for (size_t i = 0; i < cluster->choice_count; i++)
        free(cluster->away[i].shares);
    free(cluster->away);
    hands_free(cluster->hands);
    ranks_leave(&cluster->ranks);
    *cluster = (struct cluster){0};
}

/* ---- --agree */

/* What is printed to stdout goes to a file meanwhile. */
struct capture {
    FILE *file;
    int stdout_copy;
};

static bool capture_begin(struct capture *capture, struct error *error)
{
    fflush(stdout);
    capture->file = tmpfile();
    capture->stdout_copy = dup(STDOUT_FILENO);
    if (capture->file && capture->stdout_copy >= 0 && dup2(fileno(capture->file), STDOUT_FILENO) >= 0)
        return true;
    error_set(error, ERROR_SYSTEM, "cannot keep what is printed: %s", strerror(errno));
    if (capture->file)
        fclose(capture->file);
    if (capture->stdout_copy >= 0)
        close(capture->stdout_copy);
    return false;
}

/* The text, allocated; NULL: out of memory. */
static char *capture_end(struct capture *capture)
{
    char *text = NULL;
    size_t size = 0, got;
    char bytes[4096];
    FILE *copy = open_memstream(&text, &size);
    fflush(stdout);
    (void)dup2(capture->stdout_copy, STDOUT_FILENO);
    close(capture->stdout_copy);
    rewind(capture->file);
    while (copy && (got = fread(bytes, 1, sizeof bytes, capture->file)) > 0)
        fwrite(bytes, 1, got, copy);
    fclose(capture->file);
    return copy && fclose(copy) == 0 ? text : NULL;
}

/* Whatever came of it is printed; all ranks hear it, or none, if the work failed. */
static bool agree_on(struct cluster *cluster, cluster_work *work, const void *options, int *status,
                     struct error *error)
{
    struct capture capture;
    if (!capture_begin(&capture, error))
        return false;
    bool done = work(cluster, options, status, error);
    char *text = capture_end(&capture);
    if (!text)
        return done && error_out_of_memory(error);
    fputs(text, stdout);
    done = done && hands_say(cluster->hands, text, error);
    free(text);
    return done;
}

bool cluster_agree(cluster_work *work, const void *options, int *status, struct error *error)
{
    struct cluster cluster;
    bool is_hand;
    bool done = cluster_join(&cluster, &is_hand, error);
    if (done && !is_hand)
        done =
            cluster.hands ? agree_on(&cluster, work, options, status, error) : work(&cluster, options, status, error);
    cluster_leave(&cluster);
    return done;
}
