#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct libpq_functions libpq;

/// The file names under which libpq is looked for, in this order.
static const char *const names[] = {
#ifdef __APPLE__
    "libpq.5.dylib",
    // Homebrew links libpq nowhere.
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

/// The reason why libpq cannot be used; empty when it can.
static char reason[256];

/// Finds a function. The first one that is missing is the reason.
static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (function == NULL && reason[0] == 0) snprintf(reason, sizeof reason, "libpq has no function %s", name);
    return function;
}

static void open_once(void) {
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL && reason[0] == 0) snprintf(reason, sizeof reason, "%s", dlerror());
    }
    if (library == NULL) return;
    reason[0] = 0;
    struct libpq_functions found;
#define LIBPQ_FIND(result, name, parameters, arguments) found.name = (result (*) parameters)find(library, #name);
#define LIBPQ_FIND_PROCEDURE(name, parameters, arguments) found.name = (void (*) parameters)find(library, #name);
    LIBPQ_FUNCTIONS(LIBPQ_FIND)
    LIBPQ_PROCEDURES(LIBPQ_FIND_PROCEDURE)
    if (reason[0] == 0) libpq = found;
}

const char *libpq_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    return reason[0] == 0 ? NULL : reason;
}
