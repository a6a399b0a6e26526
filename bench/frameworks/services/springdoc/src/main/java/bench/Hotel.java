package bench;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the hotel has and takes. */
public final class Hotel {
    private Hotel() {}

    public enum Kind { SINGLE, DOUBLE, SUITE }

    public record RoomInput(
            @NotBlank @Size(max = 60) String name,
            @NotNull Kind kind,
            @NotNull @Min(1) @Max(12) Integer beds,
            @Positive BigDecimal price,
            LocalDate renovatedOn,
            Boolean smoking,
            @Size(max = 5) List<@NotBlank String> tags,
            Map<String, Integer> extras) {}

    public record Room(Long id, String name, Kind kind, Integer beds, BigDecimal price, LocalDate renovatedOn, Boolean smoking, List<String> tags, Map<String, Integer> extras, Instant createdAt) {
        static Room of(Long id, RoomInput input) {
            return new Room(id, input.name(), input.kind(), input.beds(), input.price(), input.renovatedOn(), input.smoking(), input.tags(), input.extras(), Instant.now());
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(value = Card.class, name = "card"), @JsonSubTypes.Type(value = Invoice.class, name = "invoice")})
    public sealed interface Payment permits Card, Invoice {}

    public record Card(@NotNull @Pattern(regexp = "[0-9]{12,19}") String number) implements Payment {}

    public record Invoice(@NotNull @Email String email, Integer days) implements Payment {}

    public record BookingInput(@NotNull Long roomId, @NotNull LocalDate from, @NotNull @Min(1) @Max(60) Integer nights, @NotNull @Valid Payment payment, @Size(max = 200) String note) {}

    public record Booking(UUID id, Long roomId, LocalDate from, Integer nights, Payment payment, String note) {}

    public record Feedback(@NotBlank @Size(max = 300) String text, @NotNull @Min(1) @Max(5) Integer stars, Boolean publish) {}

    public record Length(int length) {}
}
