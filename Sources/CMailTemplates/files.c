#include "CMailTemplates.h"

// C, because it takes a file in as it is. A resource would be a second file beside the executable.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char de_account_exists_html[] = {
#embed "Templates/de/account_exists.html"
};
static const unsigned char de_account_exists_subject[] = {
#embed "Templates/de/account_exists.subject"
};
static const unsigned char de_account_exists_text[] = {
#embed "Templates/de/account_exists.text"
};
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
static const unsigned char de_link_address_html[] = {
#embed "Templates/de/link_address.html"
};
static const unsigned char de_link_address_subject[] = {
#embed "Templates/de/link_address.subject"
};
static const unsigned char de_link_address_text[] = {
#embed "Templates/de/link_address.text"
};
static const unsigned char de_linked_html[] = {
#embed "Templates/de/linked.html"
};
static const unsigned char de_linked_subject[] = {
#embed "Templates/de/linked.subject"
};
static const unsigned char de_linked_text[] = {
#embed "Templates/de/linked.text"
};
static const unsigned char de_merged_html[] = {
#embed "Templates/de/merged.html"
};
static const unsigned char de_merged_subject[] = {
#embed "Templates/de/merged.subject"
};
static const unsigned char de_merged_text[] = {
#embed "Templates/de/merged.text"
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
static const unsigned char de_no_account_html[] = {
#embed "Templates/de/no_account.html"
};
static const unsigned char de_no_account_subject[] = {
#embed "Templates/de/no_account.subject"
};
static const unsigned char de_no_account_text[] = {
#embed "Templates/de/no_account.text"
};
static const unsigned char de_password_changed_html[] = {
#embed "Templates/de/password_changed.html"
};
static const unsigned char de_password_changed_subject[] = {
#embed "Templates/de/password_changed.subject"
};
static const unsigned char de_password_changed_text[] = {
#embed "Templates/de/password_changed.text"
};
static const unsigned char de_password_off_html[] = {
#embed "Templates/de/password_off.html"
};
static const unsigned char de_password_off_subject[] = {
#embed "Templates/de/password_off.subject"
};
static const unsigned char de_password_off_text[] = {
#embed "Templates/de/password_off.text"
};
static const unsigned char de_password_reset_html[] = {
#embed "Templates/de/password_reset.html"
};
static const unsigned char de_password_reset_subject[] = {
#embed "Templates/de/password_reset.subject"
};
static const unsigned char de_password_reset_text[] = {
#embed "Templates/de/password_reset.text"
};
static const unsigned char de_sender_html[] = {
#embed "Templates/de/sender.html"
};
static const unsigned char de_sender_text[] = {
#embed "Templates/de/sender.text"
};
static const unsigned char de_sign_in_link_html[] = {
#embed "Templates/de/sign_in_link.html"
};
static const unsigned char de_sign_in_link_subject[] = {
#embed "Templates/de/sign_in_link.subject"
};
static const unsigned char de_sign_in_link_text[] = {
#embed "Templates/de/sign_in_link.text"
};
static const unsigned char de_sign_up_html[] = {
#embed "Templates/de/sign_up.html"
};
static const unsigned char de_sign_up_subject[] = {
#embed "Templates/de/sign_up.subject"
};
static const unsigned char de_sign_up_text[] = {
#embed "Templates/de/sign_up.text"
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
static const unsigned char de_two_accounts_html[] = {
#embed "Templates/de/two_accounts.html"
};
static const unsigned char de_two_accounts_subject[] = {
#embed "Templates/de/two_accounts.subject"
};
static const unsigned char de_two_accounts_text[] = {
#embed "Templates/de/two_accounts.text"
};
static const unsigned char de_unlinked_html[] = {
#embed "Templates/de/unlinked.html"
};
static const unsigned char de_unlinked_subject[] = {
#embed "Templates/de/unlinked.subject"
};
static const unsigned char de_unlinked_text[] = {
#embed "Templates/de/unlinked.text"
};
static const unsigned char de_upgraded_html[] = {
#embed "Templates/de/upgraded.html"
};
static const unsigned char de_upgraded_subject[] = {
#embed "Templates/de/upgraded.subject"
};
static const unsigned char de_upgraded_text[] = {
#embed "Templates/de/upgraded.text"
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
static const unsigned char en_account_exists_html[] = {
#embed "Templates/en/account_exists.html"
};
static const unsigned char en_account_exists_subject[] = {
#embed "Templates/en/account_exists.subject"
};
static const unsigned char en_account_exists_text[] = {
#embed "Templates/en/account_exists.text"
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
static const unsigned char en_link_address_html[] = {
#embed "Templates/en/link_address.html"
};
static const unsigned char en_link_address_subject[] = {
#embed "Templates/en/link_address.subject"
};
static const unsigned char en_link_address_text[] = {
#embed "Templates/en/link_address.text"
};
static const unsigned char en_linked_html[] = {
#embed "Templates/en/linked.html"
};
static const unsigned char en_linked_subject[] = {
#embed "Templates/en/linked.subject"
};
static const unsigned char en_linked_text[] = {
#embed "Templates/en/linked.text"
};
static const unsigned char en_merged_html[] = {
#embed "Templates/en/merged.html"
};
static const unsigned char en_merged_subject[] = {
#embed "Templates/en/merged.subject"
};
static const unsigned char en_merged_text[] = {
#embed "Templates/en/merged.text"
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
static const unsigned char en_no_account_html[] = {
#embed "Templates/en/no_account.html"
};
static const unsigned char en_no_account_subject[] = {
#embed "Templates/en/no_account.subject"
};
static const unsigned char en_no_account_text[] = {
#embed "Templates/en/no_account.text"
};
static const unsigned char en_password_changed_html[] = {
#embed "Templates/en/password_changed.html"
};
static const unsigned char en_password_changed_subject[] = {
#embed "Templates/en/password_changed.subject"
};
static const unsigned char en_password_changed_text[] = {
#embed "Templates/en/password_changed.text"
};
static const unsigned char en_password_off_html[] = {
#embed "Templates/en/password_off.html"
};
static const unsigned char en_password_off_subject[] = {
#embed "Templates/en/password_off.subject"
};
static const unsigned char en_password_off_text[] = {
#embed "Templates/en/password_off.text"
};
static const unsigned char en_password_reset_html[] = {
#embed "Templates/en/password_reset.html"
};
static const unsigned char en_password_reset_subject[] = {
#embed "Templates/en/password_reset.subject"
};
static const unsigned char en_password_reset_text[] = {
#embed "Templates/en/password_reset.text"
};
static const unsigned char en_sender_html[] = {
#embed "Templates/en/sender.html"
};
static const unsigned char en_sender_text[] = {
#embed "Templates/en/sender.text"
};
static const unsigned char en_sign_in_link_html[] = {
#embed "Templates/en/sign_in_link.html"
};
static const unsigned char en_sign_in_link_subject[] = {
#embed "Templates/en/sign_in_link.subject"
};
static const unsigned char en_sign_in_link_text[] = {
#embed "Templates/en/sign_in_link.text"
};
static const unsigned char en_sign_up_html[] = {
#embed "Templates/en/sign_up.html"
};
static const unsigned char en_sign_up_subject[] = {
#embed "Templates/en/sign_up.subject"
};
static const unsigned char en_sign_up_text[] = {
#embed "Templates/en/sign_up.text"
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
static const unsigned char en_two_accounts_html[] = {
#embed "Templates/en/two_accounts.html"
};
static const unsigned char en_two_accounts_subject[] = {
#embed "Templates/en/two_accounts.subject"
};
static const unsigned char en_two_accounts_text[] = {
#embed "Templates/en/two_accounts.text"
};
static const unsigned char en_unlinked_html[] = {
#embed "Templates/en/unlinked.html"
};
static const unsigned char en_unlinked_subject[] = {
#embed "Templates/en/unlinked.subject"
};
static const unsigned char en_unlinked_text[] = {
#embed "Templates/en/unlinked.text"
};
static const unsigned char en_upgraded_html[] = {
#embed "Templates/en/upgraded.html"
};
static const unsigned char en_upgraded_subject[] = {
#embed "Templates/en/upgraded.subject"
};
static const unsigned char en_upgraded_text[] = {
#embed "Templates/en/upgraded.text"
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
    {"de/account_exists.html", de_account_exists_html, sizeof de_account_exists_html},
    {"de/account_exists.subject", de_account_exists_subject, sizeof de_account_exists_subject},
    {"de/account_exists.text", de_account_exists_text, sizeof de_account_exists_text},
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
    {"de/link_address.html", de_link_address_html, sizeof de_link_address_html},
    {"de/link_address.subject", de_link_address_subject, sizeof de_link_address_subject},
    {"de/link_address.text", de_link_address_text, sizeof de_link_address_text},
    {"de/linked.html", de_linked_html, sizeof de_linked_html},
    {"de/linked.subject", de_linked_subject, sizeof de_linked_subject},
    {"de/linked.text", de_linked_text, sizeof de_linked_text},
    {"de/merged.html", de_merged_html, sizeof de_merged_html},
    {"de/merged.subject", de_merged_subject, sizeof de_merged_subject},
    {"de/merged.text", de_merged_text, sizeof de_merged_text},
    {"de/new_device.html", de_new_device_html, sizeof de_new_device_html},
    {"de/new_device.subject", de_new_device_subject, sizeof de_new_device_subject},
    {"de/new_device.text", de_new_device_text, sizeof de_new_device_text},
    {"de/no_account.html", de_no_account_html, sizeof de_no_account_html},
    {"de/no_account.subject", de_no_account_subject, sizeof de_no_account_subject},
    {"de/no_account.text", de_no_account_text, sizeof de_no_account_text},
    {"de/password_changed.html", de_password_changed_html, sizeof de_password_changed_html},
    {"de/password_changed.subject", de_password_changed_subject, sizeof de_password_changed_subject},
    {"de/password_changed.text", de_password_changed_text, sizeof de_password_changed_text},
    {"de/password_off.html", de_password_off_html, sizeof de_password_off_html},
    {"de/password_off.subject", de_password_off_subject, sizeof de_password_off_subject},
    {"de/password_off.text", de_password_off_text, sizeof de_password_off_text},
    {"de/password_reset.html", de_password_reset_html, sizeof de_password_reset_html},
    {"de/password_reset.subject", de_password_reset_subject, sizeof de_password_reset_subject},
    {"de/password_reset.text", de_password_reset_text, sizeof de_password_reset_text},
    {"de/sender.html", de_sender_html, sizeof de_sender_html},
    {"de/sender.text", de_sender_text, sizeof de_sender_text},
    {"de/sign_in_link.html", de_sign_in_link_html, sizeof de_sign_in_link_html},
    {"de/sign_in_link.subject", de_sign_in_link_subject, sizeof de_sign_in_link_subject},
    {"de/sign_in_link.text", de_sign_in_link_text, sizeof de_sign_in_link_text},
    {"de/sign_up.html", de_sign_up_html, sizeof de_sign_up_html},
    {"de/sign_up.subject", de_sign_up_subject, sizeof de_sign_up_subject},
    {"de/sign_up.text", de_sign_up_text, sizeof de_sign_up_text},
    {"de/test.html", de_test_html, sizeof de_test_html},
    {"de/test.subject", de_test_subject, sizeof de_test_subject},
    {"de/test.text", de_test_text, sizeof de_test_text},
    {"de/two_accounts.html", de_two_accounts_html, sizeof de_two_accounts_html},
    {"de/two_accounts.subject", de_two_accounts_subject, sizeof de_two_accounts_subject},
    {"de/two_accounts.text", de_two_accounts_text, sizeof de_two_accounts_text},
    {"de/unlinked.html", de_unlinked_html, sizeof de_unlinked_html},
    {"de/unlinked.subject", de_unlinked_subject, sizeof de_unlinked_subject},
    {"de/unlinked.text", de_unlinked_text, sizeof de_unlinked_text},
    {"de/upgraded.html", de_upgraded_html, sizeof de_upgraded_html},
    {"de/upgraded.subject", de_upgraded_subject, sizeof de_upgraded_subject},
    {"de/upgraded.text", de_upgraded_text, sizeof de_upgraded_text},
    {"de/verify_address.html", de_verify_address_html, sizeof de_verify_address_html},
    {"de/verify_address.subject", de_verify_address_subject, sizeof de_verify_address_subject},
    {"de/verify_address.text", de_verify_address_text, sizeof de_verify_address_text},
    {"en/account_exists.html", en_account_exists_html, sizeof en_account_exists_html},
    {"en/account_exists.subject", en_account_exists_subject, sizeof en_account_exists_subject},
    {"en/account_exists.text", en_account_exists_text, sizeof en_account_exists_text},
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
    {"en/link_address.html", en_link_address_html, sizeof en_link_address_html},
    {"en/link_address.subject", en_link_address_subject, sizeof en_link_address_subject},
    {"en/link_address.text", en_link_address_text, sizeof en_link_address_text},
    {"en/linked.html", en_linked_html, sizeof en_linked_html},
    {"en/linked.subject", en_linked_subject, sizeof en_linked_subject},
    {"en/linked.text", en_linked_text, sizeof en_linked_text},
    {"en/merged.html", en_merged_html, sizeof en_merged_html},
    {"en/merged.subject", en_merged_subject, sizeof en_merged_subject},
    {"en/merged.text", en_merged_text, sizeof en_merged_text},
    {"en/new_device.html", en_new_device_html, sizeof en_new_device_html},
    {"en/new_device.subject", en_new_device_subject, sizeof en_new_device_subject},
    {"en/new_device.text", en_new_device_text, sizeof en_new_device_text},
    {"en/no_account.html", en_no_account_html, sizeof en_no_account_html},
    {"en/no_account.subject", en_no_account_subject, sizeof en_no_account_subject},
    {"en/no_account.text", en_no_account_text, sizeof en_no_account_text},
    {"en/password_changed.html", en_password_changed_html, sizeof en_password_changed_html},
    {"en/password_changed.subject", en_password_changed_subject, sizeof en_password_changed_subject},
    {"en/password_changed.text", en_password_changed_text, sizeof en_password_changed_text},
    {"en/password_off.html", en_password_off_html, sizeof en_password_off_html},
    {"en/password_off.subject", en_password_off_subject, sizeof en_password_off_subject},
    {"en/password_off.text", en_password_off_text, sizeof en_password_off_text},
    {"en/password_reset.html", en_password_reset_html, sizeof en_password_reset_html},
    {"en/password_reset.subject", en_password_reset_subject, sizeof en_password_reset_subject},
    {"en/password_reset.text", en_password_reset_text, sizeof en_password_reset_text},
    {"en/sender.html", en_sender_html, sizeof en_sender_html},
    {"en/sender.text", en_sender_text, sizeof en_sender_text},
    {"en/sign_in_link.html", en_sign_in_link_html, sizeof en_sign_in_link_html},
    {"en/sign_in_link.subject", en_sign_in_link_subject, sizeof en_sign_in_link_subject},
    {"en/sign_in_link.text", en_sign_in_link_text, sizeof en_sign_in_link_text},
    {"en/sign_up.html", en_sign_up_html, sizeof en_sign_up_html},
    {"en/sign_up.subject", en_sign_up_subject, sizeof en_sign_up_subject},
    {"en/sign_up.text", en_sign_up_text, sizeof en_sign_up_text},
    {"en/test.html", en_test_html, sizeof en_test_html},
    {"en/test.subject", en_test_subject, sizeof en_test_subject},
    {"en/test.text", en_test_text, sizeof en_test_text},
    {"en/two_accounts.html", en_two_accounts_html, sizeof en_two_accounts_html},
    {"en/two_accounts.subject", en_two_accounts_subject, sizeof en_two_accounts_subject},
    {"en/two_accounts.text", en_two_accounts_text, sizeof en_two_accounts_text},
    {"en/unlinked.html", en_unlinked_html, sizeof en_unlinked_html},
    {"en/unlinked.subject", en_unlinked_subject, sizeof en_unlinked_subject},
    {"en/unlinked.text", en_unlinked_text, sizeof en_unlinked_text},
    {"en/upgraded.html", en_upgraded_html, sizeof en_upgraded_html},
    {"en/upgraded.subject", en_upgraded_subject, sizeof en_upgraded_subject},
    {"en/upgraded.text", en_upgraded_text, sizeof en_upgraded_text},
    {"en/verify_address.html", en_verify_address_html, sizeof en_verify_address_html},
    {"en/verify_address.subject", en_verify_address_subject, sizeof en_verify_address_subject},
    {"en/verify_address.text", en_verify_address_text, sizeof en_verify_address_text},
    {"layout.html", layout_html, sizeof layout_html},
    {"layout.text", layout_text, sizeof layout_text},
};

const size_t mail_template_file_count = sizeof files / sizeof files[0];

const struct mail_template_file *mail_template_files(void) { return files; }
