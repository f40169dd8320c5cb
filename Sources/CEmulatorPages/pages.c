#include "CEmulatorPages.h"

#include <string.h>

// C, because it takes files in as they are: they can be edited, highlighted and linted as what they are, and no
// resource bundle has to lie beside the executable. See CEmulatorDescription.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char icon_svg[] = {
#embed "Images/icon.svg"
};
static const unsigned char code_mustache[] = {
#embed "Pages/code.mustache"
};
static const unsigned char delivery_mustache[] = {
#embed "Pages/delivery.mustache"
};
static const unsigned char inbox_people_mustache[] = {
#embed "Pages/inbox-people.mustache"
};
static const unsigned char inbox_mustache[] = {
#embed "Pages/inbox.mustache"
};
static const unsigned char index_mustache[] = {
#embed "Pages/index.mustache"
};
static const unsigned char layout_bottom_mustache[] = {
#embed "Pages/layout-bottom.mustache"
};
static const unsigned char layout_top_mustache[] = {
#embed "Pages/layout-top.mustache"
};
static const unsigned char mail_mustache[] = {
#embed "Pages/mail.mustache"
};
static const unsigned char message_mustache[] = {
#embed "Pages/message.mustache"
};
static const unsigned char password_mustache[] = {
#embed "Pages/password.mustache"
};
static const unsigned char people_mustache[] = {
#embed "Pages/people.mustache"
};
static const unsigned char refusal_mustache[] = {
#embed "Pages/refusal.mustache"
};
static const unsigned char refused_person_mustache[] = {
#embed "Pages/refused-person.mustache"
};
static const unsigned char requests_mustache[] = {
#embed "Pages/requests.mustache"
};
static const unsigned char settings_app_mustache[] = {
#embed "Pages/settings-app.mustache"
};
static const unsigned char settings_apps_mustache[] = {
#embed "Pages/settings-apps.mustache"
};
static const unsigned char settings_deletion_mustache[] = {
#embed "Pages/settings-deletion.mustache"
};
static const unsigned char settings_password_mustache[] = {
#embed "Pages/settings-password.mustache"
};
static const unsigned char settings_people_mustache[] = {
#embed "Pages/settings-people.mustache"
};
static const unsigned char sheet_mustache[] = {
#embed "Pages/sheet.mustache"
};
static const unsigned char delivery_js[] = {
#embed "Scripts/delivery.js"
};
static const unsigned char message_js[] = {
#embed "Scripts/message.js"
};
static const unsigned char sign_in_js[] = {
#embed "Scripts/sign-in.js"
};
static const unsigned char emulator_css[] = {
#embed "Styles/emulator.css"
};

static const struct emulator_page_file files[] = {
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"code.mustache", code_mustache, sizeof code_mustache},
    {"delivery.mustache", delivery_mustache, sizeof delivery_mustache},
    {"inbox-people.mustache", inbox_people_mustache, sizeof inbox_people_mustache},
    {"inbox.mustache", inbox_mustache, sizeof inbox_mustache},
    {"index.mustache", index_mustache, sizeof index_mustache},
    {"layout-bottom.mustache", layout_bottom_mustache, sizeof layout_bottom_mustache},
    {"layout-top.mustache", layout_top_mustache, sizeof layout_top_mustache},
    {"mail.mustache", mail_mustache, sizeof mail_mustache},
    {"message.mustache", message_mustache, sizeof message_mustache},
    {"password.mustache", password_mustache, sizeof password_mustache},
    {"people.mustache", people_mustache, sizeof people_mustache},
    {"refusal.mustache", refusal_mustache, sizeof refusal_mustache},
    {"refused-person.mustache", refused_person_mustache, sizeof refused_person_mustache},
    {"requests.mustache", requests_mustache, sizeof requests_mustache},
    {"settings-app.mustache", settings_app_mustache, sizeof settings_app_mustache},
    {"settings-apps.mustache", settings_apps_mustache, sizeof settings_apps_mustache},
    {"settings-deletion.mustache", settings_deletion_mustache, sizeof settings_deletion_mustache},
    {"settings-password.mustache", settings_password_mustache, sizeof settings_password_mustache},
    {"settings-people.mustache", settings_people_mustache, sizeof settings_people_mustache},
    {"sheet.mustache", sheet_mustache, sizeof sheet_mustache},
    {"delivery.js", delivery_js, sizeof delivery_js},
    {"message.js", message_js, sizeof message_js},
    {"sign-in.js", sign_in_js, sizeof sign_in_js},
    {"emulator.css", emulator_css, sizeof emulator_css},
};

const struct emulator_page_file *emulator_find_page_file(const char *name) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        if (strcmp(files[index].name, name) == 0) return &files[index];
    }
    return NULL;
}
