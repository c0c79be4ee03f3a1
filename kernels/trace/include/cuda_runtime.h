#pragma once
// The CUDA runtime for an ordinary C++ compiler: what programs use of it, light to include.
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What programs ask whether they have the runtime's headers.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

#include "wl/atomics.h"
#include "wl/device.h"
#include "wl/launching.h"
#include "wl/math.h"
#include "wl/memory.h"
