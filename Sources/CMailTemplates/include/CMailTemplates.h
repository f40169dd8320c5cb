/// The templates of the service's mails. A program that links this carries them with it.
#pragma once

#include <stddef.h>

struct mail_template_file {
    /// The language and the file's name, such as `en/test.html`, or the name alone of a file for all languages. Terminated.
    const char *name;
    /// The first of `size` bytes, not terminated. They are there for as long as the process.
    const unsigned char *bytes;
    size_t size;
};

/// The first of `mail_template_file_count` files.
const struct mail_template_file *mail_template_files(void);

extern const size_t mail_template_file_count;
