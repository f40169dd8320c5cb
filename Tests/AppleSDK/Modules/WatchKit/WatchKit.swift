// The part of WatchKit that sign-in code touches.

@_exported public import Foundation

// watchkit/wkapplication: watchOS 7
@MainActor open class WKApplication: NSObject {
    // watchkit/wkapplication/didbecomeactivenotification
    public nonisolated class var didBecomeActiveNotification: NSNotification.Name { NSNotification.Name("") }
}
