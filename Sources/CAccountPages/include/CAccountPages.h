/// The templates, styles, scripts and images of the service's pages. A program that links this carries them with it.
#pragma once

#include <stddef.h>

struct account_page_file {
    /// The file's name without its folder, terminated.
    const char *name;
    /// The first of `size` bytes, not terminated. They are there for as long as the process.
    const unsigned char *bytes;
    size_t size;
};

/// The first of `account_page_file_count` files.
const struct account_page_file *account_page_files(void);

extern const size_t account_page_file_count;
