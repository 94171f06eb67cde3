/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/data_file.h"

#include "tuner/error/input_file.h"
#include "tuner/error/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { PIECE = 8 << 20 };

static uint64_t stamp_of(const struct stat *status)
{
    const uint64_t numbers[] = {(uint64_t)status->st_dev,          (uint64_t)status->st_ino,
                                (uint64_t)status->st_size,         (uint64_t)status->st_mtim.tv_sec,
                                (uint64_t)status->st_mtim.tv_nsec, (uint64_t)status->st_ctim.tv_sec,
                                (uint64_t)status->st_ctim.tv_nsec};
    return XXH3_64bits(numbers, sizeof numbers);
}

/* A later write cannot have the same times. */
static bool is_settled(const struct stat *status)
{
    time_t now = time(NULL);
    return status->st_mtim.tv_sec < now - 1 && status->st_ctim.tv_sec < now - 1;
}

static bool refuse(const char *name, int reason, struct error *error)
{
    bool machine = reason == EIO || reason == ENFILE || reason == EMFILE;
    if (reason == ENOMEM)
        return error_out_of_memory(error);
    return error_set(error, machine ? ERROR_SYSTEM : ERROR_INPUT, "cannot read %s: %s", name, strerror(reason));
}

/* A descriptor of a regular file, or -1. Asking first spares devices and FIFOs from being opened. */
static int open_regular(const char *path, const char *name, struct stat *status, struct error *error)
{
    if (stat(path, status) != 0) {
        refuse(name, errno, error);
        return -1;
    }
    int file = S_ISREG(status->st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    if (S_ISREG(status->st_mode) && (file < 0 || fstat(file, status) != 0)) {
        refuse(name, errno, error);
    } else if (!S_ISREG(status->st_mode)) {
        error_set(error, ERROR_INPUT, "cannot read %s: it is not a regular file but %s", name,
                  input_file_kind(status->st_mode));
    } else {
        return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

/* As many bytes as there are, at most `bytes`; -1: an error. */
static ssize_t read_at(int file, void *to, size_t bytes, uint64_t offset)
{
    size_t length = 0;
    while (length < bytes) {
        ssize_t got = pread(file, (char *)to + length, bytes - length, (off_t)(offset + length));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        length += (size_t)got;
    }
    return (ssize_t)length;
}

/* ---- reading */

static bool has_changed(const char *path, struct error *error)
{
    error_set(error, ERROR_INPUT, "the data file %s has changed while it was in use", path);
    return error_hint(error, "results of other data would mix: run the same command again once it stays as it is");
}

static bool read_pieces(int file, const struct data_part *part, char *piece, data_taker *take, void *context,
                        struct error *error)
{
    size_t most = PIECE / part->item * part->item;
    for (uint64_t at = 0; at < part->bytes;) {
        size_t bytes = part->bytes - at < most ? (size_t)(part->bytes - at) : most;
        ssize_t got = read_at(file, piece, bytes, part->offset + at);
        if (got < 0)
            return refuse(part->path, errno, error);
        if ((size_t)got < bytes)
            return has_changed(part->path, error);
        if (!take(piece, bytes, context, error))
            return false;
        at += bytes;
    }
    return true;
}

static bool hash_piece(const void *piece, size_t bytes, void *context, struct error *error)
{
    (void)error;
    return XXH3_64bits_update(context, piece, bytes) == XXH_OK;
}

/* A file with another stamp: does it have the same elements nevertheless? */
static bool has_same_elements(int file, const struct data_part *part, char *piece, struct error *error)
{
    const struct data_part whole = {part->path, part->stamp, part->offset, part->all, 1, 0, 0};
    XXH3_state_t *state = XXH3_createState();
    bool done = (state && XXH3_64bits_reset(state) == XXH_OK) || error_out_of_memory(error);
    done = done && (part->all > 0 || has_changed(part->path, error)) &&
           read_pieces(file, &whole, piece, hash_piece, state, error) &&
           (XXH3_64bits_digest(state) == part->hash || has_changed(part->path, error));
    XXH3_freeState(state);
    return done;
}

bool data_read(const struct data_part *part, data_taker *take, void *context, struct error *error)
{
    struct stat status;
    int file = open_regular(part->path, part->path, &status, error);
    if (file < 0)
        return false;
    const uint64_t stamp = stamp_of(&status);
    char *piece = malloc(PIECE);
    bool done = (piece || error_out_of_memory(error)) &&
                (stamp == part->stamp || has_same_elements(file, part, piece, error)) &&
                read_pieces(file, part, piece, take, context, error) &&
                (fstat(file, &status) == 0 || refuse(part->path, errno, error)) &&
                (stamp_of(&status) == stamp || has_changed(part->path, error));
    free(piece);
    close(file);
    return done;
}

/* ---- describing */

bool data_file_is_npy(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* "x.npy " and what is wrong with it. */
static bool name_first(const char *name, struct error *error)
{
    char text[sizeof error->text];
    if (!error)
        return false;
    snprintf(text, sizeof text, "%s", error->text);
    snprintf(error->text, sizeof error->text, "%.400s %.600s", name, text);
    return false;
}

static bool describe_npy(int descriptor, const char *name, uint64_t size, struct data_file *file, struct error *error)
{
    char *header = malloc(NPY_HEADER_MOST);
    if (!header)
        return error_out_of_memory(error);
    ssize_t got = read_at(descriptor, header, NPY_HEADER_MOST, 0);
    bool done = got < 0 ? refuse(name, errno, error)
                        : npy_read(header, (size_t)got, &file->npy, error) || name_first(name, error);
    file->header = done ? XXH3_64bits(header, (size_t)file->npy.offset) : 0;
    free(header);
    if (!done)
        return false;
    file->offset = file->npy.offset;
    if (file->npy.record || file->npy.bytes == 0) { /* of no known size; whoever wants its elements will refuse it */
        file->bytes = size - file->offset;
        return true;
    }
    if (!__builtin_mul_overflow(file->npy.count, file->npy.bytes, &file->bytes) && file->bytes <= size - file->offset)
        return true;
    error_set(error, ERROR_INPUT,
              "%s is cut off: by its header it has %" PRIu64 " elements of %" PRIu32 " bytes, but only %" PRIu64
              " bytes follow",
              name, file->npy.count, file->npy.bytes, size - file->offset);
    return false;
}

static bool describe(const char *path, const char *name, struct data_file *file, struct error *error)
{
    struct stat status;
    file->path = realpath(path, NULL);
    if (!file->path)
        return refuse(name, errno, error);
    if (!utf8_is_valid(file->path, strlen(file->path))) {
        error_set(error, ERROR_INPUT, "the path of %s is not UTF-8", name);
        return error_hint(error, "give it a name in UTF-8, or a link to it");
    }
    int descriptor = open_regular(file->path, name, &status, error);
    if (descriptor < 0)
        return false;
    file->stamp = stamp_of(&status);
    file->settled = is_settled(&status);
    file->is_npy = data_file_is_npy(path);
    file->bytes = (uint64_t)status.st_size;
    bool done = !file->is_npy || describe_npy(descriptor, name, (uint64_t)status.st_size, file, error);
    close(descriptor);
    return done;
}

bool data_file_open(const char *path, const char *name, struct data_file **result, struct error *error)
{
    struct data_file *file = calloc(1, sizeof *file);
    *result = NULL;
    if (!file)
        return error_out_of_memory(error);
    if (!describe(path, name, file, error)) {
        data_file_free(file);
        return false;
    }
    *result = file;
    return true;
}

void data_file_free(struct data_file *file)
{
    if (!file)
        return;
    free(file->path);
    free(file);
}

/* ---- what it holds */

static bool hash_elements(const struct data_file *file, uint64_t *hash, struct error *error)
{
    const struct data_part part = {file->path, file->stamp, file->offset, file->bytes, 1, 0, 0};
    XXH3_state_t *state = XXH3_createState();
    bool done = (state && XXH3_64bits_reset(state) == XXH_OK) || error_out_of_memory(error);
    done = done && data_read(&part, hash_piece, state, error);
    if (done)
        *hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return done;
}

bool data_file_hash(struct data_file *file, uint64_t *hash, struct error *error)
{
    if (!file->has_hash && !hash_elements(file, &file->hash, error))
        return false;
    file->has_hash = true;
    *hash = file->hash;
    return true;
}

/* Is what the path leads to now the same, but for its stamp? */
static bool is_only_touched(const struct data_file *file, struct data_file *now, struct error *error)
{
    return file->has_hash && now->header == file->header && now->offset == file->offset &&
           now->bytes == file->bytes && hash_elements(now, &now->hash, error) && now->hash == file->hash;
}

/* The new stamp becomes the file's, which later readers will compare. */
static bool adopt_stamp(struct data_file *file, struct error *error)
{
    struct data_file *now;
    struct error cause = {0};
    bool same = data_file_open(file->path, file->path, &now, &cause) && is_only_touched(file, now, &cause);
    if (same) {
        file->stamp = now->stamp;
        file->settled = now->settled;
    }
    data_file_free(now);
    if (cause.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    return same || has_changed(file->path, error);
}

bool data_file_same(struct data_file *file, struct error *error)
{
    struct stat status;
    uint64_t hash;
    if (stat(file->path, &status) != 0)
        return refuse(file->path, errno, error);
    if (stamp_of(&status) != file->stamp)
        return adopt_stamp(file, error);
    if (file->settled || !file->has_hash)
        return true;
    bool settles = is_settled(&status);
    if (!hash_elements(file, &hash, error))
        return false;
    if (hash != file->hash)
        return has_changed(file->path, error);
    file->settled = settles;
    return true;
}
