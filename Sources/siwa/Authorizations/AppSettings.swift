import AccountService
import AppleIDTypes

/// Reads the apps that may sign people in through the browser: `--app ID`, and `"apps"` of the settings file.
///
/// An app has an id, and everything else has a default, so that one word is enough where there is one app.
struct AppSettings {
    /// The defaults of an app: the values of the whole service.
    struct Defaults {
        let name: String
        let bundleIDs: [ClientID]
        /// The first is the default.
        let servicesIDs: [ClientID]
        /// Whether browsers can go to another provider than Apple. Then an app needs no Services ID.
        let hasBrowserProvider: Bool
    }

    let defaults: Defaults

    /// Reads all of them, and reports all that is wrong.
    func read(_ reader: inout SettingsReader, file: SettingsFile) -> [App] {
        var ids = file.apps
        for id in reader.texts(.app) where !ids.contains(id) {
            ids.append(id)
        }
        return ids.compactMap { readApp($0, &reader) }
    }

    private func readApp(_ id: String, _ reader: inout SettingsReader) -> App? {
        let before = reader.problems.count
        if !Self.isID(id) {
            reader.report(.app(id), "an app's id has 1 to 64 letters, digits, dots, hyphens and underscores")
        }
        let name = reader.text(.app(id, "name")) ?? defaults.name
        let bundleIDs = readBundleIDs(id, &reader)
        let servicesID = readServicesID(id, &reader)
        if bundleIDs.isEmpty, !defaults.bundleIDs.isEmpty, servicesID == nil, reader.problems.count == before {
            reader.report(.app(id, "bundle-ids"), "is empty, but an app without a Services ID needs a bundle id")
        }
        let targets = readReturnTargets(id, &reader)
        let handThrough = reader.flag(.app(id, "hand-through"))
        guard reader.problems.count == before else { return nil }
        return App(
            id: AppID(id), name: name, bundleIDs: Set(bundleIDs), servicesID: servicesID, returnTargets: targets,
            handThrough: handThrough)
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private func readBundleIDs(_ id: String, _ reader: inout SettingsReader) -> [ClientID] {
        let setting = Setting.app(id, "bundle-ids")
        guard let texts = reader.textsIfSet(setting) else { return defaults.bundleIDs }
        let chosen = texts.map { ClientID($0) }
        for unknown in chosen where !defaults.bundleIDs.contains(unknown) {
            reader.report(setting, "\(unknown) is not among the bundle ids of the service (bundle-id)")
        }
        return chosen
    }

    private func readServicesID(_ id: String, _ reader: inout SettingsReader) -> ClientID? {
        let setting = Setting.app(id, "services-id")
        if defaults.servicesIDs.isEmpty {
            guard !reader.isRefused(.servicesID) else { return nil }
            guard defaults.hasBrowserProvider else {
                reader.report(
                    .servicesID,
                    "is missing: app \(id) signs people in through the browser, which needs one or a provider with a "
                        + "secret")
                return nil
            }
        }
        guard let chosen = reader.text(setting).map({ ClientID($0) }) else { return defaults.servicesIDs.first }
        if !defaults.servicesIDs.contains(chosen) {
            reader.report(setting, "\(chosen) is not among the Services IDs of the service (services-id)")
        }
        return chosen
    }

    private func readReturnTargets(_ id: String, _ reader: inout SettingsReader) -> [ReturnTarget] {
        let setting = Setting.app(id, "return-targets")
        guard let texts = reader.textsIfSet(setting) else { return [.loopback] }
        var targets: [ReturnTarget] = []
        for text in texts {
            do {
                targets.append(try ReturnTarget(text))
            } catch {
                reader.report(setting, error.reason)
            }
        }
        return targets
    }
}
