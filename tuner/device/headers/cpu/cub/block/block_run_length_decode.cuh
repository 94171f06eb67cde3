/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_run_length_decode.cuh - the items that a block's runs, of a value and a length each, stand for: a
 * window of them at a time, blocked. Beyond the last item the last run goes on. */
#ifndef TUNE_CUB_BLOCK_RUN_LENGTH_DECODE
#define TUNE_CUB_BLOCK_RUN_LENGTH_DECODE
#include <cstdint>
#include <cub/block/block_scan.cuh>
namespace cub {

template <class T, int x, int runs, int items, class offset_type = uint32_t, int y = 1, int z = 1>
class BlockRunLengthDecode : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    typedef BlockScan<offset_type, x, BLOCK_SCAN_RAKING, y, z> scan;
    using block::line;
    using block::rank;
    using block::sync;
    static constexpr int all_runs = block::threads * runs;

  public:
    struct TempStorage {
        typename scan::TempStorage scan_room;
        tune_room<T, all_runs> values;
        tune_room<offset_type, all_runs> offsets; /* of the runs' first items */
    };

  private:
    TempStorage &room;
    template <class other_type> __forceinline__ void keep(const T (&values)[runs], const other_type (&offsets)[runs])
    {
        for (int i = 0; i < runs; i++) {
            room.values[rank() * runs + i] = values[i];
            room.offsets[rank() * runs + i] = offset_type(offsets[i]);
        }
        sync();
    }
    template <class length_type, class total_type>
    __forceinline__ void add_up(const T (&values)[runs], const length_type (&lengths)[runs], total_type &total)
    {
        offset_type offsets[runs], all;
        for (int i = 0; i < runs; i++)
            offsets[i] = offset_type(lengths[i]);
        scan(room.scan_room, line).ExclusiveSum(offsets, offsets, all);
        total = total_type(all);
        keep(values, offsets);
    }
    /* The last run that begins there or before. */
    __forceinline__ int run_of(offset_type at) const
    {
        int low = 0, high = all_runs;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            (room.offsets[middle] <= at ? low : high) = middle;
        }
        return low;
    }

  public:
    template <class length_type, class total_type>
    __forceinline__ BlockRunLengthDecode(TempStorage &room, T (&values)[runs], length_type (&lengths)[runs],
                                         total_type &total, tune_line here = {__builtin_LINE()})
        : block(here.line), room(room)
    {
        add_up(values, lengths, total);
    }
    template <class other_type>
    __forceinline__ BlockRunLengthDecode(TempStorage &room, T (&values)[runs], other_type (&offsets)[runs],
                                         tune_line here = {__builtin_LINE()})
        : block(here.line), room(room)
    {
        keep(values, offsets);
    }
    template <class length_type, class total_type>
    __forceinline__ BlockRunLengthDecode(T (&values)[runs], length_type (&lengths)[runs], total_type &total,
                                         tune_line here = {__builtin_LINE()})
        : block(here.line), room(tune_own_room<TempStorage>())
    {
        add_up(values, lengths, total);
    }
    template <class other_type>
    __forceinline__ BlockRunLengthDecode(T (&values)[runs], other_type (&offsets)[runs],
                                         tune_line here = {__builtin_LINE()})
        : block(here.line), room(tune_own_room<TempStorage>())
    {
        keep(values, offsets);
    }

    /* From item `from` on; `offsets` are the items' places in their runs. */
    template <class other_type>
    __forceinline__ void RunLengthDecode(T (&decoded)[items], other_type (&offsets)[items], offset_type from = 0)
    {
        for (int i = 0; i < items; i++) {
            offset_type at = offset_type(from + rank() * items + i);
            int run = run_of(at);
            decoded[i] = room.values[run];
            offsets[i] = other_type(at - room.offsets[run]);
        }
    }
    __forceinline__ void RunLengthDecode(T (&decoded)[items], offset_type from = 0)
    {
        offset_type offsets[items];
        RunLengthDecode(decoded, offsets, from);
    }
};

}
#endif
