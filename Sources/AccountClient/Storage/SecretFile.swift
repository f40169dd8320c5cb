/// What is in a file of ``FileStorage``. The name is there for people who look, and against mix-ups.
struct SecretFile: Codable {
    private var service: String
    private var account: String
    /// nil for one that was removed while it could not be removed where it is.
    private(set) var secret: String?
    private var isRemoved: Bool?

    init(name: SecretName, secret: String?) {
        service = name.service
        account = name.account
        self.secret = secret
        isRemoved = secret == nil ? true : nil
    }

    var name: SecretName { SecretName(service: service, account: account) }

    /// A file has a secret or says that it was removed; any other is damaged.
    func isFor(_ name: SecretName) -> Bool {
        service == name.service && account == name.account && (secret == nil) == (isRemoved == true)
    }
}
