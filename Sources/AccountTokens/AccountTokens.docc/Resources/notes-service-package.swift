// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "notes-service",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/OWNER/siwa.git", from: "0.1.0", traits: ["HTTPTransport"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.24.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "notes-service",
            dependencies: [
                .product(name: "AccountTokens", package: "siwa"),
                .product(name: "AsyncHTTPTransport", package: "siwa"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ])
    ]
)
