"""A shop for records, as the tutorials of Django REST Framework and drf-spectacular write one: models, serializers, view sets, a router."""
import os
import uuid

import django
from django.conf import settings

# Each start has an empty shop.
if os.path.exists("shop.sqlite3"):
    os.remove("shop.sqlite3")

settings.configure(
    SECRET_KEY="not-secret-in-a-bench",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="shop",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "rest_framework.authtoken", "django_filters", "drf_spectacular"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.sqlite3", "OPTIONS": {"timeout": 20}}},
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "PAGE_SIZE": 10,
        "COERCE_DECIMAL_TO_STRING": False,
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend", "rest_framework.filters.SearchFilter", "rest_framework.filters.OrderingFilter"],
    },
    SPECTACULAR_SETTINGS={"TITLE": "Records", "VERSION": "1.0.0", "COMPONENT_SPLIT_REQUEST": True},
)
django.setup()

from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import include, path
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import mixins, routers, serializers, status, viewsets
from rest_framework.authtoken.models import Token
from rest_framework.authtoken.views import obtain_auth_token
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.response import Response
from rest_framework.views import APIView


class Artist(models.Model):
    name = models.CharField(max_length=100)
    country = models.CharField(max_length=2, blank=True)
    born_on = models.DateField(null=True, blank=True)

    class Meta:
        app_label = "shop"
        ordering = ["id"]


class Record(models.Model):
    class Medium(models.TextChoices):
        LP = "lp", "Long play"
        SINGLE = "single", "Single"
        CD = "cd", "Compact disc"

    title = models.CharField(max_length=200)
    artist = models.ForeignKey(Artist, related_name="records", on_delete=models.CASCADE, null=True, blank=True)
    medium = models.CharField(max_length=10, choices=Medium.choices, default=Medium.LP)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    rating = models.FloatField(null=True, blank=True)
    in_stock = models.BooleanField(default=True)
    released_on = models.DateField(null=True, blank=True)
    notes = models.TextField(blank=True)
    website = models.URLField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "shop"
        ordering = ["id"]


class Order(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField()
    quantity = models.PositiveSmallIntegerField(default=1)
    wanted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "shop"
        ordering = ["id"]


class ArtistSerializer(serializers.ModelSerializer):
    class Meta:
        model = Artist
        fields = ["id", "name", "country", "born_on"]


class RecordSerializer(serializers.ModelSerializer):
    class Meta:
        model = Record
        fields = ["id", "title", "artist", "medium", "price", "rating", "in_stock", "released_on", "notes", "website", "created_at"]


class OrderSerializer(serializers.ModelSerializer):
    tags = serializers.ListField(child=serializers.CharField(max_length=20), max_length=5, required=False, write_only=True)

    class Meta:
        model = Order
        fields = ["id", "email", "quantity", "wanted_at", "tags"]

    def create(self, validated_data):
        validated_data.pop("tags", None)
        return super().create(validated_data)


class SleeveSerializer(serializers.Serializer):
    image = serializers.FileField()
    caption = serializers.CharField(max_length=100, required=False)


class SizeSerializer(serializers.Serializer):
    size = serializers.IntegerField()


class ArtistViewSet(viewsets.ModelViewSet):
    queryset = Artist.objects.all()
    serializer_class = ArtistSerializer
    search_fields = ["name"]


class RecordViewSet(viewsets.ModelViewSet):
    queryset = Record.objects.all()
    serializer_class = RecordSerializer
    filterset_fields = {"medium": ["exact", "in"], "in_stock": ["exact"], "price": ["lte", "gte"], "released_on": ["exact"]}
    search_fields = ["title", "notes"]
    ordering_fields = ["title", "price"]

    @extend_schema(request={"multipart/form-data": SleeveSerializer}, responses=SizeSerializer)
    @action(detail=True, methods=["post"], parser_classes=[MultiPartParser])
    def sleeve(self, request, pk=None):
        self.get_object()
        serializer = SleeveSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response({"size": serializer.validated_data["image"].size})


class OrderViewSet(mixins.CreateModelMixin, mixins.RetrieveModelMixin, mixins.ListModelMixin, viewsets.GenericViewSet):
    queryset = Order.objects.all()
    serializer_class = OrderSerializer


class CardSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(choices=["card"])
    number = serializers.RegexField(r"^[0-9]{12,19}$")


class TransferSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(choices=["transfer"])
    iban = serializers.CharField(min_length=15, max_length=34)


payment = PolymorphicProxySerializer(
    component_name="Payment", serializers={"card": CardSerializer, "transfer": TransferSerializer}, resource_type_field_name="kind"
)


class PaymentView(APIView):
    @extend_schema(request=payment, responses={201: payment})
    def post(self, request):
        kinds = {"card": CardSerializer, "transfer": TransferSerializer}
        kind = request.data.get("kind") if isinstance(request.data, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            return Response({"kind": ["Unknown kind."]}, status=status.HTTP_400_BAD_REQUEST)
        serializer = kinds[kind](data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response(serializer.data, status=status.HTTP_201_CREATED)


class FeedbackSerializer(serializers.Serializer):
    text = serializers.CharField(max_length=500)
    stars = serializers.IntegerField(min_value=1, max_value=5)
    topics = serializers.MultipleChoiceField(choices=["sound", "sleeve", "price"], required=False)
    contact = serializers.EmailField(required=False, allow_null=True)


class FeedbackView(APIView):
    permission_classes = [AllowAny]
    parser_classes = [FormParser]

    @extend_schema(request=FeedbackSerializer, responses={200: SizeSerializer})
    def post(self, request):
        serializer = FeedbackSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return Response({"size": len(serializer.validated_data["text"])})


class PriceQuery(serializers.Serializer):
    days = serializers.IntegerField(min_value=1, max_value=365)
    since = serializers.DateField(required=False)
    media = serializers.MultipleChoiceField(choices=Record.Medium.choices, required=False)
    exact = serializers.BooleanField(required=False)


class StatisticsView(APIView):
    @extend_schema(parameters=[PriceQuery, OpenApiParameter("X-Unit", str, OpenApiParameter.HEADER, enum=["eur", "usd"])], responses=SizeSerializer)
    def get(self, request):
        query = PriceQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        return Response({"size": query.validated_data["days"]})


router = routers.DefaultRouter()
router.register("artists", ArtistViewSet)
router.register("records", RecordViewSet)
router.register("orders", OrderViewSet)

urlpatterns = [
    path("", include(router.urls)),
    path("payments/", PaymentView.as_view()),
    path("feedback/", FeedbackView.as_view()),
    path("statistics/", StatisticsView.as_view()),
    path("token/", obtain_auth_token),
    path("schema/", SpectacularAPIView.as_view()),
]


def migrate():
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    with connection.schema_editor() as editor:
        for model in (Artist, Record, Order):
            if model._meta.db_table not in connection.introspection.table_names():
                editor.create_model(model)
    user, _ = User.objects.get_or_create(username="fern")
    Token.objects.get_or_create(user=user, defaults={"key": "secret-token"})


migrate()
app = get_wsgi_application()
