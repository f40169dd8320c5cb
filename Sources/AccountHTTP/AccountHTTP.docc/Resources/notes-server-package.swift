// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "notes-server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            url: "https://github.com/OWNER/siwa.git", from: "0.1.0",
            traits: ["Service", "SQLite", "HTTPTransport", "Emulator"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.24.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "notes-server",
            dependencies: [
                .product(name: "AccountHTTP", package: "siwa"),
                .product(name: "AccountService", package: "siwa"),
                .product(name: "AccountSQLite", package: "siwa"),
                .product(name: "AppleID", package: "siwa"),
                .product(name: "AppleIDTypes", package: "siwa"),
                .product(name: "AsyncHTTPTransport", package: "siwa"),
                // The stand-in for Apple, until you go to Apple.
                .product(name: "AppleIDEmulator", package: "siwa"),
                .product(name: "AppleIDTesting", package: "siwa"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ])
    ]
)
