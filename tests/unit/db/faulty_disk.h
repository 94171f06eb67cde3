/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk that fails or loses power: an SQLite VFS over the default one, https://www.sqlite.org/vfs.html.
 *
 * Each write, truncation, sync and removal counts as an operation. At a chosen one the disk fails (once, or from then
 * on), or the power is cut: nothing happens any more, and faulty_disk_restart leaves in each file what a real disk
 * might have kept: everything synced, and any of the sectors written since.
 */
#ifndef TESTS_UNIT_DB_FAULTY_DISK_H
#define TESTS_UNIT_DB_FAULTY_DISK_H

#include "fixture.h"

enum fault {
    FAULT_NONE,
    FAULT_ONCE, /* one I/O error */
    FAULT_FULL, /* no space for any further write */
    FAULT_POWER_CUT,
};

/* What survives of unsynced writes. SOMETHING: a random subset of their sectors or, equally often, everything up to a
 * point in the last one. */
enum remains { REMAINS_NOTHING, REMAINS_SOMETHING };

struct pending {
    sqlite3_int64 offset; /* of a write; the new length for a truncation */
    size_t length;        /* 0: a truncation */
    unsigned char *data;
};

/* A file's synced contents, and the operations since. */
struct disk_file {
    char path[256];
    unsigned char *durable;
    size_t length, room;
    struct pending *pending;
    size_t pending_count;
};

static struct {
    sqlite3_vfs vfs, *real;
    enum fault fault;
    long at, operations; /* operation `at`, counted from 1, hits the fault */
    bool dead;
    struct disk_file files[8];
    size_t file_count;
    struct disk_file *last; /* the file of the last write */
} disk;

struct shim {
    sqlite3_file base;
    struct disk_file *file; /* NULL: not tracked */
    sqlite3_file *real;
};

static void disk_reserve(struct disk_file *file, size_t length)
{
    if (length > file->room) {
        file->room = 2 * length;
        file->durable = realloc(file->durable, file->room);
        assert_non_null(file->durable);
    }
    if (length > file->length)
        memset(file->durable + file->length, 0, length - file->length);
}

/* Commit `length` bytes of a pending write, starting at its byte `from`. */
static void disk_apply(struct disk_file *file, const struct pending *pending, size_t from, size_t length)
{
    size_t end = (size_t)pending->offset + from + length;
    disk_reserve(file, end);
    memcpy(file->durable + pending->offset + from, pending->data + from, length);
    if (end > file->length)
        file->length = end;
}

static void disk_cut(struct disk_file *file, size_t length)
{
    disk_reserve(file, length);
    file->length = length;
}

static void disk_forget_pending(struct disk_file *file)
{
    for (size_t i = 0; i < file->pending_count; i++)
        free(file->pending[i].data);
    free(file->pending);
    file->pending = NULL;
    file->pending_count = 0;
}

static void disk_sync(struct disk_file *file)
{
    for (size_t i = 0; i < file->pending_count; i++) {
        if (file->pending[i].length)
            disk_apply(file, &file->pending[i], 0, file->pending[i].length);
        else
            disk_cut(file, (size_t)file->pending[i].offset);
    }
    disk_forget_pending(file);
}

static void disk_note(struct disk_file *file, sqlite3_int64 offset, const void *data, size_t length)
{
    file->pending = realloc(file->pending, (file->pending_count + 1) * sizeof *file->pending);
    assert_non_null(file->pending);
    struct pending *pending = &file->pending[file->pending_count++];
    *pending = (struct pending){offset, length, length ? malloc(length) : NULL};
    if (length) {
        assert_non_null(pending->data);
        memcpy(pending->data, data, length);
        disk.last = file;
    }
}

static struct disk_file *disk_find(const char *path)
{
    for (size_t i = 0; i < disk.file_count; i++) {
        if (strcmp(disk.files[i].path, path) == 0)
            return &disk.files[i];
    }
    return NULL;
}

/* Start tracking a file; its present contents count as synced. */
static struct disk_file *disk_track(const char *path)
{
    struct disk_file *file = disk_find(path);
    if (file)
        return file;
    assert_true(disk.file_count < sizeof disk.files / sizeof *disk.files);
    file = &disk.files[disk.file_count++];
    *file = (struct disk_file){0};
    snprintf(file->path, sizeof file->path, "%s", path);
    FILE *stream = fopen(path, "rb");
    if (stream) {
        assert_int_equal(fseek(stream, 0, SEEK_END), 0);
        size_t length = (size_t)ftell(stream);
        rewind(stream);
        disk_reserve(file, length + 1);
        file->length = fread(file->durable, 1, length, stream);
        fclose(stream);
    }
    return file;
}

/* Count an operation; returns its result code and sets whether it is carried out. */
static int disk_operate(int failure, bool *done)
{
    *done = !disk.dead;
    if (disk.dead)
        return failure;
    bool now = disk.fault != FAULT_NONE && ++disk.operations >= disk.at;
    if (!now)
        return SQLITE_OK;
    switch (disk.fault) {
    case FAULT_ONCE:
        *done = disk.operations != disk.at;
        return *done ? SQLITE_OK : failure;
    case FAULT_FULL:
        *done = failure != SQLITE_IOERR_WRITE;
        return *done ? SQLITE_OK : SQLITE_FULL;
    default:
        disk.dead = true;
        return failure; /* this last operation may be half done */
    }
}

#define REAL(file) (((struct shim *)(file))->real)

static int shim_close(sqlite3_file *file)
{
    int result = REAL(file)->pMethods->xClose(REAL(file));
    sqlite3_free(REAL(file));
    return result;
}

static int shim_read(sqlite3_file *file, void *data, int length, sqlite3_int64 offset)
{
    return REAL(file)->pMethods->xRead(REAL(file), data, length, offset);
}

static int shim_write(sqlite3_file *file, const void *data, int length, sqlite3_int64 offset)
{
    struct shim *shim = (struct shim *)file;
    bool done;
    int result = disk_operate(SQLITE_IOERR_WRITE, &done);
    if (done && shim->file)
        disk_note(shim->file, offset, data, (size_t)length);
    return result == SQLITE_OK ? REAL(file)->pMethods->xWrite(REAL(file), data, length, offset) : result;
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 length)
{
    struct shim *shim = (struct shim *)file;
    bool done;
    int result = disk_operate(SQLITE_IOERR_TRUNCATE, &done);
    if (done && shim->file)
        disk_note(shim->file, length, NULL, 0);
    return result == SQLITE_OK ? REAL(file)->pMethods->xTruncate(REAL(file), length) : result;
}

/* The real file need not be synced: the real power stays on. */
static int shim_sync(sqlite3_file *file, int flags)
{
    struct shim *shim = (struct shim *)file;
    bool done;
    int result = disk_operate(SQLITE_IOERR_FSYNC, &done);
    (void)flags;
    if (result == SQLITE_OK && shim->file)
        disk_sync(shim->file);
    return result;
}

static int shim_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int shim_lock(sqlite3_file *file, int level)
{
    return REAL(file)->pMethods->xLock(REAL(file), level);
}

static int shim_unlock(sqlite3_file *file, int level)
{
    return REAL(file)->pMethods->xUnlock(REAL(file), level);
}

static int shim_check_lock(sqlite3_file *file, int *result)
{
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int shim_control(sqlite3_file *file, int operation, void *argument)
{
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int shim_sector_size(sqlite3_file *file)
{
    return REAL(file)->pMethods->xSectorSize(REAL(file));
}

/* Guarantees nothing, not even that a small overwrite leaves its neighbours intact. */
static int shim_characteristics(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static int shim_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
    return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extend, memory);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void shim_shm_barrier(sqlite3_file *file)
{
    REAL(file)->pMethods->xShmBarrier(REAL(file));
}

static int shim_shm_unmap(sqlite3_file *file, int remove)
{
    return REAL(file)->pMethods->xShmUnmap(REAL(file), remove);
}

static const sqlite3_io_methods shim_methods = {
    .iVersion = 2,
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_file_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_check_lock,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector_size,
    .xDeviceCharacteristics = shim_characteristics,
    .xShmMap = shim_shm_map,
    .xShmLock = shim_shm_lock,
    .xShmBarrier = shim_shm_barrier,
    .xShmUnmap = shim_shm_unmap,
};

static int shim_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out)
{
    enum { KEPT = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL };
    struct shim *shim = (struct shim *)file;
    (void)vfs;
    *shim = (struct shim){.real = sqlite3_malloc(disk.real->szOsFile)};
    if (!shim->real)
        return SQLITE_NOMEM;
    if (disk.fault == FAULT_POWER_CUT && path && (flags & KEPT))
        shim->file = disk_track(path);
    int result = disk.real->xOpen(disk.real, path, shim->real, flags, flags_out);
    if (result == SQLITE_OK)
        shim->base.pMethods = &shim_methods;
    else
        sqlite3_free(shim->real);
    return result;
}

static int shim_delete(sqlite3_vfs *vfs, const char *path, int sync)
{
    bool done;
    int result = disk_operate(SQLITE_IOERR_DELETE, &done);
    (void)vfs;
    if (result != SQLITE_OK)
        return result;
    struct disk_file *file = disk_find(path);
    if (file) {
        disk_forget_pending(file);
        disk_cut(file, 0);
    }
    return disk.real->xDelete(disk.real, path, sync);
}

/* Every database opened from now on is on this disk. */
static void faulty_disk_install(void)
{
    disk.real = sqlite3_vfs_find(NULL);
    disk.vfs = *disk.real;
    disk.vfs.zName = "faulty";
    disk.vfs.szOsFile = sizeof(struct shim);
    disk.vfs.xOpen = shim_open;
    disk.vfs.xDelete = shim_delete;
    sqlite3_vfs_register(&disk.vfs, 1);
}

static void faulty_disk_remove(void)
{
    sqlite3_vfs_unregister(&disk.vfs);
    sqlite3_vfs_register(disk.real, 1);
}

static void faulty_disk_arm(enum fault fault, long at)
{
    disk.fault = fault;
    disk.at = at;
    disk.operations = 0;
    disk.dead = false;
    disk.last = NULL;
}

static void disk_keep_some(struct disk_file *file, const struct pending *pending, bool any, bool last)
{
    enum { SECTOR = 512 };
    if (pending->length == 0) {
        if (!any || rand() % 2)
            disk_cut(file, (size_t)pending->offset);
        return;
    }
    size_t torn = last ? (size_t)rand() % pending->length : pending->length;
    for (size_t from = 0; from < pending->length; from += SECTOR) {
        size_t length = pending->length - from < SECTOR ? pending->length - from : SECTOR;
        if (any ? rand() % 2 : from + length <= torn)
            disk_apply(file, pending, from, length);
    }
}

/* Restore power: files hold what was synced and some of the rest. Clears any fault. */
static void faulty_disk_restart(enum remains remains)
{
    bool any = rand() % 2;
    for (size_t i = 0; i < disk.file_count; i++) {
        struct disk_file *file = &disk.files[i];
        for (size_t k = 0; disk.dead && remains == REMAINS_SOMETHING && k < file->pending_count; k++)
            disk_keep_some(file, &file->pending[k], any, file == disk.last && k + 1 == file->pending_count);
        if (disk.dead && access(file->path, F_OK) == 0) {
            FILE *stream = fopen(file->path, "wb");
            assert_non_null(stream);
            assert_true(file->length == 0 || fwrite(file->durable, 1, file->length, stream) == file->length);
            assert_int_equal(fclose(stream), 0);
            char shared[300]; /* shared memory, lost with the power */
            snprintf(shared, sizeof shared, "%s-shm", file->path);
            unlink(shared);
        }
        disk_forget_pending(file);
        free(file->durable);
    }
    disk.file_count = 0;
    faulty_disk_arm(FAULT_NONE, 0);
}

#endif
