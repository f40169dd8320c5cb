import Testing

@testable import AccountClient

@Suite("The person's languages")
struct SystemLanguagesTests {
    @Test(
        "are the languages that the person lists, and then the locale's",
        arguments: [
            (["LANG": "de_AT.UTF-8"], ["de-AT"]), (["LANG": "sr_RS@latin"], ["sr-RS"]), (["LANG": "fr"], ["fr"]),
            (["LC_ALL": "it_IT", "LANG": "de_DE"], ["it-IT"]), (["LC_ALL": "", "LANG": "de_DE"], ["de-DE"]),
            (["LC_MESSAGES": "es_MX", "LANG": "de_DE"], ["es-MX"]),
            (["LANGUAGE": "fr:de_CH::en", "LANG": "de_DE.UTF-8"], ["fr", "de-CH", "en", "de-DE"]),
            (["LANGUAGE": "de_DE:en", "LANG": "de_DE.UTF-8"], ["de-DE", "en"]),
        ] as [([String: String], [String])])
    func languages(environment: [String: String], languages: [String]) {
        #expect(SystemLanguages.languages(in: environment) == languages)
    }

    @Test(
        "are unknown if the environment has no locale, or the C or POSIX locale",
        arguments: [[:], ["LANG": ""], ["LANG": "C.UTF-8"], ["LC_ALL": "POSIX", "LANG": "de_DE", "LANGUAGE": "fr"]])
    func unknown(environment: [String: String]) {
        #expect(SystemLanguages.languages(in: environment) == nil)
    }
}
