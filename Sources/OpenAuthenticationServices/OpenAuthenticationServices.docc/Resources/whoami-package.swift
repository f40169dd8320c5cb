// swift-tools-version: 6.1
import PackageDescription

// A Mac has modules of these names already.
#if os(macOS)
    let appleModules: [Target.Dependency] = []
#else
    let appleModules: [Target.Dependency] = [
        .product(name: "AuthenticationServices", package: "siwa"),
        .product(name: "CryptoKit", package: "siwa"),
    ]
#endif

let package = Package(
    name: "whoami",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/OWNER/siwa.git", from: "0.1.0", traits: [])],
    targets: [.executableTarget(name: "whoami", dependencies: appleModules)]
)
