/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/cluster_devices.h"

#include "tuner/cli/device_list.h"
#include "tuner/cluster/hand.h"
#include "tuner/error/visible.h"

#include <stdlib.h>
#include <string.h>

/* ---- who has which devices */

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

/* What the hand contributes so far; NULL: nothing. */
static struct hand_share *share_of(const struct fleet_away *away, size_t hand)
{
    for (size_t i = 0; i < away->share_count; i++) {
        if (away->shares[i].hand == hand)
            return &away->shares[i];
    }
    return NULL;
}

/* A share without devices. NULL: out of memory. */
static struct hand_share *add_share(struct fleet_away *away, size_t hand, const struct device_description *device)
{
    struct hand_share *shares = realloc(away->shares, (away->share_count + 1) * sizeof *shares);
    if (!shares)
        return NULL;
    away->shares = shares;
    shares += away->share_count++;
    *shares = (struct hand_share){.hand = hand, .device = *device};
    return shares;
}

/* One more device of a hand. */
static bool add_device(struct fleet_away *away, const struct seat *seat, struct error *error)
{
    struct hand_share *share = share_of(away, seat->rank - 1);
    if (!share)
        share = add_share(away, seat->rank - 1, &seat->description);
    if (!share)
        return error_out_of_memory(error);
    if (share->ordinal_count == CREW_DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "--device: more than %d devices on one node", CREW_DEVICES_MOST);
    share->ordinals[share->ordinal_count++] = seat->ordinal;
    return true;
}

static bool add_seat(struct device_choice *choice, struct fleet_away *away, const struct seat *seat,
                     struct error *error)
{
    if (seat->rank > 0)
        return add_device(away, seat, error);
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

/* ---- who uses which cores */

/* A node, and the cores of it that somebody may use. */
struct working_place {
    char node[256], cores[24];
};

static struct working_place own_place(void)
{
    struct working_place place;
    hand_node(place.node, sizeof place.node);
    hand_cores(place.cores);
    return place;
}

static struct working_place place_of_hand(const struct cluster *cluster, size_t hand)
{
    struct working_place place;
    snprintf(place.node, sizeof place.node, "%s", hands_node(cluster->hands, hand));
    snprintf(place.cores, sizeof place.cores, "%s", hands_cores(cluster->hands, hand));
    return place;
}

static bool same_place(const struct working_place *a, const struct working_place *b)
{
    return strcmp(a->node, b->node) == 0 && strcmp(a->cores, b->cores) == 0;
}

/* Those who work on a problem: the hands with a share, then this process, unless it is idle. */
static size_t worker_count(const struct fleet_away *away)
{
    return away->share_count + fleet_works_here(away);
}

static struct working_place place_of(const struct cluster *cluster, const struct fleet_away *away, size_t worker)
{
    return worker < away->share_count ? place_of_hand(cluster, away->shares[worker].hand) : own_place();
}

static bool is_used(const struct cluster *cluster, const struct fleet_away *away, struct working_place place)
{
    for (size_t i = 0; i < worker_count(away); i++) {
        struct working_place used = place_of(cluster, away, i);
        if (same_place(&used, &place))
            return true;
    }
    return false;
}

/* Those who may use the same cores of a node divide them, so that none compiles on a core that another keeps free for
 * measuring. */
static void divide_cores(const struct cluster *cluster, struct fleet_away *away)
{
    size_t count = worker_count(away);
    for (size_t i = 0; i < count; i++) {
        struct working_place its = place_of(cluster, away, i);
        unsigned part = 0, parts = 0;
        for (size_t j = 0; j < count; j++) {
            struct working_place other = place_of(cluster, away, j);
            if (!same_place(&its, &other))
                continue;
            parts++;
            part += j < i;
        }
        *(i < away->share_count ? &away->shares[i].core_part : &away->core_part) = part;
        *(i < away->share_count ? &away->shares[i].core_parts : &away->core_parts) = parts;
    }
}

/* ---- who compiles for others */

/* Rank 0, if it has no device of this kind. */
static bool compiles_here(const struct cluster *cluster, const struct device_description *device,
                          const struct fleet_away *away)
{
    char compiler[sizeof device->compiler];
    return away->no_crew && !is_used(cluster, away, own_place()) &&
           describe_compiler(device->kind, compiler, sizeof compiler, NULL) &&
           strcmp(compiler, device->compiler) == 0;
}

static bool add_compilers(const struct cluster *cluster, const struct device_choice *choice, struct fleet_away *away,
                          struct error *error)
{
    const struct device_driver *driver = device_driver_find(choice->description.kind);
    if (!driver || driver->shares_cores)
        return true;
    away->compiles = compiles_here(cluster, &choice->description, away);
    for (size_t i = 0; i < hands_count(cluster->hands); i++) {
        if (hands_is_lost(cluster->hands, i) || share_of(away, i) ||
            is_used(cluster, away, place_of_hand(cluster, i)) ||
            !hands_has_compiler(cluster->hands, i, &choice->description))
            continue;
        if (!add_share(away, i, &choice->description))
            return error_out_of_memory(error);
    }
    return true;
}

static void announce(const struct cluster *cluster, const struct device_choice *choices, size_t count)
{
    visible_printf(stderr, "tune: %zu ranks", hands_count(cluster->hands) + 1);
    for (size_t i = 0; i < count; i++) {
        const struct fleet_away *away = &cluster->away[i];
        size_t devices = choices[i].ordinal_count, ranks = devices > 0, compilers = away->compiles;
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
    for (size_t i = 0; done && i < *count; i++) {
        done = add_compilers(cluster, &all[i], &cluster->away[i], error);
        divide_cores(cluster, &cluster->away[i]);
    }
    return done;
}

static bool seat_everybody(struct cluster *cluster, const char *text, struct device_choice **choices, size_t *count,
                           struct error *error)
{
    struct seats seats = {0};
    bool done = hands_await_devices(cluster->hands, error) && seat_all(cluster, text, &seats, choices, count, error);
    free(seats.list);
    free(seats.taken);
    return done;
}

/* In the words for a hand. */
static void note_missing(const struct error *reason)
{
    char node[256], line[1400];
    hand_node(node, sizeof node);
    snprintf(line, sizeof line, "no device on %s (rank 0): %s", node, reason->text);
    cluster_note(line);
}

static bool no_devices(const struct cluster *cluster, const struct error *reason, struct error *error)
{
    error_set(error, reason->code, "none of %zu ranks has a device for this; rank 0: %s",
              hands_count(cluster->hands) + 1, reason->text);
    return error_hint(error, "%s", reason->hint);
}

bool cluster_devices(struct cluster *cluster, struct forerunner *forerunner, const char *text, bool quiet,
                     struct device_choice **choices, size_t *count, struct error *error)
{
    struct error reason = {0};
    bool others_look = cluster->hands && device_list_names(text); /* while this process does */
    if (others_look && !hands_ask_devices(cluster->hands, text, error))
        return false;
    bool chosen = device_choose_several(forerunner, text, quiet, choices, count, &reason);
    if (!chosen && !others_look) {
        if (error)
            *error = reason;
        return false;
    }
    if (!others_look)
        return true;
    bool done = seat_everybody(cluster, text, choices, count, error);
    if (done && *count == 0)
        return no_devices(cluster, &reason, error);
    if (done && !chosen)
        note_missing(&reason);
    if (done && !quiet)
        announce(cluster, *choices, *count);
    return done;
}
