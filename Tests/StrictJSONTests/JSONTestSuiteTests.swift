import Foundation
import StrictJSON
import Testing

private let vectors = ProcessInfo.processInfo.environment["SIWA_VECTORS"]

/// The public parsing suite, where the environment variable SIWA_VECTORS names a folder that has it.
///
/// Without it the same rules are covered by the cases of the other files here.
@Suite(
    "Public parsing suite",
    .enabled(if: vectors != nil, "SIWA_VECTORS names no folder with test_parsing of github.com/nst/JSONTestSuite"))
struct JSONTestSuiteTests {
    /// Valid JSON that is refused here on purpose.
    static let refusedOnPurpose: [String: StrictJSONError.Code] = [
        // The RFC leaves repeated names to the reader; two readers that disagree would make a hole.
        "y_object_duplicated_key.json": .duplicateMember,
        "y_object_duplicated_key_and_value.json": .duplicateMember,
        // U+0000 is refused at every boundary: PostgreSQL cannot store it and C libraries end at it.
        "y_object_escaped_null_in_key.json": .nullCharacter,
        "y_string_null_escape.json": .nullCharacter,
    ]

    /// Documents that the suite leaves open and we accept: numbers out of range, which read as no value.
    static let accepted: Set<String> = [
        "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
        "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
        "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
        "i_number_very_big_negative_int.json",
    ]

    @Test("Every file of the suite has its expected outcome")
    func suite() throws {
        let folder = try #require(vectors) + "/jsontestsuite"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        #expect(names.count == 318)
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            let refusal: StrictJSONError.Code?
            do throws(StrictJSONError) {
                _ = try JSONDocument(bytes, limits: JSONLimits(maximumBytes: 1_000_000))
                refusal = nil
            } catch {
                refusal = error.code
            }
            if let expected = Self.refusedOnPurpose[name] {
                #expect(refusal == expected, "\(name)")
            } else {
                #expect(
                    (refusal == nil) == (name.hasPrefix("y_") || Self.accepted.contains(name)),
                    "\(name): \(String(describing: refusal))")
            }
        }
    }
}
