import Foundation

/// The machine that the app runs on, as its owner may know it.
public enum SystemDevice {
    /// The host's name on Linux and Windows. Other systems tell apps only the kind of device, so it is that.
    ///
    /// Never asks the network.
    public static var name: String {
        #if os(macOS)
            "Mac"
        #elseif os(watchOS)
            "Apple Watch"
        #elseif os(tvOS)
            "Apple TV"
        #elseif os(visionOS)
            "Apple Vision"
        #elseif os(iOS)
            "iPhone or iPad"
        #elseif os(Android)
            "Android"
        #elseif os(Windows)
            ProcessInfo.processInfo.environment["COMPUTERNAME"] ?? "Windows"
        #else
            host ?? "Linux"
        #endif
    }

    #if os(Linux)
        /// Foundation's own would look the name up in the network.
        private static var host: String? {
            let text = try? String(contentsOf: URL(filePath: "/proc/sys/kernel/hostname"), encoding: .utf8)
            let name = text?.trimmingCharacters(in: .whitespacesAndNewlines)
            return name?.isEmpty == false ? name : nil
        }
    #else
        private static var host: String? { nil }
    #endif
}
