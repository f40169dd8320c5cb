// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "notes-app",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/OWNER/siwa.git", from: "0.1.0", traits: [])],
    targets: [
        .executableTarget(name: "notes-app", dependencies: [.product(name: "AccountClient", package: "siwa")])
    ]
)
