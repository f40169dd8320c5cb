import org.jetbrains.kotlin.gradle.dsl.JvmTarget

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
        // The theme that follows light and dark mode is as old as this.
        minSdk = 29
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

// Any JDK from 17 on builds this, such as the one that Android Studio brings. So no toolchain is named.
kotlin { compilerOptions { jvmTarget.set(JvmTarget.JVM_17) } }

dependencies { implementation("androidx.browser:browser:1.9.0") }
