import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("A person who signs in", .eachDatabase)
struct PersonTests {
    @Test("A person with a transfer_sub gets no new account beside people of another team")
    func transferredPerson() async throws {
        let store = try await Engine.current.store()
        var person = SignInRecord.Person.sample(team: "TEAM000002")
        person.transferSubject = "001999.bridge"
        #expect(try await store.transferRefusal(of: person) != nil, "nobody has begun the transfer")
        person.isAdmittedAfterTransfer = true
        #expect(try await store.transferRefusal(of: person) == nil)
        let known = try await store.signIn(.sample(person))
        #expect(known.isNewAccount)
        person.isAdmittedAfterTransfer = false
        #expect(try await store.otherTeam(than: "TEAM000002") == nil)
        for team in ["TEAM000001", "TEAM000003"] as [TeamID] {
            _ = try await store.signIn(.sample(.sample(team: team)))
            #expect(try await store.otherTeam(than: "TEAM000002") != nil)
            #expect(try await store.transferRefusal(of: person) == nil)
            #expect(try await store.signIn(.sample(person)).account.id == known.account.id)
            var stranger = SignInRecord.Person.sample("someone.else", team: "TEAM000002")
            stranger.transferSubject = "001999.bridge"
            #expect(try await store.transferRefusal(of: stranger) != nil)
            let record = SignInRecord.sample(stranger)
            await expectError(.transferNotCompleted) { _ = try await store.signIn(record) }
            #expect(try await store.firstUsed(among: record.used, at: .start) == nil)
            stranger.transferSubject = nil
            #expect(try await store.transferRefusal(of: stranger) == nil)
            let other = try await store.signIn(.sample(.sample(team: team))).account.id
            _ = try await store.purgeAccount(.sample(of: other))
            #expect(try await store.otherTeam(than: "TEAM000002") == nil)
        }
    }

    @Test("A new person gets the account, identity and session of the record")
    func newPerson() async throws {
        let store = try await Engine.current.store()
        let record = SignInRecord.sample(name: try .sample())
        let outcome = try await store.signIn(record)
        #expect(outcome.isNewAccount)
        #expect(
            outcome.account
                == Account(
                    id: record.newAccountID, name: record.name, email: "johnny@example.com", emailVerified: true,
                    isPrivateEmail: false, createdAt: record.at,
                    appleAccess: AppleAccess(lastAuthorizedAt: record.at)))
        #expect(
            outcome.session
                == Session(
                    id: record.session.id, accountID: record.newAccountID, identityID: record.newIdentityID,
                    kind: .tokens, clientID: "com.example.juice", createdAt: record.at,
                    authenticatedAt: record.session.authenticatedAt, lastUsedAt: record.at,
                    expiresAt: record.session.expiresAt))
        let stored = try #require(await store.session(record.session.id))
        #expect(
            stored
                == StoredSession(
                    session: outcome.session, account: outcome.account, secretHash: record.session.secretHash,
                    generation: 0, ended: nil))
    }

    @Test("A returning person gets the same account, from any client of the team")
    func returningPerson() async throws {
        let store = try await Engine.current.store()
        let first = try await store.signIn(.sample())
        var record = SignInRecord.sample(at: .start + .days(1))
        record.session.clientID = "com.example.juice.web"
        let second = try await store.signIn(record)
        #expect(!second.isNewAccount)
        var expected = first.account
        expected.appleAccess.lastAuthorizedAt = record.at
        #expect(second.account == expected)
        #expect(second.session.identityID == first.session.identityID)
        #expect(second.session.id == record.session.id)
        #expect(second.session.clientID == "com.example.juice.web")
        #expect(try await store.session(first.session.id)?.ended == nil)
    }

    @Test("The same team and subject at another provider is another person")
    func otherProvider() async throws {
        let store = try await Engine.current.store()
        let first = try await store.signIn(.sample())
        var person = SignInRecord.Person.sample()
        person.provider = IdentityProvider(rawValue: "other")
        let other = try await store.signIn(.sample(person))
        #expect(other.isNewAccount)
        #expect(other.account.id != first.account.id)
        #expect(try await store.signIn(.sample(person)).account.id == other.account.id)
        #expect(try await store.signIn(.sample()).account.id == first.account.id)
    }

    @Test("An address is stored anew when only its marks have changed")
    func addressMarks() async throws {
        let store = try await Engine.current.store()
        var person = SignInRecord.Person.sample()
        for (isVerified, isPrivate) in [(true, false), (false, false), (false, true), (true, true), (true, true)] {
            person.emailVerified = isVerified
            person.isPrivateEmail = isPrivate
            let outcome = try await store.signIn(.sample(person))
            #expect((outcome.account.emailVerified, outcome.account.isPrivateEmail) == (isVerified, isPrivate))
            let stored = try #require(await store.session(outcome.session.id))
            #expect(stored.account == outcome.account)
        }
    }

    @Test("Another subject, or the same subject in another team, is another person")
    func otherPerson() async throws {
        let store = try await Engine.current.store()
        let outcomes = try await [
            store.signIn(.sample()), store.signIn(.sample(.sample("001999.Person"))),
            store.signIn(.sample(.sample(team: "TEAM000002"))),
        ]
        #expect(outcomes.allSatisfy { $0.isNewAccount }, "the same address joins no accounts")
        #expect(Set(outcomes.map(\.account.id)).count == 3)
        #expect(Set(outcomes.map(\.session.identityID)).count == 3)
    }

    @Test("A new address replaces the stored one, and a sign-in without one leaves it with all its facts")
    func newAddress() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample())
        var relay = SignInRecord.sample(.sample(email: "x7@privaterelay.appleid.com"))
        relay.person.isPrivateEmail = true
        _ = try await store.signIn(relay)
        let without = try await store.signIn(.sample(.sample(email: nil)))
        #expect(without.account.email == "x7@privaterelay.appleid.com")
        #expect(without.account.emailVerified && without.account.isPrivateEmail)
        #expect(try await store.session(without.session.id)?.account == without.account)
    }

    @Test("A kept address is used only if the sign-in brings none")
    func keptAddress() async throws {
        let store = try await Engine.current.store()
        for (brought, expected) in [(nil, "kept@example.com"), ("own@example.com", "own@example.com")] {
            try await store.keepPendingProfile(.sample())
            let outcome = try await store.signIn(.sample(.sample(email: brought)))
            #expect(outcome.account.email == expected)
            #expect(try await store.session(outcome.session.id)?.account.email == expected)
        }
    }

    @Test("A person without an address has none")
    func noAddress() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample(.sample(email: nil)))
        #expect(outcome.account.email == nil)
        #expect(!outcome.account.emailVerified && !outcome.account.isPrivateEmail)
        #expect(try await store.session(outcome.session.id)?.account == outcome.account)
    }

    @Test("The parts of a name replace the stored ones, and missing parts leave them")
    func partsOfName() async throws {
        let store = try await Engine.current.store()
        let long = try #require(
            PersonName(
                givenName: "Johnny", familyName: "Appleseed", middleName: "M", namePrefix: "Dr.", nameSuffix: "Jr.",
                nickname: "Jon"))
        #expect(try await store.signIn(.sample(name: long)).account.name == long)
        let short = try PersonName.sample("John", nil)
        let both = PersonName(
            givenName: "John", familyName: "Appleseed", middleName: "M", namePrefix: "Dr.", nameSuffix: "Jr.",
            nickname: "Jon")
        #expect(try await store.signIn(.sample(name: short)).account.name == both)
        let last = try await store.signIn(.sample())
        #expect(last.account.name == both)
        #expect(try await store.session(last.session.id)?.account.name == both)
    }

    @Test("Real-user status and organization may appear, change or be absent, and absent ones leave the stored")
    func realUserStatus() async throws {
        let store = try await Engine.current.store()
        let told: [(RealUserStatus?, String?)] = [
            (nil, nil), (.likelyReal, "org"), (nil, nil), (.unknown, "other"), (RealUserStatus(rawValue: 17), nil),
        ]
        var known: (RealUserStatus?, String?) = (nil, nil)
        for (status, organization) in told {
            var record = SignInRecord.sample()
            record.person.realUserStatus = status
            record.person.organizationID = organization
            known = (status ?? known.0, organization ?? known.1)
            let outcome = try await store.signIn(record)
            #expect(outcome.account.appleAccess.realUserStatus == known.0)
            #expect(outcome.account.appleAccess.organizationID == known.1)
            #expect(try await store.session(outcome.session.id)?.account == outcome.account)
        }
    }

    @Test("The last authorization is the time of the latest token, and an older token doesn't move it back")
    func lastAuthorization() async throws {
        let store = try await Engine.current.store()
        for (issued, expected) in [(5, 5), (9, 9), (7, 9)] as [(Int64, Int64)] {
            var record = SignInRecord.sample(at: .start + .minutes(10))
            record.person.authorizedAt = .start + .minutes(issued)
            let outcome = try await store.signIn(record)
            #expect(outcome.account.appleAccess.lastAuthorizedAt == .start + .minutes(expected))
        }
    }

    @Test("A sign-in's answer shows what is stored of the account, however often it has changed")
    func answer() async throws {
        let store = try await Engine.current.store()
        var hour: Int64 = 0
        func signIn(_ change: (inout SignInRecord) throws -> Void = { _ in }) async throws -> Account {
            hour += 1
            var record = SignInRecord.sample(at: .start + .hours(hour))
            record.person.authorizedAt = record.at
            try change(&record)
            let outcome = try await store.signIn(record)
            #expect(try await store.session(outcome.session.id)?.account == outcome.account)
            return outcome.account
        }
        func happens(_ change: AppleNotification.Change) async throws {
            hour += 1
            let notification = AppleNotification.sample(change, happenedAt: .start + .hours(hour))
            #expect(try await store.applyNotification(notification).outcome == .applied)
        }
        _ = try await signIn { $0.appleToken = .sample("com.example.juice") }
        #expect(try await signIn().appleToken == .held)
        try await happens(.emailForwarding(false))
        #expect(try await signIn().appleAccess.forwardsEmail == false)
        let moved = try await signIn { $0.person.email = "new@example.com" }
        #expect(moved.email == "new@example.com" && moved.appleAccess.forwardsEmail == nil)
        _ = try await signIn { $0.person.email = "j\u{F6}rg@example.com" }
        try await happens(.emailForwarding(false))
        // Other bytes are another address, though they look the same.
        let other = try await signIn { $0.person.email = "jo\u{308}rg@example.com" }
        #expect(other.appleAccess.forwardsEmail == nil)
        try await happens(.consentRevoked)
        let back = try await signIn()
        #expect(back.appleAccess.ended == nil && back.appleToken == .none)
        let (name, renamed) = (try PersonName.sample(), try PersonName.sample("Jane"))
        #expect(try await signIn { $0.name = name }.name == name)
        #expect(try await signIn { $0.name = try .sample("Jane", nil) }.name == renamed)
        #expect(try await signIn().name == renamed)
    }

    @Test("The browser's former session ends as replaced, even if it was another person's")
    func formerSession() async throws {
        let store = try await Engine.current.store()
        let former = try await store.signIn(.sample(.sample("someone.else"), session: .sample(.browser)))
        let record = SignInRecord.sample(
            at: .start + .minutes(5), session: .sample(.browser), formerSession: former.session.id)
        _ = try await store.signIn(record)
        let ended = try await store.session(former.session.id)?.ended
        #expect(ended == StoredSession.End(at: record.at, reason: .replaced))
    }

    @Test("An ended or unknown former session changes nothing")
    func unknownFormerSession() async throws {
        let store = try await Engine.current.store()
        let former = try await store.signIn(.sample())
        #expect(try await store.endSession(former.session.id, .sample(at: .start, .signedOut)))
        let later = Timestamp.start + .minutes(5)
        _ = try await store.signIn(.sample(at: later, formerSession: former.session.id))
        _ = try await store.signIn(.sample(at: later, formerSession: .sample()))
        let ended = try await store.session(former.session.id)?.ended
        #expect(ended == StoredSession.End(at: .start, reason: .signedOut))
    }
}

@Suite("Apple's tokens that are held", .eachDatabase)
struct HeldAppleTokenTests {
    @Test("An Apple token replaces the token of the same identity and client, and no other")
    func replaced() async throws {
        let store = try await Engine.current.store()
        let web = AppleToken.sample("com.example.juice.web", [1])
        let app = AppleToken.sample("com.example.juice", [2])
        let newer = AppleToken.sample("com.example.juice.web", [3, 0, 0xFF], at: .start + .days(1))
        let first = try await store.signIn(.sample(appleToken: web))
        #expect(try await store.appleTokens(of: first.session.identityID) == [web])
        _ = try await store.signIn(.sample(appleToken: app))
        #expect(try await store.appleTokens(of: first.session.identityID) == [app, web])
        _ = try await store.signIn(.sample(appleToken: newer))
        _ = try await store.signIn(.sample())
        #expect(try await store.appleTokens(of: first.session.identityID) == [app, newer])
    }

    @Test("Apple tokens belong to one identity")
    func ofOneIdentity() async throws {
        let store = try await Engine.current.store()
        let one = try await store.signIn(.sample(appleToken: .sample("com.example.juice", [1])))
        let token = AppleToken.sample("com.example.juice", [2])
        let other = try await store.signIn(.sample(.sample("someone.else"), appleToken: token))
        #expect(try await store.appleTokens(of: one.session.identityID).map(\.sealed) == [[1]])
        #expect(try await store.appleTokens(of: other.session.identityID) == [token])
        #expect(try await store.appleTokens(of: .sample()).isEmpty)
    }
}
