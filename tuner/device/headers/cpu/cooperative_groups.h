/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups.h - it and the headers below cooperative_groups/ for the CPU device. Meanings are those of the CUDA C++ Programming Guide,
 * "Cooperative Groups". Where a group may be smaller than one expects, it is: coalesced_threads() is the calling
 * thread alone. Copies (memcpy_async) are done at once, by all threads of the group. Arriving at a barrier does
 * nothing, waiting there does both.
 */
#ifndef TUNE_COOPERATIVE_GROUPS_H
#define TUNE_COOPERATIVE_GROUPS_H
#include <tune/gather.hpp>
namespace cooperative_groups
{

struct tune_token {};
typedef unsigned int __attribute__((may_alias)) tune_word;

/* ---- groups of any kind ---- */

enum tune_kind { tune_lanes, tune_block, tune_cluster, tune_grid };

/* Other groups derive from it and add no data, so that each can be passed as a thread_group. */
class thread_group
{
  protected:
    tune_kind kind;
    unsigned int mask;      /* of lanes: which */
    unsigned int meta_rank; /* of lanes: the group's rank among those of its parent, and how many these are */
    unsigned int meta_size;
    constexpr thread_group(tune_kind kind, unsigned int mask = 0, unsigned int meta_rank = 0,
                           unsigned int meta_size = 1)
        : kind(kind), mask(mask), meta_rank(meta_rank), meta_size(meta_size)
    {
    }
    friend thread_group tune_partition(const thread_group &parent, unsigned int size);

    static unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int rank_in_block()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    unsigned int lanes() const { return (unsigned int)__builtin_popcount(mask); }
    unsigned int lane_rank() const
    {
        return (unsigned int)__builtin_popcount(mask & ((1u << tune_context.lane) - 1));
    }

  public:
    unsigned long long size() const
    {
        switch (kind) {
        case tune_lanes: return lanes();
        case tune_block: return threads_of_block();
        case tune_cluster: return (unsigned long long)__clusterSizeInBlocks() * threads_of_block();
        default: return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * threads_of_block();
        }
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const
    {
        switch (kind) {
        case tune_lanes: return lane_rank();
        case tune_block: return rank_in_block();
        case tune_cluster: return (unsigned long long)__clusterRelativeBlockRank() * threads_of_block() + rank_in_block();
        default:
            return (blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z)) *
                       threads_of_block() +
                   rank_in_block();
        }
    }
    void sync(int line = __builtin_LINE()) const
    {
        if (kind == tune_lanes)
            __syncwarp(mask, line);
        else if (kind == tune_block)
            __syncthreads(line);
        else
            tune_context.services->wide_barrier(tune_context.worker, kind == tune_grid ? TUNE_GRID : TUNE_CLUSTER, line);
    }
    bool is_valid() const { return kind != tune_grid || tune_context.cooperative; }
};

template <class G> TUNE_INLINE void sync(const G &group, int line = __builtin_LINE()) { group.sync(line); }
template <class G> TUNE_INLINE auto thread_rank(const G &group) { return group.thread_rank(); }
template <class G> TUNE_INLINE auto group_size(const G &group) { return group.size(); }

/* ---- block, cluster, grid ---- */

class thread_block : public thread_group
{
  public:
    thread_block() : thread_group(tune_block) {}
    using arrival_token = tune_token;
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&, int line = __builtin_LINE()) const { __syncthreads(line); }
    static void sync(int line = __builtin_LINE()) { __syncthreads(line); }
    static unsigned int size() { return threads_of_block(); }
    static unsigned int num_threads() { return threads_of_block(); }
    static unsigned int thread_rank() { return rank_in_block(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
TUNE_INLINE thread_block this_thread_block() { return {}; }
template <unsigned int threads = 1024> struct block_tile_memory {};
template <unsigned int threads> TUNE_INLINE thread_block this_thread_block(block_tile_memory<threads> &) { return {}; }

class cluster_group : public thread_group
{
  public:
    cluster_group() : thread_group(tune_cluster) {}
    using arrival_token = tune_token;
    static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(int line = __builtin_LINE()) { sync(line); }
    static void barrier_wait(arrival_token &&, int line = __builtin_LINE()) { sync(line); }
    static void sync(int line = __builtin_LINE())
    {
        tune_context.services->wide_barrier(tune_context.worker, TUNE_CLUSTER, line);
    }
    static dim3 dim_blocks() { return __clusterDim(); }
    static dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
    static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
    static dim3 dim_threads()
    {
        dim3 blocks = __clusterDim();
        return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
    }
    static dim3 thread_index()
    {
        dim3 block = __clusterRelativeBlockIdx();
        return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z};
    }
    static unsigned int num_threads() { return __clusterSizeInBlocks() * threads_of_block(); }
    static unsigned int size() { return num_threads(); }
    static unsigned int thread_rank() { return __clusterRelativeBlockRank() * threads_of_block() + rank_in_block(); }
    template <class T> static T *map_shared_rank(T *pointer, int rank, int line = __builtin_LINE())
    {
        return static_cast<T *>(tune_context.services->peer(tune_context.worker, pointer, (tune_u32)rank, line));
    }
    static unsigned int query_shared_rank(const void *pointer)
    {
        return tune_context.services->peer_rank(tune_context.worker, pointer);
    }
};
TUNE_INLINE cluster_group this_cluster() { return {}; }

class grid_group : public thread_group
{
  public:
    grid_group() : thread_group(tune_grid) {}
    using arrival_token = tune_token;
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&, int line = __builtin_LINE()) const { sync(line); }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
    static dim3 dim_threads() { return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z}; }
    static dim3 thread_index()
    {
        return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z};
    }
    static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long block_rank()
    {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    static dim3 cluster_index() { return __clusterIdx(); }
    static unsigned long long num_clusters() { return num_blocks() / __clusterSizeInBlocks(); }
    static unsigned long long cluster_rank()
    {
        dim3 size = __clusterGridDimInClusters(), i = __clusterIdx();
        return i.x + size.x * (i.y + (unsigned long long)size.y * i.z);
    }
};
TUNE_INLINE grid_group this_grid() { return {}; }

/* ---- lanes of a warp ---- */

class coalesced_group;

/* What tiles and coalesced groups share; ranks are those of the threads that take part. */
class tune_lane_group : public thread_group
{
  protected:
    using thread_group::thread_group;
    /* The lane with a rank; 32 if there is none. */
    unsigned int lane_of(unsigned int rank) const
    {
        unsigned int rest = mask;
        while (rest && rank-- > 0)
            rest &= rest - 1;
        return rest ? (unsigned int)__builtin_ctz(rest) : TUNE_WARP;
    }
    template <class T> T from(const T &value, unsigned int rank, bool inside, int line) const
    {
        tune_gathered<T> all = tune_gather(mask, value, line);
        unsigned int lane = inside ? lane_of(rank) : TUNE_WARP;
        return lane < TUNE_WARP && (all.present >> lane & 1) ? all.values[lane] : value;
    }
    unsigned int ranks(unsigned int lanes) const
    {
        unsigned int result = 0, rank = 0;
        for (unsigned int rest = mask; rest; rest &= rest - 1, rank++)
            result |= (lanes >> __builtin_ctz(rest) & 1) << rank;
        return result;
    }

  public:
    unsigned int tune_mask() const { return mask; }
    unsigned int size() const { return lanes(); }
    unsigned int num_threads() const { return lanes(); }
    unsigned int thread_rank() const { return lane_rank(); }
    unsigned int meta_group_rank() const { return meta_rank; }
    unsigned int meta_group_size() const { return meta_size; }
    void sync(int line = __builtin_LINE()) const { __syncwarp(mask, line); }
    template <class T> T shfl(T value, int rank, int line = __builtin_LINE()) const
    {
        return from(value, (unsigned int)rank % lanes(), true, line);
    }
    template <class T> T shfl_up(T value, unsigned int delta, int line = __builtin_LINE()) const
    {
        return from(value, lane_rank() - delta, delta <= lane_rank(), line);
    }
    template <class T> T shfl_down(T value, unsigned int delta, int line = __builtin_LINE()) const
    {
        return from(value, lane_rank() + delta, delta < lanes() - lane_rank(), line);
    }
    int any(int predicate, int line = __builtin_LINE()) const { return __any_sync(mask, predicate, line); }
    int all(int predicate, int line = __builtin_LINE()) const { return __all_sync(mask, predicate, line); }
    unsigned int ballot(int predicate, int line = __builtin_LINE()) const
    {
        return ranks(__ballot_sync(mask, predicate, line));
    }
    template <class T> unsigned int match_any(T value, int line = __builtin_LINE()) const
    {
        return ranks(__match_any_sync(mask, value, line));
    }
    template <class T> unsigned int match_all(T value, int &predicate, int line = __builtin_LINE()) const
    {
        return ranks(__match_all_sync(mask, value, &predicate, line));
    }
};

template <unsigned int tile_size, class parent = void> class thread_block_tile;

template <unsigned int tile_size> class thread_block_tile<tile_size, void> : public tune_lane_group
{
    static_assert(tile_size > 0 && (tile_size & (tile_size - 1)) == 0, "the size of a tile is a power of two");
    static_assert(tile_size <= TUNE_WARP, "on the CPU device a tile has at most 32 threads");

  protected:
    static unsigned int mask_here()
    {
        return (tile_size == TUNE_WARP ? ~0u : (1u << tile_size % TUNE_WARP) - 1) << (tune_context.lane & ~(tile_size - 1));
    }

  public:
    thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
        : tune_lane_group(tune_lanes, mask_here(), meta_rank, meta_size)
    {
    }
    static constexpr unsigned int size() { return tile_size; }
    static constexpr unsigned int num_threads() { return tile_size; }
    static unsigned int thread_rank() { return tune_context.lane & (tile_size - 1); }
    template <class T> T shfl_xor(T value, int other, int line = __builtin_LINE()) const
    {
        unsigned int rank = thread_rank() ^ (unsigned int)other;
        return from(value, rank, rank < tile_size, line);
    }
};

template <unsigned int tile_size, class parent> class thread_block_tile : public thread_block_tile<tile_size, void>
{
  public:
    using thread_block_tile<tile_size, void>::thread_block_tile;
};

class coalesced_group : public tune_lane_group
{
  public:
    coalesced_group(unsigned int mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
        : tune_lane_group(tune_lanes, mask, meta_rank, meta_size)
    {
    }
};
TUNE_INLINE coalesced_group coalesced_threads() { return {__activemask()}; }
TUNE_INLINE thread_block_tile<1> this_thread() { return {0, 1}; }

/* ---- partitions ---- */

template <unsigned int tile_size> TUNE_INLINE thread_block_tile<tile_size, thread_block> tiled_partition(const thread_block &)
{
    return {thread_block::thread_rank() / tile_size, (thread_block::size() + tile_size - 1) / tile_size};
}
template <unsigned int tile_size, unsigned int size, class parent>
TUNE_INLINE thread_block_tile<tile_size, thread_block_tile<size, parent>>
tiled_partition(const thread_block_tile<size, parent> &tile)
{
    static_assert(tile_size <= size, "a tile is at most as large as the one it is part of");
    return {tile.thread_rank() / tile_size, size / tile_size};
}
/* Groups of `size` threads, in the order of their ranks; of a block, at most a warp. */
inline thread_group tune_partition(const thread_group &parent, unsigned int size)
{
    unsigned int rank = (unsigned int)parent.thread_rank(), first = rank / size * size, mask = 0, seen = 0;
    unsigned int lanes = parent.kind == tune_lanes ? parent.mask : ~0u;
    if (parent.kind != tune_lanes)
        first %= TUNE_WARP;
    for (unsigned int rest = lanes; rest; rest &= rest - 1, seen++)
        mask |= seen >= first && seen < first + size ? rest & -rest : 0;
    return thread_group(tune_lanes, mask, rank / size, ((unsigned int)parent.size() + size - 1) / size);
}
TUNE_INLINE thread_group tiled_partition(const thread_group &parent, unsigned int size)
{
    return tune_partition(parent, size);
}

template <class G, class T>
TUNE_INLINE coalesced_group labeled_partition(const G &group, T label, int line = __builtin_LINE())
{
    tune_gathered<T> all = tune_gather(group.tune_mask(), label, line);
    unsigned int mask = 0, groups = 0, before = 0;
    for (int i = 0; i < TUNE_WARP; i++) {
        bool first = all.present >> i & 1;
        if (first && all.values[i] == label)
            mask |= 1u << i;
        for (int j = 0; j < i; j++)
            first = first && !((all.present >> j & 1) && all.values[j] == all.values[i]);
        groups += first;
        before += first && all.values[i] < label;
    }
    return {mask, before, groups};
}
template <class G>
TUNE_INLINE coalesced_group binary_partition(const G &group, bool predicate, int line = __builtin_LINE())
{
    return labeled_partition(group, (int)predicate, line);
}

/* ---- reductions and scans ---- */

template <class T = void> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T = void> struct less { /* the smaller */
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T = void> struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T = void> struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};
#define TUNE_ANY_TYPE(name, value)                                                                                    \
    template <> struct name<void> {                                                                                   \
        template <class T> T operator()(T a, T b) const { return value; }                                             \
    };
TUNE_ANY_TYPE(plus, a + b)
TUNE_ANY_TYPE(less, b < a ? b : a)
TUNE_ANY_TYPE(greater, a < b ? b : a)
TUNE_ANY_TYPE(bit_and, a & b)
TUNE_ANY_TYPE(bit_or, a | b)
TUNE_ANY_TYPE(bit_xor, a ^ b)
#undef TUNE_ANY_TYPE

/* The values of the lanes in `lanes`, in order; `none` if there is none. */
template <class T, class F>
TUNE_INLINE T tune_fold(const tune_gathered<T> &all, unsigned int lanes, const F &combine, T none)
{
    bool any = false;
    for (unsigned int rest = all.present & lanes; rest; rest &= rest - 1) {
        const T &value = all.values[__builtin_ctz(rest)];
        none = any ? (T)combine(none, value) : value;
        any = true;
    }
    return none;
}
template <class G, class T, class F>
TUNE_INLINE T reduce(const G &group, T value, F &&combine, int line = __builtin_LINE())
{
    return tune_fold(tune_gather(group.tune_mask(), value, line), ~0u, combine, value);
}
template <class G, class T, class F>
TUNE_INLINE T inclusive_scan(const G &group, T value, F &&combine, int line = __builtin_LINE())
{
    return tune_fold(tune_gather(group.tune_mask(), value, line), ~0u >> (31 - tune_context.lane), combine, value);
}
template <class G, class T>
TUNE_INLINE T inclusive_scan(const G &group, T value, int line = __builtin_LINE())
{
    return inclusive_scan(group, value, plus<T>(), line);
}
template <class G, class T, class F>
TUNE_INLINE T exclusive_scan(const G &group, T value, F &&combine, int line = __builtin_LINE())
{
    return tune_fold(tune_gather(group.tune_mask(), value, line), (1u << tune_context.lane) - 1, combine, T());
}
template <class G, class T>
TUNE_INLINE T exclusive_scan(const G &group, T value, int line = __builtin_LINE())
{
    return exclusive_scan(group, value, plus<T>(), line);
}

/* ---- one of a group ---- */

template <class G, class F, class... A> TUNE_INLINE void invoke_one(const G &group, F &&f, A &&...arguments)
{
    if (group.thread_rank() == 0)
        f(static_cast<A &&>(arguments)...);
}
template <class G, class F, class... A>
TUNE_INLINE auto invoke_one_broadcast(const G &group, F &&f, A &&...arguments)
{
    decltype(f(static_cast<A &&>(arguments)...)) value{};
    if (group.thread_rank() == 0)
        value = f(static_cast<A &&>(arguments)...);
    return group.shfl(value, 0);
}

/* ---- copies ---- */

template <class G> TUNE_INLINE void tune_copy(const G &group, char *to, const char *from, size_t bytes)
{
    size_t rank = (size_t)group.thread_rank(), threads = (size_t)group.size();
    bool words = (((size_t)to | (size_t)from | bytes) & 3) == 0;
    if (words) {
        for (size_t i = rank; i < bytes / 4; i += threads)
            ((tune_word *)to)[i] = ((const tune_word *)from)[i];
    } else {
        for (size_t i = rank; i < bytes; i += threads)
            to[i] = from[i];
    }
}
template <class G, class T, class U>
TUNE_INLINE void memcpy_async(const G &group, T *to, const U *from, size_t bytes)
{
    tune_copy(group, (char *)to, (const char *)from, bytes);
}
template <class G, class T, class U>
TUNE_INLINE void memcpy_async(const G &group, T *to, size_t room, const U *from, size_t count)
{
    tune_copy(group, (char *)to, (const char *)from, (room < count ? room : count) * sizeof(T));
}
template <class G> TUNE_INLINE void wait(const G &group, int line = __builtin_LINE()) { group.sync(line); }
template <unsigned int stages, class G> TUNE_INLINE void wait_prior(const G &group, int line = __builtin_LINE())
{
    group.sync(line);
}

} // namespace cooperative_groups
#endif
