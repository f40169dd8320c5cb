// swift-tools-version: 6.2
import PackageDescription

// A server that has the account service among its own routes, as you would write it. In your own package, put the URL of
// siwa's repository in place of the path. siwa's own manifest has the same targets, so that its tests run these.
let package = Package(
    name: "embedded",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "siwa", path: "../..", traits: ["Service", "SQLite", "HTTPTransport", "Emulator"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.24.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "embedded",
            dependencies: [
                .product(name: "AccountHTTP", package: "siwa"), .product(name: "AccountService", package: "siwa"),
                .product(name: "AccountSQLite", package: "siwa"), .product(name: "AppleID", package: "siwa"),
                .product(name: "AppleIDTypes", package: "siwa"), .product(name: "AsyncHTTPTransport", package: "siwa"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "EmbeddedTests",
            dependencies: [
                "embedded", .product(name: "AccountAPI", package: "siwa"),
                .product(name: "AccountService", package: "siwa"), .product(name: "AccountSQLite", package: "siwa"),
                .product(name: "AppleID", package: "siwa"), .product(name: "AppleIDTypes", package: "siwa"),
                .product(name: "AppleIDEmulator", package: "siwa"), .product(name: "AppleIDTesting", package: "siwa"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
            ]),
    ]
)
