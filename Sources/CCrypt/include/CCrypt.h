/// The part of libcrypt that checks passwords of other services, opened while the program runs.
///
/// Nothing links libcrypt: a program also runs where it is not installed, or has another version. Then it checks no such
/// password.
#pragma once

#include <stddef.h>

/// Returns whether ``crypt_password`` works on this machine. Thread-safe.
int crypt_is_available(void);

/// Hashes a password as a stored hash says. Thread-safe.
///
/// Returns 0, and writes the hash with its terminating zero; or another number, and writes nothing, if libcrypt doesn't
/// know the kind of hash or the space is too small.
int crypt_password(const char *password, const char *stored, char *output, size_t space);
