plugins {
    id("com.android.application")
    id("org.jetbrains.kotlin.android")
}

fun setting(name: String) = providers.gradleProperty(name).get()

android {
    namespace = "com.example.juice"
    compileSdk = 36
    defaultConfig {
        applicationId = "com.example.juice"
        minSdk = 26
        targetSdk = 36
        versionCode = 1
        versionName = "1.0"
        manifestPlaceholders["juiceHost"] = setting("juice.host")
        buildConfigField("String", "BACKEND", "\"${setting("juice.backend")}\"")
        buildConfigField("String", "APP", "\"${setting("juice.app")}\"")
        buildConfigField("String", "RETURN_TARGET", "\"https://${setting("juice.host")}/signed-in\"")
    }
    buildFeatures { buildConfig = true }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
}

kotlin { jvmToolchain(17) }

dependencies { implementation("androidx.browser:browser:1.9.0") }
