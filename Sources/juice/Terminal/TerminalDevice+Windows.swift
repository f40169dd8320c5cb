#if os(Windows)
    /// There Juice works line by line, and asks nothing of the console but to read and write.
    extension TerminalDevice {
        static var isInteractive: Bool { false }
        static var size: TerminalSize? { nil }

        static func enterRawMode() -> Bool { false }
        static func restore() {}
        static func restoreOnCrash() {}
        static func suspend() {}
        static func bytes(within milliseconds: Int32?) -> [UInt8]? { nil }
    }
#endif
