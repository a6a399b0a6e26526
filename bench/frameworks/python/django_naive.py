"""Django REST framework in one file."""

import os

from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=["rest_framework"],
    REST_FRAMEWORK={"UNAUTHENTICATED_USER": None},
    ROOT_URLCONF=__name__,
    SECRET_KEY="bench",
)

import django  # noqa: E402

django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class NewPlant(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    tag = serializers.CharField(required=False)


class Plants(APIView):
    authentication_classes = ()

    def post(self, request):
        if request.headers.get("Authorization") != f"Bearer {os.environ['STORE_TOKEN']}":
            return Response({"error": 1, "message": "unauthorized"}, 400)
        serializer = NewPlant(data=request.data)
        serializer.is_valid(raise_exception=True)
        plant = serializer.validated_data
        return Response({name: plant[name] for name in ("name", "tag") if name in plant})


urlpatterns = [path("plants", Plants.as_view())]
app = get_wsgi_application()
