import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("Changing the profile", .timeLimit(.minutes(2)))
struct ProfileTests {
    private let device = TestDevice()

    private var changes: [ServiceRequest] { device.service.requests("PATCH /v1/account") }

    @Test("Values that change are sent, removed ones as null, and others not at all")
    func sent() async throws {
        let client = try await device.signedInClient()
        try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        try await client.updateProfile(ProfileUpdate(contactEmail: .set("ada@home.example"), phone: .remove))
        var name = PersonNameComponents(givenName: "Augusta", familyName: "King")
        name.namePrefix = "Countess"
        try await client.updateProfile(ProfileUpdate(name: .set(name)))
        #expect(changes.map { Set($0.json.keys) } == [["phone"], ["contactEmail", "phone"], ["name"]])
        #expect(changes.first?.json["phone"] as? String == "+493012345678")
        #expect(changes[1].json["phone"] is NSNull)
        let sent = try #require(changes.last?.json["name"] as? [String: Any])
        #expect(sent["givenName"] as? String == "Augusta" && sent["namePrefix"] as? String == "Countess")
        #expect(changes.allSatisfy { $0.headers["Authorization"] == "Bearer access-1.0" })
    }

    @Test("Calls that may cause a mail say in which languages the person reads")
    func languages() async throws {
        let client = try await device.signedInClient()
        try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        for call in ["POST /v1/sign-in/apple", "PATCH /v1/account"] {
            let requests = device.service.requests(call)
            #expect(!requests.isEmpty)
            #expect(requests.allSatisfy { $0.headers["Accept-Language"]?.isEmpty == false }, "\(call)")
        }
    }

    @Test("The changed account is returned, told to who follows the session, and stored")
    func account() async throws {
        let client = try await device.signedInClient()
        var states = client.session.makeAsyncIterator()
        _ = await states.next()
        let account = try await client.updateProfile(
            ProfileUpdate(contactEmail: .set("ada@home.example"), phone: .set("+493012345678")))
        #expect(account.phone == "+493012345678")
        #expect(account.contactEmail == nil && account.pendingContactEmail == "ada@home.example")
        #expect(await client.account == account)
        #expect(await states.next() == .signedIn(account))
        #expect(device.service.requests("GET /v1/account").isEmpty)
        #expect(try await device.client().account?.phone == "+493012345678")
    }

    @Test("An answer about the account from before a change doesn't undo the change")
    func overtaken() async throws {
        let client = try await device.signedInClient()
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let (releases, release) = AsyncStream<Void>.makeStream()
        let before = device.service.account
        device.service.on(
            "GET /v1/account",
            Reply { _, _ in
                arrived.yield()
                await releases.first { true }
                return try .json(200, AccountAnswer(account: before))
            }, .usual)
        async let reloaded = client.reloadAccount()
        await arrivals.first { true }
        let changed = try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        release.yield()
        #expect(try await reloaded == changed)
        #expect(changed.phone == "+493012345678")
        #expect(await client.account == changed)
        #expect(device.service.requests("GET /v1/account").count == 2)
        #expect(changes.count == 1)
    }

    @Test("After a change that another answer has overtaken, the account is asked for again")
    func overtaking() async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account") { [service = device.service] request in
            let answer = try service.changeProfile(request)
            // Another device changes the account, and this one hears of it before its own answer comes.
            service.account.contactEmail = "ada@home.example"
            try await client.reloadAccount()
            return answer
        }
        let changed = try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        #expect(changed.contactEmail == "ada@home.example" && changed.phone == "+493012345678")
        #expect(await client.account == changed)
        #expect(device.service.requests("GET /v1/account").count == 2)
    }

    @Test("If the account can't be asked for again, a change counts as its answer told it")
    func overtakingOffline() async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account") { [service = device.service] request in
            let before = service.account
            service.account.contactEmail = "ada@home.example"
            try await client.reloadAccount()
            service.account = before
            service.on("GET /v1/account", .unreachable(.notConnectedToInternet))
            return try service.changeProfile(request)
        }
        let changed = try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        #expect(changed.phone == "+493012345678" && changed.contactEmail == nil)
        #expect(await client.account == changed)
    }

    @Test("A record of an earlier version has no contact address and no number")
    func earlierRecord() async throws {
        _ = try await device.signedInClient()
        let stored = try #require(try device.stored)
        let older = stored.replacing(#/"(contactEmail|pendingContactEmail|phone)":null,?/#, with: "")
            .replacing(",}", with: "}")
        #expect(older != stored)
        try device.storage.save(older, as: TestDevice.name)
        let account = try #require(await device.client().account)
        #expect(account.contactEmail == nil && account.phone == nil && account.formattedName == "Ada Lovelace")
    }

    @Test("An update without a change asks for the account", arguments: [true, false])
    func nothing(isSignedIn: Bool) async throws {
        let client = isSignedIn ? try await device.signedInClient() : try device.client()
        let error = await failure { try await client.updateProfile(ProfileUpdate()) }
        #expect(error?.code == (isSignedIn ? nil : .notSignedIn))
        #expect(device.service.requests("GET /v1/account").count == (isSignedIn ? 1 : 0))
        #expect(changes.isEmpty)
    }

    @Test("A name without any part removes the name")
    func emptyName() async throws {
        let client = try await device.signedInClient()
        let account = try await client.updateProfile(
            ProfileUpdate(name: .set(PersonNameComponents(givenName: "", familyName: ""))))
        #expect(changes.first?.json["name"] is NSNull)
        #expect(account.name == nil)
    }

    @Test("A change whose answer was lost is looked for before it is sent again")
    func lostAnswer() async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account") { [service = device.service] request in
            _ = try service.changeProfile(request)
            throw URLError(.networkConnectionLost)
        }
        let account = try await client.updateProfile(ProfileUpdate(contactEmail: .set("ada@home.example")))
        #expect(account.pendingContactEmail == "ada@home.example")
        #expect(changes.count == 1)
    }

    @Test("It is looked for also if the access token has expired meanwhile")
    func lostAnswerWithToken() async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account") { [service = device.service] request in
            _ = try service.changeProfile(request)
            throw URLError(.networkConnectionLost)
        }
        device.service.on("GET /v1/account", .refusal(401, .accessTokenExpired), .usual)
        let account = try await client.updateProfile(ProfileUpdate(contactEmail: .set("ada@home.example")))
        #expect(account.pendingContactEmail == "ada@home.example")
        #expect(changes.count == 1)
    }

    @Test("A change that did not arrive is sent again", arguments: [Reply.lost, .unreachable(.cannotConnectToHost)])
    func lostRequest(_ first: Reply) async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account", first, .usual)
        let account = try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        #expect(account.phone == "+493012345678")
        #expect(changes.count == 2)
    }

    @Test("If the account had the same value before, a lost change is sent again without a look")
    func sameAgain() async throws {
        let client = try await device.signedInClient()
        let update = ProfileUpdate(contactEmail: .set("ada@home.example"))
        try await client.updateProfile(update)
        device.service.on("PATCH /v1/account", .lost, .usual)
        try await client.updateProfile(update)
        #expect(changes.count == 3)
        #expect(device.service.requests("GET /v1/account").isEmpty)
    }

    @Test("Offline nothing is changed, and nobody is signed out")
    func offline() async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account", .unreachable(.notConnectedToInternet))
        let error = await failure { try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678"))) }
        #expect(error?.code == .backendUnavailable)
        #expect(await client.account?.phone == nil)
        #expect(changes.count == 3)
    }

    @Test("A value that the service does not take is named")
    func invalid() async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account") { _ in
            let details = ErrorDetails.invalidRequest(InvalidField(field: "phone"))
            return try .json(
                400,
                ErrorEnvelope(
                    ErrorEnvelope.Body(code: .invalidRequest, message: "no", requestID: "r", details: details)))
        }
        let error = await failure { try await client.updateProfile(ProfileUpdate(phone: .set("030"))) }
        #expect(error?.code == .refused(.invalidRequest))
        #expect(error?.hint?.contains("phone") == true)
        #expect(changes.count == 1)
    }

    @Test(
        "A service without mail refuses for good, and a rate limit counts as unavailable",
        arguments: [(501, ErrorCode.mailNotConfigured), (429, .rateLimited)])
    func mail(status: Int, code: ErrorCode) async throws {
        let client = try await device.signedInClient()
        device.service.on("PATCH /v1/account", .refusal(status, code))
        let error = await failure {
            try await client.updateProfile(ProfileUpdate(contactEmail: .set("ada@home.example")))
        }
        #expect(error?.code == (status == 501 ? .refused(.mailNotConfigured) : .backendUnavailable))
        #expect(status == 429 || changes.count == 1)
    }

    @Test("When another process has signed somebody else in, nothing of theirs is changed")
    func somebodyElse() async throws {
        let client = try await device.signedInClient()
        device.service.account.id = "acc_2"
        try await device.client().signIn(with: TestDevice.credential(user: "002000.bbbb"))
        device.time.advance(by: .seconds(600))
        let error = await failure { try await client.updateProfile(ProfileUpdate(phone: .remove)) }
        #expect(error?.code == .cancelled)
        #expect(changes.isEmpty)
    }

    @Test("An update says what it changes, and no value of it")
    func description() {
        let update = ProfileUpdate(contactEmail: .set("ada@home.example"), phone: .remove)
        #expect("\(update)" == "[contactEmail, phone]")
        #expect(!String(reflecting: update).contains("ada@"))
        var dumped = ""
        dump(update, to: &dumped)
        #expect(!dumped.contains("ada@"))
    }
}
