#include "CCrypt.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && !defined(__ANDROID__)

// musl has bcrypt in itself; with glibc libcrypt is a library of its own, of which Debian and Fedora have two versions.
#include <features.h>

#ifdef __GLIBC__

#include <dlfcn.h>
#include <pthread.h>

/// The space for libcrypt's work: `sizeof(struct crypt_data)` in libxcrypt's header.
#define WORK_SIZE 32768

typedef char *(*crypt_function)(const char *phrase, const char *setting, void *data, int size);

static const char *const names[] = {"libcrypt.so.1", "libcrypt.so.2"};
static crypt_function function;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// glibc's own old libcrypt lacks crypt_rn, and bcrypt.
static void open_once(void) {
    for (size_t i = 0; i < sizeof names / sizeof names[0] && function == NULL; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) function = (crypt_function)dlsym(library, "crypt_rn");
    }
}

int crypt_is_available(void) {
    pthread_once(&once, open_once);
    return function != NULL;
}

static char *run(const char *password, const char *stored, void *work) {
    return function(password, stored, work, WORK_SIZE);
}

#else

#include <crypt.h>

#define WORK_SIZE sizeof(struct crypt_data)

int crypt_is_available(void) { return 1; }

static char *run(const char *password, const char *stored, void *work) { return crypt_r(password, stored, work); }

#endif

int crypt_password(const char *password, const char *stored, char *output, size_t space) {
    if (!crypt_is_available()) return 1;
    void *work = calloc(1, WORK_SIZE);
    if (work == NULL) return 1;
    const char *hash = run(password, stored, work);
    int failed = hash == NULL || hash[0] == '*' || strlen(hash) >= space;
    if (!failed) memcpy(output, hash, strlen(hash) + 1);
    // The work has the password.
    memset(work, 0, WORK_SIZE);
    __asm__ volatile("" : : "r"(work) : "memory");
    free(work);
    return failed;
}

#else

int crypt_is_available(void) { return 0; }

int crypt_password(const char *password, const char *stored, char *output, size_t space) {
    (void)password;
    (void)stored;
    (void)output;
    (void)space;
    return 1;
}

#endif
