import StrictJSON
import Testing

@Suite("Member reader")
struct MemberReaderTests {
    let names = ["iss", "aud", "exp", "n\\u0061me", "", "é", "is_private_email"]
    let spelt = ["iss", "aud", "exp", "name", "", "é", "is_private_email"]

    @Test("Members are found in whatever order they are asked for, again too, and absent ones are not")
    func anyOrder() throws {
        let text =
            "{" + names.enumerated().map { "\"\($1)\":[{\"iss\":\(10 + $0)},\($0)]" }.joined(separator: ",") + "}"
        let root = try JSONDocument(Array(text.utf8)).root
        for first in spelt.indices {
            var reader = try #require(JSONMemberReader(root))
            for step in 0..<(2 * spelt.count) {
                let index = (first + step * 3) % spelt.count
                #expect(reader.value(JSONName(spelt[index]))?.elements.map(\.int64) == [nil, Int64(index)])
                #expect(reader.value(JSONName("absent")) == nil)
            }
        }
    }

    @Test("Only an object has members", arguments: ["[]", "null", "5", "\"a\"", "true"])
    func others(text: String) throws {
        #expect(JSONMemberReader(try JSONDocument(Array(text.utf8)).root) == nil)
    }

    @Test("An empty object has none")
    func empty() throws {
        var reader = try #require(JSONMemberReader(try JSONDocument(Array("{}".utf8)).root))
        #expect(reader.value(JSONName("")) == nil)
    }

    @Test("Names of one length, first and last byte are told apart", arguments: ["email", "exxxl", "\\u0065mail"])
    func alike(spelling: String) throws {
        var reader = try #require(
            JSONMemberReader(try JSONDocument(Array("{\"\(spelling)\":1,\"evil\":2}".utf8)).root))
        #expect((reader.value(JSONName("email")) == nil) == (spelling == "exxxl"))
        #expect(reader.value(JSONName("emaul")) == nil)
        #expect(reader.value(JSONName("evil"))?.int64 == 2)
    }
}
