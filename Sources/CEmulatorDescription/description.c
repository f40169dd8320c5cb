#include "CEmulatorDescription.h"

// C, because it takes a file in as it is. A resource would be a second file beside the executable, and as an array in
// Swift these bytes take the compiler longer than the rest of the emulator.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char text[] = {
#embed "../../Docs/emulator-openapi.json"
};

const size_t emulator_description_size = sizeof text;

const unsigned char *emulator_description(void) { return text; }
