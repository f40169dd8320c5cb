import AppleIDTypes

extension Authorizations {
    /// For the page that names app and device, after a person typed the code, in whatever case and grouping.
    ///
    /// Throws ``AccountError/Code/authorizationUnknown`` for a wrong code, which is counted,
    /// ``AccountError/Code/rateLimited`` after too many, and ``AccountError/Code/authorizationExpired``.
    /// - Parameter address: that of the browser.
    public func prompt(userCode: String, from address: String) async throws -> DevicePrompt {
        let authorization = try await openDevice(userCode, from: address)
        return DevicePrompt(
            appName: name(of: authorization), address: authorization.address, beganAt: authorization.createdAt,
            expiresAt: authorization.expiresAt)
    }

    /// The person allows the device; Apple is asked next. Throws like ``prompt(userCode:from:)``.
    ///
    /// The code is then that browser's: it may begin again, and no other can.
    public func allow(
        userCode: String, from address: String, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        let authorization = try await openDevice(userCode, from: address)
        let (attempt, beginning) = try prepare(authorization, browser: browser)
        guard try await store.allowAuthorization(authorization.id, by: attempt, at: now) else {
            throw AccountError(.authorizationUnknown, "the code was used in another browser, or just ended")
        }
        return beginning
    }

    /// The person does not know the device. Throws like ``prompt(userCode:from:)``.
    public func deny(userCode: String, from address: String) async throws {
        let authorization = try await openDevice(userCode, from: address)
        _ = try await store.failAuthorization(authorization.id, .denied, browserHash: nil, at: now)
    }

    private func openDevice(_ typed: String, from address: String) async throws -> StoredAuthorization {
        guard let code = UserCode(typed: typed) else {
            // Not a guess: no code looks like this.
            throw AccountError(.authorizationUnknown, "this has not the form of a user code")
        }
        let moment = now
        let overall = WrongCodeLimit(
            of: .userCodes, from: nil, limit: Self.wrongCodesOverall, during: Self.guessWindow, at: moment)
        let own = WrongCodeLimit(
            of: .userCodes, from: CountedNetwork(of: address), limit: Self.wrongCodesPerAddress,
            during: Self.guessWindow, at: moment)
        switch try await store.tryUserCode(
            UserCodeTrial(codeHashes: userCodeKeys.hashes(of: code), limits: [overall, own]))
        {
        case .refused:
            throw AccountError(.rateLimited, "too many wrong user codes", retryAfter: own.windowEnd - moment)
        case .wrong:
            throw AccountError(.authorizationUnknown, "no device waits with this user code")
        case .found(let authorization):
            guard authorization.isOpen(at: moment) else {
                throw AccountError(.authorizationExpired, "the device of this user code waits no longer")
            }
            return authorization
        }
    }
}
