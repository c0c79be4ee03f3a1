#pragma once
// The CUDA runtime for an ordinary C++ compiler: what programs use of it, light to include.
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wl/atomics.h"
#include "wl/device.h"
#include "wl/host.h"
#include "wl/math.h"
