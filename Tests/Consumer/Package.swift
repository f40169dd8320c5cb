// swift-tools-version: 6.2
import PackageDescription

// Apps as somebody else would write them, outside siwa's own manifest and its settings; `check.py` builds and runs
// them.
//
// CONSUMER_ALIAS=1 gives siwa's module a name that nobody else asks for.
let aliases: [String: String]? =
    Context.environment["CONSUMER_ALIAS"] == "1" ? ["AuthenticationServices": "SiwaAuthenticationServices"] : nil

// An alias is matched by the package's identity: here the name of siwa's folder, for an app with siwa's URL "siwa".
let siwa = String(Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "siwa")

// On one path alone may a product of the app come to siwa's. If two of its targets name it, SwiftPM renames the module
// but lets neither of them find it under its first name.
let authenticationServices: Target.Dependency = .product(
    name: "AuthenticationServices", package: siwa, moduleAliases: aliases,
    condition: .when(platforms: [.linux, .windows, .android]))

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // These programs use nothing that needs one of siwa's traits.
        .package(path: "../..", traits: []),
        .package(path: "Stranger"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "consumer5",
            dependencies: [authenticationServices, .product(name: "Stranger", package: "Stranger")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "consumer6",
            dependencies: [authenticationServices, .product(name: "Stranger", package: "Stranger")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(
            name: "service6",
            dependencies: [
                .product(name: "AccountTokens", package: siwa), .product(name: "AppleIDTransport", package: siwa),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(
            name: "verifier6",
            dependencies: [
                .product(name: "AppleID", package: siwa), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
