import AppleID
import AppleIDTypes
import Foundation
import HTTPTypes

@testable import AppleIDEmulator

/// An Apple that looks the answers of a transfer up in a table. It checks nothing, so thousands of questions cost
/// little.
struct TableApple: AppleTransport {
    private let transferSubjects: [String: String]
    private let newSubjects: [String: String]

    /// - Parameter people: the people whom Apple tells about. It refuses all others.
    init(_ people: [Portal.Person]) {
        let rows = people.map { person in
            let former = PairwiseIdentity(person: person, team: MovingApp.former)
            return (
                former: former.subject.rawValue, transfer: former.transferSubject(to: MovingApp.new).rawValue,
                new: PairwiseIdentity(person: person, team: MovingApp.new).subject.rawValue
            )
        }
        transferSubjects = Dictionary(uniqueKeysWithValues: rows.map { ($0.former, $0.transfer) })
        newSubjects = Dictionary(uniqueKeysWithValues: rows.map { ($0.transfer, $0.new) })
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard request.url.contains("/auth/usermigrationinfo") else {
            return answer("{\"access_token\":\"migration\",\"token_type\":\"Bearer\",\"expires_in\":3600}")
        }
        let form = fields(of: request)
        if let subject = form["sub"], let transferSubject = transferSubjects[subject] {
            return answer("{\"transfer_sub\":\"\(transferSubject)\"}")
        }
        if let subject = form["transfer_sub"], let new = newSubjects[subject] {
            return answer("{\"sub\":\"\(new)\"}")
        }
        return answer("{\"error\":\"invalid_request\"}", status: .badRequest)
    }

    /// Subjects need no percent encoding.
    private func fields(of request: AppleRequest) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        return fields
    }

    private func answer(_ json: String, status: HTTPResponse.Status = .ok) -> AppleResponse {
        AppleResponse(status: status, headerFields: [.contentType: "application/json"], body: Array(json.utf8))
    }
}
