"""A Django site whose users sign in with Apple, by python-social-auth as its manual says.

Nothing here names an address of Apple's: they are constants of the backend, without a setting.
"""

import sys

import django
from django.conf import settings


def application(team, client, database):
    """The site as a WSGI application. Once in a process, since Django's settings are global."""
    key = team["apps"][0]["keys"][0]
    settings.configure(
        ALLOWED_HOSTS=["localhost"],
        SECRET_KEY="for this test only",
        ROOT_URLCONF=__name__,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
        INSTALLED_APPS=[
            "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "social_django"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware"],
        AUTHENTICATION_BACKENDS=["social_core.backends.apple.AppleIdAuth"],
        LOGIN_REDIRECT_URL="/me",
        USE_TZ=True,
        SOCIAL_AUTH_APPLE_ID_CLIENT=client,
        SOCIAL_AUTH_APPLE_ID_TEAM=team["id"],
        SOCIAL_AUTH_APPLE_ID_KEY=key["id"],
        SOCIAL_AUTH_APPLE_ID_SECRET=key["privateKey"],
        SOCIAL_AUTH_APPLE_ID_SCOPE=["name", "email"])
    django.setup()

    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application

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
            "subject": user.social_auth.get().uid})

    return [path("", include("social_django.urls", namespace="social")), path("me", me)]
