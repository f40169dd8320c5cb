// Declarations of Apple's Foundation that Swift's open Foundation lacks. Apple's also contains URLSession.

public import Foundation
@_exported public import FoundationNetworking
@_exported public import ObjectiveC

extension NotificationCenter {
    // foundation/notificationcenter/addobserver(_:selector:name:object:)
    public func addObserver(
        _ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?, object anObject: Any?
    ) {}

    // foundation/notificationcenter/notifications(named:object:)
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications { fatalError() }

    // foundation/notificationcenter/notifications
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async -> Notification? { nil }
        }
        public func makeAsyncIterator() -> Iterator { Iterator() }
    }
}

extension PersonNameComponents {
    // foundation/personnamecomponents/formatted()
    public func formatted() -> String { "" }
}

extension Bundle {
    // foundation/bundle/localizedstring(forkey:value:table:) is in both. This one is Apple's alone:
    // foundation/bundle/appstorereceipturl
    public var appStoreReceiptURL: URL? { nil }
}

extension URLSession {
    // foundation/urlsession/bytes(for:delegate:)
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) { fatalError() }

    // foundation/urlsession/asyncbytes
    public struct AsyncBytes: AsyncSequence, Sendable {
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { nil }
        }
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}
