#include "CCommonPasswords.h"

// C, because it takes a file in as it is. A resource would be a second file beside the executable.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char text[] = {
#embed "common-passwords.txt"
};

const size_t common_passwords_size = sizeof text;

const unsigned char *common_passwords(void) { return text; }
