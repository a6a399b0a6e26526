"""Django in one file."""

from django.conf import settings

settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="bench")

import django  # noqa: E402

django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django.views.decorators.http import require_POST  # noqa: E402
from plant import Rejection, check_token, check_type, read_plant  # noqa: E402


@require_POST
def create_plant(request):
    try:
        check_token(request.headers.get("Authorization"))
        check_type(request.headers.get("Content-Type"))
        # A body in chunks has no length, and Django reads none without one: wsgi.input has it.
        chunked = request.headers.get("Transfer-Encoding", "").lower() == "chunked"
        return JsonResponse(read_plant(request.environ["wsgi.input"].read() if chunked else request.body))
    except Rejection as rejection:
        return JsonResponse(rejection.body, status=400)


urlpatterns = [path("plants", create_plant)]
app = get_wsgi_application()
