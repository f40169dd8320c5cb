/// The emulator's OpenAPI file, as it is in Docs. A program that links this carries the text with it.
#pragma once

#include <stddef.h>

/// The first of `emulator_description_size` bytes, there for as long as the process; not terminated.
const unsigned char *emulator_description(void);

extern const size_t emulator_description_size;
