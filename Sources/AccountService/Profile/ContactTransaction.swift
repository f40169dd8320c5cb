import AccountDatabase
import AppleIDTypes

extension SQLConnection {
    /// Removes the contact address, the one that waits for its link, and the former ones that a change could bring
    /// back.
    /// - Returns: whether there was a contact address that counted.
    func forgetContact(of account: Account) throws -> Bool {
        try execute(.setContact, [.id(account.id), .null, .null])
        try execute(.removeFormerContacts, [.id(account.id)])
        return account.contactEmail != nil
    }
}

extension SQLStatement {
    /// Sets the contact address that counts. None waits then.
    fileprivate static let setContact: Self = """
        UPDATE accounts SET contact_email = ?2, contact_email_verified_at = ?3, pending_contact_email = NULL,
            pending_contact_hash = NULL, pending_contact_asked_at = NULL, pending_contact_expires_at = NULL
        WHERE id = ?1
        """
    fileprivate static let removeFormerContacts: Self = """
        DELETE FROM contact_changes WHERE account_id = ?1 AND former_email IS NOT NULL
        """
}
