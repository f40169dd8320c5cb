#include "CAccountPages.h"

// C, because it takes a file in as it is. A resource would be a second file beside the executable, and Swift's compiler
// needs more time for these bytes as an array than for the rest of the service's HTTP side.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char account_mustache[] = {
#embed "Pages/account.mustache"
};
static const unsigned char apple_button_mustache[] = {
#embed "Pages/apple-button.mustache"
};
static const unsigned char apple_words_mustache[] = {
#embed "Pages/apple-words.mustache"
};
static const unsigned char authorization_end_mustache[] = {
#embed "Pages/authorization-end.mustache"
};
static const unsigned char authorization_mustache[] = {
#embed "Pages/authorization.mustache"
};
static const unsigned char consent_question_mustache[] = {
#embed "Pages/consent-question.mustache"
};
static const unsigned char consents_mustache[] = {
#embed "Pages/consents.mustache"
};
static const unsigned char contact_question_mustache[] = {
#embed "Pages/contact-question.mustache"
};
static const unsigned char deletion_question_mustache[] = {
#embed "Pages/deletion-question.mustache"
};
static const unsigned char deletion_mustache[] = {
#embed "Pages/deletion.mustache"
};
static const unsigned char device_request_mustache[] = {
#embed "Pages/device-request.mustache"
};
static const unsigned char device_mustache[] = {
#embed "Pages/device.mustache"
};
static const unsigned char done_mustache[] = {
#embed "Pages/done.mustache"
};
static const unsigned char email_request_mustache[] = {
#embed "Pages/email-request.mustache"
};
static const unsigned char end_others_mustache[] = {
#embed "Pages/end-others.mustache"
};
static const unsigned char export_mustache[] = {
#embed "Pages/export.mustache"
};
static const unsigned char layout_mustache[] = {
#embed "Pages/layout.mustache"
};
static const unsigned char link_address_mustache[] = {
#embed "Pages/link-address.mustache"
};
static const unsigned char link_conflict_mustache[] = {
#embed "Pages/link-conflict.mustache"
};
static const unsigned char link_question_mustache[] = {
#embed "Pages/link-question.mustache"
};
static const unsigned char link_reset_mustache[] = {
#embed "Pages/link-reset.mustache"
};
static const unsigned char link_sign_in_mustache[] = {
#embed "Pages/link-sign-in.mustache"
};
static const unsigned char link_sign_up_mustache[] = {
#embed "Pages/link-sign-up.mustache"
};
static const unsigned char links_mustache[] = {
#embed "Pages/links.mustache"
};
static const unsigned char merge_question_mustache[] = {
#embed "Pages/merge-question.mustache"
};
static const unsigned char message_mustache[] = {
#embed "Pages/message.mustache"
};
static const unsigned char new_password_mustache[] = {
#embed "Pages/new-password.mustache"
};
static const unsigned char not_me_question_mustache[] = {
#embed "Pages/not-me-question.mustache"
};
static const unsigned char password_entry_mustache[] = {
#embed "Pages/password-entry.mustache"
};
static const unsigned char password_mustache[] = {
#embed "Pages/password.mustache"
};
static const unsigned char profile_mustache[] = {
#embed "Pages/profile.mustache"
};
static const unsigned char prove_mustache[] = {
#embed "Pages/prove.mustache"
};
static const unsigned char provider_words_mustache[] = {
#embed "Pages/provider-words.mustache"
};
static const unsigned char reauthentication_mustache[] = {
#embed "Pages/reauthentication.mustache"
};
static const unsigned char sessions_mustache[] = {
#embed "Pages/sessions.mustache"
};
static const unsigned char sign_in_mustache[] = {
#embed "Pages/sign-in.mustache"
};
static const unsigned char sign_up_mustache[] = {
#embed "Pages/sign-up.mustache"
};
static const unsigned char take_back_question_mustache[] = {
#embed "Pages/take-back-question.mustache"
};
static const unsigned char upgrade_mustache[] = {
#embed "Pages/upgrade.mustache"
};
static const unsigned char siwa_css[] = {
#embed "Styles/siwa.css"
};
static const unsigned char local_times_js[] = {
#embed "Scripts/local-times.js"
};
static const unsigned char sign_in_js[] = {
#embed "Scripts/sign-in.js"
};
static const unsigned char icon_svg[] = {
#embed "Images/icon.svg"
};
static const unsigned char facebook_svg[] = {
#embed "Images/facebook.svg"
};
static const unsigned char google_svg[] = {
#embed "Images/google.svg"
};
static const unsigned char microsoft_svg[] = {
#embed "Images/microsoft.svg"
};

// A file that lies beside this one and is missing here fails a test.
static const struct account_page_file files[] = {
    {"account.mustache", account_mustache, sizeof account_mustache},
    {"apple-button.mustache", apple_button_mustache, sizeof apple_button_mustache},
    {"apple-words.mustache", apple_words_mustache, sizeof apple_words_mustache},
    {"authorization-end.mustache", authorization_end_mustache, sizeof authorization_end_mustache},
    {"authorization.mustache", authorization_mustache, sizeof authorization_mustache},
    {"consent-question.mustache", consent_question_mustache, sizeof consent_question_mustache},
    {"consents.mustache", consents_mustache, sizeof consents_mustache},
    {"contact-question.mustache", contact_question_mustache, sizeof contact_question_mustache},
    {"deletion-question.mustache", deletion_question_mustache, sizeof deletion_question_mustache},
    {"deletion.mustache", deletion_mustache, sizeof deletion_mustache},
    {"device-request.mustache", device_request_mustache, sizeof device_request_mustache},
    {"device.mustache", device_mustache, sizeof device_mustache},
    {"done.mustache", done_mustache, sizeof done_mustache},
    {"email-request.mustache", email_request_mustache, sizeof email_request_mustache},
    {"end-others.mustache", end_others_mustache, sizeof end_others_mustache},
    {"export.mustache", export_mustache, sizeof export_mustache},
    {"layout.mustache", layout_mustache, sizeof layout_mustache},
    {"link-address.mustache", link_address_mustache, sizeof link_address_mustache},
    {"link-conflict.mustache", link_conflict_mustache, sizeof link_conflict_mustache},
    {"link-question.mustache", link_question_mustache, sizeof link_question_mustache},
    {"link-reset.mustache", link_reset_mustache, sizeof link_reset_mustache},
    {"link-sign-in.mustache", link_sign_in_mustache, sizeof link_sign_in_mustache},
    {"link-sign-up.mustache", link_sign_up_mustache, sizeof link_sign_up_mustache},
    {"links.mustache", links_mustache, sizeof links_mustache},
    {"merge-question.mustache", merge_question_mustache, sizeof merge_question_mustache},
    {"message.mustache", message_mustache, sizeof message_mustache},
    {"new-password.mustache", new_password_mustache, sizeof new_password_mustache},
    {"not-me-question.mustache", not_me_question_mustache, sizeof not_me_question_mustache},
    {"password-entry.mustache", password_entry_mustache, sizeof password_entry_mustache},
    {"password.mustache", password_mustache, sizeof password_mustache},
    {"profile.mustache", profile_mustache, sizeof profile_mustache},
    {"prove.mustache", prove_mustache, sizeof prove_mustache},
    {"provider-words.mustache", provider_words_mustache, sizeof provider_words_mustache},
    {"reauthentication.mustache", reauthentication_mustache, sizeof reauthentication_mustache},
    {"sessions.mustache", sessions_mustache, sizeof sessions_mustache},
    {"sign-in.mustache", sign_in_mustache, sizeof sign_in_mustache},
    {"sign-up.mustache", sign_up_mustache, sizeof sign_up_mustache},
    {"take-back-question.mustache", take_back_question_mustache, sizeof take_back_question_mustache},
    {"upgrade.mustache", upgrade_mustache, sizeof upgrade_mustache},
    {"siwa.css", siwa_css, sizeof siwa_css},
    {"local-times.js", local_times_js, sizeof local_times_js},
    {"sign-in.js", sign_in_js, sizeof sign_in_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"facebook.svg", facebook_svg, sizeof facebook_svg},
    {"google.svg", google_svg, sizeof google_svg},
    {"microsoft.svg", microsoft_svg, sizeof microsoft_svg},
};

const size_t account_page_file_count = sizeof files / sizeof files[0];

const struct account_page_file *account_page_files(void) { return files; }
