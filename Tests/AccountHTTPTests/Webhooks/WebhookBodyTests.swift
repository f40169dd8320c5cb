import AccountAPI
import AccountService
import AppleID
import AppleIDTypes
import Foundation
import Testing

@testable import AccountHTTP

@Suite("The body of a webhook")
struct WebhookBodyTests {
    private func notice(_ kind: AccountNotice.Kind, mergedInto: AccountID? = nil) -> AccountNotice {
        var notice = AccountNotice(
            id: AccountNoticeID(rawValue: "ntc_1"), kind: kind, accountID: AccountID(rawValue: "acc_1"), sequence: 7,
            happenedAt: Timestamp(microseconds: 1_700_000_000_000_000), identityID: nil, reason: nil)
        notice.mergedInto = mergedInto
        return notice
    }

    @Test("has the accounts of a merge, and can be read as it was written")
    func merged() throws {
        let bytes = try Webhook.body(of: notice(.accountMerged, mergedInto: AccountID(rawValue: "acc_2")))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""merged":{"from":"acc_1","into":"acc_2"}"#), "\(text)")
        let body = try JSONDecoder().decode(WebhookBody.self, from: Data(bytes))
        #expect(body.type == .accountMerged && body.data.accountID == "acc_1")
        #expect(body.data.merged == MergedAccountsBody(from: "acc_1", into: "acc_2"))
    }

    @Test("has null for what a notice doesn't say, and no accounts of a merge")
    func others() throws {
        let bytes = try Webhook.body(of: notice(.accountDeleted))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""identityID":null"#) && text.contains(#""reason":null"#), "\(text)")
        #expect(!text.contains("merged"))
        let body = try JSONDecoder().decode(WebhookBody.self, from: Data(bytes))
        #expect(body.type == .accountDeleted && body.data.merged == nil && body.data.sequence == 7)
    }
}
