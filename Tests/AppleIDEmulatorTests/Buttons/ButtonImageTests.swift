import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Buttons as images")
struct ButtonImageTests {
    /// Reads an image as XML and gives the attributes of the elements, and the text.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [String: [String: String]] = [:]
        var text = ""

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(svg)")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements[name] = attributes
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    @Test("an image without parameters is Apple's default button")
    func standard() async throws {
        let answer = try await TestEmulator().get("/appleid/button")
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "image/svg+xml")
        let image = try Reader(answer.text)
        #expect(image.elements["svg"]?["width"] == "140" && image.elements["svg"]?["height"] == "30")
        #expect(image.elements["rect"]?["fill"] == "black" && image.elements["rect"]?["rx"] == "15")
        #expect(image.elements["rect"]?["stroke"] == nil)
        #expect(image.text.contains("Sign in with Apple"))
    }

    @Test("an image follows its parameters")
    func parameters() async throws {
        let answer = try await TestEmulator().get(
            "/appleid/button?height=64&width=375&color=white&border=true&type=continue&border_radius=0&scale=6"
                + "&locale=fr_CA")
        let image = try Reader(answer.text)
        #expect(image.elements["svg"]?["width"] == "2250" && image.elements["svg"]?["height"] == "384")
        #expect(image.elements["svg"]?["viewBox"] == "0 0 375 64")
        #expect(image.elements["rect"]?["fill"] == "white" && image.elements["rect"]?["stroke"] == "black")
        #expect(image.elements["rect"]?["rx"] == "0")
        #expect(image.text.contains("Continuer avec Apple"))
    }

    @Test(
        "values at the limits are accepted",
        arguments: [
            "?height=30", "?height=64", "?width=130", "?width=375", "?border_radius=50", "?scale=1", "?scale=6",
            "/left?label-position=70", "/left?width=375&label-position=182&logo-position=182",
            "/left?logo-size=small", "/left?logo-size=large", "/logo?size=30", "/logo?size=64&scale=6",
        ])
    func limits(_ path: String) async throws {
        #expect(try await TestEmulator().get("/appleid/button" + path).status == 200)
    }

    @Test(
        "values beyond the limits are refused",
        arguments: [
            "?height=29", "?height=65", "?width=129", "?width=376", "?border_radius=51", "?scale=0", "?scale=7",
            "?border_radius=-1", "?height=", "?height=3e1", "?height=%D9%A3%D9%A0", "?height=30.0",
            "?height=999999999999",
            "?color=red", "?color=", "?border=1", "?border=TRUE", "?type=sign-up", "?type=sign%20in", "?locale=en",
            "?locale=xx_XX", "?locale=%3Cscript%3E", "?height=30&height=30", "?height=%", "?height",
            "/left?label-position=71", "/left?width=375&label-position=183", "/left?logo-position=71",
            "/left?logo-size=huge", "/logo?size=29", "/logo?size=65", "/logo?scale=7", "/logo?color=blue",
            "/right",
        ])
    func beyond(_ path: String) async throws {
        #expect(try await TestEmulator().get("/appleid/button" + path).status == 404)
    }

    @Test(
        "every language has its titles, and languages written from right to left begin on the right",
        arguments: ButtonLocale.all)
    func languages(_ locale: ButtonLocale) async throws {
        let emulator = try await TestEmulator()
        #expect(ButtonLocale.all.count == 37)
        for title in [ButtonTitle.signIn, .continue] {
            let query = "?locale=\(locale.name)&type=\(title.rawValue)&width=130"
            let image = try Reader(try await emulator.get("/appleid/button" + query).text)
            #expect(image.text.contains(locale.text(title)) && locale.text(title).contains("Apple"))
            #expect(image.elements["text"]?["direction"] == (locale.isRightToLeft ? "rtl" : "ltr"))
            let left = try Reader(try await emulator.get("/appleid/button/left" + query).text)
            let start = try #require(left.elements["text"]?["x"].flatMap { Double($0) })
            #expect((start > 65) == locale.isRightToLeft)
        }
        #expect(locale.text(.signUp) != locale.text(.signIn))
    }

    @Test("the label begins at the requested position")
    func positions() async throws {
        let answer = try await TestEmulator().get("/appleid/button/left?width=200&logo-position=10&label-position=60")
        let image = try Reader(answer.text)
        #expect(image.elements["text"]?["x"] == "60")
        #expect(image.elements["path"]?["transform"]?.hasPrefix("translate(10 ") == true)
    }

    @Test("the mark of a button aligned to the left is small unless a parameter says otherwise")
    func markSize() async throws {
        let emulator = try await TestEmulator()
        let standard = try await emulator.get("/appleid/button/left").text
        #expect(try await emulator.get("/appleid/button/left?logo-size=small").text == standard)
        #expect(try await emulator.get("/appleid/button/left?logo-size=medium").text != standard)
    }

    @Test("parameters that Apple's page for an image doesn't list are ignored, or refused with a behaviour")
    func foreignParameters() async throws {
        let emulator = try await TestEmulator()
        let path = "/appleid/button/logo?size=40&label-position=0&logo-size=small"
        #expect(try await emulator.get(path).status == 200)
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["button-refuses-foreign-parameters"]])
        #expect(try await emulator.get(path).status == 404)
        #expect(try await emulator.get("/appleid/button/logo?size=40&border_radius=0").status == 200)
    }
}
