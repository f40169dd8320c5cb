/// A list of common passwords. A program that links this carries the list with it.
#pragma once

#include <stddef.h>

/// The first of `common_passwords_size` bytes, there for as long as the process; not terminated. Each password is followed by
/// a line feed. They are in lower case and in the order of their bytes.
const unsigned char *common_passwords(void);

extern const size_t common_passwords_size;
