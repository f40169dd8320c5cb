import AccountService
import Foundation

extension ConsentTexts {
    /// Reads the files `VERSION.LANGUAGE.txt` of ``Setting/consentTexts``, or takes siwa's own texts without that
    /// setting. Problems are reported.
    static func read(_ reader: inout SettingsReader) -> ConsentTexts {
        guard let folder = reader.text(.consentTexts) else { return .builtIn }
        let names: [String]
        do {
            // Not the hidden files, nor the copies that editors leave.
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }.sorted()
        } catch {
            reader.report(.consentTexts, "the folder \(folder) cannot be read")
            return .builtIn
        }
        let before = reader.problems.count
        let texts = names.compactMap { text(&reader, inFile: $0, of: folder) }
        guard reader.problems.count == before else { return .builtIn }
        do {
            return try ConsentTexts(texts)
        } catch {
            reader.report(.consentTexts, error.reason)
            return .builtIn
        }
    }

    /// Reads one file. A version may hold full stops.
    private static func text(_ reader: inout SettingsReader, inFile name: String, of folder: String) -> Text? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.last == "txt" else {
            reader.report(.consentTexts, "`\(name)` is not named VERSION.LANGUAGE.txt, as in 2.en.txt")
            return nil
        }
        guard let data = FileManager.default.contents(atPath: folder + "/" + name),
            let text = String(data: data, encoding: .utf8)
        else {
            reader.report(.consentTexts, "the file \(folder)/\(name) cannot be read as UTF-8")
            return nil
        }
        return Text(
            version: parts.dropLast(2).joined(separator: "."), language: String(parts[parts.count - 2]),
            text: text.trimmingCharacters(in: .whitespacesAndNewlines).replacing("\r\n", with: "\n"))
    }
}
