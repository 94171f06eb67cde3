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
    if (!device_choose_several(text, true, &choices, &choice_count, error))
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
    struct ranks *ranks = &cluster->ranks;
    *is_hand = ranks->rank > 0;
    if (*is_hand)
        return serve(ranks->sockets[0]) == 0 || error_set(error, ERROR_WORK, "rank %d ends early", ranks->rank);
    return ranks->size <= 1 || hands_create(ranks->sockets, (size_t)ranks->size - 1, &cluster->hands, error);
}

void cluster_leave(struct cluster *cluster)
{
    for (size_t i = 0; i < cluster->choice_count; i++)
        free((void *)(uintptr_t)cluster->away[i].shares);
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

/* ---- devices of all nodes */

static void note(const char *text)
{
    visible_printf(stderr, "tune: %s\n", text);
}

static bool is_accelerator(const struct device_description *description)
{
    const struct device_driver *driver = device_driver_find(description->kind);
    return driver && driver->accelerator;
}

/* Rows of both belong to one problem. */
static bool are_one(const struct device_description *a, const struct device_description *b)
{
    return device_description_alike(a, b) && strcmp(a->driver, b->driver) == 0 &&
           strcmp(a->compiler, b->compiler) == 0;
}

/* A device of a rank. */
struct seat {
    struct device_description description;
    int ordinal;
    size_t rank;
    bool out;
};

struct seats {
    struct seat *list;
    size_t count, rank_count;
    size_t *taken; /* devices of each rank that are counted */
};

static bool gather(const struct cluster *cluster, const struct device_choice *choices, size_t count,
                   struct seats *seats, struct error *error)
{
    size_t most = count * DEVICES_MOST;
    seats->rank_count = hands_count(cluster->hands) + 1;
    for (size_t i = 0; i + 1 < seats->rank_count; i++)
        most += hands_device_count(cluster->hands, i);
    seats->list = calloc(most + 1, sizeof *seats->list);
    seats->taken = calloc(seats->rank_count, sizeof *seats->taken);
    if (!seats->list || !seats->taken)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < choices[i].ordinal_count; j++) {
            struct seat *seat = &seats->list[seats->count++];
            *seat = (struct seat){.description = choices[i].description, .ordinal = choices[i].ordinals[j]};
            snprintf(seat->description.uuid, sizeof seat->description.uuid, "%s", choices[i].uuids[j]);
        }
    }
    for (size_t i = 0; i + 1 < seats->rank_count; i++) {
        for (size_t j = 0; j < hands_device_count(cluster->hands, i); j++) {
            const struct found_device *device = hands_device(cluster->hands, i, j);
            seats->list[seats->count++] =
                (struct seat){.description = device->description, .ordinal = device->ordinal, .rank = i + 1};
        }
    }
    return true;
}

/* Where accelerators can be chosen, the processors of ranks without one are not. */
static void prefer_accelerators(struct seats *seats)
{
    bool any = false;
    for (size_t i = 0; i < seats->count; i++)
        any = any || is_accelerator(&seats->list[i].description);
    for (size_t i = 0; any && i < seats->count; i++)
        seats->list[i].out = !is_accelerator(&seats->list[i].description);
}

/* Of the ranks that see a device, the one with the fewest has it. */
static void count_once(struct seats *seats)
{
    for (size_t i = 0; i < seats->count; i++) {
        struct seat *best = &seats->list[i];
        if (best->out)
            continue;
        for (size_t j = i + 1; j < seats->count; j++) {
            struct seat *other = &seats->list[j];
            if (other->out || strcmp(other->description.uuid, best->description.uuid) != 0)
                continue;
            struct seat *loser = seats->taken[other->rank] < seats->taken[best->rank] ? best : other;
            loser->out = true;
            best = loser == best ? other : best;
        }
        seats->taken[best->rank]++;
    }
}

/* ---- problems */

/* One more device of a hand, which may have been the last to get one. */
static bool add_share(struct fleet_away *away, const struct seat *seat, struct error *error)
{
    struct hand_share *shares = (struct hand_share *)(uintptr_t)away->shares;
    size_t at = 0;
    while (at < away->share_count && shares[at].hand != seat->rank - 1)
        at++;
    if (at < away->share_count && shares[at].ordinal_count == CREW_DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "--device: more than %d devices on one node", CREW_DEVICES_MOST);
    if (at == away->share_count) {
        shares = realloc(shares, (at + 1) * sizeof *shares);
        if (!shares)
            return error_out_of_memory(error);
        shares[at] = (struct hand_share){.hand = seat->rank - 1, .device = seat->description};
        away->shares = shares;
        away->share_count++;
    }
    shares[at].ordinals[shares[at].ordinal_count++] = seat->ordinal;
    return true;
}

static bool add_seat(struct device_choice *choice, struct fleet_away *away, const struct seat *seat,
                     struct error *error)
{
    if (seat->rank > 0)
        return add_share(away, seat, error);
    if (choice->ordinal_count == DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "--device: more than %d devices on one node", DEVICES_MOST);
    if (choice->ordinal_count == 0)
        choice->description = seat->description; /* the crew's first slot must have this very device */
    snprintf(choice->uuids[choice->ordinal_count], sizeof choice->uuids[0], "%s", seat->description.uuid);
    choice->ordinals[choice->ordinal_count++] = seat->ordinal;
    return true;
}

/* `choices` and the cluster's `away` have room for each seat to be on its own. */
static bool group(struct cluster *cluster, const struct seats *seats, struct device_choice *choices, size_t *count,
                  struct error *error)
{
    *count = 0;
    for (size_t i = 0; i < seats->count; i++) {
        const struct seat *seat = &seats->list[i];
        size_t at = 0;
        if (seat->out)
            continue;
        while (at < *count && !are_one(&choices[at].description, &seat->description))
            at++;
        if (at == *count) {
            choices[at] = (struct device_choice){.description = seat->description, .away = &cluster->away[at]};
            cluster->away[at] = (struct fleet_away){.hands = cluster->hands};
            cluster->choice_count = ++*count;
        }
        if (!add_seat(&choices[at], &cluster->away[at], seat, error))
            return false;
    }
    for (size_t i = 0; i < *count; i++)
        cluster->away[i].no_crew = choices[i].ordinal_count == 0;
    return true;
}

/* ---- who compiles for others */

static bool has_share(const struct fleet_away *away, size_t hand)
{
    for (size_t i = 0; i < away->share_count; i++) {
        if (away->shares[i].hand == hand)
            return true;
    }
    return false;
}

/* Does somebody who works on the problem use the cores of this hand? */
static bool cores_are_used(const struct cluster *cluster, const struct fleet_away *away, size_t hand)
{
    for (size_t i = 0; i < away->share_count; i++) {
        size_t other = away->shares[i].hand;
        if (strcmp(hands_node(cluster->hands, other), hands_node(cluster->hands, hand)) == 0 &&
            strcmp(hands_cores(cluster->hands, other), hands_cores(cluster->hands, hand)) == 0)
            return true;
    }
    char node[256], cores[24];
    hand_node(node, sizeof node);
    hand_cores(cores);
    return !away->no_crew && strcmp(hands_node(cluster->hands, hand), node) == 0 &&
           strcmp(hands_cores(cluster->hands, hand), cores) == 0;
}

/* Its images are those of the problem's compiler: it has, or sees, a device of the same kind with the same one. */
static bool has_compiler(const struct cluster *cluster, const struct device_description *device, size_t hand)
{
    for (size_t i = 0; i < hands_device_count(cluster->hands, hand); i++) {
        const struct device_description *seen = &hands_device(cluster->hands, hand, i)->description;
        if (strcmp(seen->kind, device->kind) == 0 && strcmp(seen->compiler, device->compiler) == 0)
            return true;
    }
    return false;
}

static bool add_compilers(const struct cluster *cluster, const struct device_choice *choice, struct fleet_away *away,
                          struct error *error)
{
    const struct device_driver *driver = device_driver_find(choice->description.kind);
    for (size_t i = 0; driver && !driver->shares_cores && i < hands_count(cluster->hands); i++) {
        if (hands_is_lost(cluster->hands, i) || has_share(away, i) || cores_are_used(cluster, away, i) ||
            !has_compiler(cluster, &choice->description, i))
            continue;
        struct hand_share *shares =
            realloc((void *)(uintptr_t)away->shares, (away->share_count + 1) * sizeof *shares);
        if (!shares)
            return error_out_of_memory(error);
        shares[away->share_count++] = (struct hand_share){.hand = i, .device = choice->description};
        away->shares = shares;
    }
    return true;
}

static void announce(const struct cluster *cluster, const struct device_choice *choices, size_t count)
{
    visible_printf(stderr, "tune: %zu ranks", hands_count(cluster->hands) + 1);
    for (size_t i = 0; i < count; i++) {
        const struct fleet_away *away = &cluster->away[i];
        size_t devices = choices[i].ordinal_count, ranks = devices > 0, compilers = 0;
        for (size_t j = 0; j < away->share_count; j++) {
            devices += away->shares[j].ordinal_count;
            ranks += away->shares[j].ordinal_count > 0;
            compilers += away->shares[j].ordinal_count == 0;
        }
        visible_printf(stderr, "%s %zu x %s of %zu rank%s", i == 0 ? ":" : ", then", devices,
                       choices[i].description.name, ranks, ranks == 1 ? "" : "s");
        if (compilers > 0)
            visible_printf(stderr, " and %zu to compile", compilers);
    }
    fputc('\n', stderr);
}

static bool seat_all(struct cluster *cluster, const char *text, struct seats *seats, struct device_choice **choices,
                     size_t *count, struct error *error)
{
    if (!gather(cluster, *choices, *count, seats, error))
        return false;
    if (!text || strcmp(text, "all") == 0)
        prefer_accelerators(seats);
    count_once(seats);
    struct device_choice *all = calloc(seats->count + 1, sizeof *all);
    cluster->away = calloc(seats->count + 1, sizeof *cluster->away);
    if (!all || !cluster->away) {
        free(all);
        return error_out_of_memory(error);
    }
    free(*choices);
    *choices = all;
    bool done = group(cluster, seats, all, count, error);
    for (size_t i = 0; done && i < *count; i++)
        done = add_compilers(cluster, &all[i], &cluster->away[i], error);
    return done;
}

bool cluster_devices(struct cluster *cluster, const char *text, bool quiet, struct device_choice **choices,
                     size_t *count, struct error *error)
{
    struct seats seats = {0};
    if (!cluster->hands || (*count > 0 && (*choices)[0].recorded))
        return true;
    bool done = hands_find_devices(cluster->hands, text, note, error) &&
                seat_all(cluster, text, &seats, choices, count, error);
    free(seats.list);
    free(seats.taken);
    if (done && !quiet)
        announce(cluster, *choices, *count);
    return done;
}
