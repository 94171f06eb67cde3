/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels need of libcu++ beside its function objects: the names of the headers without cuda/, in its namespace,
 * and the least and greatest of values. */
#ifndef TUNE_CUDA_STD_PARTS
#define TUNE_CUDA_STD_PARTS
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
namespace cuda {
namespace std {
using namespace ::std;
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
}
}
#endif
