/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled images: one per problem, compressed. */
#include "db/connection.h"

#include <stdlib.h>
#include <zstd.h>

/* Cubins shrink to a third at any level; this one takes about a millisecond. */
enum { LEVEL = 3 };

static bool compress(const void *image, size_t bytes, void **data, size_t *size, struct error *error)
{
    size_t bound = ZSTD_compressBound(bytes);
    *data = malloc(bound);
    if (!*data)
        return error_out_of_memory(error);
    *size = ZSTD_compress(*data, bound, image, bytes, LEVEL);
    return !ZSTD_isError(*size) ||
           error_set(error, ERROR_SYSTEM, "cannot compress an image: %s", ZSTD_getErrorName(*size));
}

static bool check_evaluation(struct store *store, int64_t evaluation, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, "SELECT id FROM evaluation WHERE id = ?", error))
        return false;
    query_bind_integer(&query, evaluation);
    int64_t id;
    return query_integer(&query, "such evaluation", &id, error);
}

static bool replace(struct store *store, int64_t evaluation, const void *data, size_t size, size_t bytes,
                    struct error *error)
{
    struct query query;
    if (!query_open(&query, store,
                    "REPLACE INTO image (problem, evaluation, bytes, data) "
                    "SELECT problem, evaluation, ?, ? FROM fastest WHERE evaluation = ?",
                    error))
        return false;
    query_bind_integer(&query, (int64_t)bytes);
    query_bind_blob(&query, data, size);
    query_bind_integer(&query, evaluation);
    return query_run(&query, error);
}

bool store_image_put(struct store *store, int64_t evaluation_id, const void *image, size_t bytes, struct error *error)
{
    void *data = NULL;
    size_t size = 0;
    bool done = compress(image, bytes, &data, &size, error) && transaction_begin(store, error);
    if (done) {
        done =
            check_evaluation(store, evaluation_id, error) && replace(store, evaluation_id, data, size, bytes, error);
        done = transaction_end(store, done, error);
    }
    free(data);
    return done;
}

static bool decompress(struct query *query, void **image, size_t *bytes, struct error *error)
{
    const void *data = sqlite3_column_blob(query->statement, 0);
    size_t size = (size_t)sqlite3_column_bytes(query->statement, 0);
    unsigned long long content = data ? ZSTD_getFrameContentSize(data, size) : ZSTD_CONTENTSIZE_ERROR;
    if (content == ZSTD_CONTENTSIZE_ERROR || content == ZSTD_CONTENTSIZE_UNKNOWN ||
        (int64_t)content != query_known(query, 1))
        return error_set(error, ERROR_SYSTEM, "an image in the database %s is damaged", query->store->path);
    void *buffer = malloc(content ? (size_t)content : 1);
    if (!buffer)
        return error_out_of_memory(error);
    size_t written = ZSTD_decompress(buffer, (size_t)content, data, size);
    if (ZSTD_isError(written) || written != content) {
        free(buffer);
        return error_set(error, ERROR_SYSTEM, "an image in the database %s is damaged", query->store->path);
    }
    *image = buffer;
    *bytes = written;
    return true;
}

bool store_image_get(struct store *store, int64_t evaluation_id, void **image, size_t *bytes, struct error *error)
{
    *image = NULL;
    *bytes = 0;
    struct query query;
    if (!query_open(&query, store, "SELECT data, bytes FROM image WHERE evaluation = ?", error))
        return false;
    query_bind_integer(&query, evaluation_id);
    enum query_step step = query_step(&query, error);
    bool done = step == QUERY_ROW ? decompress(&query, image, bytes, error) : step == QUERY_DONE;
    query_close(&query);
    return done;
}
