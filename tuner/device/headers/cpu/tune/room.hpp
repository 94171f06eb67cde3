/* SPDX-License-Identifier: Apache-2.0 */
/* room.hpp - memory for objects of any type, which may share it with others in a union: it is not initialised. */
#ifndef TUNE_ROOM
#define TUNE_ROOM
template <class T, int count> struct tune_room {
    alignas(T) unsigned char bytes[count * sizeof(T)];
    __forceinline__ T &operator[](int at) { return reinterpret_cast<T *>(bytes)[at]; }
    __forceinline__ const T &operator[](int at) const { return reinterpret_cast<const T *>(bytes)[at]; }
};
/* The room of a collective that is given none. */
template <class storage_type> TUNE_INLINE storage_type &tune_own_room()
{
    __shared__ storage_type own;
    return own;
}
#endif
