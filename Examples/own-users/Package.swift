// swift-tools-version: 6.2
import PackageDescription

// A server with its own table of users, as you would write it. In your own package, put the URL of siwa's repository in
// place of the path. siwa's own manifest has the same targets, so that its tests run these.
let package = Package(
    name: "own-users",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "siwa", path: "../..", traits: ["HTTPTransport", "Emulator"]),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.24.0"),
    ],
    targets: [
        .executableTarget(
            name: "own-users",
            dependencies: [
                .product(name: "AppleID", package: "siwa"), .product(name: "AppleIDTypes", package: "siwa"),
                .product(name: "AsyncHTTPTransport", package: "siwa"),
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .testTarget(
            name: "OwnUsersTests",
            dependencies: [
                "own-users", .product(name: "AppleIDTesting", package: "siwa"),
                .product(name: "AppleIDEmulator", package: "siwa"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
    ]
)
