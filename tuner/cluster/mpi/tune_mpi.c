/* SPDX-License-Identifier: Apache-2.0 */
/* It stands alone, so that a user of a cluster can build it there: see tune_mpi.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): glibc reads it */
#endif
#include "tune_mpi.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TAG = 17,
    CHUNK = 32 << 10, /* bytes of a message of MPI, at most */
    SPINS = 200,      /* looks without a pause after the last byte */
};

static const long longest_pause = 1000000; /* ns */

struct peer {
    int rank, socket;
    char *outgoing; /* one message of MPI */
    MPI_Request request;
    bool sending, sent_all; /* the last message, an empty one, is on its way */
    char *incoming;         /* bytes [start, end) wait for the socket */
    size_t start, end, capacity;
    bool received_all, shut, deaf; /* nobody reads the socket any more */
};

static struct {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool ready;
    int rank, size;
    int *sockets; /* the program's ends */
    char why[256];
    struct peer *peers;
    struct pollfd *entries;
    int peer_count;
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- from the socket to MPI */

static bool send_on(struct peer *peer, short events)
{
    int done = 0;
    if (peer->sending) {
        MPI_Test(&peer->request, &done, MPI_STATUS_IGNORE);
        peer->sending = !done;
    }
    if (peer->sending || peer->sent_all || !(events & (POLLIN | POLLHUP | POLLERR)))
        return done;
    ssize_t got = recv(peer->socket, peer->outgoing, CHUNK, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return done;
    peer->sent_all = got <= 0;
    MPI_Isend(peer->outgoing, got > 0 ? (int)got : 0, MPI_BYTE, peer->rank, TAG, MPI_COMM_WORLD, &peer->request);
    peer->sending = true;
    return true;
}

/* ---- from MPI to the socket */

static bool hand_over(struct peer *peer)
{
    bool moved = false;
    while (peer->start < peer->end && !peer->deaf) {
        ssize_t put =
            send(peer->socket, peer->incoming + peer->start, peer->end - peer->start, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0 && errno == EAGAIN)
            return moved;
        if (put < 0 && errno != EINTR)
            peer->deaf = true;
        if (put > 0)
            peer->start += (size_t)put;
        moved = true;
    }
    peer->start = peer->end = 0;
    if (peer->received_all && !peer->shut) {
        shutdown(peer->socket, SHUT_WR);
        peer->shut = true;
    }
    return moved;
}

static char *room(struct peer *peer, size_t more)
{
    if (peer->start > 0) {
        memmove(peer->incoming, peer->incoming + peer->start, peer->end - peer->start);
        peer->end -= peer->start;
        peer->start = 0;
    }
    size_t capacity = peer->capacity ? peer->capacity : CHUNK;
    while (capacity - peer->end < more)
        capacity *= 2;
    if (capacity != peer->capacity) {
        peer->incoming = realloc(peer->incoming, capacity);
        peer->capacity = capacity;
    }
    if (!peer->incoming) {
        fputs("tune: the MPI thread is out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
        abort();
    }
    return peer->incoming + peer->end;
}

static struct peer *peer_of(int rank)
{
    return state.rank == 0 ? &state.peers[rank - 1] : &state.peers[0];
}

static bool receive(void)
{
    MPI_Message message;
    MPI_Status status;
    int found = 0, bytes = 0;
    MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found, &message, &status);
    if (!found)
        return false;
    struct peer *peer = peer_of(status.MPI_SOURCE);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Mrecv(room(peer, (size_t)bytes), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    peer->end += (size_t)bytes;
    peer->received_all = peer->received_all || bytes == 0;
    hand_over(peer);
    return true;
}

/* ---- the thread */

static bool is_over(const struct peer *peer)
{
    return peer->sent_all && !peer->sending && peer->shut;
}

static bool look(const struct timespec *pause)
{
    bool moved = false;
    for (int i = 0; i < state.peer_count; i++) {
        const struct peer *peer = &state.peers[i];
        bool listens = !peer->sending && !peer->sent_all;
        state.entries[i] =
            (struct pollfd){.fd = listens || peer->start < peer->end ? peer->socket : -1,
                            .events = (short)((listens ? POLLIN : 0) | (peer->start < peer->end ? POLLOUT : 0))};
    }
    if (ppoll(state.entries, (nfds_t)state.peer_count, pause, NULL) < 0)
        memset(state.entries, 0, (size_t)state.peer_count * sizeof *state.entries);
    for (int i = 0; i < state.peer_count; i++) {
        moved = send_on(&state.peers[i], state.entries[i].revents) || moved;
        moved = hand_over(&state.peers[i]) || moved;
    }
    while (receive())
        moved = true;
    return moved;
}

static void pump(void)
{
    long idle = 0;
    for (bool over = false; !over;) {
        long nanoseconds = idle < SPINS ? 0 : (idle - SPINS + 1) * 10000;
        const struct timespec pause = {.tv_nsec = nanoseconds < longest_pause ? nanoseconds : longest_pause};
        idle = look(&pause) ? 0 : idle + 1;
        over = true;
        for (int i = 0; i < state.peer_count; i++)
            over = over && is_over(&state.peers[i]);
    }
}

static bool fail(const char *why)
{
    snprintf(state.why, sizeof state.why, "%s", why);
    return false;
}

static bool make_peers(void)
{
    state.peer_count = state.rank == 0 ? state.size - 1 : 1;
    size_t count = (size_t)state.peer_count;
    state.peers = calloc(count + 1, sizeof *state.peers);
    state.entries = calloc(count + 1, sizeof *state.entries);
    state.sockets = calloc(count + 1, sizeof *state.sockets);
    if (!state.peers || !state.entries || !state.sockets)
        return fail("out of memory");
    for (size_t i = 0; i < count; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            return fail(strerror(errno));
        state.sockets[i] = ends[0];
        state.peers[i] =
            (struct peer){.rank = state.rank == 0 ? (int)i + 1 : 0, .socket = ends[1], .outgoing = malloc(CHUNK)};
        if (!state.peers[i].outgoing)
            return fail("out of memory");
    }
    return true;
}

static bool begin(void)
{
    int provided = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return fail("MPI_Init_thread failed");
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state.size);
    return make_peers();
}

static void *work(void *unused)
{
    (void)unused;
    bool begun = begin();
    pthread_mutex_lock(&state.mutex);
    state.ready = true;
    pthread_cond_signal(&state.changed);
    pthread_mutex_unlock(&state.mutex);
    if (begun && (state.rank == 0 ? state.size > 1 : 1))
        pump();
    if (begun)
        MPI_Finalize();
    for (int i = 0; i < state.peer_count; i++) {
        close(state.peers[i].socket);
        free(state.peers[i].outgoing);
        free(state.peers[i].incoming);
    }
    free(state.peers);
    free(state.entries);
    return NULL;
}

int tune_mpi_join(int abi, int *rank, int *size, int **sockets, char *why, size_t why_size)
{
    sigset_t all, before;
    if (abi != TUNE_MPI_ABI) {
        snprintf(why, why_size, "it is of another version of tune");
        return 1;
    }
    sigfillset(&all); /* signals are the program's business */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&state.thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        snprintf(why, why_size, "%s", strerror(failed));
        return 1;
    }
    pthread_mutex_lock(&state.mutex);
    while (!state.ready)
        pthread_cond_wait(&state.changed, &state.mutex);
    pthread_mutex_unlock(&state.mutex);
    *rank = state.rank;
    *size = state.size;
    *sockets = state.sockets;
    snprintf(why, why_size, "%s", state.why);
    return state.why[0] != '\0';
}

void tune_mpi_leave(void)
{
    pthread_join(state.thread, NULL);
}
