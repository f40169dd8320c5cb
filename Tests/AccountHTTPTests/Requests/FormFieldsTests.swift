import AccountAPI
import Testing

@testable import AccountHTTP

@Suite("A form is read strictly")
struct FormFieldsTests {
    @Test(
        "Fields come decoded, in their order",
        arguments: [
            ("", []),
            ("a=1&b=2", ["a=1", "b=2"]),
            ("b=2&a=1", ["b=2", "a=1"]),
            ("a", ["a="]),
            ("a=", ["a="]),
            ("=1", ["=1"]),
            ("a=1=2", ["a=1=2"]),
            ("a=b+c%20d%2Be", ["a=b c d+e"]),
            ("a%3D=%26", ["a==&"]),
            ("n=J%C3%B6rg", ["n=Jörg"]),
            ("n=%f0%9f%8d%8e", ["n=🍎"]),
            ("a=1&&b=2&", ["a=1", "b=2"]),
        ]
    )
    func reads(text: String, expected: [String]) throws {
        let form = try FormFields(text.utf8)
        #expect(form.fields.map { $0.name + "=" + $0.value } == expected)
    }

    @Test(
        "A malformed or ambiguous form is refused",
        arguments: [
            "a=%", "a=%4", "a=%4g", "a=%g4", "%=1", "a=%00", "%00=a", "a=1&a=2", "a=1&%61=2", "a&a",
            "a=%ff", "a=%c3", "a=%c3%28", "a=%ed%a0%80", "a=%c0%af", "a=%f5%80%80%80",
        ]
    )
    func refuses(text: String) {
        #expect(throws: HTTPFailure(.malformedForm, "")) { try FormFields(text.utf8) }
    }

    @Test("Raw bytes that are not UTF-8 are refused")
    func refusesRawBytes() {
        #expect(throws: HTTPFailure(.malformedForm, "")) { try FormFields([0x61, 0x3D, 0xFF]) }
    }

    @Test("More fields than any form has are refused")
    func refusesManyFields() {
        let text = (0...FormFields.maximumCount).map { "f\($0)=1" }.joined(separator: "&")
        #expect(throws: HTTPFailure(.malformedForm, "")) { try FormFields(text.utf8) }
    }
}
