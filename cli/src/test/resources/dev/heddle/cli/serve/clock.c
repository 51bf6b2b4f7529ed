/*
 * Lets a process read another time of day, as if an operator had set the clock of the machine. The file that the variable
 * TORTURE_CLOCK names holds the offset in seconds as a 64-bit number; a change takes effect at once. Only the time of
 * day is moved: the monotonic clock stays as it is. Loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void load(void) {
    const char *path = getenv("TORTURE_CLOCK");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        void *map = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        offset = map == MAP_FAILED ? NULL : map;
        close(file);
    }
}

static int64_t seconds(void) {
    return offset == NULL ? 0 : *offset;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int) syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += seconds();
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void) zone;
    int result = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return result;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}
