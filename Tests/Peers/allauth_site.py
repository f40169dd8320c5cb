"""A Django site whose users sign in with Apple, by django-allauth as its manual says.

What points at the emulator are three URLs, attributes of the provider's adapter: allauth has no setting for them.
"""

import sys

import django
from django.conf import settings


def application(emulator, client, database, has_pkce):
    """The site as a WSGI application. Once in a process, since Django's settings are global."""
    team = emulator.team
    app = team["apps"][0]
    settings.configure(
        ALLOWED_HOSTS=["localhost"],
        SECRET_KEY="for this test only",
        ROOT_URLCONF=__name__,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
        INSTALLED_APPS=[
            "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.messages", "django.contrib.sessions",
            "allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.apple"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "allauth.account.middleware.AccountMiddleware"],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]}}],
        AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
        LOGIN_REDIRECT_URL="/me",
        USE_TZ=True,
        ACCOUNT_EMAIL_VERIFICATION="none",
        SOCIALACCOUNT_LOGIN_ON_GET=True,
        SOCIALACCOUNT_QUERY_EMAIL=True,
        SOCIALACCOUNT_PROVIDERS={"apple": {
            "OAUTH_PKCE_ENABLED": has_pkce,
            "APPS": [{
                "client_id": client,
                "secret": app["keys"][0]["id"],
                "key": team["id"],
                "settings": {"certificate_key": app["keys"][0]["privateKey"]},
            }]}})
    django.setup()

    from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application

    AppleOAuth2Adapter.authorize_url = f"{emulator.url}/auth/authorize"
    AppleOAuth2Adapter.access_token_url = f"{emulator.url}/auth/token"
    AppleOAuth2Adapter.public_key_url = f"{emulator.url}/auth/keys"

    sys.modules[__name__].urlpatterns = patterns()
    call_command("migrate", verbosity=0)
    return get_wsgi_application()


def patterns():
    from django.contrib.auth.decorators import login_required
    from django.http import JsonResponse
    from django.urls import include, path

    @login_required
    def me(request):
        user = request.user
        return JsonResponse({
            "user": user.pk, "email": user.email, "firstName": user.first_name, "lastName": user.last_name,
            "subject": user.socialaccount_set.get().uid})

    return [path("accounts/", include("allauth.urls")), path("me", me)]
