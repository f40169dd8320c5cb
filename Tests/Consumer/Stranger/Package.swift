// swift-tools-version: 6.2
import PackageDescription

// A package that knows nothing of siwa and does not depend on it.
let package = Package(
    name: "Stranger",
    products: [.library(name: "Stranger", targets: ["Stranger"])],
    targets: [.target(name: "Stranger")]
)
