#include "CMailTemplates.h"

// C, because it takes a file in as it is. A resource would be a second file beside the executable.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char de_address_changed_html[] = {
#embed "Templates/de/address_changed.html"
};
static const unsigned char de_address_changed_subject[] = {
#embed "Templates/de/address_changed.subject"
};
static const unsigned char de_address_changed_text[] = {
#embed "Templates/de/address_changed.text"
};
static const unsigned char de_announcement_html[] = {
#embed "Templates/de/announcement.html"
};
static const unsigned char de_announcement_subject[] = {
#embed "Templates/de/announcement.subject"
};
static const unsigned char de_announcement_text[] = {
#embed "Templates/de/announcement.text"
};
static const unsigned char de_deletion_begun_html[] = {
#embed "Templates/de/deletion_begun.html"
};
static const unsigned char de_deletion_begun_subject[] = {
#embed "Templates/de/deletion_begun.subject"
};
static const unsigned char de_deletion_begun_text[] = {
#embed "Templates/de/deletion_begun.text"
};
static const unsigned char de_deletion_done_html[] = {
#embed "Templates/de/deletion_done.html"
};
static const unsigned char de_deletion_done_subject[] = {
#embed "Templates/de/deletion_done.subject"
};
static const unsigned char de_deletion_done_text[] = {
#embed "Templates/de/deletion_done.text"
};
static const unsigned char de_new_device_html[] = {
#embed "Templates/de/new_device.html"
};
static const unsigned char de_new_device_subject[] = {
#embed "Templates/de/new_device.subject"
};
static const unsigned char de_new_device_text[] = {
#embed "Templates/de/new_device.text"
};
static const unsigned char de_sender_html[] = {
#embed "Templates/de/sender.html"
};
static const unsigned char de_sender_text[] = {
#embed "Templates/de/sender.text"
};
static const unsigned char de_test_html[] = {
#embed "Templates/de/test.html"
};
static const unsigned char de_test_subject[] = {
#embed "Templates/de/test.subject"
};
static const unsigned char de_test_text[] = {
#embed "Templates/de/test.text"
};
static const unsigned char de_verify_address_html[] = {
#embed "Templates/de/verify_address.html"
};
static const unsigned char de_verify_address_subject[] = {
#embed "Templates/de/verify_address.subject"
};
static const unsigned char de_verify_address_text[] = {
#embed "Templates/de/verify_address.text"
};
static const unsigned char en_address_changed_html[] = {
#embed "Templates/en/address_changed.html"
};
static const unsigned char en_address_changed_subject[] = {
#embed "Templates/en/address_changed.subject"
};
static const unsigned char en_address_changed_text[] = {
#embed "Templates/en/address_changed.text"
};
static const unsigned char en_announcement_html[] = {
#embed "Templates/en/announcement.html"
};
static const unsigned char en_announcement_subject[] = {
#embed "Templates/en/announcement.subject"
};
static const unsigned char en_announcement_text[] = {
#embed "Templates/en/announcement.text"
};
static const unsigned char en_deletion_begun_html[] = {
#embed "Templates/en/deletion_begun.html"
};
static const unsigned char en_deletion_begun_subject[] = {
#embed "Templates/en/deletion_begun.subject"
};
static const unsigned char en_deletion_begun_text[] = {
#embed "Templates/en/deletion_begun.text"
};
static const unsigned char en_deletion_done_html[] = {
#embed "Templates/en/deletion_done.html"
};
static const unsigned char en_deletion_done_subject[] = {
#embed "Templates/en/deletion_done.subject"
};
static const unsigned char en_deletion_done_text[] = {
#embed "Templates/en/deletion_done.text"
};
static const unsigned char en_new_device_html[] = {
#embed "Templates/en/new_device.html"
};
static const unsigned char en_new_device_subject[] = {
#embed "Templates/en/new_device.subject"
};
static const unsigned char en_new_device_text[] = {
#embed "Templates/en/new_device.text"
};
static const unsigned char en_sender_html[] = {
#embed "Templates/en/sender.html"
};
static const unsigned char en_sender_text[] = {
#embed "Templates/en/sender.text"
};
static const unsigned char en_test_html[] = {
#embed "Templates/en/test.html"
};
static const unsigned char en_test_subject[] = {
#embed "Templates/en/test.subject"
};
static const unsigned char en_test_text[] = {
#embed "Templates/en/test.text"
};
static const unsigned char en_verify_address_html[] = {
#embed "Templates/en/verify_address.html"
};
static const unsigned char en_verify_address_subject[] = {
#embed "Templates/en/verify_address.subject"
};
static const unsigned char en_verify_address_text[] = {
#embed "Templates/en/verify_address.text"
};
static const unsigned char layout_html[] = {
#embed "Templates/layout.html"
};
static const unsigned char layout_text[] = {
#embed "Templates/layout.text"
};

// A file that lies beside this one and is missing here fails a test.
static const struct mail_template_file files[] = {
    {"de/address_changed.html", de_address_changed_html, sizeof de_address_changed_html},
    {"de/address_changed.subject", de_address_changed_subject, sizeof de_address_changed_subject},
    {"de/address_changed.text", de_address_changed_text, sizeof de_address_changed_text},
    {"de/announcement.html", de_announcement_html, sizeof de_announcement_html},
    {"de/announcement.subject", de_announcement_subject, sizeof de_announcement_subject},
    {"de/announcement.text", de_announcement_text, sizeof de_announcement_text},
    {"de/deletion_begun.html", de_deletion_begun_html, sizeof de_deletion_begun_html},
    {"de/deletion_begun.subject", de_deletion_begun_subject, sizeof de_deletion_begun_subject},
    {"de/deletion_begun.text", de_deletion_begun_text, sizeof de_deletion_begun_text},
    {"de/deletion_done.html", de_deletion_done_html, sizeof de_deletion_done_html},
    {"de/deletion_done.subject", de_deletion_done_subject, sizeof de_deletion_done_subject},
    {"de/deletion_done.text", de_deletion_done_text, sizeof de_deletion_done_text},
    {"de/new_device.html", de_new_device_html, sizeof de_new_device_html},
    {"de/new_device.subject", de_new_device_subject, sizeof de_new_device_subject},
    {"de/new_device.text", de_new_device_text, sizeof de_new_device_text},
    {"de/sender.html", de_sender_html, sizeof de_sender_html},
    {"de/sender.text", de_sender_text, sizeof de_sender_text},
    {"de/test.html", de_test_html, sizeof de_test_html},
    {"de/test.subject", de_test_subject, sizeof de_test_subject},
    {"de/test.text", de_test_text, sizeof de_test_text},
    {"de/verify_address.html", de_verify_address_html, sizeof de_verify_address_html},
    {"de/verify_address.subject", de_verify_address_subject, sizeof de_verify_address_subject},
    {"de/verify_address.text", de_verify_address_text, sizeof de_verify_address_text},
    {"en/address_changed.html", en_address_changed_html, sizeof en_address_changed_html},
    {"en/address_changed.subject", en_address_changed_subject, sizeof en_address_changed_subject},
    {"en/address_changed.text", en_address_changed_text, sizeof en_address_changed_text},
    {"en/announcement.html", en_announcement_html, sizeof en_announcement_html},
    {"en/announcement.subject", en_announcement_subject, sizeof en_announcement_subject},
    {"en/announcement.text", en_announcement_text, sizeof en_announcement_text},
    {"en/deletion_begun.html", en_deletion_begun_html, sizeof en_deletion_begun_html},
    {"en/deletion_begun.subject", en_deletion_begun_subject, sizeof en_deletion_begun_subject},
    {"en/deletion_begun.text", en_deletion_begun_text, sizeof en_deletion_begun_text},
    {"en/deletion_done.html", en_deletion_done_html, sizeof en_deletion_done_html},
    {"en/deletion_done.subject", en_deletion_done_subject, sizeof en_deletion_done_subject},
    {"en/deletion_done.text", en_deletion_done_text, sizeof en_deletion_done_text},
    {"en/new_device.html", en_new_device_html, sizeof en_new_device_html},
    {"en/new_device.subject", en_new_device_subject, sizeof en_new_device_subject},
    {"en/new_device.text", en_new_device_text, sizeof en_new_device_text},
    {"en/sender.html", en_sender_html, sizeof en_sender_html},
    {"en/sender.text", en_sender_text, sizeof en_sender_text},
    {"en/test.html", en_test_html, sizeof en_test_html},
    {"en/test.subject", en_test_subject, sizeof en_test_subject},
    {"en/test.text", en_test_text, sizeof en_test_text},
    {"en/verify_address.html", en_verify_address_html, sizeof en_verify_address_html},
    {"en/verify_address.subject", en_verify_address_subject, sizeof en_verify_address_subject},
    {"en/verify_address.text", en_verify_address_text, sizeof en_verify_address_text},
    {"layout.html", layout_html, sizeof layout_html},
    {"layout.text", layout_text, sizeof layout_text},
};

const size_t mail_template_file_count = sizeof files / sizeof files[0];

const struct mail_template_file *mail_template_files(void) { return files; }
