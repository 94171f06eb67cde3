/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trigonometry.cuh - sine and cosine of a phase, as selected by TRIG.
 *
 *   precise  sincosf: within 2 ulp, a dozen instructions or more.
 *   sfu      __sincosf: two instructions of the special function unit. The absolute error is below 2^-21.19 while the
 *            phase is in [-pi, pi], and grows outside.
 */
#ifndef MRI_FHD_TRIGONOMETRY_CUH
#define MRI_FHD_TRIGONOMETRY_CUH

#define TWO_PI 6.283185307f

static __device__ __forceinline__ void phase(float angle, float *sine, float *cosine)
{
#if TRIG_sfu
    __sincosf(angle, sine, cosine);
#else
    sincosf(angle, sine, cosine);
#endif
}

#endif
