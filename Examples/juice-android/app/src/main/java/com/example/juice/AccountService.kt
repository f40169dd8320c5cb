package com.example.juice

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.security.MessageDigest
import java.security.SecureRandom
import java.util.Base64
import org.json.JSONObject

/** A sign-in that waits for the browser. The verifier and the nonce never leave this process before the end. */
class Attempt(val id: String, val page: String, val verifier: String, val nonce: String)

/** A person who is signed in. */
class Account(val email: String?, val name: String?, val accessToken: String)

/** A refusal of the account service: its code is for programs, the message is for people. */
class Refusal(val code: String, message: String) : IOException(message)

/** The calls of the account service that a sign-in needs. Each one blocks, so call it off the main thread. */
class AccountService(private val backend: String, private val app: String, private val returnTarget: String) {

    /** Begins a sign-in: the person continues on the page, in the browser. */
    fun begin(): Attempt {
        val verifier = randomText()
        val nonce = randomText()
        val answer = post(
            "/v1/authorizations",
            JSONObject()
                .put("app", app)
                .put("redirectURI", returnTarget)
                .put("codeChallenge", base64URL(sha256(verifier)))
                .put("scope", "name email")
                // Apple gets the hash, and the account service the nonce itself.
                .put("nonce", sha256(nonce).joinToString("") { "%02x".format(it) }))
        return Attempt(answer.getString("id"), answer.getString("url"), verifier, nonce)
    }

    /** Ends a sign-in with the handle that the browser has brought. It is good for a minute, and once. */
    fun finish(attempt: Attempt, handle: String): Account {
        val credential = post(
            "/v1/authorizations/redeem",
            JSONObject().put("handle", handle).put("codeVerifier", attempt.verifier))
        val request = JSONObject()
            .put("identityToken", credential.getString("identityToken"))
            .put("authorizationCode", credential.getString("authorizationCode"))
            .put("nonce", attempt.nonce)
        // Apple gives the name once: the account keeps it.
        credential.optJSONObject("fullName")?.let { request.put("fullName", it) }
        val answer = post("/v1/sign-in/apple", request)
        val account = answer.getJSONObject("account")
        return Account(
            account.text("email"), account.optJSONObject("name")?.text("formatted"),
            answer.getJSONObject("session").getString("accessToken"))
    }

    /** Ends the session at the account service. */
    fun signOut(account: Account) {
        call("DELETE", "/v1/session", null, account.accessToken)
    }

    private fun post(path: String, body: JSONObject): JSONObject = call("POST", path, body, null)

    private fun call(method: String, path: String, body: JSONObject?, accessToken: String?): JSONObject {
        val connection = URL(backend + path).openConnection() as HttpURLConnection
        try {
            connection.requestMethod = method
            connection.connectTimeout = 10_000
            connection.readTimeout = 30_000
            // The request holds secrets, so it goes to no other address.
            connection.instanceFollowRedirects = false
            accessToken?.let { connection.setRequestProperty("Authorization", "Bearer $it") }
            if (body != null) {
                connection.doOutput = true
                connection.setRequestProperty("Content-Type", "application/json")
                connection.outputStream.use { it.write(body.toString().toByteArray()) }
            }
            val status = connection.responseCode
            val stream = if (status < 400) connection.inputStream else connection.errorStream
            val text = stream?.use { it.readBytes().decodeToString() } ?: ""
            if (status in 200..299) return if (text.isEmpty()) JSONObject() else JSONObject(text)
            val error = runCatching { JSONObject(text).getJSONObject("error") }.getOrNull()
            throw Refusal(
                error?.optString("code") ?: "unknown",
                error?.optString("message") ?: "The account service answered with status $status.")
        } finally {
            connection.disconnect()
        }
    }

    private companion object {
        val random = SecureRandom()

        /** 32 random bytes as 43 letters, digits, hyphens and underscores. */
        fun randomText(): String = base64URL(ByteArray(32).also { random.nextBytes(it) })

        fun base64URL(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)

        fun sha256(text: String): ByteArray = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())

        /** A member that may be null, which `optString` would turn into the text "null". */
        fun JSONObject.text(name: String): String? = if (isNull(name)) null else optString(name)
    }
}
