// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "siwa",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "AppleIDTypes", targets: ["AppleIDTypes"]),
        .library(name: "AppleIDTransport", targets: ["AppleIDTransport"]),
        .library(name: "AsyncHTTPTransport", targets: ["AsyncHTTPTransport"]),
        .library(name: "AppleID", targets: ["AppleID"]),
        .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
        .library(name: "AppleIDEmulator", targets: ["AppleIDEmulator"]),
        .library(name: "AppleIDTesting", targets: ["AppleIDTesting"]),
        .library(name: "AccountTokens", targets: ["AccountTokens"]),
        .library(name: "AccountTokensTesting", targets: ["AccountTokensTesting"]),
        .library(name: "AccountAPI", targets: ["AccountAPI"]),
        .library(name: "AccountService", targets: ["AccountService"]),
        .library(name: "AccountSQLite", targets: ["AccountSQLite"]),
        .library(name: "AccountPostgres", targets: ["AccountPostgres"]),
        .library(name: "AccountMail", targets: ["AccountMail"]),
        .library(name: "AccountHTTP", targets: ["AccountHTTP"]),
        .library(name: "OpenAuthenticationServices", targets: ["OpenAuthenticationServices"]),
        .library(name: "AuthenticationServicesTesting", targets: ["AuthenticationServicesTesting"]),
        .library(name: "AccountClient", targets: ["AccountClient"]),
        .library(name: "JuiceScreens", targets: ["JuiceScreens"]),
        .executable(name: "siwa", targets: ["siwa"]),
        .executable(name: "juice", targets: ["juice"]),
    ],
    traits: [
        .default(enabledTraits: ["Service", "Emulator", "SQLite", "HTTPTransport"]),
        .trait(name: "Service", description: "The account service, its HTTP server and its mail; siwa and juice."),
        .trait(name: "Emulator", description: "The emulator of Apple, and tests against it in process."),
        .trait(name: "SQLite", description: "The account store on SQLite."),
        .trait(name: "HTTPTransport", description: "Requests to Apple by AsyncHTTPClient."),
        // A list of traits switches the default ones off: `--traits PostgreSQL` builds everything.
        .trait(
            name: "PostgreSQL", description: "The account store on PostgreSQL too. Opens libpq where it runs.",
            enabledTraits: ["Service", "Emulator", "SQLite", "HTTPTransport"]),
    ],
    // Each floor is the first version with what is used here, see Docs/adding.md. The tests run with the newest versions alone.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.0.0"),
        .package(
            url: "https://github.com/apple/swift-configuration.git", from: "1.0.0",
            traits: ["JSON", "CommandLineArguments"]),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.24.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.29.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.5.0"),
    ],
    targets: [
        .target(name: "TaskSignals"),
        .target(name: "PackageVersion"),
        .target(name: "StrictJSON"),
        .target(name: "AppleIDTypes"),
        .target(name: "StrictJWS", dependencies: [crypto]),
        .target(
            name: "AppleIDTransport",
            dependencies: [
                "AppleIDTypes", "PackageVersion", "StrictJSON", "StrictJWS", "TaskSignals", crypto, cryptoExtras,
                httpTypes, logging, metrics, tracing,
            ]),
        .target(
            name: "AsyncHTTPTransport",
            dependencies: [
                "AppleIDTransport", "TaskSignals", httpTypes, nioCore, nioSSL, asyncHTTPClient, nioHTTP1, nioPosix,
                lifecycle,
            ]),
        .target(
            name: "AppleID",
            dependencies: [
                "AppleIDTransport", "AppleIDTypes", "StrictJSON", "StrictJWS", "TaskSignals", crypto, httpTypes,
                logging, metrics,
            ]),
        .target(
            name: "OpenIDConnect",
            dependencies: [
                "AppleIDTransport", "AppleIDTypes", "StrictJSON", "StrictJWS", "TaskSignals", crypto, cryptoExtras,
                httpTypes, logging, metrics,
            ]),
        .target(
            name: "HTTPConnections",
            dependencies: ["TaskSignals", logging, nioCore, hummingbirdCore, nioHTTP1]),
        .target(name: "CEmulatorDescription"),
        .target(name: "CEmulatorPages", exclude: ["Images", "Pages", "Scripts", "Styles"]),
        .target(
            name: "AppleIDEmulator",
            dependencies: [
                "AppleIDTypes", "CEmulatorDescription", "CEmulatorPages", "HTTPConnections", "StrictJSON",
                "TaskSignals", crypto, cryptoExtras, hummingbird, mustache, logging, httpTypes, nioCore, nioSSL,
                lifecycle, asyncHTTPClient, hummingbirdCore, hummingbirdTLS, nioHTTP1, nioPosix,
            ]),
        .target(
            name: "AppleIDTesting",
            dependencies: [
                "AppleID", "AppleIDEmulator", "AppleIDTypes", "TaskSignals", cryptoExtras, httpTypes, logging,
            ]),
        .target(
            name: "AccountTokens",
            dependencies: ["AppleIDTransport", "AppleIDTypes", "StrictJSON", "StrictJWS", crypto, logging, metrics]),
        .target(
            name: "AccountTokensTesting",
            dependencies: ["AccountTokens", "AppleIDTransport", "StrictJWS", "TaskSignals", crypto, httpTypes, logging]),
        .target(name: "AccountAPI"),
        .target(name: "AccountDatabase", dependencies: [logging]),
        .target(name: "CCommonPasswords", exclude: ["Licences", "README.md", "common-passwords.txt", "make-list"]),
        .target(name: "CCrypt", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "AccountService",
            dependencies: [
                "AccountDatabase", "AppleID", "AppleIDTypes", "CCommonPasswords", "CCrypt", "OpenIDConnect",
                "StrictJSON", "TaskSignals", crypto, cryptoExtras, logging, lifecycle, metrics,
            ]),
        .target(
            name: "AccountSQLite",
            dependencies: [
                "AccountDatabase", "TaskSignals", grdb, logging,
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ]),
        // This and CCrypt open a library while the program runs; glibc before 2.34 has `dlopen` in a library of its own.
        .target(name: "CPostgres", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "AccountPostgres",
            dependencies: [
                "AccountDatabase", "TaskSignals", logging,
                .target(name: "CPostgres", condition: .when(traits: ["PostgreSQL"])),
            ]),
        .target(name: "WellKnownFiles", dependencies: ["StrictJSON"]),
        .target(name: "CMailTemplates", exclude: ["Templates"]),
        .target(
            name: "AccountMail",
            dependencies: [
                "AccountService", "CMailTemplates", "TaskSignals", mustache, nioCore, nioSSL, nioPosix,
                .product(name: "NIOTLS", package: "swift-nio"),
            ]),
        .target(name: "CAccountPages", exclude: ["Images", "Pages", "Scripts", "Styles"]),
        .target(
            name: "AccountHTTP",
            dependencies: [
                "AccountAPI", "AccountService", "AppleID", "AppleIDTypes", "CAccountPages", "HTTPConnections",
                "OpenIDConnect", "StrictJSON", "TaskSignals", "WellKnownFiles", crypto, hummingbird, mustache, logging,
                metrics, httpTypes, nioCore, nioSSL, hummingbirdCore, hummingbirdTLS, nioHTTP1, lifecycle,
            ]),
        .target(name: "AccountConnection", dependencies: ["AccountAPI", "TaskSignals"]),
        .target(
            name: "OpenAuthenticationServices",
            dependencies: ["AccountAPI", "AccountConnection", "TaskSignals", crypto]),
        .target(
            name: "AuthenticationServicesTesting",
            dependencies: ["AccountAPI", "AccountConnection", "OpenAuthenticationServices", "TaskSignals"]),
        .target(
            name: "AccountClient",
            dependencies: ["AccountAPI", "AccountConnection", "OpenAuthenticationServices", "TaskSignals", crypto],
            exclude: privacyManifest.exclude, resources: privacyManifest.resources),
        .target(name: "JuiceScreens", dependencies: ["AccountAPI", "AccountClient", "OpenAuthenticationServices"]),
        .executableTarget(
            name: "juice",
            dependencies: [
                "AccountClient", "CommandIO", "JuiceScreens", "OpenAuthenticationServices", "PackageVersion",
                argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        // The output, the exit status and the failure of a command: shared by siwa, SiwaDoctor, PeopleFiles and juice.
        .target(name: "CommandIO", dependencies: [argumentParser]),
        .target(
            name: "SiwaDoctor",
            dependencies: [
                "AppleID", "AppleIDTypes", "AsyncHTTPTransport", "CommandIO", "OpenIDConnect", "StrictJSON",
                "WellKnownFiles", crypto, httpTypes, logging,
            ]),
        .target(
            name: "PeopleFiles",
            dependencies: ["AccountService", "AppleIDTypes", "CommandIO", "StrictJSON", crypto, logging]),
        .executableTarget(
            name: "siwa",
            dependencies: [
                "AccountDatabase", "AccountHTTP", "AccountMail", "AccountPostgres", "AccountService", "AccountSQLite",
                "AppleID", "AppleIDEmulator", "AppleIDTypes", "AsyncHTTPTransport", "CommandIO", "HTTPConnections",
                "OpenIDConnect", "PackageVersion", "PeopleFiles", "SiwaDoctor", "StrictJSON", "TaskSignals",
                "WellKnownFiles", crypto, httpTypes, hummingbird, logging, lifecycle, metrics, nioCore, nioSSL, x509,
                asn1, asyncHTTPClient, hummingbirdCore, nioHTTP1, nioPosix, argumentParser,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        // The program with which `make bench` measures the store; no product.
        .executableTarget(
            name: "store-bench",
            dependencies: [
                "AccountPostgres", "AccountService", "AccountDatabase", "AccountSQLite", "AppleIDTypes", logging,
                argumentParser,
            ],
            path: "Benchmarks/Sources/store-bench"),
        .executableTarget(
            name: "own-users",
            dependencies: [
                "AppleID", "AppleIDTypes", "AsyncHTTPTransport", crypto, grdb, hummingbird, logging, nioCore,
            ],
            path: "Examples/own-users/Sources/own-users"),
        .testTarget(
            name: "OwnUsersTests",
            dependencies: [
                "own-users", "AppleID", "AppleIDEmulator", "AppleIDTesting", "AppleIDTypes", crypto, grdb, hummingbird,
                hummingbirdTesting, httpTypes, logging, nioCore,
            ],
            path: "Examples/own-users/Tests/OwnUsersTests"),
        .executableTarget(
            name: "embedded",
            dependencies: [
                "AccountHTTP", "AccountService", "AccountSQLite", "AppleID", "AppleIDTypes", "AsyncHTTPTransport",
                hummingbird, logging, lifecycle, nioCore,
            ],
            path: "Examples/embedded/Sources/embedded"),
        .testTarget(
            name: "EmbeddedTests",
            dependencies: [
                "embedded", "AccountAPI", "AccountHTTP", "AccountService", "AccountSQLite", "AppleID",
                "AppleIDEmulator", "AppleIDTesting", "AppleIDTypes", hummingbird, hummingbirdTesting, httpTypes,
                logging, nioCore,
            ],
            path: "Examples/embedded/Tests/EmbeddedTests"),
        // An empty store on each engine, and sample records, for tests; no product.
        .target(
            name: "AccountEngines",
            dependencies: [
                "AccountPostgres", "AccountDatabase", "AccountSQLite", "AccountService", "AppleIDTransport",
                "AppleIDTypes", "OpenIDConnect", "StrictJWS", "TaskSignals", crypto, httpTypes, logging,
            ],
            path: "Tests/AccountEngines"),
        .testTarget(name: "TaskSignalsTests", dependencies: ["TaskSignals"]),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"]),
        .testTarget(name: "StrictJWSTests", dependencies: ["StrictJWS"]),
        .testTarget(
            name: "AsyncHTTPTransportTests",
            dependencies: [
                "AppleID", "AppleIDTransport", "AppleIDTypes", "AsyncHTTPTransport", httpTypes, logging, nioCore,
                asyncHTTPClient, inMemoryLogging, nioPosix,
            ]),
        .testTarget(
            name: "HTTPConnectionsTests",
            dependencies: [
                "HTTPConnections", nioCore, hummingbirdCore, nioHTTP1,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        .testTarget(name: "WellKnownFilesTests", dependencies: ["WellKnownFiles"]),
        .testTarget(name: "AppleIDTypesTests", dependencies: ["AppleIDTypes"]),
        .testTarget(
            name: "AppleIDTests",
            dependencies: [
                "AccountTokens", "AppleID", "AppleIDTransport", "AppleIDTypes", "AsyncHTTPTransport", "StrictJSON",
                "StrictJWS", "TaskSignals", crypto, cryptoExtras, httpTypes, logging, metrics, nioCore, tracing,
                inMemoryLogging, inMemoryTracing, metricsTestKit, nioPosix,
            ],
            resources: [.copy("Vectors")]),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: [
                "AppleIDTransport", "AsyncHTTPTransport", "OpenIDConnect", "TaskSignals", crypto, cryptoExtras,
                httpTypes, logging, inMemoryLogging, inMemoryTracing, metricsTestKit,
            ]),
        .testTarget(
            name: "AppleIDEmulatorTests",
            dependencies: [
                "AppleID", "AppleIDEmulator", "AppleIDTesting", "AppleIDTypes", "StrictJSON", "TaskSignals", crypto,
                cryptoExtras, hummingbird, hummingbirdTesting, httpTypes, logging, nioCore, nioPosix,
            ],
            exclude: ["Snapshot/Recorded"]),
        .testTarget(
            name: "AccountTokensTests",
            dependencies: [
                "AccountTokens", "AccountTokensTesting", "AppleIDTransport", "TaskSignals", crypto, cryptoExtras,
                httpTypes, logging, metrics, tracing, inMemoryTracing, metricsTestKit,
            ]),
        .testTarget(
            name: "AccountServiceTests",
            dependencies: [
                "AccountEngines", "AccountService", "AccountDatabase", "AccountSQLite", "AppleID", "AppleIDEmulator",
                "AppleIDTesting", "AppleIDTypes", "OpenIDConnect", "TaskSignals", crypto, httpTypes, logging, lifecycle,
                tracing, inMemoryLogging, metricsTestKit,
            ]),
        .testTarget(
            name: "AccountSQLiteTests",
            dependencies: [
                "AccountDatabase", "AccountSQLite", "AccountService", "AppleIDTypes", "TaskSignals", lifecycle, logging,
                inMemoryLogging,
            ]),
        .testTarget(
            name: "AccountPostgresTests",
            dependencies: [
                "AccountEngines", "AccountDatabase", "AccountPostgres", "AccountService", "AppleIDTypes", "TaskSignals",
                lifecycle, logging, inMemoryLogging,
            ]),
        .testTarget(
            name: "AccountMailTests",
            dependencies: [
                "AccountMail", "AccountService", "TaskSignals", crypto, nioCore, nioSSL, x509, asn1, nioPosix,
            ]),
        .testTarget(
            name: "AccountHTTPTests",
            dependencies: [
                "AccountAPI", "AccountEngines", "AccountHTTP", "AccountDatabase", "AccountService", "AppleID",
                "AppleIDEmulator", "AppleIDTypes", "OpenIDConnect", "StrictJSON", "TaskSignals", "WellKnownFiles",
                crypto, cryptoExtras, hummingbird, hummingbirdTesting, httpTypes, logging, nioCore, metrics,
                inMemoryLogging, lifecycle, metricsTestKit,
            ],
            exclude: ["Recorded"]),
        .testTarget(
            name: "AccountConnectionTests",
            dependencies: ["AccountAPI", "AccountConnection", "OpenAuthenticationServices", "TaskSignals"]),
        .testTarget(
            name: "OpenAuthenticationServicesTests",
            dependencies: [
                "AccountAPI", "AccountConnection", "AuthenticationServicesTesting", "OpenAuthenticationServices",
                "TaskSignals", crypto,
            ]),
        .testTarget(
            name: "AccountClientTests",
            dependencies: [
                "AccountAPI", "AccountClient", "AccountConnection", "AuthenticationServicesTesting",
                "OpenAuthenticationServices", "TaskSignals", crypto,
            ],
            exclude: ["Storage/Programs"]),
        .testTarget(
            name: "JuiceTests",
            dependencies: [
                "juice", "AccountClient", "AuthenticationServicesTesting", "JuiceScreens",
                "OpenAuthenticationServices", "PackageVersion",
            ],
            exclude: ["Transcripts"]),
        .testTarget(
            name: "JuiceScreensTests",
            dependencies: [
                "AccountAPI", "AccountClient", "AuthenticationServicesTesting", "JuiceScreens",
                "OpenAuthenticationServices", "TaskSignals",
            ]),
        .testTarget(
            name: "SiwaDoctorTests",
            dependencies: [
                "AppleID", "AppleIDEmulator", "AppleIDTesting", "AppleIDTypes", "CommandIO", "OpenIDConnect",
                "SiwaDoctor", "WellKnownFiles", crypto, httpTypes,
            ]),
        .testTarget(
            name: "PeopleFilesTests",
            dependencies: ["AccountService", "AppleIDTypes", "CommandIO", "PeopleFiles", crypto],
            exclude: ["Import/Fixtures"]),
        .testTarget(
            name: "SiwaTests",
            dependencies: [
                "siwa", "AccountHTTP", "AccountPostgres", "AccountDatabase", "AccountSQLite", "AccountService",
                "AppleID", "AppleIDEmulator", "AppleIDTesting", "AppleIDTypes", "AsyncHTTPTransport", "CommandIO",
                "OpenIDConnect", "PackageVersion", "PeopleFiles", "SiwaDoctor", "WellKnownFiles", crypto, cryptoExtras,
                httpTypes, hummingbird, lifecycle, logging, nioCore, nioSSL, x509, asn1, asyncHTTPClient,
                hummingbirdTLS, inMemoryLogging, nioPosix,
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            exclude: ["NamedStrings/Recorded", "NamedStrings/source_names.py", "Transcripts"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AccountAPI", "AccountClient", "AccountEngines", "AccountHTTP", "AccountPostgres", "AccountDatabase",
                "AccountService", "AccountSQLite", "AccountTokens", "AppleID", "AppleIDEmulator", "AppleIDTesting",
                "AppleIDTypes", "AsyncHTTPTransport", "JuiceScreens", "OpenAuthenticationServices", "TaskSignals",
                crypto, hummingbird, hummingbirdTesting, httpTypes, logging, nioCore, inMemoryLogging,
            ],
            exclude: ["Upgrade/Recorded"]),
    ],
    swiftLanguageModes: [.v6]
)

// Modules with the names of Apple's. On Apple's platforms they would stand in front of the system's, so there they are
// not even declared; a cross-compilation from a Mac asks for them with SIWA_APPLE_MODULES=1.
#if os(macOS)
    let hasAppleModules = Context.environment["SIWA_APPLE_MODULES"] == "1"
#else
    let hasAppleModules = true
#endif
if hasAppleModules {
    package.products += [
        .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]),
        .library(name: "CryptoKit", targets: ["CryptoKit"]),
    ]
    package.targets += [
        .target(name: "AuthenticationServices", dependencies: ["OpenAuthenticationServices"]),
        .target(name: "CryptoKit", dependencies: [crypto]),
        .testTarget(
            name: "SeedTests",
            dependencies: [
                "AccountAPI", "AccountClient", "AccountHTTP", "AccountDatabase", "AccountSQLite", "AccountService",
                "AppleID", "AppleIDEmulator", "AppleIDTesting", "AppleIDTypes", "AuthenticationServicesTesting",
                "OpenAuthenticationServices", "TaskSignals", hummingbird, hummingbirdTesting, lifecycle, logging,
                .target(name: "AuthenticationServices", condition: .when(platforms: [.linux, .windows, .android])),
                .target(name: "CryptoKit", condition: .when(platforms: [.linux, .windows, .android])),
            ]),
    ]
}

// The one list of settings. The seeds' snippets stand in SeedTests as their authors wrote them, in the language as it is by
// default. Hummingbird and swift-configuration need newer systems of Apple's than the rest of the package: declarations that use
// one of them carry the name siwaServer. Servers run on macOS or Linux; an app for the other systems may contain one.
for target in package.targets where target.type != .system {
    target.swiftSettings = warningSettings
    if target.name != "SeedTests" {
        target.swiftSettings? += [
            .strictMemorySafety(),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    }
    let servers = "AvailabilityMacro=siwaServer 1.0:macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0"
    target.swiftSettings?.append(.enableExperimentalFeature(servers))
}

// A package that only targets of disabled traits use is neither resolved nor cloned. These targets are always there, and what
// they use is all that `traits: []` resolves. SQLite's package has a condition of its own.
let core = [
    "AccountClient", "AccountDatabase", "AccountPostgres", "AccountSQLite", "AccountTokens", "AccountTokensTesting",
    "AppleID", "AppleIDTransport", "CryptoKit", "OpenAuthenticationServices", "OpenIDConnect", "StrictJWS",
]
for target in package.targets where !core.contains(target.name) {
    let traits: Set<String> =
        switch target.name {
        case "AsyncHTTPTransport": ["HTTPTransport"]
        case "AppleIDEmulator", "AppleIDTesting": ["Emulator"]
        // When SwiftPM resolves packages, it takes this set for "both". So the other targets decide what is resolved.
        case "HTTPConnections": ["Service", "Emulator"]
        default: ["Service"]
        }
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package, let aliases, nil) = dependency else { return dependency }
        return .productItem(
            name: name, package: package, moduleAliases: aliases, condition: .when(traits: traits))
    }
}

// Swift Testing takes no availability on a suite. So on a Mac, tests of servers need the servers' systems.
if Context.environment["SIWA_TESTS"] == "1" {
    package.platforms = [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)]
}

// Warnings are errors for those who work on siwa. Xcode and Swift 6.4 switch the warnings of a dependency off, and refuse a package
// that also makes errors of them. On a Mac nobody has compiled siwa yet, so there a warning does not end the build of an app.
var warningSettings: [SwiftSetting] {
    #if os(macOS)
        []
    #else
        Context.packageDirectory.contains("/checkouts/") ? [] : [.treatAllWarnings(as: .error)]
    #endif
}

// The privacy manifest is for Apple's App Store, and only Xcode reads it. Elsewhere a resource would be a folder beside a program.
var privacyManifest: (exclude: [String], resources: [Resource]) {
    #if os(macOS)
        ([], [.copy("PrivacyInfo.xcprivacy")])
    #else
        (["PrivacyInfo.xcprivacy"], [])
    #endif
}

// The dependencies of several targets, each named once.
var argumentParser: Target.Dependency { .product(name: "ArgumentParser", package: "swift-argument-parser") }
var asn1: Target.Dependency { .product(name: "SwiftASN1", package: "swift-asn1") }
var asyncHTTPClient: Target.Dependency { .product(name: "AsyncHTTPClient", package: "async-http-client") }
var crypto: Target.Dependency { .product(name: "Crypto", package: "swift-crypto") }
var cryptoExtras: Target.Dependency { .product(name: "CryptoExtras", package: "swift-crypto") }
var grdb: Target.Dependency { .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])) }
var httpTypes: Target.Dependency { .product(name: "HTTPTypes", package: "swift-http-types") }
var hummingbird: Target.Dependency { .product(name: "Hummingbird", package: "hummingbird") }
var hummingbirdCore: Target.Dependency { .product(name: "HummingbirdCore", package: "hummingbird") }
var hummingbirdTesting: Target.Dependency { .product(name: "HummingbirdTesting", package: "hummingbird") }
var hummingbirdTLS: Target.Dependency { .product(name: "HummingbirdTLS", package: "hummingbird") }
var inMemoryLogging: Target.Dependency { .product(name: "InMemoryLogging", package: "swift-log") }
var inMemoryTracing: Target.Dependency { .product(name: "InMemoryTracing", package: "swift-distributed-tracing") }
var lifecycle: Target.Dependency { .product(name: "ServiceLifecycle", package: "swift-service-lifecycle") }
var logging: Target.Dependency { .product(name: "Logging", package: "swift-log") }
var metrics: Target.Dependency { .product(name: "CoreMetrics", package: "swift-metrics") }
var metricsTestKit: Target.Dependency { .product(name: "MetricsTestKit", package: "swift-metrics") }
var mustache: Target.Dependency { .product(name: "Mustache", package: "swift-mustache") }
var nioCore: Target.Dependency { .product(name: "NIOCore", package: "swift-nio") }
var nioHTTP1: Target.Dependency { .product(name: "NIOHTTP1", package: "swift-nio") }
var nioPosix: Target.Dependency { .product(name: "NIOPosix", package: "swift-nio") }
var nioSSL: Target.Dependency { .product(name: "NIOSSL", package: "swift-nio-ssl") }
var tracing: Target.Dependency { .product(name: "Tracing", package: "swift-distributed-tracing") }
var x509: Target.Dependency { .product(name: "X509", package: "swift-certificates") }
