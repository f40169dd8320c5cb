/// The templates, styles and scripts of the emulator's pages, as they are in this folder. A program that links this
/// carries them with it.
#pragma once

#include <stddef.h>

struct emulator_page_file {
    const char *name;
    /// The first of `size` bytes, there for as long as the process; not terminated.
    const unsigned char *bytes;
    size_t size;
};

/// The file with this name, `sheet.mustache` or `emulator.css`; NULL if there is none.
const struct emulator_page_file *emulator_find_page_file(const char *name);
