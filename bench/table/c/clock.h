/* The peers time by CLOCK_MONOTONIC. With this header before them they time by processor time,
 * which a busy machine disturbs less. */
#define _GNU_SOURCE
#include <time.h>
#undef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID
