package com.example.juice

import android.app.Activity
import android.content.ActivityNotFoundException
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView
import androidx.browser.customtabs.CustomTabsIntent
import java.util.concurrent.Executors

/**
 * Signs a person in with Apple, through the browser and an app link.
 *
 * The account is kept in memory. An app of your own keeps the session's refresh token, encrypted with a key of the Android
 * Keystore, and asks for new access tokens with it.
 */
class MainActivity : Activity() {
    private val service =
        AccountService(BuildConfig.BACKEND, BuildConfig.APP, returnTarget = BuildConfig.RETURN_TARGET)
    private val background = Executors.newSingleThreadExecutor()
    private lateinit var message: TextView
    private lateinit var button: Button

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        message = TextView(this)
        button = Button(this)
        val column = LinearLayout(this)
        column.orientation = LinearLayout.VERTICAL
        column.fitsSystemWindows = true
        column.addView(message)
        column.addView(button)
        setContentView(column)
        show(getString(R.string.signed_out))
        if (savedInstanceState == null) takeLink(intent)
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        takeLink(intent)
    }

    override fun onDestroy() {
        background.shutdown()
        super.onDestroy()
    }

    /** Shows who is signed in, or why nobody is. */
    private fun show(text: String) {
        val person = account
        message.text = person?.let { listOfNotNull(it.name, it.email).joinToString("\n") } ?: text
        button.setText(if (person == null) R.string.sign_in else R.string.sign_out)
        button.setOnClickListener { if (person == null) signIn() else signOut(person) }
    }

    private fun signIn() {
        show(getString(R.string.waiting))
        inBackground({ service.begin() }) { begun ->
            attempt = begun
            try {
                CustomTabsIntent.Builder().build().launchUrl(this, Uri.parse(begun.page))
            } catch (error: ActivityNotFoundException) {
                attempt = null
                show(getString(R.string.no_browser))
            }
        }
    }

    /** Takes the app link by which the browser comes back: `?handle=…&id=…`, or `?error=…&id=…`. */
    private fun takeLink(intent: Intent) {
        val link = intent.data ?: return
        if (intent.action != Intent.ACTION_VIEW) return
        val begun = attempt
        // Any page can open this link, so it counts for the attempt that this process has begun alone.
        if (begun == null || link.getQueryParameter("id") != begun.id) {
            show(getString(R.string.too_late))
            return
        }
        attempt = null
        val handle = link.getQueryParameter("handle")
        if (handle == null) {
            show(getString(R.string.signed_out))
            return
        }
        inBackground({ service.finish(begun, handle) }) { person ->
            account = person
            show("")
        }
    }

    private fun signOut(person: Account) {
        account = null
        show(getString(R.string.signed_out))
        inBackground({ service.signOut(person) }) {}
    }

    private fun <T> inBackground(work: () -> T, done: (T) -> Unit) {
        background.execute {
            val result = runCatching(work)
            runOnUiThread {
                result.onSuccess(done).onFailure { show(it.message ?: it.javaClass.simpleName) }
            }
        }
    }

    private companion object {
        // Kept while the process lives: the system may end the activity while the browser is open.
        var attempt: Attempt? = null
        var account: Account? = null
    }
}
